package ir

import (
	"fmt"
	"slices"
)

// Build runs f, which makes a module with a Builder, and verifies the result.
// A mistake in graph building (a shape that does not fit) panics inside f with a
// message that names op and operands; Build turns it into the error. It is the
// only place that recovers.
func Build(f func() *Module) (m *Module, err error) {
	defer func() {
		if r := recover(); r != nil {
			be, ok := r.(*BuildError)
			if !ok {
				panic(r)
			}
			m, err = nil, be
		}
	}()
	m = f()
	return m, Verify(m)
}

// BuildError is a programmer's error in graph building.
type BuildError struct{ Msg string }

func (e *BuildError) Error() string { return e.Msg }

// Fail stops graph building; Build returns the message as an error.
func Fail(format string, args ...any) {
	panic(&BuildError{fmt.Sprintf(format, args...)})
}

// Builder appends operations to one block of a function. Its methods are named
// for the StableHLO op that they append and return the result value.
type Builder struct {
	Module *Module
	Func   *Func
	block  *Block
}

// Op appends an operation and returns its results, with the types that the op
// table infers.
func (b *Builder) Op(name string, operands []*Value, attrs map[string]any, regions ...*Block) []*Value {
	op := &Op{Name: name, Operands: slices.Clone(operands), Attrs: attrs, Regions: regions}
	types, err := infer(b.Module, op)
	if err != nil {
		Fail("%v", err)
	}
	for _, t := range types {
		op.Results = append(op.Results, &Value{Type: t, Def: op})
	}
	b.block.Ops = append(b.block.Ops, op)
	return slices.Clone(op.Results)
}
