"""The same weights in every format: dequantised from one GGUF, or random.

    weights.py SOURCE.gguf FOLDER FORMAT...            weights of SOURCE
    weights.py --random SOURCE.gguf FOLDER FORMAT...   a 1.1B llama with SOURCE's vocabulary

Formats: llama.cpp's names in lower case, and hf, a folder as transformers reads it.
Prints {"files": {format: path}, "matrix_params": number of weights in the layers' matrices}.
Files newer than SOURCE are kept.
"""

import argparse
import json
import os
import shutil
from pathlib import Path

import gguf
import llama_cpp as llama
import numpy as np

FILE_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q4_1": 3, "q8_0": 7, "q2_k": 10, "q3_k_m": 12, "q4_k_s": 14, "q4_k_m": 15, "q5_k_m": 17, "q6_k": 18, "iq4_xs": 30}

# TinyLlama-1.1B's shape.
RANDOM = {
    "general.name": "random 1.1B",
    "llama.block_count": 22, "llama.embedding_length": 2048, "llama.feed_forward_length": 5632,
    "llama.attention.head_count": 32, "llama.attention.head_count_kv": 4,
    "llama.rope.dimension_count": 64, "llama.context_length": 2048,
}


def stored(reader):
    """The names and float32 values of a GGUF's tensors."""
    for t in reader.tensors:
        yield t.name, gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32)


def random(reader):
    """The names and values of a llama of RANDOM's shape, its head tied to the embedding."""
    rand = np.random.default_rng(1)
    d, ff = RANDOM["llama.embedding_length"], RANDOM["llama.feed_forward_length"]
    kv = d // RANDOM["llama.attention.head_count"] * RANDOM["llama.attention.head_count_kv"]
    vocab = len(reader.fields["tokenizer.ggml.tokens"].data)

    def matrix(rows, columns):
        return rand.standard_normal((rows, columns), np.float32) * np.float32(0.02)

    yield "token_embd.weight", matrix(vocab, d)
    for i in range(RANDOM["llama.block_count"]):
        yield f"blk.{i}.attn_norm.weight", np.ones(d, np.float32)
        yield f"blk.{i}.attn_q.weight", matrix(d, d)
        yield f"blk.{i}.attn_k.weight", matrix(kv, d)
        yield f"blk.{i}.attn_v.weight", matrix(kv, d)
        yield f"blk.{i}.attn_output.weight", matrix(d, d)
        yield f"blk.{i}.ffn_norm.weight", np.ones(d, np.float32)
        yield f"blk.{i}.ffn_gate.weight", matrix(ff, d)
        yield f"blk.{i}.ffn_up.weight", matrix(ff, d)
        yield f"blk.{i}.ffn_down.weight", matrix(d, ff)
    yield "output_norm.weight", np.ones(d, np.float32)


def write_float(reader, tensors, overrides, name, path):
    """A GGUF with matrices of type f16 or f32, vectors in f32."""
    w = gguf.GGUFWriter(path, "llama")
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "general.file_type"):
            continue
        kind, sub = field.types[0], field.types[-1] if len(field.types) > 1 else None
        w.add_key_value(field.name, overrides.get(field.name, field.contents()), kind, sub_type=sub)
    w.add_file_type(FILE_TYPES[name])
    for tensor, values in tensors:
        w.add_tensor(tensor, values.astype(np.float16) if name == "f16" and values.ndim > 1 else values)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def quantize(source, name, path):
    params = llama.llama_model_quantize_default_params()
    params.ftype = FILE_TYPES[name]
    if llama.llama_model_quantize(str(source).encode(), str(path).encode(), params):
        raise SystemExit(f"llama.cpp can't quantise {source} to {name}")


HF_NAMES = {
    "token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head",
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}


def hf_name(name):
    *layer, base, _ = name.split(".")
    prefix = f"model.layers.{layer[1]}." if layer else ""
    return f"{prefix}{HF_NAMES[base]}.weight"


def write_hf(source, folder):
    """config.json and model.safetensors (f16) of an f16 GGUF, rotary rows in HF's order."""
    reader = gguf.GGUFReader(source)
    meta = {n.removeprefix("llama."): f.contents() for n, f in reader.fields.items()}
    heads = {"attn_q": meta["attention.head_count"], "attn_k": meta["attention.head_count_kv"]}
    header, blobs, offset = {}, [], 0
    for name, values in stored(reader):
        base = name.split(".")[-2]
        if base in heads:  # llama.cpp rotates neighbours, HF the two halves of a head
            rows = values.shape[0]
            values = values.reshape(heads[base], -1, 2, values.shape[1]).swapaxes(1, 2).reshape(rows, -1)
        data = values.astype("<f2")
        header[hf_name(name)] = {"dtype": "F16", "shape": data.shape, "data_offsets": [offset, offset + data.nbytes]}
        offset += data.nbytes
        blobs.append(data)
    tied = "lm_head.weight" not in header
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "torch_dtype": "float16",
        "vocab_size": len(meta["tokenizer.ggml.tokens"]), "num_hidden_layers": meta["block_count"],
        "hidden_size": meta["embedding_length"], "intermediate_size": meta["feed_forward_length"],
        "num_attention_heads": meta["attention.head_count"], "num_key_value_heads": meta["attention.head_count_kv"],
        "max_position_embeddings": meta["context_length"], "rope_theta": meta["rope.freq_base"],
        "rms_norm_eps": meta["attention.layer_norm_rms_epsilon"], "tie_word_embeddings": tied,
        "attention_bias": False, "mlp_bias": False, "bos_token_id": 1, "eos_token_id": 2,
    }
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    text = json.dumps(header).encode()
    with open(folder / "model.safetensors", "wb") as f:
        f.write(len(text).to_bytes(8, "little"))
        f.write(text)
        for b in blobs:
            f.write(b.tobytes())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--random", action="store_true")
    p.add_argument("source", type=Path)
    p.add_argument("folder", type=Path)
    p.add_argument("formats", nargs="*")
    a = p.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    reader = gguf.GGUFReader(a.source)
    paths = {}

    def make(name, suffix, write):
        path = a.folder / (name + suffix)
        if not path.exists() or path.stat().st_mtime < a.source.stat().st_mtime:
            part = path.with_name(path.name + ".part")
            shutil.rmtree(path, ignore_errors=True)
            write(part)
            os.rename(part, path)
        paths[name] = str(path)

    def make_float(name):
        values, overrides = (random(reader), RANDOM) if a.random else (stored(reader), {})
        make(name, ".gguf", lambda path: write_float(reader, values, overrides, name, path))

    make_float("f16")
    own = None if a.random else reader.fields["general.file_type"].contents()
    for name in a.formats:
        if name == "hf":
            make(name, "", lambda path: write_hf(paths["f16"], path))
        elif name not in FILE_TYPES:
            raise SystemExit(f"format {name!r} is unknown: hf, {', '.join(FILE_TYPES)}")
        elif FILE_TYPES[name] == own:
            paths[name] = str(a.source)
        elif name == "f32":
            make_float(name)
        elif name != "f16":
            make(name, ".gguf", lambda path: quantize(paths["f16"], name, path))
    matrices = [t for t in gguf.GGUFReader(paths["f16"]).tensors if t.name.startswith("blk.") and len(t.shape) > 1]
    print(json.dumps({"files": paths, "matrix_params": int(sum(t.n_elements for t in matrices))}))


if __name__ == "__main__":
    main()
