package lower

import (
	"fmt"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// Plan says how everything that a graph reads is stored and multiplied: all that
// differs between a target's precisions. The rest of the package neither knows
// nor asks.
type Plan struct {
	Name      string // "dense"
	Precision string // "f16"
	KV        string // element type of the state's keys and values: "f16"
	Weights   WeightPlan
	State     StatePlan
	// IndicesApart keeps argmax's indices out of its loop.
	IndicesApart bool
}

// WeightPlan is how matrices are stored and multiplied. All graph kinds read the
// same bytes.
type WeightPlan interface {
	// Store says what graph arguments hold matrices that multiply the same input:
	// all in one, each alone, or anything between. name is the bundle name, without
	// ".weight", of what holds several of them.
	Store(name string, ms []Linear) []Stored
	// Multiply is x·Wᵀ; args hold the Weights of s. x is f32, [in] or [rows, in]; the
	// result [s.Rows()] or [rows, s.Rows()], f32.
	Multiply(b *ir.Builder, x *ir.Value, s Stored, args []*ir.Value) *ir.Value
	// Rows are rows of W, f32. ids are i32; [] gives [in], [rows] gives [rows, in].
	Rows(b *ir.Builder, ids *ir.Value, s Stored, args []*ir.Value) *ir.Value
}

// Stored is one product x·Wᵀ: W has the rows of Linears one after the other.
type Stored struct {
	Linears []Linear
	Weights []Weight // what holds W
}

// Rows is the number of rows of W: what is stored may have more.
func (s Stored) Rows() int {
	n := 0
	for _, m := range s.Linears {
		n += m.Out
	}
	return n
}

// StatePlan is how the keys and values of a layer lie in the state pool. heads are
// key/value heads; groups the query heads that share one; a sequence has capacity
// rows. Queries and scores have a rows dimension only where several rows of one
// sequence are computed at once.
type StatePlan interface {
	// Capacity is the next good number of rows, at least so many, to hold or to read.
	Capacity(rows int) int
	ChunkAlign() int // chunks of several rows start at multiples of it
	// Pools are the types of a layer's key and value tensors; dimension 0 is the slot.
	Pools(slots, heads, capacity, headDim int) (key, value ir.Type)
	// WriteKeys and WriteValues put x, [heads, rows, headDim] f32, into the pool
	// from row position of slot on (both i32 scalars) and return the pool.
	WriteKeys(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value
	WriteValues(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value
	// ReadKeys and ReadValues are what the pool holds of slot in its first span rows,
	// in the plan's own layout.
	ReadKeys(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value
	ReadValues(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value
	// Scores is q·kᵀ: q [heads, groups, (rows,) headDim] f32 and keys from ReadKeys
	// give [heads, groups, (rows,) span] f32.
	Scores(b *ir.Builder, q, keys *ir.Value) *ir.Value
	// Output is p·v: p [heads, groups, (rows,) span] f32 and values from ReadValues
	// give [heads, groups, (rows,) headDim] f32.
	Output(b *ir.Builder, p, values *ir.Value) *ir.Value
}

// storage are the element types that precisions and states are named for.
var storage = map[string]ir.DType{"f32": ir.F32, "f16": ir.F16, "bf16": ir.BF16}

// PlanFor is the plan of a target for a precision, "" for the target's default one.
// kv is the element type of keys and values, f32 or f16; "" is f32 with precision
// f32, else f16. own is how the checkpoint has its matrices, and with precision Mixed how
// they are to be; nil: nothing is known.
func PlanFor(row *target.Row, precision, kv string, own Formats) (Plan, error) {
	if precision == "" {
		precision = row.DefaultPrecision
	}
	if err := row.CheckPrecision(precision); err != nil {
		return Plan{}, err
	}
	switch {
	case kv == "" && precision == "f32":
		kv = "f32"
	case kv == "":
		kv = "f16"
	case kv != "f32" && kv != "f16":
		return Plan{}, fmt.Errorf("lower: unknown type %q of keys and values (supported: f32, f16)", kv)
	}
	name, weights, err := weightsFor(row, precision, own)
	plan := Plan{Name: name, Precision: precision, KV: kv, Weights: weights, State: denseState{storage[kv]}}
	switch {
	case row.Layout == target.Tiled:
		plan.State = tiledState{storage[kv]}
	case row.Processor == target.GPU:
		plan.State, plan.IndicesApart = gpuState{plan.State.(denseState)}, true
	}
	return plan, err
}

// state is how a layer's keys and values lie: heads that don't fill tiles lie dense.
func (p Plan) state(a archs.Attention) StatePlan {
	if t, ok := p.State.(tiledState); ok && a.HeadDim%lanes != 0 {
		return denseState(t)
	}
	return p.State
}

// weightsFor is how a precision stores weights.
func weightsFor(row *target.Row, precision string, own Formats) (name string, _ WeightPlan, err error) {
	kind, suffix, has := strings.Cut(precision, ":")
	if _, ok := storage[kind]; has && (ok || kind == Keep) {
		return "", nil, fmt.Errorf("lower: precision %s: %s takes nothing after a colon; q4 and q8 take a group size, as in q4:32", precision, kind)
	}
	if dtype, ok := storage[precision]; ok {
		if row.Layout == target.Tiled {
			return "tiled", tiledWeights{dtype}, nil
		}
		return "dense", denseWeights{dtype}, nil
	}
	switch {
	case kind == Mixed && suffix == "":
		return "", nil, fmt.Errorf("lower: precision recipe: which one? name it with --quant-recipe, or as recipe:NAME")
	case kind == Mixed:
		return "packed", packedWeights{own}, nil
	case precision == Keep:
		if own == nil {
			return "", nil, fmt.Errorf("lower: precision keep: a config alone doesn't say how a checkpoint is quantised: name the checkpoint")
		}
		return "packed", packedWeights{own}, nil
	}
	f, ok, err := parseFormat(precision)
	if err != nil {
		return "", nil, err
	}
	if !ok {
		return "", nil, fmt.Errorf("lower: target %s allows precision %s, which no plan has (there are: f32, f16, bf16, keep, q8, q4, recipe)", row.Name, precision)
	}
	return "packed", packedWeights{func(tensor string) Format {
		from := Format{DType: ir.F16}
		if own != nil {
			from = own(tensor)
		}
		return from.Quantised(f.Bits, f.Group)
	}}, nil
}
