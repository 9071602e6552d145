#!/usr/bin/env python3
"""Keeps a fuzz target's corpus: of the inputs that `make fuzz` has found interesting (they
are in Go's build cache) those that together run the code that all of them run, the
smallest first, go to testdata/fuzz/TARGET of the package, where `go test` runs them.

    testdata/keep_fuzz.py PACKAGE TARGET [LIMIT]      # ./runtime/bundle FuzzFile, 100000 bytes
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def run(*args, **options):
    return subprocess.run(args, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options).stdout


def covered(binary, folder, target, name, profile):
    """The blocks of mlxc that an input runs; None if the input fails."""
    args = [binary, f"-test.run=^{target}$/^{name}$", f"-test.coverprofile={profile}"]
    if subprocess.run(args, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        return None
    lines = profile.read_text().splitlines()[1:]
    return {line.rsplit(" ", 2)[0] for line in lines if not line.endswith(" 0")}


def main(package, target, limit=100_000):
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = root / package
    path = run("go", "list", ".", cwd=folder).strip()
    found = pathlib.Path(run("go", "env", "GOCACHE", cwd=root).strip()) / "fuzz" / path / target
    kept = folder / "testdata" / "fuzz" / target
    kept.mkdir(parents=True, exist_ok=True)
    before = set(os.listdir(kept))
    inputs = sorted(found.iterdir(), key=lambda f: (f.stat().st_size, f.name))
    with tempfile.TemporaryDirectory() as scratch:
        binary, profile = os.path.join(scratch, "test"), pathlib.Path(scratch) / "profile"
        run("go", "test", "-c", "-cover", "-coverpkg=./...", "-o", binary, "./" + package, cwd=root)
        seen, size = set(), 0
        for name in sorted(before):
            seen |= covered(binary, folder, target, name, profile) or set()
        for source in inputs:
            data = source.read_bytes()
            if size + len(data) > limit or source.name in before:
                continue
            copy = kept / source.name
            copy.write_bytes(data)
            blocks = covered(binary, folder, target, source.name, profile)
            if blocks is None:  # a find, or of other types than the target has now
                print(f"{source} fails", file=sys.stderr)
                copy.unlink()
            elif blocks <= seen:
                copy.unlink()
            else:
                seen, size = seen | blocks, size + len(data)
    print(f"{package} {target}: {len(list(kept.iterdir()))} of {len(inputs)} inputs kept, {size} bytes more, {len(seen)} blocks of code")


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
