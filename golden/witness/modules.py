#!/usr/bin/env python3
"""Run modules under XLA.

Usage: modules.py DIR

DIR holds for each module NAME.mlir, whose public function is run, and NAME.in, its arguments: the bytes of one after the
other, little-endian, 4-bit elements and booleans a byte each. The results are written to NAME.out in the same way; what
XLA says of a module that it doesn't run to NAME.error.
"""
import pathlib
import sys

import numpy

import xla


def run(module):
    function = xla.Function(module.read_text())
    data, at, arguments = module.with_suffix(".in").read_bytes(), 0, []
    for dtype, shape in function.types:
        size = dtype.itemsize * int(numpy.prod(shape))
        arguments.append(numpy.frombuffer(data[at : at + size], dtype).reshape(shape))
        at += size
    return b"".join(whole_bytes(numpy.asarray(result)).tobytes() for result in function(arguments))


def whole_bytes(array):
    """4-bit elements as bytes of the same value: numpy leaves the upper half open."""
    return array.astype({"int4": numpy.int8, "uint4": numpy.uint8}.get(array.dtype.name, array.dtype))


def main(directory):
    for module in sorted(pathlib.Path(directory).glob("*.mlir")):
        try:
            module.with_suffix(".out").write_bytes(run(module))
        except Exception as error:
            module.with_suffix(".error").write_text(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
