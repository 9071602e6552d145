package lower

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// project is x·Wᵀ + bias for each matrix of p: x [lead…, in], results [lead…, out].
func (g *graph) project(b *ir.Builder, p projection, x *ir.Value, w weightArgs) []*ir.Value {
	var ys []*ir.Value
	for _, s := range p.stored {
		ys = append(ys, split(b, g.multiply(b, x, s.Stored, w.span(s.from, s.to)), s.Linears)...)
	}
	for i, place := range p.bias {
		shape := ys[i].Type.Shape
		ys[i] = b.Add(ys[i], b.Broadcast(w.at(place), []int{len(shape) - 1}, shape...))
	}
	return ys
}

// multiply is one stored product. What is stored may have more rows than W, and numbers
// may lie as other types, so that the arguments alone do not say what it is.
func (g *graph) multiply(b *ir.Builder, x *ir.Value, s Stored, args []*ir.Value) *ir.Value {
	names := []string{"x"}
	for i := range args {
		names = append(names, numbered("weight", i))
	}
	args = slices.Concat([]*ir.Value{x}, args)
	what := []any{s.Rows(), meanings(s.Weights)}
	fn := g.function("linear", what, names, args, func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{g.plan.Weights.Multiply(b, args[0], s, args[1:])}
	})
	return b.Composite("mlxc.linear", fn, nil, args...)[0]
}

// split cuts the last dimension of y into the rows of each matrix.
func split(b *ir.Builder, y *ir.Value, ms []Linear) []*ir.Value {
	var parts []*ir.Value
	from := 0
	for _, m := range ms {
		parts = append(parts, cut(b, y, from, from+m.Out))
		from += m.Out
	}
	return parts
}

// cut is [from, to) of the last dimension of x.
func cut(b *ir.Builder, x *ir.Value, from, to int) *ir.Value {
	last := x.Type.Rank() - 1
	if from == 0 && to == x.Type.Shape[last] {
		return x
	}
	start, limit := make([]int, last+1), slices.Clone(x.Type.Shape)
	start[last], limit[last] = from, to
	return b.Slice(x, start, limit)
}
