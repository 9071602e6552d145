package vm

import (
	"context"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// Span is an argument of Invoke: the length of a span, whose values follow.
type Span int

// Invoke calls a function of a library directly, as bytecode would: how libraries
// are tested. Arguments are int, Ref (nil for null) and Span.
func (l Library) Invoke(ctx context.Context, function string, arguments ...any) ([]Value, error) {
	for _, f := range l.Functions {
		if f.Name == function {
			return f.invoke(ctx, arguments)
		}
	}
	return nil, fmt.Errorf("vm: library %q has no function %q", l.Name, function)
}

func (f Function) invoke(ctx context.Context, arguments []any) ([]Value, error) {
	signature, err := vmfb.ParseSignature(f.Type)
	if err != nil {
		return nil, err
	}
	c := &Call{ctx: ctx}
	for _, a := range arguments {
		switch a := a.(type) {
		case int:
			c.words = append(c.words, uint64(a))
		case Span:
			c.spans = append(c.spans, int(a))
		case nil:
			c.refs = append(c.refs, nil)
		case Ref:
			c.refs = append(c.refs, a)
		default:
			return nil, fmt.Errorf("vm: argument of type %T", a)
		}
	}
	if err := f.Run(c); err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	if len(c.results) != len(signature.Results) {
		return nil, fmt.Errorf("vm: %s gave %d results, declared %q", f.Name, len(c.results), signature.Results)
	}
	return c.results, nil
}
