"""MLX on a CPU through mlx-lm."""

import os
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
from mlx.utils import tree_flatten
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load_model

import bench

BITS = {"q4": 4, "q8": 8}


class Engine:
    def __init__(self, model, weights, threads, context):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])  # MLX has no setting for its threads
        mx.set_default_device(mx.cpu)
        self.model, _ = load_model(Path(model))
        self.params = sum(a.size for _, a in tree_flatten(self.model.parameters()))
        # The quantised kernels for a CPU are 40 times slower on f16 scales and activations.
        self.model.set_dtype(mx.float16 if weights == "f16" else mx.float32)
        if weights in BITS:
            nn.quantize(self.model, group_size=64, bits=BITS[weights])
        mx.eval(self.model.parameters())
        self.version = f"mlx {mx.__version__}, mlx-lm {mlx_lm.__version__}"
        self.size = sum(a.nbytes for _, a in tree_flatten(self.model.parameters()))
        self.clear()

    def clear(self):
        self.cache = make_prompt_cache(self.model)

    def prefill(self, ids):
        self.logits = self.model(mx.array([ids]), cache=self.cache)[0, -1]
        mx.eval(self.logits, [c.state for c in self.cache])

    def step(self, id):
        self.prefill([id])

    def greedy(self):
        return mx.argmax(self.logits).item()


if __name__ == "__main__":
    bench.main(Engine)
