package ir_test

import (
	"testing"

	. "github.com/mlxc/mlxc/ir"
)

// everyOp is a module that uses every op of the table, with several spellings of
// those that have some.
func everyOp(t *testing.T) *Module {
	t.Helper()
	m, err := Build(func() *Module {
		m := &Module{Name: "every_op", Attrs: map[string]any{"mlxc.ir_version": IRVersion, "mlxc.stablehlo_version": StableHLOVersion}}
		elementwiseFuncs(m)
		shapeFuncs(m)
		indexFuncs(m)
		reductionFuncs(m)
		controlFuncs(m)
		constantFuncs(m)
		attributeFuncs(m)
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fn adds a function that returns what body returns.
func fn(m *Module, name string, args []Type, body func(b *Builder) []*Value) *Func {
	b := NewFunc(m, name, false, args, nil)
	vs := body(b)
	for _, v := range vs {
		b.Func.Results = append(b.Func.Results, v.Type)
	}
	b.Return(vs...)
	return b.Func
}

func vals(vs ...*Value) []*Value { return vs }

func elementwiseFuncs(m *Module) {
	for _, d := range []DType{F32, F16, BF16} {
		fn(m, "unary_"+d.String(), []Type{T(d, 2, 3)}, func(b *Builder) []*Value {
			x := b.Arg(0)
			for _, op := range []func(*Value) *Value{b.Abs, b.Negate, b.Exponential, b.ExponentialMinusOne, b.Log,
				b.LogPlusOne, b.Logistic, b.Tanh, b.Sqrt, b.Rsqrt, b.Sine, b.Cosine, b.Floor, b.Ceil, b.RoundNearestEven} {
				x = op(x)
			}
			return vals(x)
		})
		fn(m, "binary_"+d.String(), []Type{T(d, 2, 3), T(d, 2, 3)}, func(b *Builder) []*Value {
			x, y := b.Arg(0), b.Arg(1)
			for _, op := range numericBinary(b) {
				x = op(x, y)
			}
			return vals(x)
		})
	}
	for _, d := range []DType{I8, I16, I32, I64, UI8, UI16, UI32, I4, UI4} {
		fn(m, "integer_"+d.String(), []Type{T(d, 4), T(d, 4)}, func(b *Builder) []*Value {
			x, y := b.Not(b.Negate(b.Arg(0))), b.Arg(1)
			for _, op := range numericBinary(b) {
				x = op(x, y)
			}
			for _, op := range []func(x, y *Value) *Value{b.And, b.Or, b.Xor, b.ShiftLeft, b.ShiftRightLogical, b.ShiftRightArithmetic} {
				x = op(x, y)
			}
			return vals(x, b.Compare("GE", x, y), b.Convert(x, F32))
		})
	}
	fn(m, "logical", []Type{T(I1, 4), T(I1, 4)}, func(b *Builder) []*Value {
		x := b.Xor(b.And(b.Not(b.Arg(0)), b.Arg(1)), b.Or(b.Arg(0), b.Arg(1)))
		return vals(x, b.Compare("NE", x, b.Arg(1)))
	})
	fn(m, "choice", []Type{T(F32, 4), T(F32, 4), T(F32), T(I1), T(I1, 4)}, func(b *Builder) []*Value {
		x, y, s := b.Arg(0), b.Arg(1), b.Arg(2)
		var out []*Value
		for _, dir := range []string{"EQ", "NE", "LT", "LE", "GT", "GE"} {
			out = append(out, b.Compare(dir, x, y))
		}
		return append(out, b.Select(b.Arg(3), x, y), b.Select(b.Arg(4), x, y), b.Clamp(s, x, s), b.Clamp(y, x, y), b.Clamp(s, x, y))
	})
	fn(m, "bitcast", []Type{T(UI32, 4), T(F16, 4, 2), T(I8, 4, 2)}, func(b *Builder) []*Value {
		return vals(b.BitcastConvert(b.Arg(0), T(I32, 4)), b.BitcastConvert(b.Arg(0), T(UI8, 4, 4)),
			b.BitcastConvert(b.Arg(1), T(F32, 4)), b.BitcastConvert(b.Arg(2), T(I4, 4, 2, 2)))
	})
}

func numericBinary(b *Builder) []func(x, y *Value) *Value {
	return []func(x, y *Value) *Value{b.Add, b.Subtract, b.Multiply, b.Divide, b.Maximum, b.Minimum, b.Power, b.Remainder}
}

func shapeFuncs(m *Module) {
	fn(m, "shapes", []Type{T(F32, 2, 3), T(F32)}, func(b *Builder) []*Value {
		x := b.Arg(0)
		return vals(b.Iota(T(I32, 4, 5), 1), b.Reshape(x, 3, 1, 2), b.Reshape(b.Arg(1), 1), b.Transpose(x, 1, 0),
			b.Broadcast(x, []int{1, 2}, 4, 2, 3), b.Broadcast(b.Arg(1), nil, 4), b.Reverse(x, 0, 1),
			b.Concatenate(0, x, x, x), b.Pad(x, b.Arg(1), []int{1, 0}, []int{0, -1}, []int{0, 2}))
	})
}

func indexFuncs(m *Module) {
	fn(m, "slices", []Type{T(F16, 8, 4), T(I32), T(I32)}, func(b *Builder) []*Value {
		x, i, j := b.Arg(0), b.Arg(1), b.Arg(2)
		part := b.DynamicSlice(x, []*Value{i, j}, 2, 4)
		return vals(b.Slice(x, []int{1, 0}, []int{3, 4}),
			b.Op("stablehlo.slice", vals(x), map[string]any{"start_indices": []int{1, 0}, "limit_indices": []int{8, 4}, "strides": []int{3, 2}})[0],
			part, b.DynamicUpdateSlice(x, part, j, i))
	})
	fn(m, "gathers", []Type{T(F32, 8, 4), T(I32, 3), T(I32, 5, 2)}, func(b *Builder) []*Value {
		rows := b.Gather(b.Arg(0), b.Arg(1), GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0},
			StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 4}})
		cells := b.Gather(b.Arg(0), b.Arg(2), GatherDims{OffsetDims: nil, CollapsedSliceDims: []int{0, 1},
			StartIndexMap: []int{0, 1}, IndexVectorDim: 1, SliceSizes: []int{1, 1}})
		windows := b.Gather(b.Arg(0), b.Arg(2), GatherDims{OffsetDims: []int{0, 2}, CollapsedSliceDims: nil,
			StartIndexMap: []int{1, 0}, IndexVectorDim: 1, SliceSizes: []int{2, 3}})
		return vals(rows, cells, windows)
	})
}

