#!/usr/bin/env python3
"""Builds the oracle cases of the weight formats: tiny llama checkpoints that MLX has
quantised, and one as GGUF, with what HF transformers computes with their dequantised
weights (f32, eager attention).

    pip install mlx==0.32.4 mlx-cpu==0.32.4 gguf==0.19.0 torch==2.15.0 transformers==5.24.0 safetensors==0.8.0 llama-cpp-python==0.3.36
    python testdata/make_formats.py build/formats [CASE...]
    go run ./golden/oracle/rebuild -formats build/formats

llama_widths       MLX affine: every width with every group size, scales in f16, bf16, f32
llama_modes        MLX's other modes, mixed: mxfp4, nvfp4, mxfp8
llama_gguf         a layer of each GGUF block type: Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q4_K Q5_K Q6_K
llama_q4_k_m       llama.cpp's own quantiser: Q4_K and Q6_K, the head apart
llama_q4_k_m_tied  the same, embedding and head are one matrix of Q6_K
llama_q2_k         likewise Q2_K, Q3_K and Q4_K
llama_iq4_xs       likewise IQ4_XS, and IQ4_NL in rows that aren't multiples of 256

Dequantised are they by mlx.core.dequantize and by gguf.dequantize. oracle.safetensors
is that of the other cases: prompts of 7 and 40 tokens, 17 greedy tokens after each,
and the logits of every step. A seed is taken whose best two logits are always further
apart than 0.01.
"""
import json
import pathlib
import sys
import tempfile

import gguf
import llama_cpp
import mlx.core as mx
import numpy as np
import torch
from gguf import GGMLQuantizationType as T
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM

STEPS = 16


def config(**changes):
    return dict(architectures=["LlamaForCausalLM"], model_type="llama", vocab_size=101, hidden_size=128, intermediate_size=128,
                num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=32, max_position_embeddings=128,
                bos_token_id=1, eos_token_id=2, hidden_act="silu", rms_norm_eps=1e-5, rope_theta=10000.0,
                tie_word_embeddings=False) | changes


def random_weights(c, seed):
    """Matrices and norms of a llama model by HF name, f32."""
    rng = np.random.default_rng(seed)
    hf = LlamaForCausalLM(LlamaConfig(**c))
    gain = {"embed_tokens": None, "lm_head": 2.0, "o_proj": 1.8, "down_proj": 1.8}
    w = {}
    for name, t in hf.state_dict().items():
        x = rng.standard_normal(t.shape).astype(np.float32)
        if t.ndim == 1:
            w[name] = 1 + np.float32(0.2) * x
        elif "embed_tokens" in name:
            w[name] = np.float32(0.4) * x
        else:
            scale = next((g for part, g in gain.items() if part in name), 1.3)
            w[name] = np.float32(scale / t.shape[1] ** 0.5) * x
    return w


def oracle(c, weights, rng):
    """What HF computes, and the smallest gap between the two best logits."""
    hf = LlamaForCausalLM(LlamaConfig(**c, attn_implementation="eager")).eval()
    hf.load_state_dict({k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in weights.items()}, strict=True)
    out, gap = {}, np.inf
    for name, n in (("short", 7), ("long", 40)):
        prompt = torch.from_numpy(rng.integers(3, c["vocab_size"], n).astype(np.int32))
        ids, cache, logits, tokens = prompt[None].long(), None, [], []
        for _ in range(STEPS + 1):
            with torch.no_grad():
                step = hf(ids, past_key_values=cache, use_cache=True)
            cache, row = step.past_key_values, step.logits[0, -1]
            best = torch.topk(row, 2).values
            gap = min(gap, float(best[0] - best[1]))
            logits.append(row)
            tokens.append(int(row.argmax()))
            ids = torch.tensor([[tokens[-1]]])
        out |= {"prompt_" + name: prompt, "tokens_" + name: torch.tensor(tokens, dtype=torch.int32), "logits_" + name: torch.stack(logits)}
    return out, gap


def noise(c, weights, want):
    """How far logits move when every weight moves by 1e-6 of itself."""
    rng = np.random.default_rng(1)
    moved = {k: v * (1 + np.float32(1e-6) * rng.choice(np.float32([-1, 1]), v.shape)) for k, v in weights.items()}
    hf = LlamaForCausalLM(LlamaConfig(**c, attn_implementation="eager")).eval()
    hf.load_state_dict({k: torch.from_numpy(v) for k, v in moved.items()})
    with torch.no_grad():
        return max(float((hf(want["prompt_" + n][None].long()).logits[0, -1] - want["logits_" + n][0]).abs().max()) for n in ("short", "long"))


