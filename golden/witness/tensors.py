"""Tensors in files: element types by mlxc's names, and the safetensors format."""
import json

import ml_dtypes
import numpy

# mlxc's name of an element type: numpy's type, safetensors' name.
TYPES = {
    "i1": (numpy.bool_, "BOOL"), "i8": (numpy.int8, "I8"), "ui8": (numpy.uint8, "U8"),
    "i16": (numpy.int16, "I16"), "ui16": (numpy.uint16, "U16"), "i32": (numpy.int32, "I32"), "ui32": (numpy.uint32, "U32"),
    "i64": (numpy.int64, "I64"), "ui64": (numpy.uint64, "U64"),
    "f16": (numpy.float16, "F16"), "bf16": (ml_dtypes.bfloat16, "BF16"), "f32": (numpy.float32, "F32"),
}


def dtype(name):
    return numpy.dtype(TYPES[name][0])


def write(path, tensors):
    """Write a dict of arrays as safetensors."""
    names = {numpy.dtype(t): name for t, name in TYPES.values()}
    header, at = {}, 0
    for name, a in tensors.items():
        header[name] = {"dtype": names[a.dtype], "shape": list(a.shape), "data_offsets": [at, at + a.nbytes]}
        at += a.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
        for a in tensors.values():
            f.write(a.tobytes())
