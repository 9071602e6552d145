"""StableHLO under XLA on this machine's CPU: PJRT by way of jax's internal names, which hold for the versions that
deploy/xla.txt pins."""
import jax
import jaxlib
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

BACKEND = xla_bridge.get_backend("cpu")


class Function:
    """The one public function of a module's text, compiled."""

    def __init__(self, text):
        with mlir.make_ir_context(), ir.Location.unknown():
            module = ir.Module.parse(text)
            function = next(f for f in module.body.operations if "sym_visibility" not in f.attributes)
            function.attributes["sym_name"] = ir.StringAttr.get("main")  # the one that PJRT compiles
            donate(function)
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            devices = jaxlib._jax.DeviceList(tuple(BACKEND.local_devices()))
            self.executable = BACKEND.compile_and_load(module, devices, options)

    def __call__(self, arguments):
        """Results as jax arrays, of numpy or jax arrays. Arguments that IREE takes in place are donated here too."""
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
