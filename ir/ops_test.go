package ir_test

import (
	"errors"
	"strings"
	"testing"

	. "github.com/mlxc/mlxc/ir"
)

// Every mistake is refused with a message that names op, operand types, and what
// is wrong.
func TestShapeErrors(t *testing.T) {
	f32, i32, i1 := T(F32, 2, 3), T(I32, 2, 3), T(I1, 2, 3)
	scalar, index := T(F32), T(I32)
	dot := func(lb, rb, lc, rc []int) func(b *Builder, v []*Value) {
		return func(b *Builder, v []*Value) { b.DotGeneral(v[0], v[1], DotDims{lb, rb, lc, rc}, F32) }
	}
	gather := func(d GatherDims) func(b *Builder, v []*Value) {
		return func(b *Builder, v []*Value) { b.Gather(v[0], v[1], d) }
	}
	rows := GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 3}}
	with := func(change func(d *GatherDims)) GatherDims { d := rows; change(&d); return d }
	addBody := func(b *Builder, acc, x []*Value) []*Value { return vals(b.Add(acc[0], x[0])) }
	for _, c := range []struct {
		op   string
		args []Type
		make func(b *Builder, v []*Value)
		want string
	}{
		{"add", []Type{f32, T(F32, 3, 2)}, func(b *Builder, v []*Value) { b.Add(v[0], v[1]) }, "different types"},
		{"add", []Type{f32, i32}, func(b *Builder, v []*Value) { b.Add(v[0], v[1]) }, "different types"},
		{"add", []Type{i1, i1}, func(b *Builder, v []*Value) { b.Add(v[0], v[1]) }, "i1 is not a number"},
		{"and", []Type{f32, f32}, func(b *Builder, v []*Value) { b.And(v[0], v[1]) }, "not an integer or i1"},
		{"shift_left", []Type{i1, i1}, func(b *Builder, v []*Value) { b.ShiftLeft(v[0], v[1]) }, "not an integer"},
		{"tanh", []Type{i32}, func(b *Builder, v []*Value) { b.Tanh(v[0]) }, "not a float"},
		{"abs", []Type{T(UI8, 4)}, func(b *Builder, v []*Value) { b.Abs(v[0]) }, "not a signed number"},
		{"add", []Type{f32}, func(b *Builder, v []*Value) { b.Op("stablehlo.add", v, nil) }, "1 operands, want 2"},
		{"add", []Type{f32}, func(b *Builder, v []*Value) { b.Add(v[0], nil) }, "operand 1 is nil"},
		{"add", []Type{f32}, func(b *Builder, v []*Value) {
			b.Op("stablehlo.add", vals(v[0], v[0]), map[string]any{"x": 1})
		}, "attribute x is not one of this op"},
		{"compare", []Type{f32, i32}, func(b *Builder, v []*Value) { b.Compare("LT", v[0], v[1]) }, "different types"},
		{"compare", []Type{f32, f32}, func(b *Builder, v []*Value) { b.Compare("<", v[0], v[1]) }, `direction "<"`},
		{"select", []Type{T(I1, 2), f32, f32}, func(b *Builder, v []*Value) { b.Select(v[0], v[1], v[2]) }, "the predicate"},
		{"select", []Type{i32, f32, f32}, func(b *Builder, v []*Value) { b.Select(v[0], v[1], v[2]) }, "the predicate"},
		{"select", []Type{i1, f32, i32}, func(b *Builder, v []*Value) { b.Select(v[0], v[1], v[2]) }, "different types"},
		{"clamp", []Type{T(F32, 3), f32, scalar}, func(b *Builder, v []*Value) { b.Clamp(v[0], v[1], v[2]) }, "bound tensor<3xf32>"},
		{"convert", []Type{f32}, func(b *Builder, v []*Value) {
			b.Op("stablehlo.convert", v, map[string]any{"type": T(F16, 3, 2)})
		}, "another shape"},
		{"convert", []Type{f32}, func(b *Builder, v []*Value) { b.Op("stablehlo.convert", v, nil) }, "attribute type is missing"},
		{"convert", []Type{f32}, func(b *Builder, v []*Value) {
			b.Op("stablehlo.convert", v, map[string]any{"type": F16})
		}, "attribute type is a ir.DType, want ir.Type"},
		{"convert", []Type{f32}, func(b *Builder, v []*Value) { b.Convert(v[0], Invalid) }, "element type 0"},
		{"bitcast_convert", []Type{f32}, func(b *Builder, v []*Value) { b.BitcastConvert(v[0], T(F16, 2, 3)) }, "the same bits"},
		{"bitcast_convert", []Type{T(I8, 4)}, func(b *Builder, v []*Value) { b.BitcastConvert(v[0], T(I1, 4, 8)) }, "i1"},

		{"iota", nil, func(b *Builder, v []*Value) { b.Iota(i32, 2) }, "2 is not a dimension of rank 2"},
		{"iota", nil, func(b *Builder, v []*Value) { b.Iota(T(I1, 4), 0) }, "i1 does not count"},
		{"constant", nil, func(b *Builder, v []*Value) { b.Constant(&Tensor{f32, make([]byte, 23)}) }, "23 bytes, want 24"},
		{"constant", nil, func(b *Builder, v []*Value) { b.Constant(&Tensor{T(I4, 1), []byte{8}}) }, "element 0 is 8"},
		{"constant", nil, func(b *Builder, v []*Value) { b.Constant(&Tensor{T(I1, 1), []byte{2}}) }, "element 0 is 2"},
		{"constant", nil, func(b *Builder, v []*Value) { b.Constant(nil) }, "the value is nil"},
		{"reshape", []Type{f32}, func(b *Builder, v []*Value) { b.Reshape(v[0], 5) }, "the same elements"},
		{"reshape", []Type{f32}, func(b *Builder, v []*Value) { b.Reshape(v[0], -2, -3) }, "dimension 0 is -2"},
		{"transpose", []Type{f32}, func(b *Builder, v []*Value) { b.Transpose(v[0], 0) }, "rank 2"},
		{"transpose", []Type{f32}, func(b *Builder, v []*Value) { b.Transpose(v[0], 1, 1) }, "1 is there twice"},
		{"broadcast_in_dim", []Type{f32}, func(b *Builder, v []*Value) { b.Broadcast(v[0], []int{0}, 2, 3) }, "do not map"},
		{"broadcast_in_dim", []Type{f32}, func(b *Builder, v []*Value) { b.Broadcast(v[0], []int{0, 1}, 3, 3) }, "dimension 0 of size 2"},
		{"broadcast_in_dim", []Type{scalar}, func(b *Builder, v []*Value) { b.Broadcast(v[0], nil, 1<<30, 1<<30) }, "too many elements"},
		{"reverse", []Type{f32}, func(b *Builder, v []*Value) { b.Reverse(v[0], 2) }, "2 is not a dimension"},
		{"concatenate", []Type{f32, T(F32, 2, 4)}, func(b *Builder, v []*Value) { b.Concatenate(0, v[0], v[1]) }, "more than dimension 0"},
		{"concatenate", []Type{f32, i32}, func(b *Builder, v []*Value) { b.Concatenate(0, v[0], v[1]) }, "operand 1 differs"},
		{"pad", []Type{f32, index}, func(b *Builder, v []*Value) { b.Pad(v[0], v[1], []int{0, 0}, []int{0, 0}, []int{0, 0}) }, "not a scalar f32"},
		{"pad", []Type{f32, scalar}, func(b *Builder, v []*Value) { b.Pad(v[0], v[1], []int{0}, []int{0, 0}, []int{0, 0}) }, "rank 2"},
		{"pad", []Type{f32, scalar}, func(b *Builder, v []*Value) { b.Pad(v[0], v[1], []int{-1, 0}, []int{-1, 0}, []int{0, 0}) }, "dimension 0 is 0"},
		{"pad", []Type{f32, scalar}, func(b *Builder, v []*Value) { b.Pad(v[0], v[1], []int{0, 0}, []int{0, 0}, []int{0, -1}) }, "out of range"},

		{"slice", []Type{f32}, func(b *Builder, v []*Value) { b.Slice(v[0], []int{0, 1}, []int{2, 4}) }, "1:4:1 is no range of dimension 1"},
		{"slice", []Type{f32}, func(b *Builder, v []*Value) { b.Slice(v[0], []int{1}, []int{2}) }, "rank 2"},
		{"slice", []Type{f32}, func(b *Builder, v []*Value) { b.Slice(v[0], []int{1, 0}, []int{1, 3}) }, "1:1:1 is no range"},
		{"dynamic_slice", []Type{f32, index}, func(b *Builder, v []*Value) { b.DynamicSlice(v[0], v[1:], 1, 1) }, "1 start indices for rank 2"},
		{"dynamic_slice", []Type{f32, index, T(I64)}, func(b *Builder, v []*Value) { b.DynamicSlice(v[0], v[1:], 1, 1) }, "of one type"},
		{"dynamic_slice", []Type{f32, index, index}, func(b *Builder, v []*Value) { b.DynamicSlice(v[0], v[1:], 1, 4) }, "4 does not fit dimension 1"},
		{"dynamic_update_slice", []Type{f32, T(F32, 3, 3), index, index}, func(b *Builder, v []*Value) {
			b.DynamicUpdateSlice(v[0], v[1], v[2:]...)
		}, "3 does not fit dimension 0"},
		{"dynamic_update_slice", []Type{f32, i32, index, index}, func(b *Builder, v []*Value) {
			b.DynamicUpdateSlice(v[0], v[1], v[2:]...)
		}, "another element type"},
		{"gather", []Type{f32, T(F32, 4)}, gather(rows), "indices are not integers"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.IndexVectorDim = 2 })), "index_vector_dim 2"},
		{"gather", []Type{f32, T(I32, 4, 2)}, gather(rows), "start_index_map [0]"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.StartIndexMap = []int{2} })), "start_index_map [2]"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.SliceSizes = []int{2, 3} })), "collapsed dimension 0"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.SliceSizes = []int{1, 4} })), "4 does not fit dimension 1"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.OffsetDims = []int{2} })), "offset_dims [2]"},
		{"gather", []Type{f32, T(I32, 4)}, gather(with(func(d *GatherDims) { d.OffsetDims = nil })), "offset_dims []"},

		{"dot_general", []Type{f32, i32}, dot(nil, nil, []int{1}, []int{1}), "neither all floats nor all integers"},
		{"dot_general", []Type{f32, f32}, dot(nil, nil, []int{1}, []int{0}), "dimension 1 of lhs has size 3, dimension 0 of rhs 2"},
		{"dot_general", []Type{f32, f32}, dot([]int{0}, nil, []int{1}, []int{1}), "do not pair up"},
		{"dot_general", []Type{f32, f32}, dot([]int{1}, []int{1}, []int{1}, []int{1}), "1 is there twice"},
		{"dot_general", []Type{f32, f32}, dot(nil, nil, []int{1}, []int{2}), "2 is not a dimension of rank 2"},
		{"reduce", []Type{f32, index}, func(b *Builder, v []*Value) { b.Reduce(v[:1], v[1:], []int{0}, addBody) }, "init 0 is not a tensor<f32>"},
		{"reduce", []Type{f32, scalar}, func(b *Builder, v []*Value) { b.Reduce(v[:1], v[1:], []int{2}, addBody) }, "2 is not a dimension"},
		{"reduce", []Type{f32, T(F32, 3, 2), scalar, scalar}, func(b *Builder, v []*Value) {
			b.Reduce(v[:2], v[2:], []int{0}, func(b *Builder, acc, x []*Value) []*Value { return acc })
		}, "operand 1 has another shape"},
		{"reduce", []Type{f32, scalar}, func(b *Builder, v []*Value) {
			b.Reduce(v[:1], v[1:], []int{0}, func(b *Builder, acc, x []*Value) []*Value { return vals(b.Compare("LT", acc[0], x[0])) })
		}, "body returns (tensor<i1>), want (tensor<f32>)"},
		{"reduce", []Type{f32, scalar}, func(b *Builder, v []*Value) {
			b.Op("stablehlo.reduce", v, map[string]any{"dimensions": []int{0}})
		}, "0 regions, want 1"},
		{"reduce", []Type{f32, scalar}, func(b *Builder, v []*Value) {
			b.Op("stablehlo.reduce", v, map[string]any{"dimensions": []int{0}}, &Block{})
		}, "does not end with stablehlo.return"},
		{"sort", []Type{f32}, func(b *Builder, v []*Value) {
			b.Sort(v, 0, true, func(b *Builder, a []*Value) *Value { return a[0] })
		}, "comparator returns (tensor<f32>)"},
		{"sort", []Type{scalar}, func(b *Builder, v []*Value) {
			b.Sort(v, 0, true, func(b *Builder, a []*Value) *Value { return b.Compare("LT", a[0], a[1]) })
		}, "0 is not a dimension of rank 0"},

		{"while", []Type{index}, func(b *Builder, v []*Value) {
			b.While(v, func(b *Builder, a []*Value) *Value { return a[0] }, func(b *Builder, a []*Value) []*Value { return a })
		}, "cond returns (tensor<i32>), want (tensor<i1>)"},
		{"while", []Type{index}, func(b *Builder, v []*Value) {
			b.While(v, func(b *Builder, a []*Value) *Value { return b.Splat(T(I1), 0) },
				func(b *Builder, a []*Value) []*Value { return vals(b.Convert(a[0], F32)) })
		}, "body returns (tensor<f32>), want (tensor<i32>)"},
		{"call", []Type{f32}, func(b *Builder, v []*Value) { b.Call("none", v...) }, "no function @none"},
		{"call", []Type{f32}, func(b *Builder, v []*Value) { b.Call("callee", v...) }, "@callee takes (tensor<i32>)"},
		{"composite", []Type{f32}, func(b *Builder, v []*Value) { b.Composite("mlxc.f", "callee", nil, v...) }, "@callee takes (tensor<i32>)"},
		{"composite", []Type{index}, func(b *Builder, v []*Value) { b.Composite("mlxc.f", "callee", nil, v...) }, "@callee is not private"},
		{"composite", []Type{index}, func(b *Builder, v []*Value) { b.Composite("f", "callee", nil, v...) }, `name "f"`},
		{"optimization_barrier", nil, func(b *Builder, v []*Value) { b.OptimizationBarrier() }, "0 operands, want at least 1"},
		{"nonsense", nil, func(b *Builder, v []*Value) { b.Op("stablehlo.nonsense", nil, nil) }, "not in the op table"},
	} {
		_, err := Build(func() *Module {
			m := &Module{}
			NewFunc(m, "callee", false, []Type{T(I32)}, nil).Return()
			b := NewFunc(m, "f", false, c.args, nil)
			c.make(b, b.Func.Args)
			return m
		})
		var wrong *BuildError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v, want a BuildError about %q", c.op, err, c.want)
			continue
		}
		for _, want := range []string{"." + c.op + "(", c.want} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: lacks %q", err, want)
			}
		}
		for _, arg := range c.args {
			if !strings.Contains(err.Error(), arg.String()) {
				t.Errorf("%v: lacks the operand type %v", err, arg)
			}
		}
	}
}

