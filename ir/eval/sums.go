package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// joinSums is the ops of a block with each sum of a sum as one reduce over all its
// dimensions. Plans write sums in two steps to steer compilers (so many lanes first,
// then the lanes); in which order a sum adds is free, and joined the product of a
// matrix and a vector is recognised as one (see factors).
func joinSums(b *ir.Block) []*ir.Op {
	uses := map[*ir.Value]int{}
	for _, op := range b.Ops {
		for _, v := range slices.Concat(op.Operands, captures(op)) {
			uses[v]++
		}
	}
	var ops []*ir.Op
	sums := map[*ir.Value]*ir.Op{}
	for _, op := range b.Ops {
		if isSum(op) {
			if inner := sums[op.Operands[0]]; inner != nil && uses[op.Operands[0]] == 1 {
				ops = slices.DeleteFunc(ops, func(o *ir.Op) bool { return o == inner })
				op = joined(inner, op)
			}
			sums[op.Results[0]] = op
		}
		ops = append(ops, op)
	}
	return ops
}

// isSum reports whether op is the sum of one f32 tensor from 0 on.
func isSum(op *ir.Op) bool {
	if op.Name != "stablehlo.reduce" || len(op.Operands) != 2 || op.Operands[0].Type.DType != ir.F32 {
		return false
	}
	body, zero := op.Regions[0], op.Operands[1].Def
	if len(body.Ops) != 2 || body.Ops[0].Name != "stablehlo.add" || zero == nil || zero.Name != "stablehlo.constant" {
		return false
	}
	add, returned := body.Ops[0], body.Ops[1].Operands[0]
	return slices.Equal(zero.Attrs["value"].(*ir.Tensor).Data, make([]byte, 4)) && returned == add.Results[0] &&
		add.Operands[0] != add.Operands[1] && slices.Contains(body.Args, add.Operands[0]) && slices.Contains(body.Args, add.Operands[1])
}

// joined is outer applied to the operand of inner, whose result outer sums.
func joined(inner, outer *ir.Op) *ir.Op {
	x := inner.Operands[0]
	kept, reduced := without(x.Type.Shape, inner.Attrs["dimensions"].([]int))
	for _, d := range outer.Attrs["dimensions"].([]int) {
		reduced = append(reduced, kept[d])
	}
	slices.Sort(reduced)
	return &ir.Op{Name: outer.Name, Operands: []*ir.Value{x, outer.Operands[1]}, Results: outer.Results,
		Attrs: map[string]any{"dimensions": reduced}, Regions: outer.Regions}
}
