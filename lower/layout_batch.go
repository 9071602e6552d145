package lower

import "github.com/mlxc/mlxc/ir"

// batch is one token of each of n sequences, each at its own position: ragged
// decode. Linears run on all rows at once, attention row by row on the row's slot:
// to put the rows of the state together would copy it.
type batch struct{ n int }

func (t batch) rows() int { return t.n }

func (t batch) arguments() []Arg {
	each := ir.T(ir.I32, t.n)
	return []Arg{
		{Role: RoleSlot, Name: "slot", Type: each},
		{Role: RoleToken, Name: "token", Type: each},
		{Role: RolePosition, Name: "position", Type: each},
	}
}

func (t batch) angles(b *ir.Builder, x *ir.Value) *ir.Value { return x }

func (t batch) clean(b *ir.Builder, x *ir.Value, in inputs) *ir.Value { return x }

// mask: row i sees key j of its sequence iff j ≤ position[i].
func (t batch) mask(b *ir.Builder, in inputs, span int) *ir.Value {
	return seen(b, in.position, span)
}

func (t batch) split(b *ir.Builder, q, k, v *ir.Value, in blockInputs) []sequence {
	kvHeads, d := k.Type.Shape[1], k.Type.Shape[2]
	groups := q.Type.Shape[1] / kvHeads
	sequences := make([]sequence, t.n)
	for i := range sequences {
		sequences[i] = sequence{
			query:    row(b, q, i, kvHeads, groups, d),
			key:      row(b, k, i, kvHeads, 1, d),
			value:    row(b, v, i, kvHeads, 1, d),
			slot:     row(b, in.slot, i),
			position: row(b, in.position, i),
			mask:     row(b, in.mask, i, in.mask.Type.Shape[1]),
		}
	}
	return sequences
}

// row is row i of x in another shape.
func row(b *ir.Builder, x *ir.Value, i int, shape ...int) *ir.Value {
	start := make([]int, x.Type.Rank())
	limit := append([]int{i + 1}, x.Type.Shape[1:]...)
	start[0] = i
	return b.Reshape(b.Slice(x, start, limit), shape...)
}

func (t batch) join(b *ir.Builder, outs []*ir.Value) *ir.Value {
	rows := make([]*ir.Value, len(outs))
	for i, o := range outs {
		rows[i] = b.Reshape(o, 1, o.Type.Elements())
	}
	return b.Concatenate(0, rows...)
}

func (t batch) last(b *ir.Builder, x *ir.Value, in inputs) *ir.Value { return x }
