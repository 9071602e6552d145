#!/usr/bin/env python3
"""Rebuilds testdata/quant/recipes.tsv: which layers mlx-lm's recipes give more bits.

    pip install mlx==0.32.4 mlx-cpu==0.32.4 mlx-lm==0.32.2    # in a scratch venv
    python testdata/make_recipes.py

One line a recipe and a number of layers: the bits of every layer's v_proj, of every
layer's down_proj, of every layer's q_proj, of the embedding and of the head.
"""
import pathlib
import types

from mlx_lm.convert import QUANT_RECIPES, mixed_quant_predicate_builder

OUT = pathlib.Path(__file__).parent / "quant" / "recipes.tsv"


def model(layers):
    paths = [(f"model.layers.{i}.mlp.down_proj", None) for i in range(layers)]
    return types.SimpleNamespace(named_modules=lambda: paths, layers=[None] * layers)


lines = []
for recipe in QUANT_RECIPES:
    for layers in [1, 2, 3, 7, 8, 9, 16, 22, 24, 28, 30, 32, 36, 40, 48, 61, 80]:
        how = mixed_quant_predicate_builder(recipe, model(layers))

        def bits(path):
            q = how(path, None)
            assert q["group_size"] == 64 and q["mode"] == "affine"
            return str(q["bits"])

        def each(name):
            return "".join(bits(f"model.layers.{i}.{name}") for i in range(layers))

        row = [recipe, str(layers), each("self_attn.v_proj"), each("mlp.down_proj"), each("self_attn.q_proj"), bits("model.embed_tokens"), bits("lm_head")]
        lines.append("\t".join(row) + "\n")
OUT.write_text("".join(lines))
