// Package compiler makes bundles: it reads a checkpoint, checks everything that can
// be checked before work starts, lowers the model, drives iree-compile, executes the
// weight recipes and checks the finished bundle against the reference evaluator.
//
// Emit is the pipeline; each of its steps is a file.
package compiler
