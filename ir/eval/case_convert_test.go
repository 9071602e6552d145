package eval

import "github.com/mlxc/mlxc/ir"

// convert is a case of stablehlo.convert from x's type to y's.
func convert(name string, x, y *ir.Tensor) opCase {
	return opCase{name: "convert_" + x.Type.DType.String() + "_" + y.Type.DType.String() + name, in: tensors(x),
		f:    one(func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Convert(v[0], y.Type.DType) }),
		want: tensors(y)}
}

// bitcastCase is a case of stablehlo.bitcast_convert from x's type to y's.
func bitcastCase(x, y *ir.Tensor) opCase {
	return opCase{name: "bitcast_" + x.Type.DType.String() + "_" + y.Type.DType.String(), in: tensors(x),
		f:    one(func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.BitcastConvert(v[0], y.Type) }),
		want: tensors(y)}
}

func (c opCase) butIREE(what string) opCase {
	c.differs = what
	return c
}

var convertCases = []opCase{
	convert("", vec(ir.F32, 1.5, -1.5, 2.999, 0), vec(ir.I32, 1, -1, 2, 0)),
	convert("", vec(ir.F32, 200.7, 0.9), vec(ir.UI8, 200, 0)),
	convert("_outside", vec(ir.F32, 3e9, -3e9, nan, inf), vec(ir.I32, 2147483647, -2147483648, 0, 2147483647)).butIREE("floats that an integer type does not hold"),
	convert("_outside", vec(ir.F32, -5, 300), vec(ir.UI8, 0, 255)).butIREE("floats that an integer type does not hold"),
	convert("", vec(ir.I32, 16777217, -3, 2147483647), vec(ir.F32, 16777216, -3, 2147483648)),
	convert("", vec(ir.UI32, 4294967295, 7), vec(ir.F32, 4294967296, 7)),
	convert("", vec(ir.I64, 1<<53, -1), vec(ir.F32, 1<<53, -1)),
	convert("", vec(ir.F32, 1, 65519, 65520, 2049, 6e-8, 2e-8), vec(ir.F16, 1, 65504, inf, 2048, 5.960464477539063e-08, 0)),
	convert("", vec(ir.F32, 1, 257, 259, 3.4028234663852886e38), vec(ir.BF16, 1, 256, 260, inf)),
	convert("", vec(ir.F16, 65504, -0.1, 5.960464477539063e-08, inf), vec(ir.F32, 65504, -0.0999755859375, 5.960464477539063e-08, inf)),
	convert("", vec(ir.BF16, 256, -2), vec(ir.F32, 256, -2)),
	convert("", vec(ir.BF16, 256, 1e10), vec(ir.F16, 256, inf)),
	convert("", vec(ir.I32, 2049, 100000), vec(ir.F16, 2048, inf)),
	// 2²⁴ + 2¹⁶ + 1 rounds up to bf16; by way of f32 it would be a tie and round down.
	convert("_once", vec(ir.I32, 16842753), vec(ir.BF16, 16908288)).butIREE("rounding by way of f32"),
	convert("", vec(ir.I32, 300, -1, 127), vec(ir.I8, 44, -1, 127)),
	convert("", vec(ir.I8, -1, 5), vec(ir.I32, -1, 5)),
	convert("", vec(ir.I8, -1, 5), vec(ir.UI32, 4294967295, 5)),
	convert("", vec(ir.UI8, 255, 5), vec(ir.I32, 255, 5)),
	convert("", vec(ir.UI16, 65535), vec(ir.I16, -1)),
	convert("", vec(ir.I32, 0, 5, -1), vec(ir.I1, 0, 1, 1)),
	convert("", vec(ir.F32, 0, 0.5, nan), vec(ir.I1, 0, 1, 1)),
	convert("", vec(ir.I1, 0, 1), vec(ir.F32, 0, 1)),
	convert("", vec(ir.I1, 0, 1), vec(ir.I32, 0, 1)),
	convert("", vec(ir.UI4, 0, 15), vec(ir.F32, 0, 15)),
	convert("", vec(ir.I4, -8, 7), vec(ir.I32, -8, 7)),
	convert("", vec(ir.I32, 17, -1), vec(ir.UI4, 1, 15)),

	bitcastCase(vec(ir.F32, 1, -2), vec(ir.I32, 0x3f800000, -0x40000000)),
	bitcastCase(vec(ir.UI32, 0x3f800000), vec(ir.F32, 1)),
	bitcastCase(vec(ir.UI16, 0x3c00, 0xc000), vec(ir.F16, 1, -2)),
	bitcastCase(vec(ir.BF16, 1), vec(ir.I16, 0x3f80)),
	bitcastCase(vec(ir.UI32, 4294967295), vec(ir.I32, -1)),
	bitcastCase(tensor(ir.UI32, []int{2}, 0x04030201, 0xff000080), tensor(ir.UI8, []int{2, 4}, 1, 2, 3, 4, 0x80, 0, 0, 0xff)),
	bitcastCase(tensor(ir.UI8, []int{2, 4}, 1, 2, 3, 4, 0x80, 0, 0, 0xff), tensor(ir.UI32, []int{2}, 0x04030201, 0xff000080)),
	bitcastCase(tensor(ir.UI16, []int{2}, 0x3c00, 0x4000), tensor(ir.I8, []int{2, 2}, 0, 0x3c, 0, 0x40)),
	bitcastCase(tensor(ir.UI32, []int{1}, 0x87654321), tensor(ir.UI4, []int{1, 8}, 1, 2, 3, 4, 5, 6, 7, 8)),
	bitcastCase(tensor(ir.UI32, []int{1}, 0x87654321), tensor(ir.I4, []int{1, 8}, 1, 2, 3, 4, 5, 6, 7, -8)),
	bitcastCase(tensor(ir.UI4, []int{1, 8}, 1, 2, 3, 4, 5, 6, 7, 8), tensor(ir.UI32, []int{1}, 0x87654321)),
	bitcastCase(tensor(ir.I4, []int{2, 2}, 1, -1, -8, 7), tensor(ir.UI8, []int{2}, 0xf1, 0x78)),
	bitcastCase(vec(ir.I4, -1, 3), vec(ir.UI4, 15, 3)),
	// Of an expression, with the bits of a value that was just rounded.
	{name: "bitcast_of_sum", in: tensors(vec(ir.F16, 2048), vec(ir.F16, 3)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.BitcastConvert(b.Add(x[0], x[1]), ir.T(ir.UI16, 1))
		}), want: tensors(vec(ir.UI16, 0x6802))},
	// The trick by which f16 caches fuse on llvm-cpu: sign-flipped bits as ui16.
	{name: "xor_bitcast_convert", in: tensors(vec(ir.UI16, 0xbc00, 0x4000)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			flip := b.Xor(x[0], b.Splat(x[0].Type, 0x8000))
			return b.Convert(b.BitcastConvert(flip, ir.T(ir.F16, 2)), ir.F32)
		}), want: tensors(vec(ir.F32, 1, -2))},
}
