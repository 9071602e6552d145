package checkpoint

import (
	"slices"

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
		bits: bits, group: group, centre: centre, super: t.Type.Super(),
		scale:  func() ir.DType { return ir.F16 }, // in which the file has them
		codes:  func(dst []byte, from, to int) { m.codes(dst, bits, from, to) },
		scales: m.reader(func(f *ggufFactors) ([]float32, []uint8) { return f.scales, f.scaleBytes }),
	}
	if centre == 0 {
		p.biases = m.reader(func(f *ggufFactors) ([]float32, []uint8) { return f.biases, f.biasBytes })
	}
	if p.super != 0 {
		p.superScales = m.reader(func(f *ggufFactors) ([]float32, []uint8) { return f.superScales, nil })
	}
	if p.super != 0 && centre == 0 {
		p.superBiases = m.reader(func(f *ggufFactors) ([]float32, []uint8) { return f.superBiases, nil })
	}
	return p
}

// put writes x to dst as d, and returns the rest of dst.
func put(dst []byte, d ir.DType, x []float32) []byte {
	ir.Narrow(dst, d, x)
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

// ggufFactors are those of a row: of each group, and, if there are two levels, the bytes
// of each group and the numbers of each super-group that they are multiplied with.
type ggufFactors struct {
	scales, biases           []float32 // biases count if there is no centre
	scaleBytes, biasBytes    []uint8
	superScales, superBiases []float32
}

// reader reads what pick takes of each row: as I8 or UI8 bytes, else numbers.
func (m ggufMatrix) reader(pick func(*ggufFactors) (numbers []float32, bytes []uint8)) reader {
	return func(dst []byte, d ir.DType, from, to int) {
		m.factors(from, to, func(f *ggufFactors) bool {
			if numbers, bytes := pick(f); sameType[d] != "" {
				dst = put(dst, d, numbers)
			} else {
				dst = dst[copy(dst, bytes):]
			}
			return true
		})
	}
}

// factors yields those of each row, until told to stop.
func (m ggufMatrix) factors(from, to int, yield func(*ggufFactors) bool) {
	if from == to {
		return
	}
	_, width := m.row(from)
	n, super := width/m.group, m.Type.Super()
	f := &ggufFactors{scales: make([]float32, n), biases: make([]float32, n)}
	if super != 0 {
		f.scaleBytes, f.biasBytes = make([]uint8, n), make([]uint8, n)
		f.superScales, f.superBiases = make([]float32, n/super), make([]float32, n/super)
	}
	for i := from; i < to; i++ {
		row, _ := m.row(i)
		gguf.Scales(f.scales, f.biases, m.Type, row)
		if super != 0 {
			gguf.Levels(f.scaleBytes, f.biasBytes, f.superScales, f.superBiases, m.Type, row)
		}
		if !yield(f) {
			return
		}
	}
}
