package lower

import "github.com/mlxc/mlxc/ir"

// chunk is n tokens of one sequence at consecutive positions, the first valid of
// them real: prefill.
type chunk struct{ n int }

func (c chunk) rows() int { return c.n }

func (c chunk) arguments() []Arg {
	return []Arg{slotArg, {Role: RoleToken, Name: "token", Type: ir.T(ir.I32, c.n)}, positionArg, validArg}
}

func (c chunk) angles(b *ir.Builder, x *ir.Value) *ir.Value { return x }

func (c chunk) clean(b *ir.Builder, x *ir.Value, in inputs) *ir.Value {
	real := b.Compare("LT", b.Iota(ir.T(ir.I32, c.n), 0), b.Broadcast(in.valid, nil, c.n))
	return b.Select(b.Broadcast(real, []int{0}, x.Type.Shape...), x, b.Splat(x.Type, 0))
}

// mask: row i sees key j iff j ≤ position + i.
func (c chunk) mask(b *ir.Builder, in inputs, span int) *ir.Value {
	last := b.Add(b.Iota(ir.T(ir.I32, c.n), 0), b.Broadcast(in.position, nil, c.n))
	return seen(b, last, span)
}

// seen is [n, span]: key j ≤ last[i].
func seen(b *ir.Builder, last *ir.Value, span int) *ir.Value {
	shape := ir.T(ir.I32, last.Type.Shape[0], span)
	return b.Compare("LE", b.Iota(shape, 1), b.Broadcast(last, []int{0}, shape.Shape...))
}

func (c chunk) split(b *ir.Builder, q, k, v *ir.Value, in blockInputs) []sequence {
	kvHeads, d := k.Type.Shape[1], k.Type.Shape[2]
	grouped := b.Reshape(q, c.n, kvHeads, q.Type.Shape[1]/kvHeads, d)
	return []sequence{{
		query: b.Transpose(grouped, 1, 2, 0, 3),
		key:   b.Transpose(k, 1, 0, 2),
		value: b.Transpose(v, 1, 0, 2),
		slot:  in.slot, position: in.position, mask: in.mask,
	}}
}

func (c chunk) join(b *ir.Builder, outs []*ir.Value) *ir.Value {
	rows := b.Transpose(outs[0], 2, 0, 1, 3)
	return b.Reshape(rows, c.n, rows.Type.Elements()/c.n)
}

// last is the last real row alone: the head runs on nothing else. A gather reads
// the index where it is used; for a dynamic_slice the host would wait for it.
func (c chunk) last(b *ir.Builder, x *ir.Value, in inputs) *ir.Value {
	width := x.Type.Shape[1]
	index := b.Reshape(b.Subtract(in.valid, b.I32(1)), 1)
	return b.Gather(x, index, ir.GatherDims{
		OffsetDims: []int{0}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0},
		IndexVectorDim: 0, SliceSizes: []int{1, width}})
}
