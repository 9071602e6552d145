#!/usr/bin/env python3
"""Rebuilds testdata/rope/*.json: cos/sin rows as HF transformers computes them.

    pip install torch==2.15.0 transformers==5.24.0    # in a scratch venv
    python testdata/make_rope.py                      # on a CPU with AVX-512

One file a RoPE kind, holding cases of
    config     the config.json that HF's LlamaConfig was made of
    params     what archs must read from it (rope.Params), mapped here by hand
    length     HF saw positions 0..length-1 in one call
    positions  the rows stored
    inv_freq, cos, sin   f32, little-endian, base64; cos and sin [positions, dim/2]
"""
import base64
import json
import math
import pathlib

import torch
import transformers
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

OUT = pathlib.Path(__file__).parent / "rope"
POSITIONS = [0, 1, 2, 7, 40, 511, 2047, 2048, 4097, 7777, 8000]


def pack(t):
    return base64.b64encode(t.detach().to(torch.float32).contiguous().numpy().astype("<f4").tobytes()).decode()


def case(name, head_dim, theta, scaling=None, length=8001, max_position=8192, params=None, **config):
    cfg = {
        "model_type": "llama", "vocab_size": 8, "hidden_size": 2 * head_dim, "intermediate_size": 8,
        "num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": head_dim,
        "max_position_embeddings": max_position, "rope_theta": theta, "rope_scaling": scaling, **config,
    }
    hf = LlamaRotaryEmbedding(LlamaConfig(**json.loads(json.dumps(cfg))))
    cos, sin = hf(torch.zeros(1), torch.arange(length)[None])
    positions = [p for p in POSITIONS if p < length]
    return {
        "name": name, "config": cfg,
        "params": {"kind": "default", "theta": theta, "dim": head_dim, **(params or {})},
        "length": length, "positions": positions,
        "inv_freq": pack(hf.inv_freq),
        "cos": pack(cos[0, positions, : head_dim // 2]), "sin": pack(sin[0, positions, : head_dim // 2]),
    }


def default():
    for theta, dim in [(10000.0, 64), (10000.0, 128), (10000.0, 256), (500000.0, 64), (500000.0, 128), (100000.0, 64),
                       (130000.0, 64), (1000000.0, 128), (5000000.0, 128), (8000000.0, 128), (150000.0, 64), (10000000.0, 80), (500.0, 16),
                       (10000.0, 96), (500000.0, 112), (33333.3, 48), (10000.0, 2)]:
        yield case(f"theta {theta:g} dim {dim}", dim, theta)


def linear():
    for factor, theta, dim in [(8.0, 10000.0, 128), (3.0, 500.0, 16), (2.5, 10000.0, 64)]:
        yield case(f"factor {factor:g}", dim, theta, {"type": "linear", "factor": factor},
                   params={"kind": "linear", "factor": factor})


def dynamic():
    for factor, theta, dim, limit, length in [(4.0, 500.0, 16, 32, 40), (4.0, 500.0, 16, 32, 32), (2.0, 10000.0, 64, 2048, 2049),
                                              (2.0, 10000.0, 64, 2048, 8001), (1.5, 500000.0, 128, 4096, 8001), (6.0, 1000000.0, 96, 8192, 8001)]:
        yield case(f"factor {factor:g} dim {dim} limit {limit} length {length}", dim, theta, {"rope_type": "dynamic", "factor": factor},
                   length=length, max_position=limit, params={"kind": "dynamic", "factor": factor, "max_position": limit})


def llama3():
    for name, dim, theta, factor, low, high, orig in [
            ("field case A1", 16, 10000.0, 8.0, 1.0, 4.0, 64), ("llama 3.1 8B", 128, 500000.0, 8.0, 1.0, 4.0, 8192),
            ("llama 3.2 1B", 64, 500000.0, 32.0, 1.0, 4.0, 8192), ("odd factors", 64, 12000.0, 5.5, 1.25, 3.75, 1000)]:
        fields = {"factor": factor, "low_freq_factor": low, "high_freq_factor": high}
        yield case(name, dim, theta, {"rope_type": "llama3", **fields, "original_max_position_embeddings": orig}, max_position=131072,
                   params={"kind": "llama3", **fields, "original_max_position": orig})


def yarn():
    rows = [
        ("oracle case", 16, 500.0, 4.0, 32, {"beta_fast": 2.0, "beta_slow": 0.1}, {"beta_fast": 2.0, "beta_slow": 0.1}),
        ("qwen 2.5", 128, 1000000.0, 4.0, 32768, {}, {}),
        ("no truncation", 64, 150000.0, 32.0, 4096, {"truncate": False}, {"no_truncate": True}),
        ("equal mscales", 64, 10000.0, 40.0, 4096, {"mscale": 0.707, "mscale_all_dim": 0.707}, {"mscale": 0.707, "mscale_all_dim": 0.707}),
        ("two mscales", 64, 10000.0, 40.0, 4096, {"mscale": 1.0, "mscale_all_dim": 0.5}, {"mscale": 1.0, "mscale_all_dim": 0.5}),
        ("attention factor", 128, 5000000.0, 8.0, 8192, {"attention_factor": 1.25}, {"attention_factor": 1.25}),
        ("null factor", 64, 10000.0, None, 5000, {}, {"factor": 131072 / 5000}),
    ]
    for name, dim, theta, factor, orig, fields, params in rows:
        yield case(name, dim, theta, {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": orig, **fields},
                   max_position=131072, params={"kind": "yarn", "factor": factor, "original_max_position": orig,
                                                "beta_fast": 32.0, "beta_slow": 1.0, **params})


def longrope():
    def lists(n):
        short = [round(1 + 0.03 * i + 0.01 * math.sin(i), 6) for i in range(n)]
        return short, [round(1 + 1.37 * i + 0.2 * math.cos(3 * i), 6) for i in range(n)]
    for name, dim, length, fields, extra in [
            ("short prompt", 96, 4096, {}, {}), ("long prompt", 96, 4097, {}, {}), ("8000", 64, 8001, {}, {}),
            ("factor", 128, 8001, {"factor": 4.0}, {"factor": 4.0}),
            ("attention factor", 128, 2000, {"attention_factor": 1.19}, {"attention_factor": 1.19})]:
        short, long = lists(dim // 2)
        yield case(name, dim, 10000.0, {"rope_type": "longrope", "short_factor": short, "long_factor": long, **fields},
                   length=length, max_position=131072, original_max_position_embeddings=4096,
                   params={"kind": "longrope", "factor": 131072 / 4096, "original_max_position": 4096,
                           "short_factor": short, "long_factor": long, **extra})


def main():
    torch.set_num_threads(1)
    OUT.mkdir(exist_ok=True)
    for kind in (default, linear, dynamic, llama3, yarn, longrope):
        data = {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
                "cpu": torch.backends.cpu.get_cpu_capability(), "cases": list(kind())}
        (OUT / f"{kind.__name__}.json").write_text(json.dumps(data, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")


if __name__ == "__main__":
    main()
