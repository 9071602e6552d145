package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// Ops at positions that are known only when they run. A slice that would reach out
// of its operand is moved back into it, as StableHLO defines.

func clampStart(start int64, size, dim int) int {
	return int(min(max(start, 0), int64(dim-size)))
}

// starts reads the scalar start indices in in and clamps them for a slice of sizes.
func (m *machine) starts(in []*array, sizes, shape []int) []int {
	at := make([]int, len(in))
	for i := range in {
		in[i] = m.view(in[i])
		at[i] = clampStart(m.scalar(in[i]).i[0], sizes[i], shape[i])
	}
	return at
}

func dynamicSlice(_ *planner, op *ir.Op) (stepFunc, error) {
	shape, sizes := op.Operands[0].Type.Shape, op.Results[0].Type.Shape
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		at := m.starts(in[1:], sizes, shape)
		return []*array{take(in, 0).slice(at, sizes, nil)}, nil
	}, nil
}

// dynamicUpdateSlice writes into its operand where it can: see writable.
func dynamicUpdateSlice(_ *planner, op *ir.Op) (stepFunc, error) {
	shape, sizes := op.Operands[0].Type.Shape, op.Operands[1].Type.Shape
	return func(m *machine, fr *frame, in []*array) ([]*array, error) {
		at := m.starts(in[2:], sizes, shape)
		out := m.view(take(in, 0))
		if in[1].refersTo(out.buf) { // computed before what it reads is overwritten
			in[1] = m.copy(in[1])
		}
		out = m.writable(fr, out)
		m.store(out.slice(at, sizes, nil), in[1])
		return []*array{out}, nil
	}, nil
}

// writable is a itself if it is the only array in its buffer and may be overwritten,
// else a copy. Arrays in other slots of the frame that look into the same buffer
// (slices that are still to be read) are copied instead if they are smaller.
func (m *machine) writable(fr *frame, a *array) *array {
	if !a.buf.owned || slices.Contains(a.stride, 0) {
		return m.copy(a)
	}
	var others []int
	refs, size := 0, 0
	for i, x := range fr.slots {
		if x != nil && x.refersTo(a.buf) {
			others = append(others, i)
			size += x.Bytes()
			for _, l := range x.leaves(nil) {
				if l.buf == a.buf {
					refs++
				}
			}
		}
	}
	if refs != a.buf.refs-1 || size >= a.Bytes() {
		return m.copy(a)
	}
	for _, i := range others {
		fr.slots[i] = m.copy(fr.slots[i])
	}
	return a
}

// gather copies one slice for each index vector. Of a conversion it gathers what is
// converted: the rows of an embedding, not the embedding.
func gather(_ *planner, op *ir.Op) (stepFunc, error) {
	g := newGatherer(op)
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		if !in[0].isCast() {
			in[0] = m.view(in[0])
		}
		in[1] = m.dense(in[1])
		index := storages[in[1].DType].load(in[1].buf.data, run(in[1].off, 1, in[1].Elements()), newLanes(in[1].DType, in[1].Elements())).i
		return []*array{take(in, 0).rearrange(func(l *array) *array {
			out := g.gather(m, l, index)
			l.release()
			return out
		})}, nil
	}, nil
}

// gatherer holds the dimension numbers of a gather in the form that the loop needs.
type gatherer struct {
	shape    []int // of the result
	sizes    []int // of a slice, in the operand
	startMap []int // component k of an index vector is the start in dimension startMap[k]
	batch    []int // the dimensions of the result that count index vectors
	offset   []int // those that a slice comes to, the collapsed ones removed
	kept     []int // the dimensions of a slice that are not collapsed
	vectors  *nest // over index vectors: view 0 their place in indices, view 1 in the result's batch dimensions
	stride   int   // from component to component of an index vector
}

func newGatherer(op *ir.Op) *gatherer {
	attr := func(name string) []int { return op.Attrs[name].([]int) }
	g := &gatherer{shape: op.Results[0].Type.Shape, sizes: attr("slice_sizes"),
		startMap: attr("start_index_map"), offset: attr("offset_dims")}
	g.batch, _ = without(g.shape, g.offset)
	g.kept, _ = without(g.sizes, attr("collapsed_slice_dims"))
	indices, vector := op.Operands[1].Type.Shape, op.Attrs["index_vector_dim"].(int)
	stride := contiguous(indices)
	if vector < len(indices) {
		g.stride = stride[vector]
		indices = slices.Delete(slices.Clone(indices), vector, vector+1)
		stride = slices.Delete(stride, vector, vector+1)
	}
	result := contiguous(g.shape)
	to := make([]int, len(g.batch))
	for i, d := range g.batch {
		to[i] = result[d]
	}
	g.vectors = newNest(indices, &array{stride: stride}, &array{stride: to})
	return g
}

// gather copies slices of one view.
func (g *gatherer) gather(m *machine, from *array, index []int64) *array {
	out := m.alloc(ir.Type{DType: from.DType, Shape: g.shape})
	window := func(a *array, dims []int) (shape, stride []int) {
		for _, d := range dims {
			shape, stride = append(shape, a.Shape[d]), append(stride, a.stride[d])
		}
		return shape, stride
	}
	shape, to := window(out, g.offset)
	_, stride := window(from, g.kept)
	rows, size, inner := newNest(shape, &array{stride: to}, &array{stride: stride}).split()
	move := movers[from.DType.Size()]
	m.parallel(g.vectors.size(), float64(10+product(shape)), func() func(lo, hi int) {
		v, row := g.vectors.cursor(), rows.cursor()
		return func(lo, hi int) {
			v.seek(lo)
			for ; lo < hi; lo++ {
				start := from.off
				for k, d := range g.startMap {
					at := clampStart(index[v.off[0]+k*g.stride], g.sizes[d], from.Shape[d])
					start += at * from.stride[d]
				}
				row.seek(0)
				for range rows.size() {
					move(out.buf.data, v.off[1]+row.off[0], inner[0], from.buf.data, start+row.off[1], inner[1], size)
					row.next()
				}
				v.next()
			}
		}
	})
	return out
}
