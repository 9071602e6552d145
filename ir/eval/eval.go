// Package eval is the reference evaluator of StableHLO modules: plainly written, the
// same results from run to run and for any number of CPUs, and fast enough to check
// compiled bundles with.
//
// Arithmetic is that of the element type: f32 ops compute in float32; f16 and bf16
// ops compute in float32 and round to nearest even, each op; integers wrap.
// dot_general and a reduce that adds f32 products sum in float32 with several partial
// sums, and read f16 and bf16 operands that were converted to f32 in place.
//
// Memory is counted by reference: a dead value's memory is used again, and
// dynamic_update_slice writes into its operand if nothing else can see it, through
// calls and loops too. So a state tensor that the caller donates is updated in place.
package eval

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// Program is a module ready to be evaluated. It may be used by several goroutines at
// once.
type Program struct {
	funcs map[string]*function
}

// New verifies m and prepares all its functions: calls are resolved, last uses
// found. An op that cannot be evaluated is an error here. m must not change while
// the Program is in use.
func New(m *ir.Module) (*Program, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, errors.New("eval: this machine is big-endian; tensors are little-endian and used in place, so little-endian machines are supported")
	}
	if err := ir.Verify(m); err != nil {
		return nil, err
	}
	p := &Program{funcs: map[string]*function{}}
	for _, f := range m.Funcs {
		fn, err := p.plan(f)
		if err != nil {
			return nil, err
		}
		p.funcs[f.Name] = fn
	}
	return p, nil
}

// Call runs the function fn. Arguments with the attribute iree.abi.output are
// donated, as they are to compiled code: their Data may be overwritten and is
// returned as the Data of the result that took their place, and the caller must not
// use it otherwise. All other arguments are only read.
//
// Call returns soon after ctx ends, with its error; donated arguments then have
// undefined content.
func (p *Program) Call(ctx context.Context, fn string, args []*ir.Tensor) ([]*ir.Tensor, error) {
	return p.CallDonating(ctx, fn, args, p.Donated(fn))
}

// Donated says which arguments of fn Call takes as donated.
func (p *Program) Donated(fn string) []bool {
	f := p.funcs[fn]
	if f == nil {
		return nil
	}
	donated := make([]bool, len(f.ir.Args))
	for i, attrs := range f.ir.ArgAttrs {
		_, donated[i] = attrs["iree.abi.output"]
	}
	return donated
}

// CallDonating is Call with the donated arguments named by donate, which has an
// entry for each argument or is nil for none.
func (p *Program) CallDonating(ctx context.Context, fn string, args []*ir.Tensor, donate []bool) ([]*ir.Tensor, error) {
	f := p.funcs[fn]
	if f == nil {
		return nil, fmt.Errorf("eval: the module has no function @%s", fn)
	}
	if donate == nil {
		donate = make([]bool, len(args))
	}
	if err := checkArgs(f.ir, args, donate); err != nil {
		return nil, err
	}
	m := &machine{ctx: ctx, program: p, pool: pool{map[int][]*buffer{}}}
	in := make([]*array, len(args))
	for i, a := range args {
		in[i] = argument(a, donate[i])
	}
	out, err := m.activate(f, in)
	if err != nil {
		return nil, fmt.Errorf("eval: function @%s: %w", fn, err)
	}
	results := make([]*ir.Tensor, len(out))
	for i, a := range out {
		results[i] = m.result(a)
	}
	return results, nil
}

// argument is an array over the caller's memory, or over a copy if it is not aligned.
func argument(t *ir.Tensor, donated bool) *array {
	b := &buffer{data: aligned(t.Type.DType, t.Data), refs: 1, owned: donated}
	return &array{Type: t.Type, buf: b, stride: contiguous(t.Type.Shape)}
}

// result hands an array out as a tensor of its own.
func (m *machine) result(a *array) *ir.Tensor {
	if !a.buf.exclusive() || !a.dense() || len(a.buf.data) != a.Bytes() {
		a = m.copy(a)
	}
	return &ir.Tensor{Type: a.Type, Data: a.bytes()}
}

// checkArgs checks args against the signature of f, and that nobody else sees the
// memory of donated ones.
func checkArgs(f *ir.Func, args []*ir.Tensor, donate []bool) error {
	if len(args) != len(f.Args) || len(donate) != len(args) {
		return fmt.Errorf("eval: function @%s: %d arguments with %d donation marks, it takes %d", f.Name, len(args), len(donate), len(f.Args))
	}
	for i, a := range args {
		want := f.Args[i].Type
		switch {
		case a == nil:
			return fmt.Errorf("eval: function @%s: argument %d is nil, want %v", f.Name, i, want)
		case !a.Type.Equal(want):
			return fmt.Errorf("eval: function @%s: argument %d is a %v, want %v", f.Name, i, a.Type, want)
		case len(a.Data) != want.Bytes():
			return fmt.Errorf("eval: function @%s: argument %d, %v, has %d bytes, want %d", f.Name, i, want, len(a.Data), want.Bytes())
		}
	}
	for i, a := range args {
		for j, b := range args {
			if donate[i] && i != j && overlap(a.Data, b.Data) {
				return fmt.Errorf("eval: function @%s: argument %d is donated but shares memory with argument %d", f.Name, i, j)
			}
		}
	}
	return nil
}
