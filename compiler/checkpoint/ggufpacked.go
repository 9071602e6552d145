package checkpoint

import (
	"slices"
	"sync"

	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// packedGGUF reads a matrix of an affine block type as codes, scales and biases, nil
// for other tensors. headDim is that of ggufRows.
func packedGGUF(t gguf.Tensor, headDim int) *packed {
	bits, group, centre, ok := t.Type.Affine()
	if !ok || len(t.Shape) < 2 || len(t.Data) == 0 {
		return nil
	}
	m := ggufMatrix{t, headDim, group, centre}
	p := &packed{
		bits: bits, group: group, centre: centre,
		scale: sync.OnceValue(m.scale),
		codes: func(dst []byte, from, to int) { m.codes(dst, bits, from, to) },
		scales: func(dst []byte, d ir.DType, from, to int) {
			m.factors(from, to, func(scales, _ []float32) bool { dst = put(dst, d, scales); return true })
		},
	}
	if centre == 0 {
		p.biases = func(dst []byte, d ir.DType, from, to int) {
			m.factors(from, to, func(_, biases []float32) bool { dst = put(dst, d, biases); return true })
		}
	}
	return p
}

// put writes x to dst as d, and returns the rest of dst.
func put(dst []byte, d ir.DType, x []float32) []byte {
	narrow[d](dst, x)
	return dst[len(x)*d.Size():]
}

// ggufMatrix is a matrix of an affine block type.
type ggufMatrix struct {
	gguf.Tensor
	headDim, group, centre int
}

// row is the encoded row that is HF's row i, of so many elements.
func (m ggufMatrix) row(i int) (data []byte, width int) {
	_, width = Tensor{Shape: m.Shape}.rows()
	size := m.Type.RowBytes(width)
	return m.Data[ggufRow(i, m.headDim)*size:][:size], width
}

// codes writes rows of packed codes.
func (m ggufMatrix) codes(dst []byte, bits, from, to int) {
	var codes []uint8
	for i := from; i < to; i++ {
		row, width := m.row(i)
		codes = slices.Grow(codes[:0], width)[:width]
		gguf.Codes(codes, m.Type, row)
		quant.Pack(dst, codes, bits)
		dst = dst[width*bits/8:]
	}
}

// factors yields the scales of each row, and the biases if there is no centre, until
// told to stop.
func (m ggufMatrix) factors(from, to int, yield func(scales, biases []float32) bool) {
	var scales, biases []float32
	for i := from; i < to; i++ {
		row, width := m.row(i)
		n := width / m.group
		scales, biases = slices.Grow(scales[:0], n)[:n], slices.Grow(biases[:0], n)[:n]
		gguf.Scales(scales, biases, m.Type, row)
		if !yield(scales, biases) {
			return
		}
	}
}

// scale is the narrowest type that holds all scales and biases: F16, in which the file
// has them, unless there is a second level of scales.
func (m ggufMatrix) scale() ir.DType {
	var e exactness
	m.factors(0, m.Shape[0], func(scales, biases []float32) bool {
		more := e.add(scales)
		if m.centre == 0 {
			more = e.add(biases)
		}
		return more
	})
	return e.dtype()
}
