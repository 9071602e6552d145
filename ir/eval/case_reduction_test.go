package eval

import (
	"math"

	"github.com/mlxc/mlxc/ir"
)

// fold is a reduce of one operand with a body of one op.
func fold(name string, x, init, want *ir.Tensor, dims ...int) opCase {
	return opCase{name: "reduce_" + name + "_" + x.Type.DType.String(), in: tensors(x, init), want: tensors(want),
		f: func(b *ir.Builder, v []*ir.Value) []*ir.Value {
			return b.Reduce(v[:1], v[1:], dims, func(b *ir.Builder, acc, x []*ir.Value) []*ir.Value {
				return b.Op("stablehlo."+name, []*ir.Value{acc[0], x[0]}, nil)
			})
		}}
}

// argmax reduces (values, indices) to the greatest value and its first index.
func argmax(b *ir.Builder, acc, x []*ir.Value) []*ir.Value {
	greater := b.Compare("GT", x[0], acc[0])
	first := b.And(b.Compare("EQ", x[0], acc[0]), b.Compare("LT", x[1], acc[1]))
	take := b.Or(greater, first)
	return []*ir.Value{b.Select(take, x[0], acc[0]), b.Select(take, x[1], acc[1])}
}

func argmaxOf(b *ir.Builder, x *ir.Value, dim int) []*ir.Value {
	inits := []*ir.Value{b.Splat(ir.T(ir.F32), math.Inf(-1)), b.Splat(ir.T(ir.I32), math.MaxInt32)}
	return b.Reduce([]*ir.Value{x, b.Iota(x.Type.With(ir.I32), dim)}, inits, []int{dim}, argmax)
}

// peaks has n values of which the greatest comes twice, first at index at.
func peaks(n, at int) *ir.Tensor {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i % 7)
	}
	v[at], v[n-1] = 100, 100
	return vec(ir.F32, v...)
}

func greater(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Compare("GT", x[0], x[1]) }