// What inference says of the right shapes, checked against StableHLO's rules by
// hand; TestIREEReadsEveryOp checks them against IREE's.
func TestInferredTypes(t *testing.T) {
	x := T(F32, 2, 3, 4)
	for _, c := range []struct {
		args []Type
		make func(b *Builder, v []*Value) *Value
		want Type
	}{
		{[]Type{x}, func(b *Builder, v []*Value) *Value { return b.Transpose(v[0], 2, 0, 1) }, T(F32, 4, 2, 3)},
		{[]Type{x}, func(b *Builder, v []*Value) *Value { return b.Compare("EQ", v[0], v[0]) }, T(I1, 2, 3, 4)},
		{[]Type{x}, func(b *Builder, v []*Value) *Value { return b.ReduceSum(v[0], 0, 2) }, T(F32, 3)},
		{[]Type{x}, func(b *Builder, v []*Value) *Value { return b.Concatenate(1, v[0], v[0], v[0]) }, T(F32, 2, 9, 4)},
		{[]Type{T(UI32, 5)}, func(b *Builder, v []*Value) *Value { return b.BitcastConvert(v[0], T(UI4, 5, 8)) }, T(UI4, 5, 8)},
		{[]Type{x, T(F32)}, func(b *Builder, v []*Value) *Value {
			return b.Pad(v[0], v[1], []int{1, 0, -1}, []int{2, 0, -1}, []int{0, 1, 3})
		}, T(F32, 5, 5, 11)},
		{[]Type{x, T(F16, 4, 5, 2)}, func(b *Builder, v []*Value) *Value {
			return b.DotGeneral(v[0], v[1], DotDims{[]int{0}, []int{2}, []int{2}, []int{0}}, F32)
		}, T(F32, 2, 3, 5)},
		{[]Type{x, T(I32, 7, 2, 9)}, func(b *Builder, v []*Value) *Value {
			return b.Gather(v[0], v[1], GatherDims{OffsetDims: []int{0, 2}, CollapsedSliceDims: []int{1},
				StartIndexMap: []int{2, 1}, IndexVectorDim: 1, SliceSizes: []int{2, 1, 3}})
		}, T(F32, 2, 7, 3, 9)},
	} {
		_, err := Build(func() *Module {
			m := &Module{}
			fn(m, "f", c.args, func(b *Builder) []*Value {
				v := c.make(b, b.Func.Args)
				if !v.Type.Equal(c.want) {
					t.Errorf("%s gives %v, want %v", v.Def.Name, v.Type, c.want)
				}
				return vals(v)
			})
			return m
		})
		if err != nil {
			t.Error(err)
		}
	}
}
