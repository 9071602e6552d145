package ir

import (
	"encoding/binary"
	"math"
)

// Widen reads little-endian numbers of type d, F32, F16 or BF16, which is exact. src has
// len(dst) of them. It panics for other types.
func Widen(dst []float32, d DType, src []byte) {
	switch d {
	case F32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case F16:
		for i := range dst {
			dst[i] = F16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case BF16:
		for i := range dst {
			dst[i] = BF16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	default:
		panic("ir: Widen of " + d.String())
	}
}

// Narrow writes numbers as type d, F32, F16 or BF16, rounded to nearest even. dst has room
// for len(src) of them. It panics for other types.
func Narrow(dst []byte, d DType, src []float32) {
	switch d {
	case F32:
		for i, f := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(f))
		}
	case F16:
		for i, f := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], F32ToF16(f))
		}
	case BF16:
		for i, f := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], F32ToBF16(f))
		}
	default:
		panic("ir: Narrow to " + d.String())
	}
}
