package ir

import (
	"math"
	"slices"
)

// NewFunc adds a function with the given argument types and result types to m.
// The body is filled by the returned Builder and ended by Return.
func NewFunc(m *Module, name string, private bool, args []Type, results []Type) *Builder {
	f := &Func{Name: name, Private: private, Results: results, Body: &Block{}}
	for _, t := range args {
		f.Args = append(f.Args, &Value{Type: t})
	}
	f.ArgAttrs = make([]map[string]any, len(args))
	m.Funcs = append(m.Funcs, f)
	return &Builder{Module: m, Func: f, block: f.Body}
}

// Arg is the i-th argument of the function being built.
func (b *Builder) Arg(i int) *Value { return b.Func.Args[i] }

// Return ends the function.
func (b *Builder) Return(vs ...*Value) { b.Op("func.return", vs, nil) }

func (b *Builder) one(name string, attrs map[string]any, vs ...*Value) *Value {
	return b.Op(name, vs, attrs)[0]
}

// Region builds a block with its own arguments, ended by stablehlo.return of what f returns.
func (b *Builder) Region(args []Type, f func(b *Builder, args []*Value) []*Value) *Block {
	blk := &Block{}
	for _, t := range args {
		blk.Args = append(blk.Args, &Value{Type: t})
	}
	inner := &Builder{Module: b.Module, Func: b.Func, block: blk}
	inner.Op("stablehlo.return", f(inner, blk.Args), nil)
	return blk
}

// Constant is a constant of any type and content: an equal unnamed one of the same
// block, if there is one.
func (b *Builder) Constant(t *Tensor) *Value {
	for _, op := range b.block.Ops {
		if op.Name == "stablehlo.constant" && op.Results[0].Hint == "" && op.Attrs["value"].(*Tensor).equal(t) {
			return op.Results[0]
		}
	}
	return b.one("stablehlo.constant", map[string]any{"value": t})
}

// Splat is a constant of type t whose elements are all v, rounded to nearest
// even for float types.
func (b *Builder) Splat(t Type, v float64) *Value {
	if math.IsNaN(v) {
		Fail("ir: splat of NaN")
	}
	return b.Constant(&Tensor{t, SplatTensor(T(t.DType), v).Data})
}

// Iota counts along dimension dim.
func (b *Builder) Iota(t Type, dim int) *Value {
	return b.one("stablehlo.iota", map[string]any{"iota_dimension": dim, "type": t})
}

// Reshape keeps the elements in row-major order; x itself when the shape is the same.
func (b *Builder) Reshape(x *Value, shape ...int) *Value {
	if slices.Equal(x.Type.Shape, shape) {
		return x
	}
	return b.one("stablehlo.reshape", map[string]any{"type": T(x.Type.DType, shape...)}, x)
}

// Transpose: result dimension i is dimension perm[i] of x.
func (b *Builder) Transpose(x *Value, perm ...int) *Value {
	return b.one("stablehlo.transpose", map[string]any{"permutation": perm}, x)
}

// Broadcast is broadcast_in_dim: dimension i of x becomes dimension dims[i] of shape.
func (b *Builder) Broadcast(x *Value, dims []int, shape ...int) *Value {
	return b.one("stablehlo.broadcast_in_dim", map[string]any{
		"broadcast_dimensions": dims, "type": T(x.Type.DType, shape...)}, x)
}

// Slice takes [start, limit) with stride 1 in every dimension.
func (b *Builder) Slice(x *Value, start, limit []int) *Value {
	strides := make([]int, len(start))
	for i := range strides {
		strides[i] = 1
	}
	return b.one("stablehlo.slice", map[string]any{
		"start_indices": start, "limit_indices": limit, "strides": strides}, x)
}

// DynamicSlice takes sizes elements from starts (scalars, clamped as StableHLO defines).
func (b *Builder) DynamicSlice(x *Value, starts []*Value, sizes ...int) *Value {
	return b.one("stablehlo.dynamic_slice", map[string]any{"slice_sizes": sizes},
		append([]*Value{x}, starts...)...)
}

// DynamicUpdateSlice writes update into x at starts (scalars, clamped).
func (b *Builder) DynamicUpdateSlice(x, update *Value, starts ...*Value) *Value {
	return b.one("stablehlo.dynamic_update_slice", nil, append([]*Value{x, update}, starts...)...)
}

// Concatenate joins along dim.
func (b *Builder) Concatenate(dim int, xs ...*Value) *Value {
	if len(xs) == 1 {
		return xs[0]
	}
	return b.one("stablehlo.concatenate", map[string]any{"dimension": dim}, xs...)
}

// Reverse turns the order of elements around along dims.
func (b *Builder) Reverse(x *Value, dims ...int) *Value {
	return b.one("stablehlo.reverse", map[string]any{"dimensions": dims}, x)
}

// GatherDims are the dimension numbers of stablehlo.gather.
type GatherDims struct {
	OffsetDims, CollapsedSliceDims, StartIndexMap []int
	IndexVectorDim                                int
	SliceSizes                                    []int
}

