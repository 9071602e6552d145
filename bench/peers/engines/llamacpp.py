"""llama.cpp through its C API, in the order of calls of llama-bench."""

import llama_cpp as llama
import numpy as np

import bench


@llama.llama_log_callback
def quiet(level, text, data):
    pass


class Engine:
    def __init__(self, model, weights, threads, context):
        llama.llama_log_set(quiet, None)
        llama.llama_backend_init()
        self.model = llama.llama_model_load_from_file(model.encode(), llama.llama_model_default_params())
        params = llama.llama_context_default_params()
        params.n_ctx = context
        params.n_batch = 2048
        params.n_ubatch = 512
        params.n_threads = params.n_threads_batch = threads
        self.context = llama.llama_init_from_model(self.model, params)
        if not self.context:
            raise SystemExit(f"llama.cpp can't load {model}")
        self.vocab = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(self.model))
        self.size = llama.llama_model_size(self.model)
        self.params = llama.llama_model_n_params(self.model)
        self.version = f"llama-cpp-python {llama.__version__}, {llama.llama_print_system_info().decode().strip()}"

    def clear(self):
        llama.llama_memory_clear(llama.llama_get_memory(self.context), False)

    def prefill(self, ids):
        tokens = (llama.llama_token * len(ids))(*ids)
        status = llama.llama_decode(self.context, llama.llama_batch_get_one(tokens, len(ids)))
        if status:
            raise SystemExit(f"llama_decode of {len(ids)} ids returned {status}")
        llama.llama_synchronize(self.context)

    def step(self, id):
        self.prefill([id])

    def greedy(self):
        logits = llama.llama_get_logits_ith(self.context, -1)
        return int(np.ctypeslib.as_array(logits, (self.vocab,)).argmax())


if __name__ == "__main__":
    bench.main(Engine)
