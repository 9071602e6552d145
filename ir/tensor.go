package ir

import (
	"bytes"
	"encoding/binary"
	"math"
)

// SplatTensor is a tensor whose elements are all v: rounded to nearest even for
// float types (overflow gives infinity); for integer types rounded towards zero,
// and for i1 nonzero means true. A v that the integer type does not hold, or one
// too large for a constant, stops graph building (see Fail).
func SplatTensor(t Type, v float64) *Tensor {
	if err := checkConstantType(t); err != nil {
		Fail("ir: splat of %v: %v", t, err)
	}
	bits, ok := elementBits(t.DType, v)
	if !ok {
		Fail("ir: splat of %v: the element type does not hold %v", t, v)
	}
	data := make([]byte, t.Bytes())
	size := t.DType.Size()
	for i := 0; i < len(data); i += size {
		putBits(data[i:i+size], bits)
	}
	return &Tensor{Type: t, Data: data}
}

// equal reports whether both tensors, values of constants, have the same type and
// bits.
func (t *Tensor) equal(o *Tensor) bool {
	if o == nil || !t.Type.Equal(o.Type) {
		return false
	}
	return bytes.Equal(t.Data, o.Data) || t.isSplat() && o.isSplat() && t.bitsAt(0) == o.bitsAt(0)
}

// bitsAt is the bit pattern of element i, zero-extended.
func (t *Tensor) bitsAt(i int) uint64 {
	size := t.Type.DType.Size()
	var b [8]byte
	copy(b[:size], t.Data[i*size:])
	return binary.LittleEndian.Uint64(b[:])
}

// isSplat reports whether all elements have one bit pattern. Data may hold just one.
func (t *Tensor) isSplat() bool {
	size := t.Type.DType.Size()
	for i := size; i < len(t.Data); i++ {
		if t.Data[i] != t.Data[i-size] {
			return false
		}
	}
	return true
}

// putBits stores the low bytes of bits, little-endian, filling dst.
func putBits(dst []byte, bits uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	copy(dst, b[:])
}

// elementBits is v in element type d as the bit pattern of one element, and
// whether d holds it.
func elementBits(d DType, v float64) (uint64, bool) {
	switch d {
	case F32:
		return uint64(math.Float32bits(float32(v))), true
	case F16:
		return uint64(F32ToF16(RoundToOdd(v))), true
	case BF16:
		return uint64(F32ToBF16(RoundToOdd(v))), true
	case I1:
		if v != 0 {
			return 1, true
		}
		return 0, true
	}
	v = math.Trunc(v)
	lo, hi := integerRange(d)
	if !(v >= float64(lo) && v <= float64(hi)) || v >= 1<<63 {
		return 0, false
	}
	return uint64(int64(v)), true
}

// integerRange is the smallest and the largest value of an integer type.
func integerRange(d DType) (lo, hi int64) {
	if d.IsUnsigned() {
		return 0, 1<<d.Bits() - 1
	}
	return -1 << (d.Bits() - 1), 1<<(d.Bits()-1) - 1
}

// floatOf is the f32 value of a bit pattern of float type d.
func floatOf(d DType, bits uint64) float32 {
	switch d {
	case F16:
		return F16ToF32(uint16(bits))
	case BF16:
		return BF16ToF32(uint16(bits))
	}
	return math.Float32frombits(uint32(bits))
}

// intOf is the value of a bit pattern of integer type d.
func intOf(d DType, bits uint64) int64 {
	if d.IsUnsigned() {
		return int64(bits)
	}
	shift := 64 - 8*d.Size()
	return int64(bits<<shift) >> shift
}
