package eval

import "github.com/mlxc/mlxc/ir"

// dotCase is a dot_general with result type want's.
func dotCase(name string, x, y *ir.Tensor, d ir.DotDims, want *ir.Tensor) opCase {
	return opCase{name: "dot_general_" + name, in: tensors(x, y), want: tensors(want),
		f: one(func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.DotGeneral(v[0], v[1], d, want.Type.DType) })}
}

var (
	rowsTimesColumns = ir.DotDims{LhsContract: []int{1}, RhsContract: []int{0}}
	rowsTimesRows    = ir.DotDims{LhsContract: []int{1}, RhsContract: []int{1}}
)

// [[0 1 2] [3 4 5]] · [[0 1] [2 3] [4 5]] = [[10 13] [28 40]], with the transposed
// second operand [[0 1 2] [3 4 5]]: [[5 14] [14 50]].
var dotCases = []opCase{
	dotCase("rows_columns", count(ir.F32, 2, 3), count(ir.F32, 3, 2), rowsTimesColumns, tensor(ir.F32, []int{2, 2}, 10, 13, 28, 40)),
	dotCase("rows_rows", count(ir.F32, 2, 3), count(ir.F32, 2, 3), rowsTimesRows, tensor(ir.F32, []int{2, 2}, 5, 14, 14, 50)),
	dotCase("columns_columns", count(ir.F32, 3, 2), count(ir.F32, 3, 2), ir.DotDims{LhsContract: []int{0}, RhsContract: []int{0}}, tensor(ir.F32, []int{2, 2}, 20, 26, 26, 35)),
	dotCase("vectors", vec(ir.F32, 1, 2, 3), vec(ir.F32, 4, 5, 6), ir.DotDims{LhsContract: []int{0}, RhsContract: []int{0}}, num(ir.F32, 32)),
	dotCase("outer", vec(ir.F32, 1, 2), vec(ir.F32, 3, 4, 5), ir.DotDims{}, tensor(ir.F32, []int{2, 3}, 3, 4, 5, 6, 8, 10)),
	dotCase("wide_columns", count(ir.F32, 1, 5), count(ir.F32, 5, 12), rowsTimesColumns,
		tensor(ir.F32, []int{1, 12}, 360, 370, 380, 390, 400, 410, 420, 430, 440, 450, 460, 470)),
	dotCase("batch", count(ir.F32, 2, 1, 2), count(ir.F32, 2, 2, 2), ir.DotDims{LhsBatch: []int{0}, RhsBatch: []int{0}, LhsContract: []int{2}, RhsContract: []int{2}},
		tensor(ir.F32, []int{2, 1, 2}, 1, 3, 23, 33)),
	// Batch [2] last in lhs, contraction over two dimensions in different order.
	dotCase("general", count(ir.F32, 2, 3, 2), count(ir.F32, 2, 3, 2), ir.DotDims{LhsBatch: []int{2}, RhsBatch: []int{0}, LhsContract: []int{0, 1}, RhsContract: []int{2, 1}},
		vec(ir.F32, 0*0+2*2+4*4+6*1+8*3+10*5, 1*6+3*8+5*10+7*7+9*9+11*11)),
	dotCase("f16_to_f32", count(ir.F16, 2, 3), count(ir.F16, 2, 3), rowsTimesRows, tensor(ir.F32, []int{2, 2}, 5, 14, 14, 50)),
	dotCase("f32_f16_to_f32", count(ir.F32, 2, 3), count(ir.F16, 2, 3), rowsTimesRows, tensor(ir.F32, []int{2, 2}, 5, 14, 14, 50)),
	dotCase("bf16_to_f32", count(ir.BF16, 2, 3), count(ir.BF16, 3, 2), rowsTimesColumns, tensor(ir.F32, []int{2, 2}, 10, 13, 28, 40)),
	dotCase("f16_to_f16", count(ir.F16, 2, 3), count(ir.F16, 2, 3), rowsTimesRows, tensor(ir.F16, []int{2, 2}, 5, 14, 14, 50)),
	dotCase("i8_to_i32", vec(ir.I8, 100, 100, -100), vec(ir.I8, 100, 100, 100), ir.DotDims{LhsContract: []int{0}, RhsContract: []int{0}}, num(ir.I32, 10000)),
	dotCase("i32", count(ir.I32, 2, 3), count(ir.I32, 3, 2), rowsTimesColumns, tensor(ir.I32, []int{2, 2}, 10, 13, 28, 40)),
	// Products are exact in f32, not rounded to f16: 2049/2048 squared.
	dotCase("f16_products_in_f32", vec(ir.F16, 1.0009765625), vec(ir.F16, 1.0009765625), ir.DotDims{LhsContract: []int{0}, RhsContract: []int{0}}, num(ir.F32, 1.0019540786743164)),
	{name: "dot_general_of_converted_weight", in: tensors(count(ir.F32, 1, 3), count(ir.BF16, 2, 3)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesRows, ir.F32)
		}), want: tensors(tensor(ir.F32, []int{1, 2}, 5, 14))},
	{name: "dot_general_of_converted_integers", in: tensors(count(ir.F32, 1, 3), tensor(ir.I8, []int{2, 3}, 0, 1, 2, 3, 4, -5)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesRows, ir.F32)
		}), want: tensors(tensor(ir.F32, []int{1, 2}, 5, -6))},
	{name: "dot_general_of_reversed_slice", in: tensors(count(ir.F32, 4, 3), vec(ir.F32, 1, 10)),
		f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			y := b.Reverse(b.Slice(x[0], []int{1, 0}, []int{3, 3}), 0)
			return b.DotGeneral(y, x[1], ir.DotDims{LhsContract: []int{0}, RhsContract: []int{0}}, ir.F32)
		}), want: tensors(vec(ir.F32, 36, 47, 58))},
}
