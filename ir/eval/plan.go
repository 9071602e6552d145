package eval

import (
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// function is a prepared ir.Func. Each of its values, those inside regions too, has
// a slot in the frame of an activation.
type function struct {
	ir    *ir.Func
	slots int
	body  *sequence
}

// sequence is a prepared block.
type sequence struct {
	args    []int // the slots of the block's arguments, unusedSlot if nothing reads it
	steps   []step
	results []operand // what the terminator returns
}

// step is a prepared operation.
type step struct {
	op       *ir.Op
	in       []operand
	captured []operand // what the op's regions read of the blocks around
	out      []int     // the slots of the results, unusedSlot if nothing reads it
	lazy     bool      // the result may stay an expression: this block uses it, once
	cast     bool      // the result may stay a conversion: only this block uses it
	run      stepFunc
}

// operand is a slot to read. The last one to read it takes the array over.
type operand struct {
	slot int
	last bool
}

const unusedSlot = -1

// stepFunc executes an operation. It owns the arrays in in: what it passes on, it
// takes out of the slice (see take); the rest is released after it.
type stepFunc func(m *machine, fr *frame, in []*array) ([]*array, error)

// take moves in[i] out of the operands of a step.
func take(in []*array, i int) *array {
	a := in[i]
	in[i] = nil
	return a
}

// planner prepares one function.
type planner struct {
	program *Program
	slot    map[*ir.Value]int
	fn      *function
}

func (p *Program) plan(f *ir.Func) (*function, error) {
	pl := &planner{program: p, slot: map[*ir.Value]int{}, fn: &function{ir: f}}
	body, err := pl.sequence(f.Args, f.Body)
	if err != nil {
		return nil, fmt.Errorf("eval: function @%s: %w", f.Name, err)
	}
	pl.fn.body = body
	return pl.fn, nil
}

func (pl *planner) define(vs []*ir.Value, uses map[*ir.Value]int) []int {
	slots := make([]int, len(vs))
	for i, v := range vs {
		slots[i] = unusedSlot
		if uses[v] > 0 {
			slots[i] = pl.fn.slots
			pl.slot[v] = pl.fn.slots
			pl.fn.slots++
		}
	}
	return slots
}

// sequence prepares a block: first forwards, then liveness backwards.
func (pl *planner) sequence(args []*ir.Value, b *ir.Block) (*sequence, error) {
	ops := joinSums(b)
	uses, inner := map[*ir.Value]int{}, map[*ir.Value]bool{}
	for _, op := range ops {
		for _, v := range op.Operands {
			uses[v]++
		}
		for _, v := range captures(op) {
			uses[v]++
			inner[v] = true
		}
	}
	own := map[int]bool{} // the slots defined in this block: only they end in it
	s := &sequence{args: pl.define(args, uses)}
	for _, slot := range s.args {
		own[slot] = true
	}
	for _, op := range ops {
		in := pl.operands(op.Operands)
		if op == ops[len(ops)-1] {
			s.results = in
			break
		}
		st := step{op: op, in: in, captured: pl.operands(captures(op))}
		var err error
		if st.run, err = pl.prepare(op); err != nil {
			return nil, err
		}
		st.out = pl.define(op.Results, uses)
		for i, v := range op.Results {
			own[st.out[i]] = true
			st.lazy, st.cast = uses[v] == 1 && !inner[v], !inner[v]
		}
		s.steps = append(s.steps, st)
	}
	s.markLast(own)
	return s, nil
}

func (pl *planner) operands(vs []*ir.Value) []operand {
	out := make([]operand, len(vs))
	for i, v := range vs {
		out[i].slot = pl.slot[v]
	}
	return out
}

// markLast finds the last use of each slot of the block itself.
func (s *sequence) markLast(own map[int]bool) {
	seen := map[int]bool{}
	mark := func(ops []operand) {
		for i := len(ops) - 1; i >= 0; i-- {
			o := &ops[i]
			o.last = own[o.slot] && !seen[o.slot]
			seen[o.slot] = true
		}
	}
	mark(s.results)
	for i := len(s.steps) - 1; i >= 0; i-- {
		mark(s.steps[i].captured)
		mark(s.steps[i].in)
	}
}

// captures are the values that op's regions use and do not define, each once.
func captures(op *ir.Op) []*ir.Value {
	var out []*ir.Value
	seen := map[*ir.Value]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, v := range b.Args {
			seen[v] = true
		}
		for _, o := range b.Ops {
			for _, v := range o.Operands {
				if !seen[v] {
					seen[v] = true
					out = append(out, v)
				}
			}
			for _, r := range o.Regions {
				visit(r)
			}
			for _, v := range o.Results {
				seen[v] = true
			}
		}
	}
	for _, r := range op.Regions {
		visit(r)
	}
	return out
}