// Gather is stablehlo.gather (no batching dimensions).
func (b *Builder) Gather(x, indices *Value, d GatherDims) *Value {
	return b.one("stablehlo.gather", map[string]any{
		"offset_dims": d.OffsetDims, "collapsed_slice_dims": d.CollapsedSliceDims,
		"start_index_map": d.StartIndexMap, "index_vector_dim": d.IndexVectorDim,
		"slice_sizes": d.SliceSizes}, x, indices)
}

// Pad surrounds x with the scalar v.
func (b *Builder) Pad(x, v *Value, low, high, interior []int) *Value {
	return b.one("stablehlo.pad", map[string]any{"edge_padding_low": low,
		"edge_padding_high": high, "interior_padding": interior}, x, v)
}

// Reduce folds xs (equal shapes) over dims from the scalars inits with body,
// which gets the accumulators, then the elements.
func (b *Builder) Reduce(xs, inits []*Value, dims []int, body func(b *Builder, acc, x []*Value) []*Value) []*Value {
	var ts []Type
	for range 2 {
		for _, x := range xs {
			ts = append(ts, T(x.Type.DType))
		}
	}
	r := b.Region(ts, func(b *Builder, a []*Value) []*Value { return body(b, a[:len(xs)], a[len(xs):]) })
	return b.Op("stablehlo.reduce", slices.Concat(xs, inits), map[string]any{"dimensions": dims}, r)
}

// ReduceSum is the sum of x over dims.
func (b *Builder) ReduceSum(x *Value, dims ...int) *Value {
	return b.Reduce([]*Value{x}, []*Value{b.Splat(T(x.Type.DType), 0)}, dims,
		func(b *Builder, acc, x []*Value) []*Value { return []*Value{b.Add(acc[0], x[0])} })[0]
}

// ReduceMax is the maximum of x over dims, NaN where there is one.
func (b *Builder) ReduceMax(x *Value, dims ...int) *Value {
	return b.Reduce([]*Value{x}, []*Value{b.Splat(T(x.Type.DType), math.Inf(-1))}, dims,
		func(b *Builder, acc, x []*Value) []*Value { return []*Value{b.Maximum(acc[0], x[0])} })[0]
}

// DotDims are the dimension numbers of stablehlo.dot_general.
type DotDims struct{ LhsBatch, RhsBatch, LhsContract, RhsContract []int }

// DotGeneral multiplies and sums in element type out.
func (b *Builder) DotGeneral(x, y *Value, d DotDims, out DType) *Value {
	return b.one("stablehlo.dot_general", map[string]any{
		"lhs_batching_dimensions": d.LhsBatch, "rhs_batching_dimensions": d.RhsBatch,
		"lhs_contracting_dimensions": d.LhsContract, "rhs_contracting_dimensions": d.RhsContract,
		"dtype": out}, x, y)
}

// Sort sorts xs together along dim; less gets (x0, y0, x1, y1, …) scalars and returns i1.
func (b *Builder) Sort(xs []*Value, dim int, stable bool, less func(b *Builder, args []*Value) *Value) []*Value {
	var ts []Type
	for _, x := range xs {
		ts = append(ts, T(x.Type.DType), T(x.Type.DType))
	}
	r := b.Region(ts, func(b *Builder, a []*Value) []*Value { return []*Value{less(b, a)} })
	return b.Op("stablehlo.sort", xs, map[string]any{"dimension": dim, "is_stable": stable}, r)
}

// While loops while cond holds.
func (b *Builder) While(init []*Value, cond func(b *Builder, args []*Value) *Value, body func(b *Builder, args []*Value) []*Value) []*Value {
	var ts []Type
	for _, v := range init {
		ts = append(ts, v.Type)
	}
	c := b.Region(ts, func(b *Builder, a []*Value) []*Value { return []*Value{cond(b, a)} })
	return b.Op("stablehlo.while", init, nil, c, b.Region(ts, body))
}

// OptimizationBarrier keeps the compiler from moving computation across it.
func (b *Builder) OptimizationBarrier(xs ...*Value) []*Value {
	return b.Op("stablehlo.optimization_barrier", xs, nil)
}

// Call calls a function of the module that is already there.
func (b *Builder) Call(fn string, args ...*Value) []*Value {
	return b.Op("func.call", args, map[string]any{"callee": fn})
}

// Composite is stablehlo.composite name (such as "mlxc.rms_norm") with the
// decomposition, a private function of the module that is already there.
func (b *Builder) Composite(name, decomposition string, attrs map[string]any, args ...*Value) []*Value {
	return b.Op("stablehlo.composite", args, map[string]any{
		"name": name, "decomposition": decomposition, "composite_attributes": attrs})
}

// Named gives v the name that it is printed under and returns it. A name is a
// letter or _, then letters, digits, $ . - _.
func Named(name string, v *Value) *Value {
	if !isHint(name) {
		Fail("ir: %q is not a name for a value", name)
	}
	v.Hint = name
	return v
}

// I32 is a scalar i32 constant.
func (b *Builder) I32(n int) *Value {
	if n != int(int32(n)) {
		Fail("ir: constant %d does not fit i32", n)
	}
	return b.Splat(T(I32), float64(n))
}
