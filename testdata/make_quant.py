#!/usr/bin/env python3
"""Rebuilds testdata/quant/affine.tsv: digests of what mlx.core.quantize and
mlx.core.dequantize compute.

    pip install mlx==0.32.4 mlx-cpu==0.32.4 numpy==2.4.6    # in a scratch venv
    python testdata/make_quant.py

One line a matrix: kind, dtype, rows, columns, seed, group, then the digests of the
matrix as the dtype and, for 2, 3, 4, 5, 6 and 8 bits, of words, scales, biases (the
latter two as the dtype) and, for f32, of the dequantised matrix, NaNs made one. A digest is the first
8 bytes of the sha256 of the little-endian bytes. Matrices are made of splitmix64 and
exact operations, so that the Go test makes the same.

modes.tsv has, for MLX's other modes, a digest of every code dequantised to f32 with
every scale byte below 128: rows of whole groups of 0, 1, 2, … as often as they fit.
"""
import hashlib
import pathlib

import mlx.core as mx
import numpy as np

OUT = pathlib.Path(__file__).parent / "quant"
BITS = [2, 3, 4, 5, 6, 8]
DTYPES = {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}
u32, u64, f32 = np.uint32, np.uint64, np.float32


def random(seed, n):
    """splitmix64: n numbers of 64 bits."""
    with np.errstate(over="ignore"):
        z = u64(seed) + np.arange(1, n + 1, dtype=u64) * u64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
        return z ^ (z >> u64(31))


def bell(r):
    """The sum of four uniform numbers: about normal, within ±2."""
    total = sum(((r >> u64(16 * i)) & u64(0xFFFF)).astype(np.int32) for i in range(4))
    return (total - 131070).astype(f32) * f32(2**-16)


def bits(r, exponents):
    """Random sign and fraction; the exponent field from a range of so many, the first first."""
    first, count = exponents
    word = (r >> u64(32)).astype(u32)
    exponent = ((r & u64(0xFFFF)) % u64(count)).astype(u32) + u32(first)
    return ((word & u32(0x807FFFFF)) | (exponent << u32(23))).view(f32)


KINDS = {
    "bell": lambda r: bell(r),
    "weights": lambda r: bell(r) * f32(2**-6),
    "positive": lambda r: np.abs(bell(r)),
    "negative": lambda r: -np.abs(bell(r)),
    "offset": lambda r: bell(r) * f32(2**-10) + f32(1),
    "outlier": lambda r: np.where(r % u64(32) == 0, bell(r) * f32(64), bell(r) * f32(2**-6)).astype(f32),
    "integers": lambda r: ((r >> u64(8)) % u64(17)).astype(f32) - f32(8),
    "signs": lambda r: np.where(r % u64(2) == 0, f32(1), f32(-1)),
    "zeros": lambda r: np.where(r % u64(2) == 0, f32(0), f32(-0.0)),
    "constant": lambda r: bell(np.repeat(r[::32], 32)),
    "sparse": lambda r: np.where(r % u64(64) == 0, bell(r), f32(0)).astype(f32),
    "tiny": lambda r: bell(r) * f32(2**-24),
    "denormal": lambda r: bits(r, (0, 1)),
    "small": lambda r: bits(r, (0, 16)),
    "wide": lambda r: bits(r, (110, 30)),
    "large": lambda r: bits(r, (140, 3)),
    "huge": lambda r: bits(r, (253, 2)),
    "any": lambda r: bits(r, (0, 255)),
}


def matrix(kind, dtype, rows, cols, seed):
    """Out of the dtype's range is clipped: finite weights only."""
    x = KINDS[kind](random(seed, rows * cols)).reshape(rows, cols)
    if dtype == "f16":
        x = np.clip(x, f32(-65504), f32(65504))
    if dtype == "bf16":
        x = (x.view(u32) & u32(0xFFFF0000)).view(f32)
    return mx.array(x).astype(DTYPES[dtype])


def digest(x):
    raw = np.array(x.view(mx.uint16) if x.itemsize == 2 else x)
    return hashlib.sha256(np.ascontiguousarray(raw).tobytes()).hexdigest()[:16]


def line(kind, dtype, rows, cols, seed, group):
    w = matrix(kind, dtype, rows, cols, seed)
    fields = [kind, dtype, rows, cols, seed, group, digest(w)]
    for b in BITS:
        q, scales, biases = mx.quantize(w, group_size=group, bits=b)
        assert scales.dtype == biases.dtype == w.dtype
        h = hashlib.sha256()
        for part in (q, scales, biases):
            h.update(bytes.fromhex(digest(part)))
        fields.append(h.hexdigest()[:16])
        if dtype == "f32":
            x = np.array(mx.dequantize(q, scales, biases, group_size=group, bits=b))
            fields.append(digest(mx.array(np.where(np.isnan(x), f32("nan"), x))))
    return "\t".join(map(str, fields))


def mode(name, bits, group):
    row = np.resize(np.arange(1 << bits, dtype=np.uint8), max(group, 1 << bits))
    codes = np.tile(row, (128, 1))
    if bits == 4:
        codes = codes[:, ::2] | codes[:, 1::2] << 4
    scales = np.repeat(np.arange(128, dtype=np.uint8)[:, None], len(row) // group, 1)
    w = mx.dequantize(mx.array(codes.view(u32)), mx.array(scales), group_size=group, bits=bits, mode=name, dtype=mx.float32)
    x = np.array(w)
    return f"{name}\t{bits}\t{group}\t{digest(mx.array(np.where(np.isnan(x), f32('nan'), x)))}"


def main():
    assert mx.default_device() == mx.cpu
    lines, seed = [], 1
    for kind in KINDS:
        for dtype in DTYPES:
            for group in (32, 64, 128):
                for rows, cols in ((3, 256), (2, 128)):
                    lines.append(line(kind, dtype, rows, cols, seed, group))
                    seed += 1000
    OUT.mkdir(exist_ok=True)
    (OUT / "affine.tsv").write_text("\n".join(lines) + "\n")
    modes = [mode("mxfp4", 4, 32), mode("mxfp8", 8, 32), mode("nvfp4", 4, 16)]
    (OUT / "modes.tsv").write_text("\n".join(modes) + "\n")
    print(len(lines), "matrices")


main()
