package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// reduce folds in row-major order of the reduced dimensions; sums of f32 in an order
// that depends on the shape only. f16 and bf16 accumulators are rounded at each step,
// as the body says.
func reduce(pl *planner, op *ir.Op) (stepFunc, error) {
	bd, err := pl.newBody(op.Regions[0])
	if err != nil {
		return nil, err
	}
	n := len(op.Operands) / 2
	kept, reduced := without(op.Operands[0].Type.Shape, op.Attrs["dimensions"].([]int))
	perm := slices.Concat(kept, reduced)
	sums := bd.loop != nil && op.Regions[0].Ops[0].Name == "stablehlo.add"
	return func(m *machine, fr *frame, in []*array) ([]*array, error) {
		r := &reduction{machine: m, body: bd, frame: fr}
		for k := range n {
			in[k] = in[k].transpose(perm)
			in[n+k] = m.view(in[n+k])
			r.inits = append(r.inits, m.scalar(in[n+k]))
		}
		if sums {
			if a, b := in[0].factors(); a != nil {
				return []*array{m.contract(a, b, len(kept), r.inits[0].f[0])}, nil
			}
		}
		return r.reduce(in[:n], len(kept)), nil
	}, nil
}

// reduction is one execution of a reduce.
type reduction struct {
	*machine
	body  *body
	frame *frame
	inits []lanes
}

// splitAbove is how many elements a result may have before its reduction is split:
// enough for a layer's rows, few enough for one unit of work.
const splitAbove = 1 << 16

// reduce reduces xs over all dimensions but the first kept. A long reduction to few
// results goes by way of one result for each of many segments, in their order: many
// CPUs, and many lanes for a body without a loop of its own, which is slow for one
// element at a time.
func (r *reduction) reduce(xs []*array, kept int) []*array {
	shape := xs[0].Shape
	long := product(shape[kept:]) > splitAbove || r.body.loop == nil
	d := kept // the outermost dimension to reduce
	for d < len(shape) && shape[d] == 1 {
		d++
	}
	if !long || d == len(shape) || product(shape[:kept]) >= block {
		return r.run(xs, kept)
	}
	segments := largestDivisor(shape[d], block)
	if segments < 16 || segments == shape[d] && d == len(shape)-1 {
		return r.run(xs, kept)
	}
	split := slices.Concat(shape[:kept], []int{segments}, shape[kept:d], []int{shape[d] / segments}, shape[d+1:])
	parts := make([]*array, len(xs))
	for k, x := range xs {
		parts[k], _ = x.reshape(split) // a dimension of a view can always be split
	}
	partial := r.reduce(parts, kept+1)
	defer releaseAll(partial)
	return r.reduce(partial, kept)
}

func largestDivisor(n, limit int) int {
	for d := limit; d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}

// run reduces in one go, either along the reduced dimensions, element after element,
// or along the kept ones, many accumulators at a time, where those runs are longer.
func (r *reduction) run(xs []*array, kept int) []*array {
	var out []*array
	for _, x := range xs {
		out = append(out, r.alloc(ir.T(x.DType, x.Shape[:kept]...)))
	}
	e := newExpression(xs...)
	var keep, fold []*array
	for _, v := range e.views {
		keep = append(keep, &array{stride: v.stride[:kept]})
		fold = append(fold, &array{stride: v.stride[kept:]})
	}
	results := newNest(xs[0].Shape[:kept], append(keep, out...)...)
	elements := newNest(xs[0].Shape[kept:], fold...)
	_, across, _ := results.split()
	_, along, _ := elements.split()
	if across > along && (r.body.loop == nil || along < 32) {
		r.across(e, results, elements, out)
	} else {
		r.along(e, results, elements, out)
	}
	return out
}

// along folds run after run of reduced elements into one accumulator.
func (r *reduction) along(e *expression, results, elements *nest, out []*array) {
	outer, size, stride := elements.split()
	width := min(size, block)
	cost := float64(elements.size()) * float64(1+len(e.code.ops)+10*len(r.body.code.ops))
	r.parallel(results.size(), cost, func() func(lo, hi int) {
		at, pos := results.cursor(), outer.cursor()
		in, ev := e.reader(stride, width), r.body.evaluator(r.frame, 1)
		off := make([]int, len(e.views))
		return func(lo, hi int) {
			at.seek(lo)
			for ; lo < hi; lo++ {
				ev.start(r.inits, 1)
				pos.seek(0)
				for range outer.size() {
					for v := range off {
						off[v] = at.off[v] + pos.off[v]
					}
					for skip := 0; skip < size; skip += width {
						n := min(width, size-skip)
						in.read(off, skip, n)
						ev.foldRun(in, r.body, n)
					}
					pos.next()
				}
				ev.save(out, at.off[len(e.views):], 0, 1, nil)
				at.next()
			}
		}
	})
}

// across folds rows of elements into rows of accumulators.
func (r *reduction) across(e *expression, results, elements *nest, out []*array) {
	outer, size, stride := results.split()
	width := min(size, block)
	blocks := (size + width - 1) / width
	cost := float64(elements.size()*width) * float64(1+len(e.code.ops)+len(r.body.code.ops))
	r.parallel(outer.size()*blocks, cost, func() func(lo, hi int) {
		at, pos := outer.cursor(), elements.cursor()
		in, ev := e.reader(stride, width), r.body.evaluator(r.frame, width)
		off := make([]int, len(e.views))
		return func(lo, hi int) {
			for ; lo < hi; lo++ {
				at.seek(lo / blocks)
				skip := lo % blocks * width
				n := min(width, size-skip)
				ev.start(r.inits, n)
				pos.seek(0)
				for range elements.size() {
					for v := range off {
						off[v] = at.off[v] + pos.off[v]
					}
					in.read(off, skip, n)
					for k, x := range in.code.out {
						ev.reg[len(ev.acc)+k] = in.reg[x]
					}
					ev.fold(n)
					pos.next()
				}
				ev.save(out, at.off[len(e.views):], skip, n, stride[len(e.views):])
			}
		}
	})
}

// start sets n accumulators to the initial values.
func (e *evaluator) start(inits []lanes, n int) {
	for k, a := range e.acc {
		for i := range n {
			a.cut(i, i+1).set(inits[k])
		}
	}
}

// foldRun folds n elements that in has read, one after the other.
func (e *evaluator) foldRun(in *reader, bd *body, n int) {
	if bd.loop != nil {
		acc := e.acc[0].f
		acc[0] = bd.loop(acc[0], in.reg[in.code.out[0]].f)
		return
	}
	for i := range n {
		for k, x := range in.code.out {
			e.reg[len(e.acc)+k] = in.reg[x].cut(i, i+1)
		}
		e.fold(1)
	}
}

// save writes n accumulators to the results.
func (e *evaluator) save(out []*array, off []int, skip, n int, stride []int) {
	for k, a := range out {
		step := 0
		if stride != nil {
			step = stride[k]
		}
		storages[a.DType].save(a.buf.data, off[k]+skip*step, step, e.acc[k].cut(0, n))
	}
}