def build(out, name, c, make):
    """make(weights, directory or None) quantises, writes, and returns the dequantised weights."""
    for seed in range(100):
        weights = make(random_weights(c, seed), None)
        want, gap = oracle(c, weights, np.random.default_rng(1000 + seed))
        if gap > 0.01:
            break
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    make(random_weights(c, seed), folder)
    save_file(want, folder / "oracle.safetensors")
    meta = {"case": name, "seed": seed, "min_top2_gap": round(gap, 5), "noise_1e-6": float(f"{noise(c, weights, want):.2e}"),
            "versions": {"torch": torch.__version__.split("+")[0], "mlx": mx.__version__}}
    (folder / "oracle.json").write_text(json.dumps(meta, indent=1) + "\n")
    print(name, meta)


def numpy_of(x):
    return np.array(x.astype(mx.float32))


def mlx_maker(c, how, default):
    """Quantises with mlx.core.quantize; how(i, name) is (bits, group, mode, dtype) of the i-th matrix."""
    def make(weights, folder):
        files, block, dequantised = {}, dict(default), {}
        matrices = [k for k, v in weights.items() if v.ndim == 2]
        for name, w in weights.items():
            if w.ndim == 1:
                files[name], dequantised[name] = mx.array(w), w
                continue
            bits, group, mode, dtype = how(matrices.index(name), name)
            path = name.removesuffix(".weight")
            parts = mx.quantize(mx.array(w).astype(dtype), group_size=group, bits=bits, mode=mode)
            dequantised[name] = numpy_of(mx.dequantize(*[p if p.dtype in (mx.uint32, mx.uint8) else p.astype(mx.float32) for p in parts],
                                                       group_size=group, bits=bits, mode=mode, dtype=mx.float32))
            files |= {f"{path}.{part}": x for part, x in zip(("weight", "scales", "biases"), parts)}
            entry = dict(group_size=group, bits=bits) | ({} if mode == "affine" else dict(mode=mode))
            if entry != {k: v for k, v in default.items() if v != "affine"}:
                block[path] = entry
        if folder:
            mx.save_safetensors(str(folder / "model.safetensors"), files, metadata={"format": "mlx"})
            (folder / "config.json").write_text(json.dumps(c | dict(quantization=block, quantization_config=block), indent=1) + "\n")
        return dequantised
    return make


WIDTHS = [(bits, group) for group in (32, 64, 128) for bits in (2, 3, 4, 5, 6, 8)]
DTYPES = [mx.float16, mx.bfloat16, mx.float32]


def widths(i, name):
    if name == "lm_head.weight":  # the largest influence on logits
        return 8, 64, "affine", mx.bfloat16
    bits, group = WIDTHS[(5 + 7 * i) % len(WIDTHS)]
    return bits, group, "affine", DTYPES[i % 3]


MODES = [(4, 32, "mxfp4"), (4, 16, "nvfp4"), (8, 32, "mxfp8")]


def modes(i, name):
    if "down_proj" in name:  # what mlx-lm does with routers: an affine module among others
        return 8, 64, "affine", mx.bfloat16
    return *MODES[i % 3], mx.bfloat16


GGUF_TYPES = [T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.Q4_K, T.Q5_K, T.Q6_K]
GGUF_NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
              "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
              "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}


def k_blocks(kind, w, rng):
    """Blocks of a K type near w. The gguf package can't quantise to them: sub-scales and
    codes are random, and the super-block's scales such that the numbers have w's spread."""
    rows, n = w.shape[0], w.shape[1] // 256
    size = gguf.GGML_QUANT_SIZES[kind][1]
    b = rng.integers(0, 256, (rows, n, size), dtype=np.uint8)
    spread = np.float32(w.std())
    jitter = rng.uniform(0.8, 1.2, (rows, n)).astype(np.float32)
    def halves(at, values):
        b[..., at:at + 2] = values.astype(np.float16).view(np.uint8).reshape(rows, n, 2)
    if kind == T.Q6_K:  # w = d·scale·(code-32), scales int8
        halves(208, jitter * spread / (74 * 18.5))
    else:  # w = d·scale·code - dmin·min, scales and mins of 6 bits
        top = 15 if kind == T.Q4_K else 31
        halves(0, jitter * spread / (37 * top * 0.3))
        halves(2, jitter * spread / (37 * 0.6))
    return b.reshape(rows, -1)


