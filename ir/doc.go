// Package ir is StableHLO as Go data: modules, functions, blocks, operations and
// values, with one table of operations (inference and verification beside each
// op), a builder that reads like mathematics, a deterministic printer whose text
// iree-opt accepts, a parser for that text and a verifier.
//
// It knows nothing of models: package lower writes graphs with it, package
// ir/eval executes them.
//
// An op is one row of the table in ops_*.go: its name, numbers of operands and
// regions, attributes, inference, and its form, which prints and parses it (the
// pieces of forms are in form*.go). The builder has a method for it (build_*.go).
// Nothing else in the package knows single ops, but for the names of values.
package ir