var reductionCases = []opCase{
	fold("add", count(ir.F32, 2, 3), num(ir.F32, 1), vec(ir.F32, 4, 13), 1),
	fold("add", count(ir.F32, 3, 20), num(ir.F32, 0), vec(ir.F32, 190, 590, 990), 1),
	fold("add", count(ir.F32, 2, 3), num(ir.F32, 0), vec(ir.F32, 3, 5, 7), 0),
	fold("add", count(ir.F32, 2, 3, 2), num(ir.F32, 0), vec(ir.F32, 0+1+6+7, 2+3+8+9, 4+5+10+11), 0, 2),
	fold("add", count(ir.F32, 2, 3), num(ir.F32, 0), num(ir.F32, 15), 0, 1),
	fold("add", count(ir.I32, 4), num(ir.I32, 10), num(ir.I32, 16), 0),
	fold("add", vec(ir.I8, 100, 100, 1), num(ir.I8, 0), num(ir.I8, -55), 0),
	fold("add", vec(ir.F16, 1, 2, 3), num(ir.F16, 0), num(ir.F16, 6), 0),
	fold("multiply", vec(ir.F32, 1, 2, 3, 4), num(ir.F32, 1), num(ir.F32, 24), 0),
	fold("maximum", tensor(ir.F32, []int{2, 3}, 1, 5, 3, -1, -2, -3), num(ir.F32, -inf), vec(ir.F32, 5, -1), 1),
	fold("maximum", tensor(ir.F32, []int{2, 3}, 1, nan, 3, -1, -2, -3), num(ir.F32, -inf), vec(ir.F32, nan, -1), 1).butIREE("NaN in a vectorised maximum"),
	fold("minimum", tensor(ir.F32, []int{2, 3}, 1, 5, 3, -1, -2, -3), num(ir.F32, inf), vec(ir.F32, -1, -2, -3), 0),
	fold("minimum", vec(ir.I32, 4, -7, 2), num(ir.I32, math.MaxInt32), num(ir.I32, -7), 0),
	fold("and", tensor(ir.I1, []int{2, 2}, 1, 1, 1, 0), num(ir.I1, 1), vec(ir.I1, 1, 0), 1),
	fold("or", tensor(ir.I1, []int{2, 2}, 0, 0, 1, 0), num(ir.I1, 0), vec(ir.I1, 0, 1), 1),
	{name: "reduce_argmax", in: tensors(tensor(ir.F32, []int{2, 4}, 1, 9, 3, 9, -5, -6, -4, -7)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return argmaxOf(b, x[0], 1) },
		want: tensors(vec(ir.F32, 9, -4), vec(ir.I32, 1, 2))},
	{name: "reduce_argmax_columns", in: tensors(tensor(ir.F32, []int{2, 3}, 1, 9, 3, 4, 2, 3)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return argmaxOf(b, x[0], 0) },
		want: tensors(vec(ir.F32, 4, 9, 3), vec(ir.I32, 1, 0, 0))},
	{name: "reduce_argmax_long", in: tensors(peaks(1000, 777)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return argmaxOf(b, x[0], 0) },
		want: tensors(num(ir.F32, 100), num(ir.I32, 777))},
	// A body that is no single op, and reads a scalar from outside.
	{name: "reduce_with_captured_scalar", in: tensors(vec(ir.F32, 1, 2, 3), num(ir.F32, 10)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.Reduce(x[:1], []*ir.Value{b.Splat(ir.T(ir.F32), 0)}, []int{0}, func(b *ir.Builder, acc, e []*ir.Value) []*ir.Value {
				return []*ir.Value{b.Add(acc[0], b.Minimum(b.Multiply(e[0], x[1]), b.Splat(ir.T(ir.F32), 25)))}
			})
		}, want: tensors(num(ir.F32, 10+20+25)), differs: "a body whose arguments are not interchangeable"},
	// f16 sums round at every step: 2048 + 1 + 1 stays 2048.
	{name: "reduce_add_f16_rounds", in: tensors(vec(ir.F16, 2048, 1, 1), num(ir.F16, 0)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.Reduce(x[:1], x[1:], []int{0}, func(b *ir.Builder, acc, e []*ir.Value) []*ir.Value {
				return []*ir.Value{b.Add(acc[0], e[0])}
			})
		}, want: tensors(num(ir.F16, 2048)), differs: "the order of a sum"},
	// broadcast, multiply, reduce: a matrix times a vector, plain and in lanes of 8.
	{name: "reduce_of_product", in: tensors(count(ir.F32, 2, 3), vec(ir.F32, 1, 10, 100)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.ReduceSum(b.Multiply(x[0], b.Broadcast(x[1], []int{1}, 2, 3)), 1)
		}), want: tensors(vec(ir.F32, 210, 543))},
	{name: "reduce_of_product_in_lanes", in: tensors(count(ir.F16, 2, 5, 8), vec(ir.F32, 1, 10, 100, 1000, 10000)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			w := b.Convert(x[0], ir.F32)
			return b.ReduceSum(b.Multiply(w, b.Broadcast(x[1], []int{1}, 2, 5, 8)), 1)
		}), want: tensors(tensor(ir.F32, []int{2, 8}, lanesProduct()...))},
	{name: "reduce_of_squares", in: tensors(tensor(ir.F32, []int{2, 2}, 1, 2, 3, 4)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.ReduceSum(b.Multiply(x[0], x[0]), 1)
		}), want: tensors(vec(ir.F32, 5, 25))},
	{name: "sort", in: tensors(vec(ir.F32, 3, 1, 2)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return b.Sort(x, 0, false, greater) },
		want: tensors(vec(ir.F32, 3, 2, 1))},
	{name: "sort_stable_with_indices", in: tensors(tensor(ir.F32, []int{2, 5}, 1, 2, 1, 3, 2, 5, 5, 5, 4, 6), tensor(ir.I32, []int{2, 5}, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4)),
		f:       func(b *ir.Builder, x []*ir.Value) []*ir.Value { return b.Sort(x, 1, true, greater) },
		want:    tensors(tensor(ir.F32, []int{2, 5}, 3, 2, 2, 1, 1, 6, 5, 5, 5, 4), tensor(ir.I32, []int{2, 5}, 3, 1, 4, 0, 2, 4, 0, 1, 2, 3)),
		differs: "IREE 3.13 does not keep the order of equal elements"},
	{name: "sort_columns", in: tensors(tensor(ir.I32, []int{3, 2}, 1, 9, 3, 8, 2, 7)),
		f:    func(b *ir.Builder, x []*ir.Value) []*ir.Value { return b.Sort(x, 0, true, greater) },
		want: tensors(tensor(ir.I32, []int{3, 2}, 3, 9, 2, 8, 1, 7))},
}

// lanesProduct is [o, l] Σᵢ (40o + 8i + l)·10ⁱ.
func lanesProduct() []float64 {
	var out []float64
	for o := range 2 {
		for l := range 8 {
			s := 0.0
			for i := range 5 {
				s += float64(40*o+8*i+l) * math.Pow10(i)
			}
			out = append(out, s)
		}
	}
	return out
}
