package eval

import (
	"cmp"
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// factors are the two views whose products a's elements are, if a is a product of
// two f32 views or of f16 and bf16 ones converted to f32; else nil.
func (a *array) factors() (x, y *array) {
	if a.op != "stablehlo.multiply" || a.DType != ir.F32 {
		return nil, nil
	}
	x, y = a.args[0].floats(), a.args[1].floats()
	if x == nil || y == nil {
		return nil, nil
	}
	return x, y
}

// floats is the view that holds a's values: a itself or what it converts to f32.
func (a *array) floats() *array {
	if a.op == "stablehlo.convert" && a.DType == ir.F32 {
		a = a.args[0]
	}
	if a.lazy() || !a.DType.IsFloat() {
		return nil
	}
	return a
}

// dotGeneral puts both operands into one iteration space: batch, lhs free, rhs
// free, contracted dimensions, each with stride 0 where the operand does not have it.
func dotGeneral(_ *planner, op *ir.Op) (stepFunc, error) {
	dims := func(name string) []int { return op.Attrs[name].([]int) }
	out := op.Results[0].Type
	lhs := operandDims(op.Operands[0].Type, dims("lhs_batching_dimensions"), dims("lhs_contracting_dimensions"))
	rhs := operandDims(op.Operands[1].Type, dims("rhs_batching_dimensions"), dims("rhs_contracting_dimensions"))
	x, y := op.Operands[0].Type.Shape, op.Operands[1].Type.Shape
	var space []int
	for _, d := range slices.Concat(lhs.batch, lhs.free) {
		space = append(space, x[d])
	}
	for _, d := range rhs.free {
		space = append(space, y[d])
	}
	for _, d := range lhs.contract {
		space = append(space, x[d])
	}
	lhsPlaces := lhs.places(len(lhs.batch), len(space))
	rhsPlaces := rhs.places(len(lhs.batch)+len(lhs.free), len(space))
	integer := !out.DType.IsFloat()
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		if integer {
			return []*array{m.integerContract(out, in[0].broadcast(lhsPlaces, space), in[1].broadcast(rhsPlaces, space))}, nil
		}
		for i := range in {
			if in[i].floats() == nil {
				in[i] = m.view(in[i])
			}
		}
		a, b := in[0].floats().broadcast(lhsPlaces, space), in[1].floats().broadcast(rhsPlaces, space)
		r := m.contract(a, b, out.Rank(), 0)
		if out.DType != ir.F32 {
			r = m.copy(&array{Type: out, op: "stablehlo.convert", kernel: convertKernel(ir.F32, out.DType), args: []*array{r}})
		}
		return []*array{r}, nil
	}, nil
}

// dotDims are the dimensions of one operand of a dot_general by their role.
type dotDims struct{ batch, free, contract []int }

func operandDims(t ir.Type, batch, contract []int) dotDims {
	free, _ := without(t.Shape, slices.Concat(batch, contract))
	return dotDims{batch, free, contract}
}

// places says which dimension of the iteration space each dimension of the operand
// is, if its free ones begin at free and the space has rank dimensions.
func (d dotDims) places(free, rank int) []int {
	to := make([]int, len(d.batch)+len(d.free)+len(d.contract))
	for i, x := range d.batch {
		to[x] = i
	}
	for i, x := range d.free {
		to[x] = free + i
	}
	for i, x := range d.contract {
		to[x] = rank - len(d.contract) + i
	}
	return to
}

// integerContract sums products in the element type of the result.
func (m *machine) integerContract(out ir.Type, a, b *array) *array {
	convert := func(x *array) *array {
		return &array{Type: ir.Type{DType: out.DType, Shape: x.Shape}, kernel: convertKernel(x.DType, out.DType), args: []*array{x}}
	}
	product := &array{Type: ir.Type{DType: out.DType, Shape: a.Shape},
		kernel: arithmeticKernel("multiply", out.DType), args: []*array{convert(a), convert(b)}}
	add := &body{types: []ir.DType{out.DType, out.DType}, code: code{inputs: 2, out: []int{2},
		ops: []instruction{{kernel: arithmeticKernel("add", out.DType), args: []int{0, 1}}}}}
	r := &reduction{machine: m, body: add, inits: []lanes{newLanes(out.DType, 1)}}
	return r.run([]*array{product}, out.Rank())[0]
}

