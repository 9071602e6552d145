package eval

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// array is the value of an SSA value while a Call runs. It is one of
//   - a strided view of a buffer: element (i₀, i₁, …) is number off + Σ iₖ·stride[k];
//     slicing, transposing, broadcasting (stride 0) and reversing (negative stride)
//     only make another view;
//   - an elementwise expression, not computed yet: kernel applied to args, which have
//     the same shape. Its one consumer computes it on the way, block by block, so that
//     a converted weight or a product about to be summed never exists as a whole.
//
// An array holds one reference on the buffer of each view in it. Shapes and strides
// are shared between arrays and never modified.
type array struct {
	ir.Type
	buf    *buffer
	off    int
	stride []int

	op     string // the StableHLO op that kernel computes
	kernel kernel
	args   []*array
}

func (a *array) lazy() bool { return a.kernel != nil }

// contiguous are the strides of a dense row-major array.
func contiguous(shape []int) []int {
	stride := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= shape[i]
	}
	return stride
}

// dense reports whether a is a view whose elements lie in order without gaps.
func (a *array) dense() bool {
	if a.lazy() {
		return false
	}
	n := 1
	for i := len(a.Shape) - 1; i >= 0; i-- {
		if a.Shape[i] != 1 && a.stride[i] != n {
			return false
		}
		n *= a.Shape[i]
	}
	return true
}

// bytes is the memory of a dense array.
func (a *array) bytes() []byte {
	size := a.DType.Size()
	return a.buf.data[a.off*size:][:a.Elements()*size]
}

// leaves are the views that a is made of: itself, or those of its arguments.
func (a *array) leaves(into []*array) []*array {
	if !a.lazy() {
		return append(into, a)
	}
	for _, x := range a.args {
		into = x.leaves(into)
	}
	return into
}

// refersTo reports whether a view in a looks into b.
func (a *array) refersTo(b *buffer) bool {
	return slices.ContainsFunc(a.leaves(nil), func(l *array) bool { return l.buf == b })
}

func (a *array) release() {
	for _, l := range a.leaves(nil) {
		l.buf.release()
	}
}

// share is another array of the same value, with references of its own.
func (a *array) share() *array {
	for _, l := range a.leaves(nil) {
		l.buf.retain()
	}
	return a
}

// window is a view with another shape and other strides; it takes over a's references.
func (a *array) window(off int, shape, stride []int) *array {
	return &array{Type: ir.Type{DType: a.DType, Shape: shape}, buf: a.buf, off: off, stride: stride}
}

// rearrange applies f, which moves elements without computing, to every view in a.
func (a *array) rearrange(f func(*array) *array) *array {
	if !a.lazy() {
		return f(a)
	}
	r := *a
	r.args = make([]*array, len(a.args))
	for i, x := range a.args {
		r.args[i] = x.rearrange(f)
	}
	r.Shape = r.args[0].Shape
	return &r
}

// broadcast: dimension i of a becomes dimension dims[i] of shape.
func (a *array) broadcast(dims, shape []int) *array {
	return a.rearrange(func(l *array) *array {
		stride := make([]int, len(shape))
		for i, d := range dims {
			if l.Shape[i] != 1 {
				stride[d] = l.stride[i]
			}
		}
		return l.window(l.off, shape, stride)
	})
}

// transpose: dimension i of the result is dimension perm[i] of a.
func (a *array) transpose(perm []int) *array {
	return a.rearrange(func(l *array) *array {
		shape, stride := make([]int, len(perm)), make([]int, len(perm))
		for i, p := range perm {
			shape[i], stride[i] = l.Shape[p], l.stride[p]
		}
		return l.window(l.off, shape, stride)
	})
}

// slice takes sizes[i] elements from start[i] on, every step[i]-th (every one if step is nil).
func (a *array) slice(start, sizes, step []int) *array {
	return a.rearrange(func(l *array) *array {
		off, stride := l.off, slices.Clone(l.stride)
		for i, s := range start {
			off += s * l.stride[i]
			if step != nil {
				stride[i] *= step[i]
			}
		}
		return l.window(off, sizes, stride)
	})
}

// reverse turns the order around along dims.
func (a *array) reverse(dims []int) *array {
	return a.rearrange(func(l *array) *array {
		off, stride := l.off, slices.Clone(l.stride)
		for _, d := range dims {
			off += max(0, l.Shape[d]-1) * stride[d]
			stride[d] = -stride[d]
		}
		return l.window(off, l.Shape, stride)
	})
}

// reshape is the view of another shape, if strides can express it for every view in a.
func (a *array) reshape(shape []int) (*array, bool) {
	for _, l := range a.leaves(nil) {
		if _, ok := reshaped(l.Shape, l.stride, shape); !ok {
			return nil, false
		}
	}
	return a.rearrange(func(l *array) *array {
		stride, _ := reshaped(l.Shape, l.stride, shape)
		return l.window(l.off, shape, stride)
	}), true
}

// reshaped are the strides that show a view of shape from as one of shape to, which
// has as many elements. Dimensions are matched in groups of equal size; one group
// can be split anew only if its elements are evenly spaced.
func reshaped(from, stride, to []int) ([]int, bool) {
	out := contiguous(to)
	if slices.Contains(to, 0) {
		return out, true
	}
	i, j := 0, 0
	for i < len(from) && j < len(to) {
		ni, nj := from[i], to[j]
		i1, j1 := i+1, j+1
		for ni != nj {
			if ni < nj {
				ni *= from[i1]
				i1++
			} else {
				nj *= to[j1]
				j1++
			}
		}
		step, ok := spacing(from[i:i1], stride[i:i1])
		if !ok {
			return nil, false
		}
		for k := j1 - 1; k >= j; k-- {
			out[k] = step
			step *= to[k]
		}
		i, j = i1, j1
	}
	return out, true // what is left has size 1
}

// spacing is the distance of neighbours in row-major order, if it is the same everywhere.
func spacing(shape, stride []int) (int, bool) {
	step, n, known := 0, 1, false
	for k := len(shape) - 1; k >= 0; k-- {
		switch {
		case shape[k] == 1:
		case !known:
			step, n, known = stride[k], shape[k], true
		case stride[k] != step*n:
			return 0, false
		default:
			n *= shape[k]
		}
	}
	return step, true
}
