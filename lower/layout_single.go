package lower

import "github.com/mlxc/mlxc/ir"

// single is one token of one sequence: no leading dimensions at all, so that a
// linear is a matrix times a vector.
type single struct{}

func (single) rows() int { return 1 }

func (single) arguments() []Arg {
	return []Arg{slotArg, {Role: RoleToken, Name: "token", Type: ir.T(ir.I32)}, positionArg}
}

func (single) angles(b *ir.Builder, x *ir.Value) *ir.Value { return b.Reshape(x, x.Type.Shape[1]) }

func (single) clean(b *ir.Builder, x *ir.Value, in inputs) *ir.Value { return x }

// mask: key j is seen iff j ≤ position.
func (single) mask(b *ir.Builder, in inputs, span int) *ir.Value {
	return b.Compare("LE", b.Iota(ir.T(ir.I32, span), 0), b.Broadcast(in.position, nil, span))
}

func (single) split(b *ir.Builder, q, k, v *ir.Value, in blockInputs) []sequence {
	kvHeads, d := k.Type.Shape[0], k.Type.Shape[1]
	return []sequence{{
		query: b.Reshape(q, kvHeads, q.Type.Shape[0]/kvHeads, d),
		key:   b.Reshape(k, kvHeads, 1, d),
		value: b.Reshape(v, kvHeads, 1, d),
		slot:  in.slot, position: in.position, mask: in.mask,
	}}
}

func (single) join(b *ir.Builder, outs []*ir.Value) *ir.Value {
	return b.Reshape(outs[0], outs[0].Type.Elements())
}

func (single) last(b *ir.Builder, x *ir.Value, in inputs) *ir.Value { return x }
