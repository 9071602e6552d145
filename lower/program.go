// Package lower turns a Spec into graphs: Spec × graph kind × plan → ir.Module and
// the ordered weights that the module takes as arguments.
//
// One attention driver (attention.go) and one block (block.go) serve every graph
// kind: a layout (layout*.go) says how the rows of a call lie in tensors, a Plan
// (plan.go) how weights and state lie in memory. What a model family is, only the
// Spec says.
package lower

import (
	"fmt"

	"github.com/mlxc/mlxc/archs"
)

// Options of emission.
type Options struct {
	Context int         // positions of a sequence that the state holds
	Slots   int         // sequences that the state holds, the spare one included
	Graphs  []GraphKind // what to emit
}

// Program is everything that one Spec lowers to under one plan.
type Program struct {
	Spec    archs.Spec
	Weights []Weight
	State   []StateTensor
	// Capacity is the number of rows that the state has per sequence: Context plus
	// the smallest chunk less one, rounded up as the plan asks for. So the
	// smallest chunk fits at every position below Context and no
	// dynamic_update_slice is ever clamped; the session uses a larger chunk only
	// where position+rows ≤ Capacity.
	Capacity int
	// ChunkAlign: prefill chunks start at multiples of it (1 for dense).
	ChunkAlign int
	Graphs     []Graph

	plan   Plan
	params *params
}

// Lower makes the graphs of a Spec. Its errors are those of the options, and
// Specs that contradict themselves.
func Lower(spec archs.Spec, plan Plan, o Options) (*Program, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := checkSpec(spec); err != nil {
		return nil, err
	}
	p := &Program{
		Spec:       spec,
		Capacity:   plan.State.Capacity(neededRows(o)),
		ChunkAlign: plan.State.ChunkAlign(),
		plan:       plan,
		params:     listWeights(spec, plan.Weights),
	}
	for _, k := range o.Graphs {
		if k.Kind == Prefill && k.Rows > p.Capacity {
			return nil, fmt.Errorf("lower: graph %s: its rows do not fit into a state of %d rows, for a context of %d: leave it out or ask for more context", k, p.Capacity, o.Context)
		}
		if k.Kind == Prefill && k.Rows%p.ChunkAlign != 0 {
			return nil, fmt.Errorf("lower: graph %s: the state of this plan takes multiples of %d tokens: ask for prefill_c%d", k, p.ChunkAlign, (k.Rows/p.ChunkAlign+1)*p.ChunkAlign)
		}
		if k.Span >= p.Capacity {
			return nil, fmt.Errorf("lower: graph %s: the state has %d rows, for a context of %d, and %s reads all of them: leave it out or ask for more context", k, p.Capacity, o.Context, k.whole())
		}
	}
	p.Weights = p.params.list
	p.State = listState(spec, plan, o.Slots, p.Capacity)
	for _, kind := range o.Graphs {
		g, err := lowerGraph(kind, p)
		if err != nil {
			return nil, fmt.Errorf("lower: graph %s: %w", kind, err)
		}
		p.Graphs = append(p.Graphs, *g)
	}
	return p, nil
}

func (o Options) check() error {
	switch {
	case o.Context < 1:
		return fmt.Errorf("lower: context of %d positions: at least 1 is needed", o.Context)
	case o.Slots < 1:
		return fmt.Errorf("lower: state of %d slots: at least 1 is needed", o.Slots)
	case len(o.Graphs) == 0:
		return fmt.Errorf("lower: no graph kinds: name some of prefill_cN, decode, ragged_bN")
	}
	seen := map[GraphKind]bool{}
	for _, k := range o.Graphs {
		if _, err := ParseGraphKind(k.String()); err != nil {
			return err
		}
		if seen[k] {
			return fmt.Errorf("lower: graph %s is asked for twice", k)
		}
		seen[k] = true
	}
	for _, k := range o.Graphs {
		if !seen[k.whole()] {
			return fmt.Errorf("lower: graph %s is for the first %d positions: add %s for those beyond", k, k.Span, k.whole())
		}
	}
	return nil
}

// neededRows is how many rows a sequence's state must have at least.
func neededRows(o Options) int {
	smallest := 0
	for _, k := range o.Graphs {
		if k.Kind == Prefill && (smallest == 0 || k.Rows < smallest) {
			smallest = k.Rows
		}
	}
	return o.Context + max(smallest, 1) - 1
}

// checkSpec returns what the driver cannot lower. The families of archs make none
// of it; a Spec read from elsewhere may.
func checkSpec(s archs.Spec) error {
	norms := []archs.Norm{s.FinalNorm}
	for i, l := range s.Layers {
		a := l.Attention
		switch {
		case a.KVHeads < 1 || a.Heads%a.KVHeads != 0:
			return fmt.Errorf("lower: layer %d: %d heads are no multiple of %d key/value heads", i, a.Heads, a.KVHeads)
		case a.RoPE < 0 || a.RoPE >= len(s.RoPE):
			return fmt.Errorf("lower: layer %d: RoPE kind %d, there are %d", i, a.RoPE, len(s.RoPE))
		case s.RoPE[a.RoPE].Dim%2 != 0 || s.RoPE[a.RoPE].Dim > a.HeadDim:
			return fmt.Errorf("lower: layer %d: %d rotary dimensions: an even number up to head_dim %d is needed", i, s.RoPE[a.RoPE].Dim, a.HeadDim)
		case activations[l.MLP.Activation] == nil:
			return fmt.Errorf("lower: layer %d: unknown activation %q", i, l.MLP.Activation)
		}
		norms = append(norms, l.Norm)
	}
	for _, n := range norms {
		if n.Kind != archs.RMSNorm {
			return fmt.Errorf("lower: unknown norm %q", n.Kind)
		}
	}
	return nil
}
