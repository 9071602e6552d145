#!/usr/bin/env python3
"""Continue prompts greedily with the graphs of a bundle, run by XLA: a witness that shares nothing with mlxc's own
runtime and IREE but the bundle's bytes.

Usage: bundle.py BUNDLE GREEDY.json OUT

GREEDY.json is {"cases": [{"prompt_ids": […], "tokens": […]}]}; each prompt is continued by as many tokens as its case
has. The folder OUT gets tokens_0, [steps] of i32, and logits_0, [steps, vocab] of f32, as bare numbers, tokens_1 and so
on. The graphs prefill_c16 and decode are used, one sequence at a time; RoPE must be of the default kind.
"""
import json
import pathlib
import re
import sys
import tarfile
import time
import tomllib

import jax
import numpy
import zstandard

import xla

CHUNK = 16


class Bundle:
    """Manifest, texts and weights of a bundle, which is a tar."""

    def __init__(self, path):
        self.path, self.entries = path, {m.name: m for m in tarfile.open(path)}
        self.manifest = tomllib.loads(self.read("manifest.toml").decode())

    def read(self, name):
        with open(self.path, "rb") as f:
            f.seek(self.entries[name].offset_data)
            return f.read(self.entries[name].size)

    def weights(self):
        """All weights, in the order of the graphs' arguments."""
        for w in self.manifest["weight"]:
            yield numpy.frombuffer(self.read("weights/" + w["name"]), dtype(w["dtype"])).reshape(w["shape"])

    def state(self):
        """A new state pool."""
        return [numpy.zeros(s["shape"], dtype(s["dtype"])) for s in self.manifest["state"]]

    def graph(self, name):
        text = zstandard.ZstdDecompressor().decompress(self.read(f"modules/{name}.mlir.zst"))
        return xla.Function(text.decode())

    def roles(self, name):
        """The graph's arguments after weights and state: "slot", "token", …, "cos.0", "sin.0"."""
        line = next(g["args"] for g in self.manifest["graph"] if g["name"] == name)
        return [word.split(":")[0] for word in line.split() if not re.match(r"(weight|state)\.", word)]


class Model:
    """A bundle's graphs, compiled, and one sequence in slot 0."""

    def __init__(self, bundle):
        self.bundle = bundle
        self.weights = [jax.device_put(w) for w in bundle.weights()]
        self.graphs = {name: (bundle.graph(name), bundle.roles(name)) for name in (f"prefill_c{CHUNK}", "decode")}
        self.reset()

    def reset(self):
        self.state = [jax.device_put(s) for s in self.bundle.state()]

    def run(self, name, ids, position):
        """Feed ids from position on, and return the next token with its logits."""
        function, roles = self.graphs[name]
        rows = 1 if name == "decode" else CHUNK
        token = numpy.zeros(rows, numpy.int32)
        token[: len(ids)] = ids
        inputs = {"slot": 0, "position": position, "valid": len(ids), "token": token[0] if name == "decode" else token}
        inputs = {k: numpy.int32(v) for k, v in inputs.items()}
        inputs["cos.0"], inputs["sin.0"] = rope(self.bundle.manifest["rope"], numpy.arange(position, position + rows))
        results = function([*self.weights, *self.state, *(inputs[r] for r in roles)])
        self.state = results[2:]
        return int(results[0]), numpy.asarray(results[1])

    def generate(self, prompt, steps):
        """The greedy continuation: [steps] tokens and [steps, vocab] logits."""
        self.reset()
        for at in range(0, len(prompt), CHUNK):
            last = self.run(f"prefill_c{CHUNK}", prompt[at : at + CHUNK], at)
        out = [last]
        while len(out) < steps:
            out.append(self.run("decode", [out[-1][0]], len(prompt) + len(out) - 1))
        return numpy.array([token for token, _ in out], numpy.int32), numpy.stack([logits for _, logits in out])


def dtype(name):
    return numpy.dtype(xla.DTYPES[name])


def rope(kinds, positions):
    """cos and sin, [positions, dim/2] f32, of RoPE's default kind: angles are f32, as HF has them."""
    [kind] = kinds
    if kind["kind"] != "default":
        raise SystemExit(f"RoPE kind {kind['kind']}: only default is computed here")
    frequencies = 1 / kind["theta"] ** (numpy.arange(0, kind["dim"], 2) / kind["dim"])
    angles = positions[:, None].astype(numpy.float32) * frequencies.astype(numpy.float32)
    return numpy.cos(angles), numpy.sin(angles)


def main(path, greedy, out):
    start = time.time()
    model = Model(Bundle(path))
    print(f"loaded and compiled in {time.time() - start:.1f} s")
    for i, case in enumerate(json.load(open(greedy))["cases"]):
        start = time.time()
        tokens, logits = model.generate(case["prompt_ids"], len(case["tokens"]))
        pathlib.Path(out, f"tokens_{i}").write_bytes(tokens.tobytes())
        pathlib.Path(out, f"logits_{i}").write_bytes(logits.tobytes())
        equal = int((tokens == case["tokens"]).sum())
        print(f"prompt {i}: {equal} of {len(tokens)} tokens equal, {time.time() - start:.1f} s")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
