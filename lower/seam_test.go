package lower_test

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/eval"
	"github.com/mlxc/mlxc/lower"
)

// lanes of the tiled plan below.
const lanes = 8

// tiledWeights is a plan as unlike dense as one will be: matrices alone, each
// [tiles, in, lanes], lanes rows of W innermost, padded to whole tiles.
type tiledWeights struct{}

func (tiledWeights) Store(_ string, ms []lower.Linear) []lower.Stored {
	var list []lower.Stored
	for _, m := range ms {
		tiles := (m.Out + lanes - 1) / lanes
		list = append(list, lower.Stored{Linears: []lower.Linear{m}, Weights: []lower.Weight{{
			Name: m.Tensor, Type: ir.T(ir.F32, tiles, m.In, lanes),
			Recipe: lower.Recipe{
				Sources: []lower.Source{{Tensor: m.Tensor, Shape: []int{m.Out, m.In}}},
				Steps: []lower.Step{
					{Op: "pad", Args: []int{tiles*lanes - m.Out}},
					{Op: "reshape", Args: []int{tiles, lanes, m.In}},
					{Op: "transpose", Args: []int{0, 2, 1}},
				},
			},
		}}})
	}
	return list
}

func (tiledWeights) Multiply(b *ir.Builder, x *ir.Value, s lower.Stored, args []*ir.Value) *ir.Value {
	w, lead := args[0], x.Type.Shape[:x.Type.Rank()-1]
	n := len(lead)
	shape := slices.Concat(lead, w.Type.Shape)
	y := sumOfProducts(b, x, append(count(n), n+1), w, []int{n, n + 1, n + 2}, shape, n+1)
	y = b.Reshape(y, slices.Concat(lead, []int{w.Type.Shape[0] * lanes})...)
	return b.Slice(y, make([]int, n+1), slices.Concat(lead, []int{s.Rows()}))
}

func (tiledWeights) Rows(b *ir.Builder, ids *ir.Value, _ lower.Stored, args []*ir.Value) *ir.Value {
	w := args[0]
	in, eight := w.Type.Shape[1], b.Splat(ids.Type, lanes)
	tile, lane := b.Divide(ids, eight), b.Remainder(ids, eight)
	if ids.Type.Rank() == 0 {
		return b.Reshape(b.DynamicSlice(w, []*ir.Value{tile, b.I32(0), lane}, 1, in, 1), in)
	}
	n := ids.Type.Shape[0]
	at := b.Concatenate(1, b.Reshape(tile, n, 1), b.Reshape(lane, n, 1))
	return b.Gather(w, at, ir.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0, 2},
		StartIndexMap: []int{0, 2}, IndexVectorDim: 1, SliceSizes: []int{1, in, 1}})
}

// tiledState keeps keys as [slot, heads, capacity/tile, headDim, tile] and values as
// [slot, heads, headDim/tile, capacity, tile].
type tiledState struct{}

const tile = 16

func (tiledState) Capacity(rows int) int { return (rows + tile - 1) / tile * tile }
func (tiledState) ChunkAlign() int       { return tile }

func (tiledState) Pools(slots, heads, capacity, headDim int) (key, value ir.Type) {
	return ir.T(ir.F32, slots, heads, capacity/tile, headDim, tile), ir.T(ir.F32, slots, heads, headDim/tile, capacity, tile)
}

func (tiledState) WriteKeys(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	zero, sixteen := b.I32(0), b.I32(tile)
	group, lane := b.Divide(position, sixteen), zero
	lanes := tile
	if rows == 1 {
		lanes, lane = 1, b.Remainder(position, sixteen)
	}
	x = b.Transpose(b.Reshape(x, heads, rows/lanes, lanes, d), 0, 1, 3, 2)
	return b.DynamicUpdateSlice(pool, b.Reshape(x, 1, heads, rows/lanes, d, lanes), slot, zero, group, zero, lane)
}

func (tiledState) WriteValues(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	x = b.Transpose(b.Reshape(x, heads, rows, d/tile, tile), 0, 2, 1, 3)
	zero := b.I32(0)
	return b.DynamicUpdateSlice(pool, b.Reshape(x, 1, heads, d/tile, rows, tile), slot, zero, zero, position, zero)
}

func (tiledState) ReadKeys(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	return firstOf(b, pool, slot, 1, span/tile)
}

func (tiledState) ReadValues(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	return firstOf(b, pool, slot, 2, span)
}

// firstOf is what the pool holds of slot, the first n of dimension dim.
func firstOf(b *ir.Builder, pool, slot *ir.Value, dim, n int) *ir.Value {
	zero, shape := b.I32(0), slices.Clone(pool.Type.Shape[1:])
	shape[dim] = n
	held := b.DynamicSlice(pool, []*ir.Value{slot, zero, zero, zero, zero}, slices.Concat([]int{1}, shape)...)
	return b.Reshape(held, shape...)
}

