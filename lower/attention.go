package lower

import (
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// lowest stands in for the scores of masked keys: finite, so that a row stays
// finite whatever its mask.
const lowest = -1e30

// layerState is a layer's part of the state pool.
type layerState struct{ key, value *ir.Value }

// sequence is the attention problem of one sequence in one call: its new rows, where
// they go, and which keys each may see. The dimension rows is there only if the
// layout has several rows of one sequence.
type sequence struct {
	query          *ir.Value // [kvHeads, groups, (rows,) headDim]
	key, value     *ir.Value // [kvHeads, rows, headDim]
	slot, position *ir.Value // i32 scalars
	mask           *ir.Value // [(rows,) span] i1
}

// attention is the one driver of softmax attention: it projects x, rotates queries
// and keys, writes keys and values to the state, and attends to what is there.
func (g *graph) attention(b *ir.Builder, a archs.Attention, p layerParams, x *ir.Value, w weightArgs,
	state layerState, in blockInputs) (*ir.Value, layerState) {
	qkv := g.project(b, p.qkv, x, w)
	q := ir.Named("q", g.rope(b, heads(b, qkv[0], a.Heads), in.cos, in.sin))
	k := ir.Named("k", g.rope(b, heads(b, qkv[1], a.KVHeads), in.cos, in.sin))
	v := ir.Named("v", heads(b, qkv[2], a.KVHeads))

	plan := g.plan.state(a)
	sequences := g.layout.split(b, q, k, v, in)
	for _, s := range sequences {
		state.key = ir.Named("new_key", plan.WriteKeys(b, state.key, s.key, s.slot, s.position))
		state.value = ir.Named("new_value", plan.WriteValues(b, state.value, s.value, s.slot, s.position))
	}
	var outs []*ir.Value
	for _, s := range sequences {
		keys := ir.Named("keys", plan.ReadKeys(b, state.key, s.slot, g.span))
		values := ir.Named("values", plan.ReadValues(b, state.value, s.slot, g.span))
		outs = append(outs, g.attend(b, a, s.query, keys, values, s.mask))
	}
	out := ir.Named("attended", g.layout.join(b, outs))
	return ir.Named("attention", g.project(b, p.out, out, w)[0]), state
}

// heads views [lead…, heads·headDim] as [lead…, heads, headDim].
func heads(b *ir.Builder, x *ir.Value, n int) *ir.Value {
	last := x.Type.Rank() - 1
	return b.Reshape(x, slices.Concat(x.Type.Shape[:last], []int{n, x.Type.Shape[last] / n})...)
}

// attend is softmax(scale·q·kᵀ, masked)·v for each key/value head with the queries
// that share it.
func (g *graph) attend(b *ir.Builder, a archs.Attention, query, keys, values, mask *ir.Value) *ir.Value {
	return g.composite(b, "attention", map[string]any{"scale": a.Scale},
		[]string{"query", "keys", "values", "mask"}, []*ir.Value{query, keys, values, mask},
		func(b *ir.Builder, args []*ir.Value) *ir.Value {
			query, keys, values, mask := args[0], args[1], args[2], args[3]
			query = b.Multiply(query, b.Splat(query.Type, a.Scale))
			scores := ir.Named("scores", g.plan.state(a).Scores(b, query, keys))
			weights, sum := softmax(b, masked(b, scores, mask))
			out := g.plan.state(a).Output(b, weights, values)
			last := out.Type.Rank() - 1
			return b.Divide(out, b.Broadcast(sum, upTo(last), out.Type.Shape...))
		})
}

// masked puts lowest where mask, over the last dimensions of scores, is false.
func masked(b *ir.Builder, scores, mask *ir.Value) *ir.Value {
	rank := scores.Type.Rank()
	everywhere := b.Broadcast(mask, upTo(rank)[rank-mask.Type.Rank():], scores.Type.Shape...)
	return b.Select(everywhere, scores, b.Splat(scores.Type, lowest))
}

// softmax over the last dimension, not yet divided: exp(x - max) and its sum. The
// division is cheaper after the product with the values.
func softmax(b *ir.Builder, x *ir.Value) (exps, sum *ir.Value) {
	last := x.Type.Rank() - 1
	largest := b.Broadcast(b.ReduceMax(x, last), upTo(last), x.Type.Shape...)
	exps = ir.Named("probs", b.Exponential(b.Subtract(x, largest)))
	return exps, ir.Named("sum", b.ReduceSum(exps, last))
}
