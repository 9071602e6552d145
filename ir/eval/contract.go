package eval

import (
	"cmp"
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// contraction is Σ a·b over the reduced dimensions of an iteration space, in f32. The
// operand with fewer distinct elements, x, is laid out densely first; the other, w
// (the weight, the cache), is read once, in place. A result does not depend on which is
// which, on the order of dimensions but the reduced ones, or on the rows beside it.
type contraction struct {
	*machine
	x []float32 // [batch, rows, terms]
	w *array

	batchW, colW, termW      []int // offsets in w: of batches, of columns, of terms
	batchOut, rowOut, colOut []int // offsets in the result
	init                     float32
	out                      []float32
}

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
	// In the order of memory, by a rule that does not ask which one is w.
	slices.SortStableFunc(terms, func(i, j int) int {
		return cmp.Compare(abs(a.stride[j])+abs(b.stride[j]), abs(a.stride[i])+abs(b.stride[i]))
	})

	out := m.alloc(ir.T(ir.F32, a.Shape[:kept]...))
	c := &contraction{machine: m, w: w, init: init, out: elements[float32](out.buf.data)}
	c.batchW, c.colW, c.termW = offsets(w, batch), offsets(w, cols), offsets(w, terms)
	c.batchOut, c.rowOut, c.colOut = offsets(out, batch), offsets(out, rows), offsets(out, cols)
	packed := m.packFloats(x.transpose(slices.Concat(batch, rows, terms, cols)), len(cols))
	c.x = elements[float32](packed.bytes())

	c.compute(terms)
	packed.buf.release()
	return out
}

func abs(x int) int { return max(x, -x) }

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

// compute chooses the loop by how w lies in memory.
func (c *contraction) compute(terms []int) {
	run := contiguousRun(c.colW) // columns side by side
	switch {
	case contiguousRun(c.termW) == len(c.termW) || run < 4:
		c.dots(terms)
	case run%4 == 0 && run <= maxTile && c.termsAreSpaced(run):
		c.tiles(run)
	default:
		c.columns(largestDivisor(run, 256))
	}
}

// termsAreSpaced reports whether each term lies step elements after the one before.
func (c *contraction) termsAreSpaced(step int) bool {
	for k, off := range c.termW {
		if off != k*step {
			return false
		}
	}
	return true
}

// rowBlock is how many rows of x meet a piece of w while it is in cache.
const rowBlock = 32

// piece is a part of the result: rows first to last and width columns of a batch.
type piece struct{ batch, first, last, col, width int }

// pieces divides the result into pieces of width columns and up to rowBlock rows,
// those next to one another sharing the rows of x.
func (c *contraction) pieces(width int, newWorker func() func(p piece)) {
	rows, cols := len(c.rowOut), len(c.colW)/width
	blocks := (rows + rowBlock - 1) / rowBlock
	cost := float64(len(c.termW)*width*(min(rows, rowBlock)+2)) / 2
	c.parallel(len(c.batchW)*blocks*cols, cost, func() func(lo, hi int) {
		do := newWorker()
		return func(lo, hi int) {
			for ; lo < hi; lo++ {
				first := lo / cols % blocks * rowBlock
				do(piece{lo / cols / blocks, first, min(first+rowBlock, rows), lo % cols * width, width})
			}
		}
	})
}

// row is a row of x.
func (c *contraction) row(batch, row int) []float32 {
	n := len(c.termW)
	return c.x[(batch*len(c.rowOut)+row)*n:][:n]
}

// dots computes results one by one: a row of x times the terms of one column of w.
func (c *contraction) dots(terms []int) {
	var shape, stride []int
	for _, d := range terms {
		shape, stride = append(shape, c.w.Shape[d]), append(stride, c.w.stride[d])
	}
	outer, size, step := newNest(shape, &array{stride: stride}).split()
	load, n := storages[c.w.DType].load, len(c.termW)
	c.pieces(1, func() func(p piece) {
		pos, memory := outer.cursor(), make([]float32, n)
		return func(p piece) {
			at := c.w.off + c.batchW[p.batch] + c.colW[p.col]
			column := memory
			for k := 0; k < n; k += size {
				run := load(c.w.buf.data, run(at+pos.off[0], step[0], size), lanes{f: memory[k : k+size]})
				if size == n {
					column = run.f
				} else {
					copy(memory[k:], run.f)
				}
				pos.next()
			}
			for row := p.first; row < p.last; row++ {
				c.out[c.batchOut[p.batch]+c.rowOut[row]+c.colOut[p.col]] = dot(c.init, c.row(p.batch, row), column)
			}
		}
	})
}

// columns computes neighbouring columns at once, which lie side by side in w.
func (c *contraction) columns(width int) {
	load, n := storages[c.w.DType].load, len(c.termW)
	c.pieces(width, func() func(p piece) {
		total, acc, memory := make([]float32, rowBlock*width), make([]float32, rowBlock*width), make([]float32, 4*width)
		var w [4][]float32
		return func(p piece) {
			at := c.w.off + c.batchW[p.batch] + c.colW[p.col]
			c.start(total)
			for k := 0; k < n; k += 4 {
				some := min(4, n-k)
				for j := range some {
					w[j] = load(c.w.buf.data, run(at+c.termW[k+j], 1, width), lanes{f: memory[j*width : (j+1)*width]}).f
				}
				for row := p.first; row < p.last; row++ {
					addTerms(acc[(row-p.first)*width:][:width], c.row(p.batch, row)[k:][:some], &w)
				}
				if (k+4)%termBlock == 0 || k+4 >= n {
					addBlock(total, acc)
				}
			}
			c.finish(total, p)
		}
	})
}

// addBlock adds the sums of one block of terms to the totals and clears them.
func addBlock(total, acc []float32) {
	for i, v := range acc {
		total[i] += v
	}
	clear(acc)
}

// maxTile is the greatest width of a tile: a block of its terms stays in cache.
const maxTile = 32

// tiles computes the columns of one tile at once: width neighbours, of which the next
// term follows immediately on the last, as plans for CPUs lay weights out.
func (c *contraction) tiles(width int) {
	load, n := storages[c.w.DType].load, len(c.termW)
	c.pieces(width, func() func(p piece) {
		total, memory := make([]float32, rowBlock*width), make([]float32, termBlock*width)
		return func(p piece) {
			at := c.w.off + c.batchW[p.batch] + c.colW[p.col]
			c.start(total)
			for k := 0; k < n; k += termBlock {
				some := min(termBlock, n-k)
				tile := load(c.w.buf.data, run(at+k*width, 1, some*width), lanes{f: memory[:some*width]}).f
				for row := p.first; row < p.last; row++ {
					x, sums := c.row(p.batch, row)[k:][:some], total[(row-p.first)*width:][:width]
					for j := 0; j < width; j += 4 {
						addFour((*[4]float32)(sums[j:]), x, tile[j:], width)
					}
				}
			}
			c.finish(total, p)
		}
	})
}

func (c *contraction) start(total []float32) {
	for i := range total {
		total[i] = c.init
	}
}

// finish writes the totals of a piece to the result.
func (c *contraction) finish(total []float32, p piece) {
	for row := p.first; row < p.last; row++ {
		to := c.batchOut[p.batch] + c.rowOut[row]
		for j, v := range total[(row-p.first)*p.width:][:p.width] {
			c.out[to+c.colOut[p.col+j]] = v
		}
	}
}
