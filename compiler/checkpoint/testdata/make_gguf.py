"""Builds the small GGUF files beside this script, and what they must read as.

    pip install gguf==0.19.0 safetensors==0.8.0 && python make_gguf.py

tiny.gguf    version 3, untied; every element type that mlxc reads; half of the
             quantised tensors are quantised weights, half are random blocks
tied.gguf    version 2, tied, biases on q k v o, rope_freqs.weight, alignment 64
blocks.gguf  Q4_K, Q5_K and Q6_K, and Q5_0 and Q5_1, all of random blocks
few.gguf     the types of few bits: Q2_K, Q3_K, IQ4_NL and IQ4_XS, likewise
tiny-0000N-of-00003.gguf  tiny.gguf split as llama-gguf-split does
meta-0000N-of-00002.gguf  the same without tensors in the first part

NAME.safetensors has the tensors as F32 under HF names and in HF's row order:
dequantised by the gguf package, the rows of q and k put back in place.

    python make_gguf.py FILE.gguf

prints for layer 7 and the first rows of the embedding of a llama file the digests
that TestRealGGUF holds: sha256 of the same F32 bytes.
"""

import hashlib
import os
import struct
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
HIDDEN, HEADS, KV, HEAD, FF = 32, 4, 2, 8, 64
TOKENS = ["<|end|>", "<|start|>", "<tool>", "[PAD3]", "a", "b", "c", "ab", "abc", "Ġ", "Ġa", "é".encode().decode("latin1")]
TYPES = [3, 3, 4, 5] + [1] * (len(TOKENS) - 4)
MERGES = ["a b", "ab c", "Ġ a"]
BLOCKS = [T.Q2_K, T.Q3_K, T.Q4_K, T.Q5_K, T.Q6_K, T.IQ4_NL, T.IQ4_XS]  # the gguf package can't quantise to them
rng = np.random.default_rng(7)