def permuted(x, heads):
    """llama.cpp's row order, for RoPE in neighbouring pairs."""
    return x.reshape(heads, 2, x.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(x.shape)


def restored(x, heads):
    """HF's row order, out of llama.cpp's."""
    return x.reshape(heads, x.shape[0] // heads // 2, 2, -1).swapaxes(1, 2).reshape(x.shape)


def gguf_writer(c, path):
    """A writer of a file with the metadata of a model."""
    w = gguf.GGUFWriter(path, "llama")
    w.add_context_length(c["max_position_embeddings"])
    w.add_embedding_length(c["hidden_size"])
    w.add_block_count(c["num_hidden_layers"])
    w.add_feed_forward_length(c["intermediate_size"])
    w.add_head_count(c["num_attention_heads"])
    w.add_head_count_kv(c["num_key_value_heads"])
    w.add_key_length(c["head_dim"])
    w.add_value_length(c["head_dim"])
    w.add_layer_norm_rms_eps(c["rms_norm_eps"])
    w.add_rope_freq_base(c["rope_theta"])
    w.add_rope_dimension_count(c["head_dim"])
    w.add_vocab_size(c["vocab_size"])
    return w


def write(w):
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def gguf_name(name):
    path = name.removesuffix(".weight")
    to = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}.get(path)
    if to is None:
        layer, rest = path.removeprefix("model.layers.").split(".", 1)
        to = f"blk.{layer}.{GGUF_NAMES[rest]}"
    return to + ".weight"


def paired_heads(c, name):
    """In how many heads a file's rows are permuted, 0: they aren't."""
    return c["num_attention_heads"] if "q_proj" in name else c["num_key_value_heads"] if "k_proj" in name else 0


def gguf_maker(c):
    """A layer of each type, quantised or made up here."""
    def make(weights, folder):
        rng = np.random.default_rng(3)
        w = gguf_writer(c, folder / "model.gguf" if folder else None)
        dequantised = {}
        for name, x in weights.items():
            to, kind = gguf_name(name), T.F32
            if x.ndim == 2:
                kind = T.Q6_K if name == "lm_head.weight" else GGUF_TYPES[int(to.split(".")[1])] if to.startswith("blk.") else T.Q4_K
            if "_K" in kind.name and x.shape[1] % 256:
                kind = T.Q8_0  # llama.cpp falls back as well
            data = x if kind == T.F32 else k_blocks(kind, x, rng) if "_K" in kind.name else gguf.quantize(x, kind)
            dequantised[name] = gguf.dequantize(data, kind).reshape(x.shape) if kind != T.F32 else x
            heads = paired_heads(c, name)
            w.add_tensor(to, permuted(data, heads) if heads else data, raw_dtype=kind)
        if folder:
            write(w)
        return dequantised
    return make


def llama_cpp_maker(c, file_type):
    """Quantised by llama.cpp to one of its mixtures."""
    def make(weights, folder):
        names = [n for n in weights if n != "lm_head.weight" or not c["tie_word_embeddings"]]
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch) / "f32.gguf"
            w = gguf_writer(c, source)
            for name in names:
                heads = paired_heads(c, name)
                w.add_tensor(gguf_name(name), permuted(weights[name], heads) if heads else weights[name])
            write(w)
            target = (folder or source.parent) / "model.gguf"
            params = llama_cpp.llama_model_quantize_default_params()
            params.ftype = file_type
            assert llama_cpp.llama_model_quantize(str(source).encode(), str(target).encode(), params) == 0
            tensors = {t.name: t for t in gguf.GGUFReader(target).tensors}
            if folder:
                print({t.name: t.tensor_type.name for t in tensors.values() if len(t.shape) > 1})
            dequantised = {}
            for name in names:
                t, heads = tensors[gguf_name(name)], paired_heads(c, name)
                x = gguf.dequantize(t.data, t.tensor_type).reshape(weights[name].shape).copy()
                dequantised[name] = restored(x, heads) if heads else x
        if c["tie_word_embeddings"]:
            dequantised["lm_head.weight"] = dequantised["model.embed_tokens.weight"]
        return dequantised
    return make


def main():
    out, only = pathlib.Path(sys.argv[1]), sys.argv[2:]

    def case(name, c, make):
        if not only or name in only:
            build(out, name, c, make)

    c = config()
    case("llama_widths", c, mlx_maker(c, widths, dict(group_size=64, bits=4, mode="affine")))
    case("llama_modes", c, mlx_maker(c, modes, dict(group_size=32, bits=4, mode="mxfp4")))
    c = config(hidden_size=256, intermediate_size=32, num_attention_heads=2, num_key_value_heads=1, num_hidden_layers=len(GGUF_TYPES))
    case("llama_gguf", c, gguf_maker(c))
    shape = dict(hidden_size=256, intermediate_size=256, num_attention_heads=8, num_hidden_layers=1)
    for name, file_type, changes in [("llama_q4_k_m", llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M, {}),
                                     ("llama_q4_k_m_tied", llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M, dict(tie_word_embeddings=True)),
                                     ("llama_q2_k", llama_cpp.LLAMA_FTYPE_MOSTLY_Q2_K, {}),
                                     ("llama_iq4_xs", llama_cpp.LLAMA_FTYPE_MOSTLY_IQ4_XS, dict(intermediate_size=288))]:
        c = config(**shape | changes)
        case(name, c, llama_cpp_maker(c, file_type))


main()
