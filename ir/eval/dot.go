package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// factors are the two views whose products a's elements are, if a is a product of
// two f32 views or of f16 and bf16 ones converted to f32; else nil.
func (a *array) factors() (x, y *array) {
	if a.op != "stablehlo.multiply" || a.DType != ir.F32 {
		return nil, nil
	}
	x, y = a.args[0].floats(), a.args[1].floats()
	if x == nil || y == nil {
		return nil, nil
	}
	return x, y
}

// floats is the view that holds a's values: a itself or what it converts to f32.
func (a *array) floats() *array {
	if a.op == "stablehlo.convert" && a.DType == ir.F32 {
		a = a.args[0]
	}
	if a.lazy() || !a.DType.IsFloat() {
		return nil
	}
	return a
}

// dotGeneral puts both operands into one iteration space: batch, lhs free, rhs
// free, contracted dimensions, each with stride 0 where the operand does not have it.
func dotGeneral(_ *planner, op *ir.Op) (stepFunc, error) {
	dims := func(name string) []int { return op.Attrs[name].([]int) }
	out := op.Results[0].Type
	lhs := operandDims(op.Operands[0].Type, dims("lhs_batching_dimensions"), dims("lhs_contracting_dimensions"))
	rhs := operandDims(op.Operands[1].Type, dims("rhs_batching_dimensions"), dims("rhs_contracting_dimensions"))
	x, y := op.Operands[0].Type.Shape, op.Operands[1].Type.Shape
	var space []int
	for _, d := range slices.Concat(lhs.batch, lhs.free) {
		space = append(space, x[d])
	}
	for _, d := range rhs.free {
		space = append(space, y[d])
	}
	for _, d := range lhs.contract {
		space = append(space, x[d])
	}
	lhsPlaces := lhs.places(len(lhs.batch), len(space))
	rhsPlaces := rhs.places(len(lhs.batch)+len(lhs.free), len(space))
	integer := !out.DType.IsFloat()
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		if integer {
			return []*array{m.integerContract(out, in[0].broadcast(lhsPlaces, space), in[1].broadcast(rhsPlaces, space))}, nil
		}
		for i := range in {
			if in[i].floats() == nil {
				in[i] = m.view(in[i])
			}
		}
		a, b := in[0].floats().broadcast(lhsPlaces, space), in[1].floats().broadcast(rhsPlaces, space)
		r := m.contract(a, b, out.Rank(), 0)
		if out.DType != ir.F32 {
			r = m.copy(&array{Type: out, op: "stablehlo.convert", kernel: convertKernel(ir.F32, out.DType), args: []*array{r}})
		}
		return []*array{r}, nil
	}, nil
}

// dotDims are the dimensions of one operand of a dot_general by their role.
type dotDims struct{ batch, free, contract []int }

func operandDims(t ir.Type, batch, contract []int) dotDims {
	free, _ := without(t.Shape, slices.Concat(batch, contract))
	return dotDims{batch, free, contract}
}

// places says which dimension of the iteration space each dimension of the operand
// is, if its free ones begin at free and the space has rank dimensions.
func (d dotDims) places(free, rank int) []int {
	to := make([]int, len(d.batch)+len(d.free)+len(d.contract))
	for i, x := range d.batch {
		to[x] = i
	}
	for i, x := range d.free {
		to[x] = free + i
	}
	for i, x := range d.contract {
		to[x] = rank - len(d.contract) + i
	}
	return to
}

// integerContract sums products in the element type of the result.
func (m *machine) integerContract(out ir.Type, a, b *array) *array {
	convert := func(x *array) *array {
		return &array{Type: ir.Type{DType: out.DType, Shape: x.Shape}, kernel: convertKernel(x.DType, out.DType), args: []*array{x}}
	}
	product := &array{Type: ir.Type{DType: out.DType, Shape: a.Shape},
		kernel: arithmeticKernel("multiply", out.DType), args: []*array{convert(a), convert(b)}}
	add := &body{types: []ir.DType{out.DType, out.DType}, code: code{inputs: 2, out: []int{2},
		ops: []instruction{{kernel: arithmeticKernel("add", out.DType), args: []int{0, 1}}}}}
	r := &reduction{machine: m, body: add, inits: []lanes{newLanes(out.DType, 1)}}
	return r.run([]*array{product}, out.Rank())[0]
}
