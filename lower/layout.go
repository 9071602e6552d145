package lower

import "github.com/mlxc/mlxc/ir"

// layout is how the rows of one call lie in tensors, and nothing else: the leading
// dimensions of activations, which rows belong to which sequence, where they go and
// what they see. Activations are [lead…, width]; lead is empty for a single row.
type layout interface {
	rows() int // rows of cos and sin
	// arguments are slot, token, position and what else the layout needs.
	arguments() []Arg
	// angles turns a cos or sin argument into [lead…, rotary/2].
	angles(b *ir.Builder, x *ir.Value) *ir.Value
	// clean makes embeddings of rows that hold no token zero, so that their
	// numbers are finite whatever the weights of some token are.
	clean(b *ir.Builder, x *ir.Value, in inputs) *ir.Value
	// mask says which of the state's first rows each row sees: [lead…, span] i1.
	mask(b *ir.Builder, in inputs, span int) *ir.Value
	// split makes the attention problems of q, [lead…, heads, headDim], and k and v,
	// [lead…, kvHeads, headDim]; join puts their outputs, shaped like the queries,
	// together as [lead…, heads·headDim].
	split(b *ir.Builder, q, k, v *ir.Value, in blockInputs) []sequence
	join(b *ir.Builder, outs []*ir.Value) *ir.Value
	// last picks the rows whose logits are wanted.
	last(b *ir.Builder, x *ir.Value, in inputs) *ir.Value
}

func newLayout(k GraphKind) layout {
	switch k.Kind {
	case Prefill:
		return chunk{k.Rows}
	case Ragged:
		return batch{k.Rows}
	}
	return single{}
}

// scalars of a call on one sequence.
var (
	slotArg     = Arg{Role: RoleSlot, Name: "slot", Type: ir.T(ir.I32)}
	positionArg = Arg{Role: RolePosition, Name: "position", Type: ir.T(ir.I32)}
	validArg    = Arg{Role: RoleValid, Name: "valid", Type: ir.T(ir.I32)}
)
