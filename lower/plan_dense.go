package lower

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

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
	w := b.Convert(args[0], ir.F32)
	lead, in := x.Type.Shape[:x.Type.Rank()-1], w.Type.Shape[1]
	if (len(lead) == 0 || lead[0] <= fewRows) && in%(2*lanes) == 0 {
		return multiplyFew(b, x, w)
	}
	return b.DotGeneral(x, w, ir.DotDims{LhsContract: []int{len(lead)}, RhsContract: []int{1}}, ir.F32)
}

const (
	lanes   = 8 // neighbouring partial sums of a dot product
	fewRows = 4 // up to which multiplyFew is the faster way
)

// multiplyFew is x·wᵀ for one or few rows, x [(rows,) in], w [out, in]. IREE makes of
// it a contraction that shuffles tiles of w: with f16 and one row at a fifth of
// the memory's bandwidth. A sum of two products is no contraction to it: that
// streams w at full bandwidth. So in is cut into pairs of lanes, and
//
//	y = Σ_lane Σ_pair w[pair, 0, lane]·x[pair, 0, lane] + w[pair, 1, lane]·x[pair, 1, lane]
func multiplyFew(b *ir.Builder, x, w *ir.Value) *ir.Value {
	out, lead := w.Type.Shape[0], x.Type.Shape[:x.Type.Rank()-1]
	pairs := w.Type.Shape[1] / (2 * lanes)
	shape := slices.Concat([]int{out}, lead, []int{pairs, lanes})
	last := len(shape) - 1

	ws := halves(b, w, pairs)
	xs := halves(b, x, pairs)
	var products [2]*ir.Value
	for i := range products {
		wi, xi := ws[i], b.Broadcast(xs[i], upTo(last + 1)[1:], shape...)
		if len(lead) > 0 {
			wi = b.Broadcast(wi, []int{0, last - 1, last}, shape...)
		}
		products[i] = b.Multiply(wi, xi)
	}
	partial := ir.Named("partial", b.ReduceSum(b.Add(products[0], products[1]), last-1))
	y := b.ReduceSum(partial, last-1)
	if len(lead) > 0 {
		y = b.Transpose(y, 1, 0)
	}
	return y
}

// halves views the last dimension of x as [pairs, 2, lanes] and returns both of
// the 2, each [..., pairs, lanes].
func halves(b *ir.Builder, x *ir.Value, pairs int) (hs [2]*ir.Value) {
	lead := x.Type.Shape[:x.Type.Rank()-1]
	x = b.Reshape(x, slices.Concat(lead, []int{pairs, 2, lanes})...)
	start := make([]int, len(lead)+3)
	limit := slices.Clone(x.Type.Shape)
	for i := range hs {
		start[len(lead)+1], limit[len(lead)+1] = i, i+1
		half := b.Slice(x, slices.Clone(start), slices.Clone(limit))
		hs[i] = b.Reshape(half, slices.Concat(lead, []int{pairs, lanes})...)
	}
	return hs
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