// contraction is Σ a·b over the reduced dimensions of an iteration space, in f32. The
// operand with fewer distinct elements, x, is laid out densely first; the other, w
// (the weight, the cache), is read once, in place. A result's sum goes in an order
// that only the layout of w and the number of terms decide: rows of a batch get what
// each would get alone.
type contraction struct {
	*machine
	x []float32 // [batch, rows, terms]
	w *array

	batchW, colW, termW      []int // offsets in w: of batches, of columns, of terms
	batchOut, rowOut, colOut []int // offsets in the result
	init                     float32
	out                      []float32
}

// rowBlock is how many rows of x meet a piece of w while it is in cache.
const rowBlock = 32

// contract computes init + Σ a·b over all dimensions but the first kept; a and b are
// views of float types over one space.
func (m *machine) contract(a, b *array, kept int, init float32) *array {
	x, w := a, b
	if distinct(x) > distinct(w) {
		x, w = w, x
	}
	var batch, rows, cols, terms []int
	for d := range a.Shape {
		switch {
		case d >= kept:
			terms = append(terms, d)
		case a.Shape[d] == 1 || x.stride[d] != 0 && w.stride[d] == 0:
			rows = append(rows, d)
		case x.stride[d] == 0 && w.stride[d] != 0:
			cols = append(cols, d)
		default:
			batch = append(batch, d)
		}
	}
	// Terms in the order in which they lie in w.
	slices.SortStableFunc(terms, func(i, j int) int { return cmp.Compare(abs(w.stride[j]), abs(w.stride[i])) })

	out := m.alloc(ir.T(ir.F32, a.Shape[:kept]...))
	c := &contraction{machine: m, w: w, init: init, out: elements[float32](out.buf.data)}
	c.batchW, c.colW, c.termW = offsets(w, batch), offsets(w, cols), offsets(w, terms)
	c.batchOut, c.rowOut, c.colOut = offsets(out, batch), offsets(out, rows), offsets(out, cols)
	packed := m.packFloats(x.transpose(slices.Concat(batch, rows, terms, cols)), len(cols))
	c.x = elements[float32](packed.bytes())

	if run := contiguousRun(c.colW); run >= 8 && contiguousRun(c.termW) < len(c.termW) {
		c.columns(run)
	} else {
		c.dots(terms)
	}
	packed.buf.release()
	return out
}

// distinct is the number of elements that a view shows, repeats not counted.
func distinct(a *array) int {
	n := 1
	for d, s := range a.stride {
		if s != 0 {
			n *= a.Shape[d]
		}
	}
	return n
}

func abs(x int) int { return max(x, -x) }

// offsets are those of all positions in the dimensions dims of a view.
func offsets(a *array, dims []int) []int {
	var shape, stride []int
	for _, d := range dims {
		shape, stride = append(shape, a.Shape[d]), append(stride, a.stride[d])
	}
	return newNest(shape, &array{stride: stride}).offsets(0)
}

// contiguousRun is how many offsets follow on one another from the first on, as far
// as all of them come in such runs.
func contiguousRun(off []int) int {
	n := 1
	for n < len(off) && off[n] == off[0]+n {
		n++
	}
	for i := n; i < len(off); i++ {
		if i%n != 0 && off[i] != off[i-1]+1 {
			return 1
		}
	}
	if len(off)%n != 0 {
		return 1
	}
	return n
}

// packFloats is a dense f32 array of a view's first element in each of its last
// unused dimensions, with a reference of its own.
func (m *machine) packFloats(a *array, unused int) *array {
	rank := len(a.Shape) - unused
	v := &array{Type: ir.T(a.DType, a.Shape[:rank]...), buf: a.buf, off: a.off, stride: a.stride[:rank]}
	v.buf.retain()
	if a.DType == ir.F32 {
		return m.dense(v)
	}
	return m.copy(&array{Type: v.With(ir.F32), kernel: convertKernel(a.DType, ir.F32), args: []*array{v}})
}

