package lower

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// rope rotates the pairs (j, j+rotary/2) of the first rotary dimensions of x,
// [lead…, heads, headDim], by the angles whose cos and sin are [lead…, rotary/2];
// the other dimensions pass (HF apply_rotary_pos_emb, rotate_half).
func (g *graph) rope(b *ir.Builder, x, cos, sin *ir.Value) *ir.Value {
	return g.composite(b, "rope", nil, []string{"x", "cos", "sin"}, []*ir.Value{x, cos, sin},
		func(b *ir.Builder, args []*ir.Value) *ir.Value { return rotate(b, args[0], args[1], args[2]) })
}

// rotate views the rotated part of x as [lead…, heads, 2, rotary/2] = (x₀, x₁) and
// makes of it x·cos + (x₁, x₀)·sin·(-1, 1).
func rotate(b *ir.Builder, x, cos, sin *ir.Value) *ir.Value {
	last := x.Type.Rank() - 1 // headDim of x, the 2 of the view
	lead, headDim, half := x.Type.Shape[:last], x.Type.Shape[last], cos.Type.Shape[last-1]
	shape := slices.Concat(lead, []int{2, half})
	angle := append(upTo(last-1), last+1) // the dimensions of cos and sin in the view

	pairs := b.Reshape(cut(b, x, 0, 2*half), shape...)
	sign := b.Broadcast(b.Constant(minusPlus), []int{last}, shape...)
	sine := b.Multiply(b.Broadcast(sin, angle, shape...), sign)
	y := b.Add(
		b.Multiply(pairs, b.Broadcast(cos, angle, shape...)),
		b.Multiply(b.Reverse(pairs, last), sine))
	y = b.Reshape(y, slices.Concat(lead, []int{2 * half})...)
	if 2*half == headDim {
		return y
	}
	return b.Concatenate(last, y, cut(b, x, 2*half, headDim))
}

// minusPlus is [-1, 1].
var minusPlus = &ir.Tensor{Type: ir.T(ir.F32, 2), Data: []byte{0, 0, 0x80, 0xbf, 0, 0, 0x80, 0x3f}}
