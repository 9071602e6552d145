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

// run reduces in one go.
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
	r.tiles(e, results, elements, out)
	return out
}

// tiles reads tiles of the elements, rows along the innermost reduced dimension, each
// as wide as there are accumulators in work at the same time, and folds row by row.
func (r *reduction) tiles(e *expression, results, elements *nest, out []*array) {
	keptOuter, across, lane := results.split()
	foldOuter, along, row := elements.split()
	width := r.width(across, along, lane[:len(e.views)], row)
	rows := min(along, block/width)
	blocks := (across + width - 1) / width
	cost := float64(elements.size()*width) * float64(2+len(e.code.ops)+len(r.body.code.ops))
	r.parallel(keptOuter.size()*blocks, cost, func() func(lo, hi int) {
		at, pos := keptOuter.cursor(), foldOuter.cursor()
		in, ev := e.reader(rows*width), r.body.evaluator(r.frame, width)
		off := make([]int, len(e.views))
		return func(lo, hi int) {
			for ; lo < hi; lo++ {
				at.seek(lo / blocks)
				first := lo % blocks * width
				n := min(width, across-first)
				ev.start(r.inits, n)
				for range foldOuter.size() {
					if r.ctx.Err() != nil { // the elements of one result may be very many
						return
					}
					for k := 0; k < along; k += rows {
						for v := range off {
							off[v] = at.off[v] + first*lane[v] + pos.off[v] + k*row[v]
						}
						some := min(rows, along-k)
						in.read(off, row, some, lane, n)
						ev.foldRows(in, r.body, some, n)
					}
					pos.next()
				}
				for k, a := range out {
					v := len(e.views) + k
					storages[a.DType].save(a.buf.data, at.off[v]+first*lane[v], lane[v], ev.acc[k].cut(0, n))
				}
			}
		}
	})
}

// width is how many accumulators to fold at the same time: one if the elements of a
// result lie side by side, many if neighbouring results do, or if results have few
// elements or a body that is slow for one.
func (r *reduction) width(across, along int, lane, row []int) int {
	beside := false
	for v := range lane {
		beside = beside || lane[v] == 1 && row[v] != 1
	}
	if beside || across > along && (along < 32 || r.body.loop == nil) {
		return min(across, block)
	}
	return 1
}

// start sets n accumulators to the initial values.
func (e *evaluator) start(inits []lanes, n int) {
	for k, a := range e.acc {
		for i := range n {
			a.cut(i, i+1).set(inits[k])
		}
	}
}

// foldRows folds the rows of width elements that in has read.
func (e *evaluator) foldRows(in *reader, bd *body, rows, width int) {
	if bd.loop != nil {
		acc, x := e.acc[0].f[:width], in.reg[in.code.out[0]].f
		if width == 1 {
			acc[0] = bd.loop.run(acc[0], x)
			return
		}
		bd.loop.rows(acc, x)
		return
	}
	for i := range rows {
		for k, x := range in.code.out {
			e.reg[len(e.acc)+k] = in.reg[x].cut(i*width, (i+1)*width)
		}
		e.fold(width)
	}
}