// dots computes results one by one: a row of x times the terms of one column of w.
func (c *contraction) dots(terms []int) {
	rows, n := len(c.rowOut), len(c.termW)
	rowBlocks := (rows + rowBlock - 1) / rowBlock
	cols := len(c.colW)
	var shape, stride []int
	for _, d := range terms {
		shape, stride = append(shape, c.w.Shape[d]), append(stride, c.w.stride[d])
	}
	outer, size, step := newNest(shape, &array{stride: stride}).split()
	load := storages[c.w.DType].load
	c.parallel(len(c.batchW)*rowBlocks*cols, float64(n*(min(rows, rowBlock)+2))/2, func() func(lo, hi int) {
		pos, memory := outer.cursor(), make([]float32, n)
		return func(lo, hi int) {
			for ; lo < hi; lo++ {
				col, first, batch := lo%cols, lo/cols%rowBlocks*rowBlock, lo/cols/rowBlocks
				at := c.w.off + c.batchW[batch] + c.colW[col]
				column := memory
				pos.seek(0)
				for k := 0; k < n; k += size {
					run := load(c.w.buf.data, at+pos.off[0], step[0], lanes{f: memory[k : k+size]})
					if size == n {
						column = run.f
					} else {
						copy(memory[k:], run.f)
					}
					pos.next()
				}
				for row := first; row < min(first+rowBlock, rows); row++ {
					x := c.x[(batch*rows+row)*n:][:n]
					c.out[c.batchOut[batch]+c.rowOut[row]+c.colOut[col]] = c.init + dot(x, column)
				}
			}
		}
	})
}

// columns computes runs of neighbouring columns at once, which lie side by side in w.
func (c *contraction) columns(run int) {
	rows, n := len(c.rowOut), len(c.termW)
	rowBlocks := (rows + rowBlock - 1) / rowBlock
	width := largestDivisor(run, 256)
	pieces := len(c.colW) / width
	load := storages[c.w.DType].load
	c.parallel(len(c.batchW)*rowBlocks*pieces, float64(n*width*(min(rows, rowBlock)+2))/2, func() func(lo, hi int) {
		acc := make([]float32, rowBlock*width)
		memory := make([]float32, 4*width)
		var w [4][]float32
		return func(lo, hi int) {
			for ; lo < hi; lo++ {
				col, first, batch := lo%pieces*width, lo/pieces%rowBlocks*rowBlock, lo/pieces/rowBlocks
				last := min(first+rowBlock, rows)
				at := c.w.off + c.batchW[batch] + c.colW[col]
				for i := range acc {
					acc[i] = c.init
				}
				for k := 0; k < n; k += 4 {
					some := min(4, n-k)
					for j := range some {
						w[j] = load(c.w.buf.data, at+c.termW[k+j], 1, lanes{f: memory[j*width : (j+1)*width]}).f
					}
					for row := first; row < last; row++ {
						x := c.x[(batch*rows+row)*n+k:][:some]
						accumulate(acc[(row-first)*width:][:width], x, &w)
					}
				}
				for row := first; row < last; row++ {
					to := c.batchOut[batch] + c.rowOut[row]
					for j, v := range acc[(row-first)*width:][:width] {
						c.out[to+c.colOut[col+j]] = v
					}
				}
			}
		}
	})
}

// dot is Σ x·w in eight interleaved partial sums. The conversions keep the compiler
// from fusing multiplication and addition, so that all machines agree.
func dot(x, w []float32) float32 {
	w = w[:len(x)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(x) >= 8 && len(w) >= 8 {
		s0 += float32(x[0] * w[0])
		s1 += float32(x[1] * w[1])
		s2 += float32(x[2] * w[2])
		s3 += float32(x[3] * w[3])
		s4 += float32(x[4] * w[4])
		s5 += float32(x[5] * w[5])
		s6 += float32(x[6] * w[6])
		s7 += float32(x[7] * w[7])
		x, w = x[8:], w[8:]
	}
	s := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	for i, v := range x {
		s += float32(v * w[i])
	}
	return s
}

// accumulate adds up to four terms of each column to acc.
func accumulate(acc, x []float32, w *[4][]float32) {
	if len(x) == 4 {
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		n := len(acc)
		w0, w1, w2, w3 := w[0][:n], w[1][:n], w[2][:n], w[3][:n]
		for i := range acc {
			acc[i] += (float32(x0*w0[i]) + float32(x1*w1[i])) + (float32(x2*w2[i]) + float32(x3*w3[i]))
		}
		return
	}
	for j, v := range x {
		for i, u := range w[j][:len(acc)] {
			acc[i] += float32(v * u)
		}
	}
}
