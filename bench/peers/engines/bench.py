"""What the engines in Python share: mlxc-bench's flags in, mlxc-bench's rows out.

An engine is a class with

    Engine(model, weights, threads, context)   loads the model
    clear()                                    forgets the sequence
    prefill(ids)                               appends ids in one batch, computes the last logits
    step(id)                                   appends one id, computes its logits
    greedy()                                   the best next id by the last logits
    size, params                               bytes and number of the weights that it holds
    version                                    of what computes

and each call returns when the computation is over.
"""

import argparse
import json
import random
import time


def main(engine):
    p = argparse.ArgumentParser(description="measure one case as llama-bench does")
    p.add_argument("model")
    p.add_argument("--weights", default="", help="convert the weights to this type, if the engine does that")
    p.add_argument("-p", type=int, default=0, help="ids to prefill")
    p.add_argument("-n", type=int, default=0, help="ids to decode one at a time")
    p.add_argument("-d", type=int, default=0, help="ids in the sequence before the clock starts")
    p.add_argument("-t", type=int, default=1, help="threads")
    p.add_argument("-r", type=int, default=1, help="repetitions")
    p.add_argument("--load", action="store_true", help="time loading and the first id after a prompt of -p ids")
    a = p.parse_args()
    row = load(engine, a) if a.load else case(engine, a)
    print(json.dumps([row]))


def load(engine, a):
    start = time.perf_counter_ns()
    e = engine(a.model, a.weights, a.t, a.p + 1)
    e.prefill(list(range(100, 100 + a.p)))
    e.greedy()
    return row(e, a, [time.perf_counter_ns() - start])


def case(engine, a):
    e = engine(a.model, a.weights, a.t, a.d + a.p + a.n)
    rand = random.Random(1)

    def ids(n):
        return [rand.randrange(1000, 10000) for _ in range(n)]

    def run(depth, prompt, gen):
        e.clear()
        if depth:
            e.prefill(ids(depth))
        batch, singles = ids(prompt), ids(gen)
        start = time.perf_counter_ns()
        if prompt:
            e.prefill(batch)
        for i in singles:
            e.step(i)
        return time.perf_counter_ns() - start

    run(0, a.p, a.n)  # to warm up
    return row(e, a, [run(a.d, a.p, a.n) for _ in range(a.r)])


def row(e, a, samples):
    return {
        "n_prompt": a.p, "n_gen": a.n, "n_depth": a.d, "n_batch": 1, "n_threads": a.t,
        "model_size": e.size, "model_n_params": e.params, "version": e.version, "samples_ns": samples,
        "peak_bytes": peak_bytes(),
    }


def peak_bytes():
    """The most memory that this process had resident. Its rusage also knows its parent's."""
    try:
        with open("/proc/self/status") as f:
            return next(int(line.split()[1]) << 10 for line in f if line.startswith("VmHWM:"))
    except OSError:
        return 0
