package lower

import "github.com/mlxc/mlxc/ir"

// denseWeights stores matrices as the checkpoint has them, [out, in], in one
// element type; those that multiply the same input lie one after the other.
// Products are of f32 and summed in f32.
type denseWeights struct{ dtype ir.DType }

func (d denseWeights) Store(name string, ms []Linear) []Stored {
	w := Weight{Name: ms[0].Tensor, Type: ir.T(d.dtype, 0, ms[0].In)}
	if len(ms) > 1 {
		w.Name = name + ".weight"
	}
	for _, m := range ms {
		w.Type.Shape[0] += m.Out
		w.Recipe.Sources = append(w.Recipe.Sources, Source{Tensor: m.Tensor, Shape: []int{m.Out, m.In}})
	}
	return []Stored{{ms, []Weight{w}}}
}

func (d denseWeights) Multiply(b *ir.Builder, x *ir.Value, _ Stored, args []*ir.Value) *ir.Value {
	last := x.Type.Rank() - 1
	return b.DotGeneral(x, b.Convert(args[0], ir.F32), ir.DotDims{LhsContract: []int{last}, RhsContract: []int{1}}, ir.F32)
}

func (d denseWeights) Rows(b *ir.Builder, ids *ir.Value, _ Stored, args []*ir.Value) *ir.Value {
	w := args[0]
	in := w.Type.Shape[1]
	if ids.Type.Rank() == 0 {
		row := b.DynamicSlice(w, []*ir.Value{ids, b.I32(0)}, 1, in)
		return b.Convert(b.Reshape(row, in), ir.F32)
	}
	rows := b.Gather(w, ids, ir.GatherDims{
		OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0},
		IndexVectorDim: 1, SliceSizes: []int{1, in}})
	return b.Convert(rows, ir.F32)
}
