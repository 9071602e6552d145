package eval

import "github.com/mlxc/mlxc/ir"

// frame holds the values of one activation of a function.
type frame struct {
	slots []*array
}

// bind puts arrays, which it owns, into slots.
func (fr *frame) bind(slots []int, arrays []*array) {
	for i, a := range arrays {
		if slots[i] == unusedSlot {
			a.release()
		} else {
			fr.slots[slots[i]] = a
		}
	}
}

// fetch reads operands; a last use empties its slot.
func (fr *frame) fetch(ops []operand) []*array {
	out := make([]*array, len(ops))
	for i, o := range ops {
		if o.last {
			out[i], fr.slots[o.slot] = fr.slots[o.slot], nil
		} else {
			out[i] = fr.slots[o.slot].share()
		}
	}
	return out
}

func releaseAll(arrays []*array) {
	for _, a := range arrays {
		if a != nil {
			a.release()
		}
	}
}

// execute runs a block on arguments, which it takes over.
func (m *machine) execute(fr *frame, s *sequence, args []*array) ([]*array, error) {
	fr.bind(s.args, args)
	for i := range s.steps {
		st := &s.steps[i]
		in := fr.fetch(st.in)
		out, err := st.run(m, fr, in)
		if err != nil {
			return nil, err
		}
		if len(out) == 1 && !st.lazy && !(st.cast && out[0].isCast()) {
			out[0] = m.view(out[0])
		}
		// An ended context stops kernels half-way: nothing may be done with results.
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		releaseAll(in)
		for _, o := range st.captured {
			if o.last {
				fr.slots[o.slot].release()
				fr.slots[o.slot] = nil
			}
		}
		fr.bind(st.out, out)
	}
	out := fr.fetch(s.results)
	for i := range out {
		out[i] = m.view(out[i])
	}
	return out, m.ctx.Err()
}

// activate runs a function on arguments, which it takes over.
func (m *machine) activate(f *function, args []*array) ([]*array, error) {
	return m.execute(&frame{make([]*array, f.slots)}, f.body, args)
}

// views computes the expressions among in: what leaves a block is no expression.
func (m *machine) views(in []*array) []*array {
	out := make([]*array, len(in))
	for i := range in {
		out[i] = m.view(take(in, i))
	}
	return out
}

// call runs another function: the callee of a call or the decomposition of a
// composite. Dead operands become the callee's own, so that it can update them in
// place.
func call(attr string) func(pl *planner, op *ir.Op) (stepFunc, error) {
	return func(pl *planner, op *ir.Op) (stepFunc, error) {
		name := op.Attrs[attr].(string)
		return func(m *machine, _ *frame, in []*array) ([]*array, error) {
			return m.activate(m.program.funcs[name], m.views(in))
		}, nil
	}
}

// while carries its operands through the body as long as the condition holds. Both
// regions run in the frame of the function around and read its slots.
func while(pl *planner, op *ir.Op) (stepFunc, error) {
	cond, err := pl.sequence(op.Regions[0].Args, op.Regions[0])
	if err != nil {
		return nil, err
	}
	body, err := pl.sequence(op.Regions[1].Args, op.Regions[1])
	if err != nil {
		return nil, err
	}
	return func(m *machine, fr *frame, in []*array) ([]*array, error) {
		carried := m.views(in)
		for {
			for _, a := range carried {
				a.share()
			}
			holds, err := m.execute(fr, cond, carried)
			if err != nil {
				return nil, err
			}
			again := m.scalar(holds[0]).i[0] != 0
			holds[0].release()
			if !again {
				return carried, nil
			}
			if carried, err = m.execute(fr, body, carried); err != nil {
				return nil, err
			}
		}
	}, nil
}

func barrier(*planner, *ir.Op) (stepFunc, error) {
	return func(m *machine, _ *frame, in []*array) ([]*array, error) { return m.views(in), nil }, nil
}

// scalar reads the one element of a view.
func (m *machine) scalar(a *array) lanes {
	return storages[a.DType].load(a.buf.data, run(a.off, 1, 1), newLanes(a.DType, 1))
}