func reductionFuncs(m *Module) {
	fn(m, "dots", []Type{T(F32, 2, 3, 4), T(F16, 2, 4, 5), T(I8, 3, 4), T(I8, 5, 4)}, func(b *Builder) []*Value {
		x, w := b.Arg(0), b.Arg(1)
		return vals(
			b.DotGeneral(x, w, DotDims{[]int{0}, []int{0}, []int{2}, []int{1}}, F32),
			b.DotGeneral(x, x, DotDims{nil, nil, []int{0, 2}, []int{0, 2}}, F32),
			b.DotGeneral(x, x, DotDims{[]int{0, 2}, []int{0, 2}, nil, nil}, F32),
			b.DotGeneral(b.Arg(2), b.Arg(3), DotDims{nil, nil, []int{1}, []int{1}}, I32))
	})
	fn(m, "reductions", []Type{T(F32, 2, 3), T(I32, 2, 3)}, func(b *Builder) []*Value {
		x, n := b.Arg(0), b.Arg(1)
		zero, none := b.Splat(T(F32), 0), b.I32(-1)
		argmax := b.Reduce([]*Value{x, n}, []*Value{zero, none}, []int{1}, func(b *Builder, acc, x []*Value) []*Value {
			more := b.Compare("GT", x[0], acc[0])
			return vals(b.Select(more, x[0], acc[0]), b.Select(more, x[1], acc[1]))
		})
		squares := b.Reduce([]*Value{x}, []*Value{zero}, []int{0}, func(b *Builder, acc, x []*Value) []*Value {
			return vals(b.Add(acc[0], b.Multiply(x[0], x[0])))
		})
		rest := b.Reduce([]*Value{x}, []*Value{zero}, []int{0}, func(b *Builder, acc, x []*Value) []*Value {
			return vals(b.Subtract(acc[0], x[0]))
		})
		return append(argmax, rest[0], b.ReduceSum(x, 0, 1), b.ReduceMax(x, 1), squares[0], b.ReduceSum(x))
	})
	fn(m, "sorts", []Type{T(F32, 2, 3), T(I32, 2, 3)}, func(b *Builder) []*Value {
		return append(
			b.Sort([]*Value{b.Arg(0), b.Arg(1)}, 1, true, func(b *Builder, a []*Value) *Value { return b.Compare("GT", a[0], a[1]) }),
			b.Sort([]*Value{b.Arg(1)}, 0, false, func(b *Builder, a []*Value) *Value { return b.Compare("LT", a[0], a[1]) })...)
	})
}

