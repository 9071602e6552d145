//go:build !(linux && amd64)

package trampoline

// Stack doesn't exist here: NewStack returns ErrUnsupported.
type Stack struct{}

// NewStack returns ErrUnsupported.
func NewStack() (*Stack, error) { return nil, ErrUnsupported }

// Close does nothing.
func (s *Stack) Close() error { return nil }

// Call panics: no Stack exists to call it on.
func (s *Stack) Call(fn, a0, a1, a2 uintptr) uintptr { panic(ErrUnsupported) }

// Pause does nothing.
func Pause() {}
