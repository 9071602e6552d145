package lower

import "github.com/mlxc/mlxc/ir"

// argmax is the index of the largest element of the last dimension, the lowest one
// of several, and that dimension's size if any element is NaN: the maximum is NaN
// then, and equals nothing. apart keeps the indices out of the loop that looks for the
// smallest one: IREE's SPIR-V backends fail on an index inside a reduction.
func argmax(b *ir.Builder, x *ir.Value, apart bool) *ir.Value {
	last := x.Type.Rank() - 1
	n := x.Type.Shape[last]
	index := x.Type.With(ir.I32)
	largest := b.Broadcast(b.ReduceMax(x, last), upTo(last), x.Type.Shape...)
	equal, indices := b.Compare("EQ", x, largest), b.Iota(index, last)
	if apart {
		indices = b.OptimizationBarrier(indices)[0]
	}
	at := b.Select(equal, indices, b.Splat(index, float64(n)))
	return b.Reduce([]*ir.Value{at}, []*ir.Value{b.I32(n)}, []int{last},
		func(b *ir.Builder, acc, x []*ir.Value) []*ir.Value { return []*ir.Value{b.Minimum(acc[0], x[0])} })[0]
}