def permutation(rows, heads):
    """Row i of the file is row permutation[i] of HF's: llama.cpp's order for RoPE in pairs."""
    return np.arange(rows).reshape(heads, 2, rows // heads // 2).swapaxes(1, 2).reshape(rows)


def random_blocks(kind, shape):
    """Blocks of random bits with finite scales, subnormal ones among them."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    rows = rng.integers(0, 256, (shape[0], shape[1] // elements, size), dtype=np.uint8)
    first, scales = {T.Q4_0: (0, 1), T.Q4_1: (0, 2), T.Q5_0: (0, 1), T.Q5_1: (0, 2), T.Q8_0: (0, 1),
                     T.Q4_K: (0, 2), T.Q5_K: (0, 2), T.Q6_K: (208, 1),
                     T.Q2_K: (80, 2), T.Q3_K: (108, 1), T.IQ4_NL: (0, 1), T.IQ4_XS: (0, 1)}[kind]
    at = slice(first, first + 2 * scales)
    halves = rows[..., at].copy().view(np.uint16)
    halves[(halves & 0x7C00) == 0x7C00] &= 0x83FF
    rows[..., at] = halves.view(np.uint8)
    return rows.reshape(shape[0], -1)


class Model:
    def __init__(self, name, alignment=None):
        self.name, self.expected = name, {}
        self.w = gguf.GGUFWriter(os.path.join(HERE, name + ".gguf"), "llama")
        if alignment:
            self.w.add_custom_alignment(alignment)

    def add(self, name, hf, kind, shape, heads=0, blocks=False):
        """A tensor of the kind; heads: in how many heads the rows are permuted."""
        if blocks or kind in BLOCKS:
            data = random_blocks(kind, shape)
        else:
            data = gguf.quantize(rng.standard_normal(shape).astype(np.float32), kind)
        values = gguf.dequantize(data, kind).reshape(shape)
        if heads:
            hf_order = np.empty_like(values)
            hf_order[permutation(shape[0], heads)] = values
            values = hf_order
        if hf:
            self.expected[hf] = np.ascontiguousarray(values)
        self.w.add_tensor(name, data, raw_dtype=kind)
        return values

    def metadata(self, pre, eot=2):
        w = self.w
        w.add_block_count(1)
        w.add_context_length(128)
        w.add_embedding_length(HIDDEN)
        w.add_feed_forward_length(FF)
        w.add_head_count(HEADS)
        w.add_head_count_kv(KV)
        if HIDDEN != HEADS * HEAD:
            w.add_key_length(HEAD)
            w.add_value_length(HEAD)
        w.add_layer_norm_rms_eps(1e-5)
        w.add_rope_freq_base(10000.0)
        w.add_rope_dimension_count(HEAD)
        w.add_vocab_size(len(TOKENS))
        w.add_tokenizer_model("gpt2")
        w.add_tokenizer_pre(pre)
        w.add_token_list(TOKENS)
        w.add_token_types(TYPES)
        w.add_token_merges(MERGES)
        w.add_bos_token_id(1)
        w.add_eos_token_id(0)
        w.add_eot_token_id(eot)

    def close(self, version=3):
        w = self.w
        w.write_header_to_file()
        w.write_kv_data_to_file()
        w.write_tensors_to_file()
        w.close()
        with open(os.path.join(HERE, self.name + ".gguf"), "r+b") as f:
            f.seek(4)
            f.write(struct.pack("<I", version))
        save_file(self.expected, os.path.join(HERE, self.name + ".safetensors"))


def layer(m, kinds, blocks):
    """The matrices of layer 0; kinds: q k v o gate up down."""
    hf = "model.layers.0."
    q, k, v, o, gate, up, down = kinds
    m.add("blk.0.attn_norm.weight", hf + "input_layernorm.weight", T.F32, (HIDDEN,))
    m.add("blk.0.ffn_norm.weight", hf + "post_attention_layernorm.weight", T.F32, (HIDDEN,))
    m.add("blk.0.attn_q.weight", hf + "self_attn.q_proj.weight", q, (HEADS * HEAD, HIDDEN), HEADS)
    m.add("blk.0.attn_k.weight", hf + "self_attn.k_proj.weight", k, (KV * HEAD, HIDDEN), KV)
    m.add("blk.0.attn_v.weight", hf + "self_attn.v_proj.weight", v, (KV * HEAD, HIDDEN))
    m.add("blk.0.attn_output.weight", hf + "self_attn.o_proj.weight", o, (HIDDEN, HEADS * HEAD))
    m.add("blk.0.ffn_gate.weight", hf + "mlp.gate_proj.weight", gate, (FF, HIDDEN), blocks=blocks)
    m.add("blk.0.ffn_up.weight", hf + "mlp.up_proj.weight", up, (FF, HIDDEN), blocks=blocks)
    m.add("blk.0.ffn_down.weight", hf + "mlp.down_proj.weight", down, (HIDDEN, FF), blocks=blocks)


def split(name, parts, **how):
    """Writes tiny.gguf again in parts."""
    reader = gguf.GGUFReader(os.path.join(HERE, "tiny.gguf"))
    w = gguf.GGUFWriter(os.path.join(HERE, name + ".gguf"), "llama", **how)
    for f in reader.fields.values():
        if not f.name.startswith("GGUF.") and f.name != "general.architecture":
            w.add_key_value(f.name, f.contents(), f.types[0], f.types[-1] if len(f.types) > 1 else None)
    for t in reader.tensors:
        w.add_tensor(t.name, t.data, raw_dtype=t.tensor_type)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    assert len(w.tensors) == parts


def digests(path):
    reader = gguf.GGUFReader(path)
    heads = {n: reader.fields["llama.attention.head_count" + k].contents() for n, k in [("attn_q", ""), ("attn_k", "_kv")]}
    for t in reader.tensors:
        if t.name != "token_embd.weight" and not t.name.startswith("blk.7."):
            continue
        values = gguf.dequantize(t.data, t.tensor_type).reshape([int(n) for n in reversed(t.shape)])
        if n := heads.get(t.name.split(".")[-2]):
            hf_order = np.empty_like(values)
            hf_order[permutation(values.shape[0], n)] = values
            values = hf_order
        values = values[:2000]
        print(t.name, values.shape, hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:16])


if len(sys.argv) > 1:
    digests(sys.argv[1])
    sys.exit()

m = Model("tiny")
m.metadata("llama-bpe")
m.w.add_chat_template([{"name": "default", "template": "{{ messages }}"}, {"name": "tool_use", "template": "{{ tools }}"}])
m.add("token_embd.weight", "model.embed_tokens.weight", T.F16, (len(TOKENS), HIDDEN))
layer(m, [T.Q4_1, T.Q4_0, T.Q8_0, T.BF16, T.Q4_0, T.Q4_1, T.Q8_0], blocks=True)
m.add("output_norm.weight", "model.norm.weight", T.F32, (HIDDEN,))
m.add("output.weight", "lm_head.weight", T.Q8_0, (len(TOKENS), HIDDEN))
m.close()

m = Model("tied", alignment=64)
m.metadata("smollm")
m.w.add_add_bos_token(False)
m.add("token_embd.weight", "model.embed_tokens.weight", T.BF16, (len(TOKENS), HIDDEN))
layer(m, [T.F32, T.F16, T.Q4_1, T.Q4_0, T.Q4_1, T.F16, T.Q4_0], blocks=False)
for part, hf, rows, heads in [("attn_q", "q_proj", HEADS * HEAD, HEADS), ("attn_k", "k_proj", KV * HEAD, KV),
                              ("attn_v", "v_proj", KV * HEAD, 0), ("attn_output", "o_proj", HIDDEN, 0)]:
    m.add(f"blk.0.{part}.bias", f"model.layers.0.self_attn.{hf}.bias", T.F32, (rows,), heads)
m.add("output_norm.weight", "model.norm.weight", T.F32, (HIDDEN,))
m.w.add_tensor("rope_freqs.weight", np.array([1, 1, 2.5, 8], dtype=np.float32))
m.close(version=2)

HIDDEN, HEADS, KV, FF, TOKENS, TYPES = 256, 2, 1, 32, TOKENS[:2], TYPES[:2]
MERGES = []
m = Model("blocks")
m.metadata("smollm", eot=1)
m.add("token_embd.weight", "model.embed_tokens.weight", T.Q6_K, (len(TOKENS), HIDDEN))
layer(m, [T.Q4_K, T.Q5_K, T.Q6_K, T.F16, T.Q5_0, T.Q5_1, T.Q5_0], blocks=True)
m.add("output_norm.weight", "model.norm.weight", T.F32, (HIDDEN,))
m.close()

m = Model("few")
m.metadata("smollm", eot=1)
m.add("token_embd.weight", "model.embed_tokens.weight", T.Q3_K, (len(TOKENS), HIDDEN))
layer(m, [T.Q2_K, T.Q3_K, T.IQ4_XS, T.F16, T.IQ4_NL, T.Q2_K, T.IQ4_NL], blocks=True)
m.add("output_norm.weight", "model.norm.weight", T.F32, (HIDDEN,))
m.close()

split("tiny", 3, split_max_tensors=5)
split("meta", 2, split_max_tensors=20, small_first_shard=True)
