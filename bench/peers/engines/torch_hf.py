"""Hugging Face transformers on PyTorch's CPU backend, eager."""

import torch
import transformers
from transformers import AutoModelForCausalLM

import bench


class Engine:
    def __init__(self, model, weights, threads, context):
        torch.set_num_threads(threads)
        dtype = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[weights]
        self.model = AutoModelForCausalLM.from_pretrained(model, dtype=dtype).eval()
        tensors = {t.data_ptr(): t for t in self.model.parameters()}.values()
        self.size = sum(t.nbytes for t in tensors)
        self.params = sum(t.numel() for t in tensors)
        self.version = f"torch {torch.__version__}, transformers {transformers.__version__}"
        self.clear()

    def clear(self):
        self.cache = None

    @torch.inference_mode()
    def prefill(self, ids):
        out = self.model(torch.tensor([ids]), cache=self.cache, use_cache=True, logits_to_keep=1)
        self.cache, self.logits = out.cache, out.logits[0, -1]

    def step(self, id):
        self.prefill([id])

    def greedy(self):
        return int(self.logits.argmax())


if __name__ == "__main__":
    bench.main(Engine)
