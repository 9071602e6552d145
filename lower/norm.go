package lower

import (
	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// norm normalises the last dimension of x in f32.
func (g *graph) norm(b *ir.Builder, n archs.Norm, x, weight *ir.Value) *ir.Value {
	attrs := map[string]any{"eps": n.Eps}
	return ir.Named("normed", g.composite(b, string(n.Kind), attrs, []string{"x", "weight"}, []*ir.Value{x, weight},
		func(b *ir.Builder, args []*ir.Value) *ir.Value { return rmsNorm(b, args[0], args[1], n.Eps) }))
}

// rmsNorm is x·rsqrt(mean(x²) + eps)·weight (Zhang & Sennrich 2019, HF LlamaRMSNorm).
func rmsNorm(b *ir.Builder, x, weight *ir.Value, eps float64) *ir.Value {
	last, shape := x.Type.Rank()-1, x.Type.Shape
	sum := b.ReduceSum(b.Multiply(x, x), last)
	mean := ir.Named("mean", b.Divide(sum, b.Splat(sum.Type, float64(shape[last]))))
	scale := ir.Named("scale", b.Rsqrt(b.Add(mean, b.Splat(mean.Type, eps))))
	x = b.Multiply(x, b.Broadcast(scale, upTo(last), shape...))
	return b.Multiply(x, b.Broadcast(weight, []int{last}, shape...))
}
