package lower

import "slices"

// Rule is how the compiler is to tile one kind of loop nest: parallel loops, then
// reductions. Tiles are per loop; 0 is no tiling.
type Rule struct {
	Parallel, Reduction int   // number of loops
	Sizes               []int // of the loops that a nest must have
	Distribution        []int // what a workgroup takes
	Vector              []int // of the parallel loops in registers
	Unroll              []int // of the reductions in registers
}

// scheduler is a WeightPlan whose products need rules of their own.
type scheduler interface {
	// Rules are those of a product of so many rows, 0 for a vector.
	Rules(s Stored, rows int) []Rule
}

// rules are those of all products of the graphs, each once.
func rules(plan WeightPlan, p *params, graphs []GraphKind) []Rule {
	s, ok := plan.(scheduler)
	if !ok {
		return nil
	}
	var all []Rule
	add := func(p projection, rows int) {
		for _, stored := range p.stored {
			for _, r := range s.Rules(stored.Stored, rows) {
				if !slices.ContainsFunc(all, r.equal) {
					all = append(all, r)
				}
			}
		}
	}
	for _, k := range graphs {
		rows := k.leadRows()
		for _, l := range p.layers {
			for _, projection := range []projection{l.qkv, l.out, l.gateUp, l.down} {
				add(projection, rows)
			}
		}
		if k.Kind == Prefill {
			rows = 0 // only the last row has logits
		}
		add(p.head, rows)
	}
	return all
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
