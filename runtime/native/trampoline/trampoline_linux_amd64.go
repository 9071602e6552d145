package trampoline

import (
	"errors"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

// Stack is memory for the callee's stack, with a page below it that faults. One
// call at a time may use it.
type Stack struct {
	mapping []byte
	top     uintptr
}

// NewStack maps a stack.
func NewStack() (*Stack, error) {
	m, err := pages.Map(pages.Size + StackSize)
	if err != nil {
		return nil, err
	}
	if err := pages.Protect(m[:pages.Size], pages.None); err != nil {
		return nil, errors.Join(err, pages.Unmap(m))
	}
	// A profiling signal that hits the instructions around the call reads a Go frame
	// from this stack: leave it zeros to find.
	const headroom = 128
	return &Stack{m, pages.Address(m) + uintptr(len(m)) - headroom}, nil
}

// Close unmaps the stack.
func (s *Stack) Close() error { return pages.Unmap(s.mapping) }

// Call runs the function at address fn with three pointer arguments and returns
// its result, the low 32 bits of which are an int's.
func (s *Stack) Call(fn, a0, a1, a2 uintptr) uintptr { return call(fn, a0, a1, a2, s.top) }

//go:noescape
func call(fn, a0, a1, a2, stackTop uintptr) uintptr

// Pause tells the processor that the caller spins.
func Pause()
