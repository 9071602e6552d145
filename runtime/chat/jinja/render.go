package jinja

import (
	"context"
	"time"
)

// Environment is what a rendering is given.
type Environment struct {
	Now    func() time.Time // of strftime_now, in the zone that it prints
	Limits Limits
}

// Render renders the template with variables. It returns a *RaiseError if the
// template's raise_exception says why it can't, an error that wraps ErrLimit if a
// limit is exceeded, the context's cause if it ends first, and any other failure of
// the template as an *Error.
func (t *Template) Render(ctx context.Context, variables *Dict, e Environment) (text Text, err error) {
	m := &machine{ctx: ctx, now: e.Now, limits: e.Limits, line: 1}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			text, err = Text{}, r.err
		default:
			panic(r)
		}
	}()
	s := &scope{}
	for i, k := range variables.keys {
		s.set(k.(Text).s, variables.values[i])
	}
	out := m.builder()
	t.body.exec(m, s.inner(), out)
	return out.text(), context.Cause(ctx)
}
