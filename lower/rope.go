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

// rotate views x as [lead…, heads, 2, rotary/2] = (x₀, x₁) and returns
// x·cos + (x₁, x₀)·sin·(-1, 1).
func rotate(b *ir.Builder, x, cos, sin *ir.Value) *ir.Value {
	last := x.Type.Rank() - 1 // headDim of x, halves of the view
	half := cos.Type.Shape[last-1]
	whole := x.Type.Shape
	turned := slices.Concat(whole[:last], []int{2 * half})
	shape := slices.Concat(whole[:last], []int{2, half})

	passFrom := make([]int, last+1)
	rotated := x
	if 2*half < whole[last] {
		rotated = b.Slice(x, passFrom, turned)
	}
	pairs := b.Reshape(rotated, shape...)
	dims := append(upTo(last-1), last+1)
	sign := b.Broadcast(b.Constant(minusPlus), []int{last}, shape...)
	sine := b.Multiply(b.Broadcast(sin, dims, shape...), sign)
	y := b.Add(
		b.Multiply(pairs, b.Broadcast(cos, dims, shape...)),
		b.Multiply(b.Reverse(pairs, last), sine))
	y = b.Reshape(y, turned...)
	if 2*half == whole[last] {
		return y
	}
	passFrom[last] = 2 * half
	return b.Concatenate(last, y, b.Slice(x, passFrom, whole))
}

// minusPlus is [-1, 1].
var minusPlus = &ir.Tensor{Type: ir.T(ir.F32, 2), Data: []byte{0, 0, 0x80, 0xbf, 0, 0, 0x80, 0x3f}}
