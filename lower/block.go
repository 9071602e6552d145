package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// blockInputs are the inputs of a call as a layer sees them.
type blockInputs struct{ slot, position, mask, cos, sin *ir.Value }

// embed is the embeddings of tokens, [lead…, hidden] f32.
func (g *graph) embed(b *ir.Builder, token *ir.Value, w weightArgs) *ir.Value {
	s := g.params.embed.stored[0]
	return g.plan.Weights.Rows(b, token, s.Stored, w.span(s.from, s.to))
}

// head is the logits of rows of the last layer: final norm, then the head.
func (g *graph) head(b *ir.Builder, x *ir.Value, w weightArgs) *ir.Value {
	x = g.norm(b, g.spec.FinalNorm, x, w.at(g.params.finalNorm))
	return g.project(b, g.params.head, x, w)[0]
}

// layer calls the function of layer i on x and the layer's keys and values. Equal
// layers whose weights are read alike share one function.
func (g *graph) layer(b *ir.Builder, i int, x *ir.Value, w weightArgs, key, value *ir.Value,
	in inputs, mask *ir.Value) (y, newKey, newValue *ir.Value) {
	l, p := g.spec.Layers[i], g.params.layers[i]
	names := []string{"x"}
	for _, own := range g.params.list[p.from:p.to] {
		names = append(names, strings.TrimPrefix(own.Name, fmt.Sprintf(g.spec.Names.Layer, i)))
	}
	names = append(names, "key", "value", "slot", "position", "mask", "cos", "sin")
	args := slices.Concat([]*ir.Value{x}, w.span(p.from, p.to), []*ir.Value{key, value,
		in.slot, in.position, mask, in.cos[l.Attention.RoPE], in.sin[l.Attention.RoPE]})

	what := []any{l, meanings(g.params.list[p.from:p.to])}
	fn := g.function("layer", what, names, args, func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		n := 1 + p.to - p.from
		rest := args[n:]
		y, state := g.block(b, l, p, args[0], weightArgs{args[1:n], p.from},
			layerState{rest[0], rest[1]}, blockInputs{rest[2], rest[3], rest[4], rest[5], rest[6]})
		return []*ir.Value{y, state.key, state.value}
	})
	r := b.Call(fn, args...)
	return ir.Named("x", r[0]), ir.Named("key", r[1]), ir.Named("value", r[2])
}

// block is a pre-norm decoder layer: x += attention(norm(x)); x += mlp(norm(x)).
func (g *graph) block(b *ir.Builder, l archs.Layer, p layerParams, x *ir.Value, w weightArgs,
	state layerState, in blockInputs) (*ir.Value, layerState) {
	normed := g.norm(b, l.Norm, x, w.at(p.attentionNorm))
	a, state := g.attention(b, l.Attention, p, normed, w, state, in)
	x = ir.Named("x", b.Add(x, a))
	normed = g.norm(b, l.Norm, x, w.at(p.mlpNorm))
	return ir.Named("x", b.Add(x, g.mlp(b, l.MLP, p, normed, w))), state
}
