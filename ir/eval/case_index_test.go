package eval

import "github.com/mlxc/mlxc/ir"

// scalars are the elements of v, which has rank 1, as scalars.
func scalars(b *ir.Builder, v *ir.Value) []*ir.Value {
	out := make([]*ir.Value, v.Type.Shape[0])
	for i := range out {
		out[i] = b.Reshape(b.Slice(v, []int{i}, []int{i + 1}))
	}
	return out
}

var indexCases = []opCase{
	{name: "dynamic_slice", in: tensors(count(ir.F32, 3, 3), num(ir.I32, 1), num(ir.I32, 1)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.DynamicSlice(x[0], x[1:], 2, 2) }),
		want: tensors(tensor(ir.F32, []int{2, 2}, 4, 5, 7, 8))},
	{name: "dynamic_slice_is_clamped", in: tensors(count(ir.I32, 3, 3), num(ir.I64, 7), num(ir.I64, -3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.DynamicSlice(x[0], x[1:], 2, 2) }),
		want: tensors(tensor(ir.I32, []int{2, 2}, 3, 4, 6, 7))},
	{name: "dynamic_slice_of_convert", in: tensors(count(ir.F16, 4), num(ir.UI32, 2)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DynamicSlice(b.Convert(x[0], ir.F32), x[1:], 2)
		}), want: tensors(vec(ir.F32, 2, 3))},
	{name: "dynamic_update_slice", in: tensors(count(ir.F32, 3, 3), tensor(ir.F32, []int{1, 2}, 10, 20), num(ir.I32, 1), num(ir.I32, 1)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.DynamicUpdateSlice(x[0], x[1], x[2:]...) }),
		want: tensors(tensor(ir.F32, []int{3, 3}, 0, 1, 2, 3, 10, 20, 6, 7, 8))},
	{name: "dynamic_update_slice_is_clamped", in: tensors(count(ir.I8, 4), vec(ir.I8, 10, 20), num(ir.I32, 3)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.DynamicUpdateSlice(x[0], x[1], x[2]) }),
		want: tensors(vec(ir.I8, 0, 1, 10, 20))},
	// The update reads what it overwrites: all of it is read first.
	{name: "dynamic_update_slice_with_part_of_itself", in: tensors(count(ir.I32, 4), num(ir.I32, 1)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			y := b.Add(x[0], x[0])
			return b.DynamicUpdateSlice(y, b.Slice(y, []int{0}, []int{3}), x[1])
		}), want: tensors(vec(ir.I32, 0, 0, 2, 4)), differs: "IREE 3.13 copies forwards within one buffer and gives 0 0 0 0"},
	// A slice taken before an update and read after it shows the old values.
	{name: "dynamic_update_slice_after_slice", in: tensors(count(ir.I32, 4), vec(ir.I32, 9), num(ir.I32, 1)),
		f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			y := b.Add(x[0], x[0])
			old := b.Slice(y, []int{1}, []int{3})
			y = b.DynamicUpdateSlice(y, x[1], x[2])
			return []*ir.Value{y, b.Add(old, b.Slice(y, []int{1}, []int{3}))}
		}, want: tensors(vec(ir.I32, 0, 9, 4, 6), vec(ir.I32, 11, 8))},

	// Rows of an embedding.
	{name: "gather_rows", in: tensors(count(ir.F32, 4, 3), tensor(ir.I32, []int{3, 1}, 2, 0, 3)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Gather(x[0], x[1], ir.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 3}})
		}), want: tensors(tensor(ir.F32, []int{3, 3}, 6, 7, 8, 0, 1, 2, 9, 10, 11))},
	{name: "gather_is_clamped", in: tensors(count(ir.F32, 4, 2), vec(ir.I32, -1, 9)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Gather(x[0], x[1], ir.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 2}})
		}), want: tensors(tensor(ir.F32, []int{2, 2}, 0, 1, 6, 7))},
	// Lanes of a tiled embedding [O/2, I, 2]: index (tok/2, tok%2), slice [1, I, 1].
	{name: "gather_tiled", in: tensors(count(ir.F16, 2, 3, 2), tensor(ir.I32, []int{2, 2}, 0, 1, 1, 0)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Gather(x[0], x[1], ir.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0, 2}, StartIndexMap: []int{0, 2}, IndexVectorDim: 1, SliceSizes: []int{1, 3, 1}})
		}), want: tensors(tensor(ir.F16, []int{2, 3}, 1, 3, 5, 6, 8, 10))},
	// Offset dimensions around the batch dimension, index vectors along dimension 0.
	{name: "gather_general", in: tensors(count(ir.I32, 3, 4, 2), tensor(ir.I64, []int{2, 2}, 1, 0, 0, 2)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Gather(x[0], x[1], ir.GatherDims{OffsetDims: []int{0, 2}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{1, 0}, IndexVectorDim: 0, SliceSizes: []int{1, 2, 2}})
		}),
		// Vectors (1, 0) and (0, 2) start at [0, 1, 0] and [2, 0, 0].
		want: tensors(tensor(ir.I32, []int{2, 2, 2}, 2, 3, 16, 17, 4, 5, 18, 19))},
	{name: "gather_of_convert", in: tensors(count(ir.BF16, 4, 2), vec(ir.UI32, 3, 1)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Gather(b.Convert(x[0], ir.F32), x[1], ir.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 2}})
		}), want: tensors(tensor(ir.F32, []int{2, 2}, 6, 7, 2, 3))},
	{name: "scalars_of_a_vector", in: tensors(count(ir.F32, 3), vec(ir.I32, 2, 0)),
		f: func(b *ir.Builder, x []*ir.Value) (out []*ir.Value) {
			for _, s := range scalars(b, x[1]) {
				out = append(out, b.DynamicSlice(x[0], []*ir.Value{s}, 1))
			}
			return out
		}, want: tensors(vec(ir.F32, 2), vec(ir.F32, 0))},
}
