// Package ir is StableHLO as Go data: modules, functions, blocks, operations and
// values, with one table of operations (inference and verification beside each
// op), a builder that reads like mathematics, a deterministic printer whose text
// iree-opt accepts, a parser for that text and a verifier.
//
// It knows nothing of models: package lower writes graphs with it, package
// ir/eval executes them.
package ir
