package jinja

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Limits bound a rendering. A template comes with a model: it is not trusted.
type Limits struct {
	Steps int // expressions and statements evaluated, elements and 16 bytes of text looked at
	Bytes int // of text and lists made, all together
	Depth int // of calls and of nested values
}

// DefaultLimits are far above what a chat template needs: rendering a conversation of
// a megabyte takes some 100,000 steps. They are used up in a few seconds.
var DefaultLimits = Limits{Steps: 20e6, Bytes: 256 << 20, Depth: 200}

// ErrLimit is wrapped by the errors of renderings that exceed a limit.
var ErrLimit = errors.New("the template does not come to an end")

// RaiseError is what a template's raise_exception says.
type RaiseError struct{ Message string }

func (e *RaiseError) Error() string { return e.Message }

// Error is what is wrong with a template, at a line of its source (from 1).
type Error struct {
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// machine renders one template once.
type machine struct {
	ctx    context.Context
	now    func() time.Time
	limits Limits
	line   int // being evaluated
	steps  int
	bytes  int
	depth  int
}

// failure travels as a panic from where a rendering fails to Render.
type failure struct{ err error }

// fail ends the rendering.
func (m *machine) fail(format string, args ...any) {
	panic(failure{&Error{m.line, fmt.Errorf(format, args...)}})
}

// step counts n steps of work.
func (m *machine) step(n int) {
	const between = 1 << 12
	before := m.steps
	if m.steps += n; m.steps > m.limits.Steps || m.steps < before {
		m.fail("%w: it takes more than %d steps", ErrLimit, m.limits.Steps)
	}
	if before/between != m.steps/between && m.ctx.Err() != nil {
		panic(failure{context.Cause(m.ctx)})
	}
}

// scan counts the work of looking at n bytes.
func (m *machine) scan(n int) { m.step(n / 16) }

// alloc counts n bytes of memory.
func (m *machine) alloc(n int) {
	if m.bytes += n; m.bytes > m.limits.Bytes || n < 0 || m.bytes < 0 {
		m.fail("%w: it makes more than %d MB of text and lists", ErrLimit, m.limits.Bytes>>20)
	}
	m.scan(n)
}

// enter goes one level down; the caller defers leave.
func (m *machine) enter() {
	if m.depth++; m.depth > m.limits.Depth {
		m.fail("%w: calls or values are nested more than %d deep", ErrLimit, m.limits.Depth)
	}
}

func (m *machine) leave() { m.depth-- }
