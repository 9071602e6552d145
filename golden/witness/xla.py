"""StableHLO under XLA on this machine's CPU: PJRT by way of jax's internal names, which hold for the versions that
deploy/xla.txt pins."""
import jax
import jaxlib
import ml_dtypes
import numpy
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

jax.config.update("jax_enable_x64", True)  # 64-bit integers stay what they are
BACKEND = xla_bridge.get_backend("cpu")

# Element types by StableHLO's names; those of 4 bits take a byte in numpy, as in mlxc's tensors.
DTYPES = {
    "i1": numpy.bool_, "i4": ml_dtypes.int4, "ui4": ml_dtypes.uint4, "i8": numpy.int8, "ui8": numpy.uint8,
    "i16": numpy.int16, "ui16": numpy.uint16, "i32": numpy.int32, "ui32": numpy.uint32,
    "i64": numpy.int64, "ui64": numpy.uint64,
    "f16": numpy.float16, "bf16": ml_dtypes.bfloat16, "f32": numpy.float32,
}


class Function:
    """The one public function of a module's text, compiled."""

    def __init__(self, text):
        with mlir.make_ir_context(), ir.Location.unknown():
            module = ir.Module.parse(text)
            function = next(f for f in module.body.operations if "sym_visibility" not in f.attributes)
            function.attributes["sym_name"] = ir.StringAttr.get("main")  # the one that PJRT compiles
            donate(function)
            inputs = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).inputs
            self.types = [(numpy.dtype(DTYPES[str(t.element_type)]), t.shape) for t in map(ir.RankedTensorType, inputs)]
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            devices = jaxlib._jax.DeviceList(tuple(BACKEND.local_devices()))
            self.executable = BACKEND.compile_and_load(module, devices, options)

    def __call__(self, arguments):
        """Results as jax arrays, of numpy or jax arrays of self.types. What IREE takes in place is donated here too."""
        results = self.executable.execute_sharded([jax.device_put(a) for a in arguments])
        return [array for [array] in results.disassemble_into_single_device_arrays()]


def donate(function):
    """Say in XLA's words what iree.abi.output says: the argument's memory becomes that result's."""
    if "arg_attrs" not in function.attributes:
        return
    attributes = []
    for given in function.attributes["arg_attrs"]:
        names = {a.name: a.attr for a in ir.DictAttr(given)}
        if "iree.abi.output" in names:
            result = ir.IntegerAttr(names["iree.abi.output"]).value
            names["tf.aliasing_output"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), result)
        attributes.append(ir.DictAttr.get(names))
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)
