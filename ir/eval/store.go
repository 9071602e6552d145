package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// block is how many lanes of an expression are computed at a time: the registers of
// a few instructions stay in the level-1 cache, those of many in the level-2 cache.
const block = 1024

// expression is one or several arrays of equal shape as code over their views.
type expression struct {
	views []*array // the inputs of code, in order
	code  code
}

func newExpression(arrays ...*array) *expression {
	e := &expression{}
	for _, a := range arrays {
		e.views = a.leaves(e.views)
	}
	e.code.inputs = len(e.views)
	view := 0
	var emit func(a *array) int
	emit = func(a *array) int {
		if !a.lazy() {
			view++
			return view - 1
		}
		k, args := a.fused()
		op := instruction{kernel: k, dtype: a.DType}
		for _, x := range args {
			op.args = append(op.args, emit(x))
		}
		e.code.ops = append(e.code.ops, op)
		return e.code.inputs + len(e.code.ops) - 1
	}
	for _, a := range arrays {
		e.code.out = append(e.code.out, emit(a))
	}
	return e
}

// fused is the kernel of an expression and what it is applied to, in the order of
// leaves: of a sum of f32 with a product in it, both ops at once.
func (a *array) fused() (kernel, []*array) {
	if a.op == "stablehlo.add" && a.DType == ir.F32 {
		if p := a.args[1]; p.op == "stablehlo.multiply" {
			return addProduct(0, 1, 2), []*array{a.args[0], p.args[0], p.args[1]}
		}
		if p := a.args[0]; p.op == "stablehlo.multiply" {
			return addProduct(2, 0, 1), []*array{p.args[0], p.args[1], a.args[1]}
		}
	}
	return a.kernel, a.args
}

// addProduct is y + a·b, rounded twice as the two ops are.
func addProduct(y, a, b int) kernel {
	return func(dst lanes, args []lanes) {
		d := dst.f
		y, a, b := args[y].f[:len(d)], args[a].f[:len(d)], args[b].f[:len(d)]
		for i := range d {
			d[i] = y[i] + float32(a[i]*b[i])
		}
	}
}

// reader computes parts of an expression. It serves one goroutine.
type reader struct {
	*registers
	views  []*array
	memory []lanes // where views are loaded to
	held   []part  // what of each view its memory holds
}

func (e *expression) reader(size int) *reader {
	r := &reader{registers: e.code.registers(size), views: e.views, held: make([]part, len(e.views))}
	for _, v := range e.views {
		r.memory = append(r.memory, newLanes(v.DType, size))
	}
	return r
}

// read computes a tile of rows·width elements. View k has the first at off[k] from its
// own first element; rows are row[k] apart and elements of a row lane[k].
func (r *reader) read(off []int, row []int, rows int, lane []int, width int) {
	for k, v := range r.views {
		p := part{v.off + off[k], rows, row[k], width, lane[k]}
		if r.held[k] != p { // a row of x is held while it meets many of a weight
			r.held[k] = p
			r.reg[k] = storages[v.DType].load(v.buf.data, p.flat(), r.memory[k].cut(0, rows*width))
		}
	}
	r.run(rows * width)
}

// flat is p as one row if it can be.
func (p part) flat() part {
	switch {
	case p.rows == 1:
		return run(p.at, p.lane, p.width)
	case p.width == 1:
		return run(p.at, p.row, p.rows)
	case p.row == p.width*p.lane:
		return run(p.at, p.lane, p.size())
	}
	return p
}

// store writes src into the view dst, which has the same shape and type and shares
// no memory with src.
func (m *machine) store(dst, src *array) {
	if src.lazy() {
		m.compute(dst, src)
		return
	}
	n := newNest(dst.Shape, dst, src)
	outer, size, stride := n.split()
	move := movers[dst.DType.Size()]
	m.parallel(outer.size(), float64(size), func() func(lo, hi int) {
		c := outer.cursor()
		return func(lo, hi int) {
			c.seek(lo)
			for ; lo < hi; lo++ {
				move(dst.buf.data, dst.off+c.off[0], stride[0], src.buf.data, src.off+c.off[1], stride[1], size)
				c.next()
			}
		}
	})
}

// compute is store for an expression.
func (m *machine) compute(dst, src *array) {
	e := newExpression(src)
	n := newNest(dst.Shape, slices.Concat(e.views, []*array{dst})...)
	outer, size, stride := n.split()
	last := len(stride) - 1
	blocks := (size + block - 1) / block
	save := storages[dst.DType].save
	direct := dst.DType == ir.F32 && stride[last] == 1
	result := e.code.out[0]
	cost := float64(min(size, block)*len(e.code.ops)) * 2
	m.parallel(outer.size()*blocks, cost, func() func(lo, hi int) {
		c, r := outer.cursor(), e.reader(min(size, block))
		off, none := make([]int, last), make([]int, last) // there is one row only
		return func(lo, hi int) {
			c.seek(lo / blocks)
			for ; lo < hi; lo++ {
				skip := lo % blocks * block
				length := min(block, size-skip)
				at := dst.off + c.off[last] + skip*stride[last]
				for v := range off {
					off[v] = c.off[v] + skip*stride[v]
				}
				if direct { // the last instruction writes into place
					r.scratch[len(r.scratch)-1].f = elements[float32](dst.buf.data)[at : at+length]
				}
				r.read(off, none, 1, stride, length)
				if !direct {
					save(dst.buf.data, at, stride[last], r.reg[result])
				}
				if skip+length == size {
					c.next()
				}
			}
		}
	})
}

// movers copy n elements of a size in bytes between strided places.
var movers = map[int]func(dst []byte, to, toStride int, src []byte, from, fromStride, n int){
	1: move[uint8], 2: move[uint16], 4: move[uint32], 8: move[uint64],
}

func move[T any](dst []byte, to, toStride int, src []byte, from, fromStride, n int) {
	d, s := elements[T](dst), elements[T](src)
	if toStride == 1 && fromStride == 1 {
		copy(d[to:to+n], s[from:from+n])
		return
	}
	for range n {
		d[to] = s[from]
		to += toStride
		from += fromStride
	}
}

// view makes a view out of an expression by computing it; a view stays as it is.
func (m *machine) view(a *array) *array {
	if !a.lazy() {
		return a
	}
	return m.copy(a)
}

// dense makes a dense array of a.
func (m *machine) dense(a *array) *array {
	if a.dense() {
		return a
	}
	return m.copy(a)
}

// copy computes a into a new dense array, which takes a's place.
func (m *machine) copy(a *array) *array {
	d := m.alloc(a.Type)
	m.store(d, a)
	a.release()
	return d
}
