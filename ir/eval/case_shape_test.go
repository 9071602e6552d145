package eval

import "github.com/mlxc/mlxc/ir"

var shapeCases = []opCase{
	{name: "constant",
		f: func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Constant(tensor(ir.F32, []int{2, 2}, 1, 2, 3, 4)), b.Splat(ir.T(ir.BF16, 3), 0.1),
				b.Constant(vec(ir.I64, -1, 1<<40)), b.Constant(vec(ir.I1, 0, 1, 1))}
		},
		want: tensors(tensor(ir.F32, []int{2, 2}, 1, 2, 3, 4), vec(ir.BF16, 0.1, 0.1, 0.1), vec(ir.I64, -1, 1<<40), vec(ir.I1, 0, 1, 1))},
	{name: "iota",
		f: func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Iota(ir.T(ir.I32, 2, 3), 1), b.Iota(ir.T(ir.F32, 2, 3), 0), b.Iota(ir.T(ir.F16, 3), 0), b.Iota(ir.T(ir.UI8, 3), 0)}
		},
		want: tensors(tensor(ir.I32, []int{2, 3}, 0, 1, 2, 0, 1, 2), tensor(ir.F32, []int{2, 3}, 0, 0, 0, 1, 1, 1), vec(ir.F16, 0, 1, 2), vec(ir.UI8, 0, 1, 2))},
	{name: "reshape", in: tensors(count(ir.F32, 2, 3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Reshape(x[0], 3, 1, 2) }),
		want: tensors(count(ir.F32, 3, 1, 2))},
	{name: "reshape_of_transpose", in: tensors(count(ir.I32, 2, 3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Reshape(b.Transpose(x[0], 1, 0), 6) }),
		want: tensors(vec(ir.I32, 0, 3, 1, 4, 2, 5))},
	{name: "reshape_splits_transposed_dimension", in: tensors(count(ir.I32, 4, 2)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Reshape(b.Transpose(x[0], 1, 0), 2, 2, 2) }),
		want: tensors(tensor(ir.I32, []int{2, 2, 2}, 0, 2, 4, 6, 1, 3, 5, 7))},
	{name: "transpose", in: tensors(count(ir.F16, 2, 3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Transpose(x[0], 1, 0) }),
		want: tensors(tensor(ir.F16, []int{3, 2}, 0, 3, 1, 4, 2, 5))},
	{name: "transpose_rank_3", in: tensors(count(ir.UI8, 2, 3, 2)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Transpose(x[0], 2, 0, 1) }),
		want: tensors(tensor(ir.UI8, []int{2, 2, 3}, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11))},
	{name: "broadcast_in_dim", in: tensors(vec(ir.F32, 1, 2)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Broadcast(x[0], []int{1}, 3, 2) }),
		want: tensors(tensor(ir.F32, []int{3, 2}, 1, 2, 1, 2, 1, 2))},
	{name: "broadcast_in_dim_of_size_one", in: tensors(tensor(ir.I64, []int{1, 2}, 5, 6)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Broadcast(x[0], []int{2, 0}, 2, 2, 2) }),
		want: tensors(tensor(ir.I64, []int{2, 2, 2}, 5, 5, 5, 5, 6, 6, 6, 6))},
	{name: "broadcast_of_convert", in: tensors(vec(ir.F16, 1, 2)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Broadcast(b.Convert(x[0], ir.F32), []int{0}, 2, 2)
		}), want: tensors(tensor(ir.F32, []int{2, 2}, 1, 1, 2, 2))},
	{name: "reverse", in: tensors(count(ir.I32, 2, 3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Reverse(x[0], 1) }),
		want: tensors(tensor(ir.I32, []int{2, 3}, 2, 1, 0, 5, 4, 3))},
	{name: "reverse_both_of_slice", in: tensors(count(ir.I32, 3, 3)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Reverse(b.Slice(x[0], []int{1, 0}, []int{3, 2}), 0, 1)
		}), want: tensors(tensor(ir.I32, []int{2, 2}, 7, 6, 4, 3))},
	{name: "slice", in: tensors(count(ir.F32, 3, 4)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Slice(x[0], []int{1, 1}, []int{3, 3}) }),
		want: tensors(tensor(ir.F32, []int{2, 2}, 5, 6, 9, 10))},
	{name: "slice_with_strides", in: tensors(count(ir.I32, 7)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.Op("stablehlo.slice", x, map[string]any{"start_indices": []int{1}, "limit_indices": []int{7}, "strides": []int{3}})
		}, want: tensors(vec(ir.I32, 1, 4))},
	{name: "slice_of_sum", in: tensors(count(ir.F32, 3, 2)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Slice(b.Add(x[0], x[0]), []int{1, 0}, []int{3, 1})
		}), want: tensors(tensor(ir.F32, []int{2, 1}, 4, 8))},
	{name: "concatenate", in: tensors(count(ir.F32, 2, 1), count(ir.F32, 2, 2)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Concatenate(1, x[0], x[1], x[0]) }),
		want: tensors(tensor(ir.F32, []int{2, 4}, 0, 0, 1, 0, 1, 2, 3, 1))},
	{name: "concatenate_of_expressions", in: tensors(vec(ir.I32, 1, 2)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Concatenate(0, b.Negate(x[0]), b.Add(x[0], x[0]))
		}), want: tensors(vec(ir.I32, -1, -2, 2, 4))},
	{name: "pad", in: tensors(count(ir.F32, 2, 2), num(ir.F32, 9)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Pad(x[0], x[1], []int{1, 0}, []int{0, 1}, []int{0, 1})
		}), want: tensors(tensor(ir.F32, []int{3, 4}, 9, 9, 9, 9, 0, 9, 1, 9, 2, 9, 3, 9))},
	{name: "pad_negative", in: tensors(count(ir.I32, 5), num(ir.I32, -1)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Pad(x[0], x[1], []int{-1}, []int{-2}, []int{0})
		}), want: tensors(vec(ir.I32, 1, 2))},
	// 0 _ 1 _ 2 without its first element: _ 1 _ 2, then one more.
	{name: "pad_negative_and_interior", in: tensors(count(ir.I32, 3), num(ir.I32, -1)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Pad(x[0], x[1], []int{-1}, []int{1}, []int{1})
		}), want: tensors(vec(ir.I32, -1, 1, -1, 2, -1))},
}
