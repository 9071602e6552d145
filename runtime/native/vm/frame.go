package vm

import (
	"errors"
	"fmt"
)

// Limits of a call of an exported function.
const (
	maxDepth      = 128     // calls in calls
	maxAllocation = 1 << 30 // bytes of buffers and lists that bytecode allocates
	checkInterval = 1 << 10 // backward branches and calls between two looks at the context
)

// ErrLimit marks errors about bytecode that asks for too much.
var ErrLimit = errors.New("the module exceeds a limit of the virtual machine")

// frame is the activation of a function.
type frame struct {
	*Instance
	fn       *function
	cells    []uint32
	refs     []Ref
	pc       int
	returned []operand
	recorder *recorder // nil unless the call is recorded
}

// get64 reads a pair of cells.
func (f *frame) get64(r uint16) uint64 {
	return uint64(f.cells[r]) | uint64(f.cells[r+1])<<32
}

func (f *frame) set64(r uint16, v uint64) {
	f.cells[r], f.cells[r+1] = uint32(v), uint32(v>>32)
}

func (f *frame) ref(r uint16) Ref { return f.refs[r&referenceMask] }

func (f *frame) setRef(r uint16, v Ref) { f.refs[r&referenceMask] = v }

// take reads a reference register and clears it if its move bit is set.
func (f *frame) take(r uint16) Ref {
	v := f.refs[r&referenceMask]
	f.releaseMoved(r)
	return v
}

func (f *frame) releaseMoved(r uint16) {
	if r&moveBit != 0 {
		f.refs[r&referenceMask] = nil
	}
}

func (f *frame) checkType(r Ref, typ uint16) error {
	if want := f.types[typ]; !typeMatches(r, want) {
		return typeError(r, want)
	}
	return nil
}

// run interprets the function until it returns.
func (f *frame) run() error {
	code := f.fn.code
	for {
		in := &code[f.pc]
		f.pc++
		err := in.exec(f, in)
		if err == nil {
			continue
		}
		if err == errReturn {
			return nil
		}
		return f.explain(in, err)
	}
}

// explain says where an error happened, once.
func (f *frame) explain(in *instruction, err error) error {
	var at *located
	if errors.As(err, &at) {
		return err
	}
	return &located{fmt.Sprintf("vm: function %q, instruction %d (%s)", f.fn.name, f.pc-1, opcodes[in.op].name), err}
}

// located is an error with its place in the bytecode.
type located struct {
	where string
	err   error
}

func (e *located) Error() string { return e.where + ": " + e.err.Error() }
func (e *located) Unwrap() error { return e.err }

// enter makes the frame of a call.
func (in *Instance) enter(fn *function) (*frame, error) {
	if in.depth == maxDepth {
		return nil, fmt.Errorf("%w: more than %d calls in calls", ErrLimit, maxDepth)
	}
	if err := fn.decoded(in); err != nil {
		return nil, err
	}
	in.depth++
	if n := len(fn.free); n > 0 {
		f := fn.free[n-1]
		fn.free = fn.free[:n-1]
		return f, nil
	}
	return &frame{Instance: in, fn: fn, cells: make([]uint32, fn.cells), refs: make([]Ref, fn.references)}, nil
}

// leave keeps the frame for the next call of its function.
func (in *Instance) leave(f *frame) {
	in.depth--
	f.pc = 0
	clear(f.refs)
	clear(f.cells)
	f.fn.free = append(f.fn.free, f)
}

// step is called at calls and backward branches, so that no loop misses it.
func (in *Instance) step() error {
	if in.steps++; in.steps%checkInterval != 0 {
		return nil
	}
	if in.maxSteps > 0 && in.steps > in.maxSteps {
		return fmt.Errorf("%w: more than %d calls and backward branches", ErrLimit, in.maxSteps)
	}
	return in.ctx.Err()
}

// charge counts n bytes of allocation.
func (in *Instance) charge(n uint64) error {
	if n > maxAllocation-in.allocated {
		return fmt.Errorf("%w: %d more bytes allocated than the %d that are supported", ErrLimit, n, maxAllocation)
	}
	in.allocated += n
	return nil
}