// sumOfProducts sums x·y over dimension over, both broadcast to shape.
func sumOfProducts(b *ir.Builder, x *ir.Value, xDims []int, y *ir.Value, yDims []int, shape []int, over int) *ir.Value {
	return b.ReduceSum(b.Multiply(b.Broadcast(x, xDims, shape...), b.Broadcast(y, yDims, shape...)), over)
}

func (tiledState) Scores(b *ir.Builder, q, keys *ir.Value) *ir.Value {
	r := q.Type.Rank() // of [heads, groups, (rows,) d]; product [heads, groups, (rows,) tiles, d, tile]
	lead, k := q.Type.Shape[:r-1], keys.Type.Shape
	s := sumOfProducts(b, q, append(count(r-1), r), keys, []int{0, r - 1, r, r + 1}, slices.Concat(lead, k[1:]), r)
	return b.Reshape(s, slices.Concat(lead, []int{k[1] * tile})...)
}

func (tiledState) Output(b *ir.Builder, p, values *ir.Value) *ir.Value {
	r := p.Type.Rank() // of [heads, groups, (rows,) span]; product [heads, groups, (rows,) tiles, span, tile]
	lead, v := p.Type.Shape[:r-1], values.Type.Shape
	o := sumOfProducts(b, p, append(count(r-1), r), values, []int{0, r - 1, r, r + 1}, slices.Concat(lead, v[1:]), r)
	return b.Reshape(o, slices.Concat(lead, []int{v[1] * tile})...)
}

func count(n int) []int {
	var dims []int
	for i := range n {
		dims = append(dims, i)
	}
	return dims
}

// TestPlanSeam: a plan that stores weights and state in another way altogether
// computes what HF does, with nothing changed outside the plan.
func TestPlanSeam(t *testing.T) {
	c := oracle.Load(t, "llama_rope_llama3")
	tiled := lower.Plan{Name: "tiled", Precision: "f32", KV: "f32", Weights: tiledWeights{}, State: tiledState{}}
	m := load(t, c.Dir, tiled, oracleOptions(t))
	if m.ChunkAlign != tile {
		t.Errorf("chunks start at multiples of %d, the plan says %d", m.ChunkAlign, tile)
	}
	for slot, run := range c.Runs {
		for i, n := range []int{64, 16} {
			token, logits := m.prefill(2*slot+i, run.Prompt, n)
			if d := distance(logits, run.Logits[0]); token != run.Tokens[0] || d > c.Tolerance {
				t.Errorf("%s in chunks of %d: token %d, HF has %d; logits differ by %g", run.Name, n, token, run.Tokens[0], d)
			}
		}
		for i := 1; i < len(run.Logits); i++ {
			p := len(run.Prompt) + i - 1
			token, logits := m.decode(2*slot, p, run.Tokens[i-1])
			if d := distance(logits, run.Logits[i]); token != run.Tokens[i] || d > c.Tolerance {
				t.Errorf("%s step %d: token %d, HF has %d; logits differ by %g", run.Name, i, token, run.Tokens[i], d)
			}
			r := row{2*slot + 1, p, p + 1, run.Tokens[i-1]}
			idle := row{slot: 4, length: 1}
			tokens, _ := m.run(lower.GraphKind{Kind: lower.Ragged, Rows: 4}, idle, r, idle, idle)
			if tokens[1] != run.Tokens[i] {
				t.Errorf("%s step %d: token %d in a batch, HF has %d", run.Name, i, tokens[1], run.Tokens[i])
			}
		}
	}
}

// rearrange executes the steps of a recipe.
func rearrange(t testing.TB, x *ir.Tensor, steps []lower.Step) *ir.Tensor {
	t.Helper()
	m, err := ir.Build(func() *ir.Module {
		m := &ir.Module{}
		b := ir.NewFunc(m, "main", false, []ir.Type{x.Type}, nil)
		y := b.Arg(0)
		for _, s := range steps {
			switch s.Op {
			case "pad":
				none, high := make([]int, y.Type.Rank()), make([]int, y.Type.Rank())
				high[0] = s.Args[0]
				y = b.Pad(y, b.Splat(ir.T(y.Type.DType), 0), none, high, none)
			case "reshape":
				y = b.Reshape(y, s.Args...)
			case "transpose":
				y = b.Transpose(y, s.Args...)
			default:
				t.Fatalf("unknown step %q", s.Op)
			}
		}
		b.Func.Results = []ir.Type{y.Type}
		b.Return(y)
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := eval.New(m)
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Call(t.Context(), "main", []*ir.Tensor{x})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}
