package lower

import (
	"cmp"
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/lower/target"
)

// Rule is how the compiler is to tile one kind of loop nest: parallel loops, then
// reductions. Tiles are per loop; 0 is no tiling.
type Rule struct {
	Parallel, Reduction int   // number of loops
	Sizes               []int // of the loops that a nest must have
	Distribution        []int // what a workgroup takes
	Vector              []int // of the parallel loops in registers
	Unroll              []int // of the reductions in registers
}

// newRule is the rule of a nest: tiles of the parallel loops, what a step takes of the
// reductions. IREE drops loops of one step, and so does the rule.
func newRule(sizes, distribution, vector, unroll []int) Rule {
	r := Rule{}
	for i, n := range sizes {
		if n == 1 {
			continue
		}
		r.Sizes = append(r.Sizes, n)
		if j := i - len(distribution); j >= 0 {
			r.Reduction++
			r.Distribution, r.Vector, r.Unroll = append(r.Distribution, 0), append(r.Vector, 0), append(r.Unroll, unroll[j])
		} else {
			r.Parallel++
			r.Distribution, r.Vector, r.Unroll = append(r.Distribution, distribution[i]), append(r.Vector, vector[i]), append(r.Unroll, 0)
		}
	}
	return r
}

// scheduler is a WeightPlan whose products need rules of their own.
type scheduler interface {
	// Rules are those of a product of so many rows, 0 for a vector.
	Rules(s Stored, rows int, v target.Vector) []Rule
}

// stateScheduler is a StatePlan whose products need rules of their own.
type stateScheduler interface {
	// Rules are those of the attention of so many rows of a sequence, 0 for a vector,
	// to the first span rows of the state.
	Rules(a archs.Attention, rows, span int, v target.Vector) []Rule
}

// Rules are what the compiler must be told about the loops of some of the program's graphs
// for a processor with such registers, each once; none: nothing. Products of rows of one
// or two numbers, whose sums IREE drops, need no rule.
func (p *Program) Rules(v target.Vector, graphs ...GraphKind) []Rule {
	if v.Lanes == 0 {
		return nil
	}
	var all []Rule
	add := func(rules []Rule) {
		for _, r := range rules {
			if r.Reduction > 0 && !slices.ContainsFunc(all, r.equal) {
				all = append(all, r)
			}
		}
	}
	for _, k := range graphs {
		add(p.linearRules(k, v))
		add(p.attentionRules(k, v))
	}
	return all
}

// linearRules are those of the products with weights.
func (p *Program) linearRules(k GraphKind, v target.Vector) (rules []Rule) {
	s, ok := p.plan.Weights.(scheduler)
	if !ok {
		return nil
	}
	add := func(p projection, rows int) {
		for _, stored := range p.stored {
			rules = append(rules, s.Rules(stored.Stored, rows, v)...)
		}
	}
	rows := k.leadRows()
	for _, l := range p.params.layers {
		for _, projection := range []projection{l.qkv, l.out, l.gateUp, l.down} {
			add(projection, rows)
		}
	}
	if k.Kind == Prefill {
		rows = 0 // only the last row has logits
	}
	add(p.params.head, rows)
	return rules
}

// attentionRules are those of the products with the state.
func (p *Program) attentionRules(k GraphKind, v target.Vector) (rules []Rule) {
	rows := 0 // a batch attends row by row
	if k.Kind == Prefill {
		rows = k.Rows
	}
	for _, l := range p.Spec.Layers {
		if s, ok := p.plan.state(l.Attention).(stateScheduler); ok {
			rules = append(rules, s.Rules(l.Attention, rows, cmp.Or(k.Span, p.Capacity), v)...)
		}
	}
	return rules
}

// leadRows is the leading dimension of activations, 0 if there is none.
func (k GraphKind) leadRows() int {
	if k.Kind == Decode {
		return 0
	}
	return k.Rows
}

func (r Rule) equal(o Rule) bool {
	return r.Parallel == o.Parallel && r.Reduction == o.Reduction && slices.Equal(r.Sizes, o.Sizes) &&
		slices.Equal(r.Distribution, o.Distribution) && slices.Equal(r.Vector, o.Vector) && slices.Equal(r.Unroll, o.Unroll)
}

// divisor is the largest divisor of n up to limit.
func divisor(n, limit int) int {
	d := max(1, min(n, limit))
	for n%d != 0 {
		d--
	}
	return d
}

// manyRows is the rule of x·Wᵀ for x [rows, in] and W [tiles, in, lanes], summed in
// registers over in. A workgroup's tiles stay in the second cache while it goes through
// its rows; the more rows, the fewer times W comes from the third, which neighbours
// share. Half of the rows at most, so that workgroups are of an even number.
func manyRows(rows, tiles, in int, v target.Vector) Rule {
	const (
		cached  = 400 << 10 // bytes of W, in f32
		maxRows = 128
	)
	share := divisor(tiles, cached/(in*lanes*4))
	return newRule([]int{rows, tiles, lanes, in},
		[]int{divisor(rows, max(16, min(rows/2, maxRows))), share, lanes}, []int{divisor(rows, v.Rows), 1, lanes}, []int{1})
}

// workgroupTiles is how many tiles a workgroup takes: a divisor that makes an even
// number of workgroups, more of them for larger matrices.
func workgroupTiles(tiles, in int) int {
	const perWorkgroup = 220 << 10 // elements
	workgroups := min(max(tiles*lanes*in/perWorkgroup, 4), 64)
	for d := tiles / workgroups; d > 1; d-- {
		if tiles%d == 0 && tiles/d%2 == 0 {
			return d
		}
	}
	return 1
}
