package eval

import (
	"github.com/mlxc/mlxc/ir"
)

// private adds a private function that maps types to what f returns.
func private(m *ir.Module, name string, types []ir.Type, f func(b *ir.Builder, x []*ir.Value) []*ir.Value) {
	b := ir.NewFunc(m, name, true, types, nil)
	out := f(b, b.Func.Args)
	for _, v := range out {
		b.Func.Results = append(b.Func.Results, v.Type)
	}
	b.Return(out...)
}

var controlCases = []opCase{
	{name: "optimization_barrier", in: tensors(vec(ir.F32, 1, 2), vec(ir.I32, 3)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return b.OptimizationBarrier(x...) },
		want: tensors(vec(ir.F32, 1, 2), vec(ir.I32, 3))},
	// Powers of two below the limit.
	{name: "while", in: tensors(num(ir.I32, 1), num(ir.I32, 100)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.While(x, func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Compare("LT", v[0], v[1]) },
				func(b *ir.Builder, v []*ir.Value) []*ir.Value { return []*ir.Value{b.Add(v[0], v[0]), v[1]} })
		}, want: tensors(num(ir.I32, 128), num(ir.I32, 100))},
	// The regions read values of the function around; the state is updated at i.
	{name: "while_with_captures", in: tensors(count(ir.F32, 4), num(ir.I32, 3)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			step := b.I32(1)
			half := b.Multiply(x[0], b.Splat(x[0].Type, 0.5))
			return b.While([]*ir.Value{b.I32(0), b.Add(x[0], x[0])},
				func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Compare("LT", v[0], x[1]) },
				func(b *ir.Builder, v []*ir.Value) []*ir.Value {
					e := b.DynamicSlice(half, v[:1], 1)
					return []*ir.Value{b.Add(v[0], step), b.DynamicUpdateSlice(v[1], b.Negate(e), v[0])}
				})
		}, want: tensors(num(ir.I32, 3), vec(ir.F32, negZero, -0.5, -1, 6))},
	{name: "while_not_at_all", in: tensors(num(ir.I32, 7)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.While(x, func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Compare("LT", v[0], b.I32(0)) },
				func(b *ir.Builder, v []*ir.Value) []*ir.Value { return []*ir.Value{b.Add(v[0], v[0])} })
		}, want: tensors(num(ir.I32, 7))},
	{name: "func_call", in: tensors(vec(ir.F32, 1, 2), vec(ir.F32, 3, 4)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			private(b.Module, "swap_and_add", []ir.Type{x[0].Type, x[1].Type}, func(b *ir.Builder, x []*ir.Value) []*ir.Value {
				return []*ir.Value{x[1], b.Add(x[0], x[1])}
			})
			y := b.Call("swap_and_add", x...)
			return b.Call("swap_and_add", y...)
		}, want: tensors(vec(ir.F32, 4, 6), vec(ir.F32, 7, 10))},
	{name: "composite", in: tensors(vec(ir.F32, 1, 2)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			private(b.Module, "twice_impl", []ir.Type{x[0].Type}, func(b *ir.Builder, x []*ir.Value) []*ir.Value {
				return []*ir.Value{b.Add(x[0], x[0])}
			})
			return b.Composite("mlxc.twice", "twice_impl", map[string]any{"n": 2}, x[0])
		}, want: tensors(vec(ir.F32, 2, 4))},
	{name: "same_value_twice", in: tensors(vec(ir.I32, 1, 2)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			y := b.Add(x[0], x[0])
			return []*ir.Value{y, x[0], y}
		}, want: tensors(vec(ir.I32, 2, 4), vec(ir.I32, 1, 2), vec(ir.I32, 2, 4))},
}
