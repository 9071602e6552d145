package eval

import "slices"

// nest is an iteration space that several views walk together, in row-major order.
type nest struct {
	shape  []int
	stride [][]int // of each view in each dimension
}

// newNest is the space of a shape with the views' strides, in as few dimensions as
// describe the same walk.
func newNest(shape []int, views ...*array) *nest {
	n := &nest{stride: make([][]int, len(views))}
	for d, size := range shape {
		if size == 1 {
			continue
		}
		if last := len(n.shape) - 1; last >= 0 && n.continues(views, d, size) {
			n.shape[last] *= size
			for v, x := range views {
				n.stride[v][last] = x.stride[d]
			}
			continue
		}
		n.shape = append(n.shape, size)
		for v, x := range views {
			n.stride[v] = append(n.stride[v], x.stride[d])
		}
	}
	return n
}

// continues reports whether dimension d follows on the last one without a gap in
// every view.
func (n *nest) continues(views []*array, d, size int) bool {
	last := len(n.shape) - 1
	for v, x := range views {
		if n.stride[v][last] != x.stride[d]*size {
			return false
		}
	}
	return true
}

// split takes the innermost dimension off: its size and the strides of the views.
// A space without dimensions has one of size 1.
func (n *nest) split() (outer *nest, size int, stride []int) {
	stride = make([]int, len(n.stride))
	last := len(n.shape) - 1
	if last < 0 {
		return n, 1, stride
	}
	outer = &nest{shape: n.shape[:last]}
	for v, s := range n.stride {
		outer.stride = append(outer.stride, s[:last])
		stride[v] = s[last]
	}
	return outer, n.shape[last], stride
}

// size is the number of positions.
func (n *nest) size() int { return product(n.shape) }

func product(shape []int) int {
	p := 1
	for _, s := range shape {
		p *= s
	}
	return p
}

// offsets are those of one view at every position, in order.
func (n *nest) offsets(view int) []int {
	all := make([]int, n.size())
	c := n.cursor()
	for i := range all {
		all[i] = c.off[view]
		c.next()
	}
	return all
}

// cursor is a position in a nest.
type cursor struct {
	nest *nest
	at   []int
	off  []int // of each view, relative to its first element
}

func (n *nest) cursor() *cursor {
	return &cursor{n, make([]int, len(n.shape)), make([]int, len(n.stride))}
}

// seek goes to the position with that number.
func (c *cursor) seek(pos int) {
	clear(c.off)
	for d := len(c.at) - 1; d >= 0; d-- {
		c.at[d] = pos % c.nest.shape[d]
		pos /= c.nest.shape[d]
		for v, s := range c.nest.stride {
			c.off[v] += c.at[d] * s[d]
		}
	}
}

// next goes one position on, from the last one to the first.
func (c *cursor) next() {
	for d := len(c.at) - 1; d >= 0; d-- {
		c.at[d]++
		wrap := c.at[d] == c.nest.shape[d]
		for v, s := range c.nest.stride {
			c.off[v] += s[d]
			if wrap {
				c.off[v] -= s[d] * c.at[d]
			}
		}
		if !wrap {
			return
		}
		c.at[d] = 0
	}
}

// without is shape less the dimensions dims, and those dimensions alone.
func without(shape, dims []int) (kept, taken []int) {
	for d := range shape {
		if slices.Contains(dims, d) {
			taken = append(taken, d)
		} else {
			kept = append(kept, d)
		}
	}
	return kept, taken
}
