// Package golden holds what mlxc emits, byte for byte: text/<config>.<precision>/<graph>.mlir
// for the configs in configs, and the number of dispatches that IREE makes of each in
// dispatches.txt. Its tests regenerate all of it.
//
// `make golden` rewrites the files after an intended change. A text that changed
// needs a new ir.IRVersion: compat/<version>/texts.sha256 keeps the digests of the
// texts of every version. A change that leaves the graphs as they are (the name of a
// value) may instead be noted in CHANGES.md.
package golden
