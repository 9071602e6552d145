package ir

// IRVersion is the version of the graphs that mlxc emits, the module attribute
// mlxc.ir_version. It changes when the text of any golden does.
const IRVersion = 3

// StableHLOVersion is the version of StableHLO that printed modules keep to, the
// module attribute mlxc.stablehlo_version: the newest whose additions (the
// attribute has_dynamic_root) iree-compile 3.13.0 knows.
const StableHLOVersion = "1.20.0"
