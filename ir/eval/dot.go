package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// factors are two views over a's space, and one more dimension at its end, whose
// products summed over that dimension are a; nil if a is no such sum. It is one of
// products of f32 views, or of f16 and bf16 ones converted to f32. If there are several,
// they must be of parts of the same two arrays, evenly apart.
func (a *array) factors() (x, y *array) {
	var xs, ys []*array
	for _, p := range a.addends(nil) {
		if p.op != "stablehlo.multiply" || p.DType != ir.F32 {
			return nil, nil
		}
		x, y := p.args[0].floats(), p.args[1].floats()
		if x == nil || y == nil {
			return nil, nil
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	x, y = stacked(xs), stacked(ys)
	if x == nil || y == nil {
		return nil, nil
	}
	return x, y
}

// addends are the terms of a sum of f32: a itself, if it is none.
func (a *array) addends(into []*array) []*array {
	if a.op != "stablehlo.add" || a.DType != ir.F32 {
		return append(into, a)
	}
	return a.args[1].addends(a.args[0].addends(into))
}

// stacked is one view of several of the same shape, with a new last dimension that
// counts them; nil if strides cannot express it.
func stacked(views []*array) *array {
	v := views[0]
	step := 0
	for i, w := range views[1:] {
		if i == 0 {
			step = w.off - v.off
		}
		if w.buf != v.buf || w.DType != v.DType || w.off != v.off+(i+1)*step || !slices.Equal(w.stride, v.stride) {
			return nil
		}
	}
	return v.window(v.off, append(slices.Clone(v.Shape), len(views)), append(slices.Clone(v.stride), step))
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
		ops: []instruction{{kernel: arithmeticKernel("add", out.DType), dtype: out.DType, args: []int{0, 1}}}}}
	r := &reduction{machine: m, body: add, inits: []lanes{newLanes(out.DType, 1)}}
	return r.run([]*array{product}, out.Rank())[0]
}
