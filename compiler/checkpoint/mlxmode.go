package checkpoint

import (
	"math"
	"slices"
	"sync"

	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// floatMatrix is a matrix of shape [..., out, in] in one of MLX's modes other than
// affine: codes and scales are small floats.
type floatMatrix struct {
	mode           quant.Mode
	weight, scales *safetensors.Tensor
	shape          []int
}

// each yields the codes and scales of matrix rows, those of [from, to) of dimension 0,
// until told to stop. What it yields it uses again.
func (m floatMatrix) each(from, to int, yield func(codes, scales []uint8) bool) {
	_, width := Tensor{Shape: m.shape}.rows()
	in := m.shape[len(m.shape)-1]
	rowBytes, groups := in*m.mode.Bits/8, in/m.mode.Group
	codes := make([]uint8, in)
	for row := from * width / in; row < to*width/in; row++ {
		quant.Unpack(codes, m.weight.Data[row*rowBytes:], m.mode.Bits)
		if !yield(codes, m.scales.Data[row*groups:][:groups]) {
			return
		}
	}
}

// rows reads numbers.
func (m floatMatrix) rows(dst []byte, d ir.DType, from, to int) {
	m.numbers(from, to, func(values []float32) bool { dst = put(dst, d, values); return true })
}

func (m floatMatrix) numbers(from, to int, yield func([]float32) bool) {
	values := make([]float32, m.shape[len(m.shape)-1])
	m.each(from, to, func(codes, scales []uint8) bool {
		m.mode.Dequantize(values, codes, scales)
		return yield(values)
	})
}

// number is the narrowest type that holds all numbers.
func (m floatMatrix) number() ir.DType {
	var e exactness
	m.numbers(0, m.shape[0], e.add)
	return e.dtype()
}

// packed reads the matrix as affine, nil if the mode's numbers can't be written so.
func (m floatMatrix) packed() *packed {
	bits, centre, ok := m.mode.Affine()
	if !ok {
		return nil
	}
	return &packed{
		bits: bits, group: m.mode.Group, centre: centre,
		scale: sync.OnceValue(m.scale),
		codes: func(dst []byte, from, to int) {
			m.each(from, to, func(codes, _ []uint8) bool {
				m.mode.AffineCodes(codes)
				quant.Pack(dst, codes, bits)
				dst = dst[len(codes)*bits/8:]
				return true
			})
		},
		scales: func(dst []byte, d ir.DType, from, to int) {
			m.factors(from, to, func(scales []float32) bool { dst = put(dst, d, scales); return true })
		},
	}
}

// factors yields the affine scales of each row, until told to stop.
func (m floatMatrix) factors(from, to int, yield func(scales []float32) bool) {
	var halves []float32
	m.each(from, to, func(_, scales []uint8) bool {
		halves = halves[:0]
		for _, s := range scales {
			halves = append(halves, m.mode.AffineScale(s))
		}
		return yield(halves)
	})
}

// scale is the narrowest type that holds all affine scales, Invalid if the product of a
// scale and a code, which are up to 24, is beyond f32.
func (m floatMatrix) scale() ir.DType {
	var e exactness
	finite := true
	m.factors(0, m.shape[0], func(scales []float32) bool {
		finite = finite && !slices.ContainsFunc(scales, func(x float32) bool { return math.IsInf(float64(24*x), 0) || math.IsNaN(float64(x)) })
		e.add(scales)
		return finite
	})
	if !finite {
		return ir.Invalid
	}
	return e.dtype()
}

// exactness is which types hold all numbers seen.
type exactness struct{ notF16, notBF16 bool }

// add looks at numbers, and says whether more are worth a look.
func (e *exactness) add(values []float32) bool {
	for _, x := range values {
		e.notF16 = e.notF16 || !same(ir.F16ToF32(ir.F32ToF16(x)), x)
		e.notBF16 = e.notBF16 || !same(ir.BF16ToF32(ir.F32ToBF16(x)), x)
	}
	return !e.notF16 || !e.notBF16
}

// same compares numbers; all NaNs are the same.
func same(a, b float32) bool { return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b)) }

// dtype is the narrowest type.
func (e *exactness) dtype() ir.DType {
	switch {
	case !e.notF16:
		return ir.F16
	case !e.notBF16:
		return ir.BF16
	}
	return ir.F32
}
