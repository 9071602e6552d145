package vm

import (
	"errors"
	"fmt"
)

// errReturn ends the interpreter loop of a function; it never leaves the package.
var errReturn = errors.New("return")

// StatusError is the failure that a module reports by itself.
type StatusError struct {
	Code    uint32 // IREE's status code
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the module failed with status %d: %s", e.Code, e.Message)
}

func branch(f *frame, in *instruction) error { return f.follow(&in.more.edges[0]) }

func conditionalBranch(f *frame, in *instruction) error {
	if f.cells[in.r[0]] != 0 {
		return f.follow(&in.more.edges[0])
	}
	return f.follow(&in.more.edges[1])
}

// branchTable takes the edge of the index; edge 0 is the default.
func branchTable(f *frame, in *instruction) error {
	index := uint64(f.cells[in.r[0]])
	if index >= uint64(len(in.more.edges)-1) {
		return f.follow(&in.more.edges[0])
	}
	return f.follow(&in.more.edges[1+index])
}

// follow moves registers, in order, and continues at the edge's target.
func (f *frame) follow(e *edge) error {
	for _, m := range e.moves {
		if m.from&referenceBit != 0 {
			f.setRef(m.to, f.take(m.from))
		} else {
			f.cells[m.to] = f.cells[m.from]
			if f.recorder != nil {
				f.recorder.move(m)
			}
		}
	}
	f.pc = e.target
	if e.back {
		return f.step()
	}
	return nil
}

func doReturn(f *frame, in *instruction) error {
	f.returned = in.more.values
	return errReturn
}

func fail(f *frame, in *instruction) error {
	if code := f.cells[in.r[0]]; code != 0 {
		return &StatusError{code, in.more.text}
	}
	return nil
}

func importResolved(f *frame, in *instruction) error {
	f.cells[in.r[0]] = flag(in.more.call.imported.run != nil)
	return nil
}
