package eval

import "github.com/mlxc/mlxc/ir"

// sortOp sorts lines along one dimension by merging, so stably in any case.
func sortOp(pl *planner, op *ir.Op) (stepFunc, error) {
	less, err := pl.newBody(op.Regions[0])
	if err != nil {
		return nil, err
	}
	dim := op.Attrs["dimension"].(int)
	return func(m *machine, fr *frame, in []*array) ([]*array, error) {
		var out, lines []*array // what the nest over all lines walks: inputs, then results
		for i := range in {
			in[i] = m.view(in[i])
			out = append(out, m.alloc(in[i].Type))
		}
		shape := in[0].Shape
		n := shape[dim]
		others, _ := without(shape, []int{dim})
		for _, a := range append(in, out...) {
			lines = append(lines, &array{stride: pick(a.stride, others)})
		}
		nest := newNest(pick(shape, others), lines...)
		m.parallel(nest.size(), float64(n*200), func() func(lo, hi int) {
			s := newSorter(m, less.evaluator(fr, 1), in, n, dim)
			at := nest.cursor()
			return func(lo, hi int) {
				at.seek(lo)
				for ; lo < hi; lo++ {
					order := s.sort(at.off)
					for k, a := range in {
						from, to := a.off+at.off[k], at.off[len(in)+k]
						permute(out[k], to, out[k].stride[dim], a, from, a.stride[dim], order)
					}
					at.next()
				}
			}
		})
		return out, nil
	}, nil
}

func pick(xs, at []int) []int {
	out := make([]int, len(at))
	for i, d := range at {
		out[i] = xs[d]
	}
	return out
}

// permute copies the elements of a line of src to one of dst in the given order.
func permute(dst *array, to, toStride int, src *array, from, fromStride int, order []int) {
	move := movers[src.DType.Size()]
	for i, k := range order {
		move(dst.buf.data, to+i*toStride, 1, src.buf.data, from+k*fromStride, 1, 1)
	}
}

// sorter sorts one line after the other.
type sorter struct {
	*machine
	ev     *evaluator
	in     []*array
	dim    int
	lines  []lanes // the elements of the line, of each operand
	order  []int
	merged []int
}

func newSorter(m *machine, ev *evaluator, in []*array, n, dim int) *sorter {
	s := &sorter{machine: m, ev: ev, in: in, dim: dim, order: make([]int, n), merged: make([]int, n)}
	for _, a := range in {
		s.lines = append(s.lines, newLanes(a.DType, n))
	}
	return s
}

// sort returns the order of the line at offsets off.
func (s *sorter) sort(off []int) []int {
	for k, a := range s.in {
		s.lines[k].set(storages[a.DType].load(a.buf.data, run(a.off+off[k], a.stride[s.dim], len(s.order)), s.lines[k]))
	}
	for i := range s.order {
		s.order[i] = i
	}
	s.merge(s.order, s.merged)
	return s.order
}

// merge sorts order with the help of as much free memory.
func (s *sorter) merge(order, free []int) {
	if len(order) < 2 || s.ctx.Err() != nil {
		return
	}
	half := len(order) / 2
	a, b := order[:half], order[half:]
	s.merge(a, free[:half])
	s.merge(b, free[half:])
	copy(free, order)
	a, b = free[:half], free[half:len(order)]
	for i := range order {
		if len(a) == 0 || len(b) > 0 && s.less(b[0], a[0]) {
			order[i], b = b[0], b[1:]
		} else {
			order[i], a = a[0], a[1:]
		}
	}
}

// less asks the comparator whether element i of the line comes before element j.
func (s *sorter) less(i, j int) bool {
	for k, l := range s.lines {
		s.ev.reg[2*k], s.ev.reg[2*k+1] = l.cut(i, i+1), l.cut(j, j+1)
	}
	s.ev.run(1)
	return s.ev.reg[s.ev.code.out[0]].i[0] != 0
}
