#!/usr/bin/env python3
"""Builds smollm2-q4.json and smollm2-q8.json: what HF transformers continues the prompts
of smollm2-greedy.json with, on the demo model's weights quantised by mlx.core.quantize.

    pip install mlx==0.32.4 mlx-cpu==0.32.4 gguf==0.19.0 torch==2.15.0 transformers==5.24.0
    mkdir -p build/formats && zstd -d testdata/oracle/smollm2-greedy.json.zst -o build/formats/smollm2-greedy.json
    python testdata/make_smollm2.py build/smollm2/*.gguf build/formats
    go run ./golden/oracle/rebuild -formats build/formats

or NAME.json, what it continues them with on a file's own numbers, to compare that file's bundle with:

    python testdata/make_smollm2.py --as-is NAME.gguf build/formats
    bin/mlxc-run validate NAME.tar build/formats/NAME.json

The GGUF's weights are dequantised by the gguf package and rounded to f16; every matrix is
quantised in groups of 64 and dequantised, scale·code + bias, in f32. HF computes in f32,
eager attention. Without the quantisation the same code must give smollm2-greedy.json.
"""
import json
import pathlib
import sys

import gguf
import mlx.core as mx
import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM

NAMES = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
         "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}


def read(path):
    """The GGUF's config and weights, by HF name and in HF's row order, f32."""
    r = gguf.GGUFReader(path)
    def value(key):
        return r.fields["llama." + key].parts[-1][0].item()
    heads, kv, hidden = value("attention.head_count"), value("attention.head_count_kv"), value("embedding_length")
    c = dict(vocab_size=value("vocab_size"), hidden_size=hidden, intermediate_size=value("feed_forward_length"), num_hidden_layers=value("block_count"),
             num_attention_heads=heads, num_key_value_heads=kv, max_position_embeddings=value("context_length"), rope_theta=value("rope.freq_base"),
             rms_norm_eps=value("attention.layer_norm_rms_epsilon"), tie_word_embeddings=True, attn_implementation="eager")
    w = {}
    for t in r.tensors:
        x = gguf.dequantize(t.data, t.tensor_type).reshape(*reversed(t.shape.tolist())).astype(np.float32)
        name = t.name.removesuffix(".weight")
        if name.startswith("blk."):
            _, layer, part = name.split(".")
            n = {"attn_q": heads, "attn_k": kv}.get(part)
            if n:  # from RoPE in neighbouring pairs to HF's halves
                x = x.reshape(n, x.shape[0] // n // 2, 2, -1).swapaxes(1, 2).reshape(x.shape)
            w[f"model.layers.{layer}.{NAMES[part]}.weight"] = x
        else:
            w[{"token_embd": "model.embed_tokens", "output_norm": "model.norm"}[name] + ".weight"] = x
    w["lm_head.weight"] = w["model.embed_tokens.weight"]
    return c, w


def quantised(x, bits):
    parts = mx.quantize(mx.array(x).astype(mx.float16), group_size=64, bits=bits)
    wide = [parts[0], *(p.astype(mx.float32) for p in parts[1:])]
    return np.array(mx.dequantize(*wide, group_size=64, bits=bits))


def continue_greedily(c, w, prompts, steps):
    hf = LlamaForCausalLM(LlamaConfig(**c)).eval()
    hf.load_state_dict({k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in w.items()}, strict=True)
    for case in prompts:
        ids, cache = torch.tensor([case["prompt_ids"]]), None
        tokens, gaps = [], []
        for _ in range(steps):
            with torch.no_grad():
                step = hf(ids, past_key_values=cache, use_cache=True)
            cache, best = step.past_key_values, torch.topk(step.logits[0, -1], 2)
            tokens.append(int(best.indices[0]))
            gaps.append(round(float(best.values[0] - best.values[1]), 5))
            ids = torch.tensor([[tokens[-1]]])
        yield dict(prompt=case["prompt"], prompt_ids=case["prompt_ids"], tokens=tokens, top2_gap=gaps)


def write(path, what, cases):
    about = f"Greedy continuation (no EOS stop) of SmolLM2-135M-Instruct, {what} and dequantised to f32, HF transformers, eager attention, f32."
    path.write_text(json.dumps(dict(about=about, cases=cases)) + "\n")
    print(path, [min(x["top2_gap"]) for x in cases])


def main():
    *flag, source, out = sys.argv[1:]
    out = pathlib.Path(out)
    want = json.loads((out / "smollm2-greedy.json").read_text())["cases"]
    c, w = read(source)
    cases = list(continue_greedily(c, w, want, 48))
    if flag == ["--as-is"]:
        name = pathlib.Path(source).stem
        write(out / f"{name}.json", f"quantised as in {name}.gguf", cases)
        return
    for got, case in zip(cases, want, strict=True):
        assert got["tokens"] == case["tokens"], case["prompt"]
    for bits in (4, 8):
        q = {k: quantised(v, bits) if v.ndim == 2 else v for k, v in w.items()}
        write(out / f"smollm2-q{bits}.json", f"quantised by mlx.core.quantize (bits {bits}, group_size 64)", list(continue_greedily(c, q, want, 48)))


main()