func controlFuncs(m *Module) {
	norm := NewFunc(m, "norm", true, []Type{T(F32, 4), T(F32, 4)}, []Type{T(F32, 4), T(F32)})
	x := Named("x", norm.Arg(0))
	norm.Return(norm.Multiply(x, Named("weight", norm.Arg(1))), norm.ReduceSum(x, 0))

	fn(m, "control", []Type{T(F32, 4), T(I32)}, func(b *Builder) []*Value {
		x, n := Named("x", b.Arg(0)), Named("n", b.Arg(1))
		y := b.Call("norm", x, x)
		z := b.Composite("mlxc.norm", "norm", map[string]any{"eps": 1e-5, "axes": []int{0}, "kind": "rms"}, y[0], x)
		plain := b.Composite("mlxc.norm", "norm", nil, x, z[0])
		loop := b.While([]*Value{b.I32(0), plain[0]},
			func(b *Builder, a []*Value) *Value { return b.Compare("LT", Named("i", a[0]), n) },
			func(b *Builder, a []*Value) []*Value {
				return vals(b.Add(a[0], b.I32(1)), b.Call("norm", a[1], x)[0])
			})
		return append(b.OptimizationBarrier(loop...), z[1])
	})
	scan := fn(m, "nested", []Type{T(F32, 4)}, func(b *Builder) []*Value {
		count := func(init *Value, body func(b *Builder, acc *Value) *Value) *Value {
			return b.While(vals(b.I32(0), init),
				func(b *Builder, a []*Value) *Value { return b.Compare("LT", a[0], b.I32(3)) },
				func(b *Builder, a []*Value) []*Value { return vals(b.Add(a[0], b.I32(1)), body(b, a[1])) })[1]
		}
		return vals(count(b.Arg(0), func(b *Builder, acc *Value) *Value {
			return b.Broadcast(b.ReduceMax(b.Sort(vals(acc), 0, true, func(b *Builder, a []*Value) *Value {
				return b.Compare("LT", a[0], a[1])
			})[0], 0), nil, 4)
		}))
	})
	scan.Private, scan.NoInline = true, true
	fn(m, "nothing", nil, func(b *Builder) []*Value { return nil })
}

func constantFuncs(m *Module) {
	fn(m, "constants", nil, func(b *Builder) []*Value {
		var out []*Value
		for d := F32; d <= UI32; d++ {
			data := make([]byte, 40*d.Size())
			for i := range data {
				data[i] = byte(i * 37)
				if d.Bits() < 8 {
					data[i] &= 1
				}
			}
			long := &Tensor{T(d, 2, 20), data}
			short := &Tensor{T(d, 2, 1, 3), data[:6*d.Size()]}
			out = append(out, b.Constant(long), b.Constant(short), b.Splat(T(d, 3), 1), b.Splat(T(d), 0))
		}
		return out
	})
}

func attributeFuncs(m *Module) {
	f := fn(m, "attributes", []Type{T(F32, 2), T(F32, 2)}, func(b *Builder) []*Value { return vals(b.Arg(0)) })
	f.ArgAttrs = []map[string]any{
		{"iree.abi.output": Index(0), "mlxc.name": "layer0.key \"quoted\"\n"},
		{"mlxc.b": true, "mlxc.d": F16, "mlxc.f": -0.1, "mlxc.i": -5, "mlxc.l": []int{}, "mlxc.t": T(UI4, 2),
			"mlxc.v": SplatTensor(T(F32, 2), 0.1), "mlxc.m": map[string]any{"a": []int{1, 2}, "z": map[string]any{}}},
	}
}
