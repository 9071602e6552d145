package compiler

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// rowReader is what a recipe needs of a checkpoint.
type rowReader interface {
	ReadRows(dst []byte, d ir.DType, name string, from, to int) error
}

// pieceBytes is how much of a weight, in f32, is read at a time; between pieces an
// interruption is noticed. Unless its recipe rearranges it as a whole, no more of it is in
// memory.
const pieceBytes = 4 << 20

// pack executes a weight's recipe and writes the result, dense and row-major. found is
// told of numbers that aren't finite, once for each piece that has any, and may refuse them.
func pack(ctx context.Context, c rowReader, w lower.Weight, out io.Writer, found func(broken) error) error {
	rearranges := slices.ContainsFunc(w.Recipe.Steps, func(s lower.Step) bool { return s.Op != "reshape" })
	if !rearranges {
		return readSources(ctx, c, w, pieceBytes, found, func(piece []byte) error {
			_, err := out.Write(piece)
			return err
		})
	}
	whole := make([]byte, 0, w.Type.Bytes())
	err := readSources(ctx, c, w, pieceBytes, found, func(piece []byte) error {
		whole = append(whole, piece...)
		return nil
	})
	if err != nil {
		return err
	}
	whole, err = rearrange(w, whole)
	if err != nil {
		return err
	}
	_, err = out.Write(whole)
	return err
}

// readSources yields the concatenated rows of what the recipe takes of its sources in
// pieces of numbers that have at most limit bytes in f32 (but at least a row).
func readSources(ctx context.Context, c rowReader, w lower.Weight, limit int, found func(broken) error, yield func([]byte) error) error {
	read, err := partReader(c, w)
	if err != nil {
		return err
	}
	read = watched(read, w, found)
	var buf []byte
	for _, s := range w.Recipe.Sources {
		from, to := rowRange(s)
		rowBytes := partElements(w.Recipe, rowElements(s.Shape)) * w.Type.DType.Size()
		step := max(1, limit/max(1, ir.F32.Size()*rowElements(s.Shape)))
		for ; from < to; from += step {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			n := min(step, to-from)
			buf = slices.Grow(buf[:0], n*rowBytes)[:n*rowBytes]
			if err := read(buf, s, from, from+n); err != nil {
				return err
			}
			if err := yield(buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowRange is the range of rows that a source takes; a scalar is one row.
func rowRange(s lower.Source) (from, to int) {
	if s.To != 0 {
		return s.From, s.To
	}
	if len(s.Shape) == 0 {
		return 0, 1
	}
	return s.From, s.Shape[0]
}

// rowElements is the number of elements of a row: all dimensions but the first.
func rowElements(shape []int) int {
	n := 1
	for _, d := range shape[min(1, len(shape)):] {
		n *= d
	}
	return n
}

// rearrange applies the recipe's steps to the whole weight.
func rearrange(w lower.Weight, data []byte) ([]byte, error) {
	shape, err := sourceShape(w)
	if err != nil {
		return nil, err
	}
	for _, s := range w.Recipe.Steps {
		step, ok := steps[s.Op]
		if !ok {
			return nil, fmt.Errorf("compiler: weight %s: recipe step %q is unknown", w.Name, s.Op)
		}
		if shape, data, err = step(shape, data, w.Type.DType.Size(), s.Args); err != nil {
			return nil, fmt.Errorf("compiler: weight %s: recipe step %s%v: %w", w.Name, s.Op, s.Args, err)
		}
	}
	if !slices.Equal(shape, w.Type.Shape) {
		return nil, fmt.Errorf("compiler: weight %s: the recipe makes shape %v, the graphs take %v", w.Name, shape, w.Type.Shape)
	}
	return data, nil
}

// sourceShape is the shape of the concatenated sources.
func sourceShape(w lower.Weight) ([]int, error) {
	var shape []int
	for i, s := range w.Recipe.Sources {
		from, to := rowRange(s)
		own := partShape(w.Recipe, s.Shape)
		if i == 0 {
			if shape = slices.Clone(own); len(shape) == 0 {
				continue
			}
			shape[0] = 0
		}
		if len(own) != len(shape) || len(shape) == 0 || !slices.Equal(own[1:], shape[1:]) {
			return nil, fmt.Errorf("compiler: weight %s: sources of shapes %v and %v cannot be concatenated", w.Name, w.Recipe.Sources[0].Shape, s.Shape)
		}
		shape[0] += to - from
	}
	return shape, nil
}

// steps are what recipes can do to a weight: shape, bytes and element size in,
// shape and bytes out.
var steps = map[string]func(shape []int, data []byte, size int, args []int) ([]int, []byte, error){
	"reshape":   reshape,
	"transpose": transpose,
	"pad":       pad,
}

// pad adds rows of zeros.
func pad(shape []int, data []byte, size int, args []int) ([]int, []byte, error) {
	if len(args) != 1 || args[0] < 0 || len(shape) == 0 {
		return nil, nil, fmt.Errorf("shape %v can't be padded so", shape)
	}
	to := slices.Clone(shape)
	to[0] += args[0]
	return to, append(data, make([]byte, args[0]*rowElements(shape)*size)...), nil
}

func reshape(shape []int, data []byte, size int, to []int) ([]int, []byte, error) {
	if ir.T(ir.I8, to...).Elements()*size != len(data) {
		return nil, nil, fmt.Errorf("shape %v has another number of elements", shape)
	}
	return to, data, nil
}

// transpose puts dimension perm[i] of the input at dimension i of the output.
func transpose(shape []int, data []byte, size int, perm []int) ([]int, []byte, error) {
	sorted := slices.Sorted(slices.Values(perm))
	for i := range sorted {
		if sorted[i] != i || len(perm) != len(shape) {
			return nil, nil, fmt.Errorf("not a permutation of the dimensions of shape %v", shape)
		}
	}
	stride := make([]int, len(shape)) // of the input, in bytes
	for i, n := len(shape)-1, size; i >= 0; i-- {
		stride[i] = n
		n *= shape[i]
	}
	to := make([]int, len(perm))
	for i, p := range perm {
		to[i] = shape[p]
	}
	out := make([]byte, 0, len(data))
	index := make([]int, len(to))
	for at := 0; len(out) < len(data); {
		out = append(out, data[at:at+size]...)
		for i := len(to) - 1; i >= 0; i-- {
			index[i]++
			at += stride[perm[i]]
			if index[i] < to[i] {
				break
			}
			at -= to[i] * stride[perm[i]]
			index[i] = 0
		}
	}
	return to, out, nil
}
