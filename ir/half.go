package ir

import "math"

// Conversions between f32 and the two 16-bit float types, in IEEE 754 bit
// patterns. Narrowing rounds to nearest even, overflows to infinity, keeps
// subnormals and keeps the sign and the upper payload bits of a NaN, made quiet.

// F16ToF32 is the exact f32 value of an f16 bit pattern.
func F16ToF32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h) & 0x3ff
	switch {
	case exp == 0x1f: // infinity, NaN
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	case exp == 0: // zero, subnormal: frac × 2^-24
		v := float32(frac) * (1.0 / (1 << 24))
		return math.Float32frombits(sign | math.Float32bits(v))
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// F32ToF16 is the f16 bit pattern nearest to v.
func F32ToF16(v float32) uint16 {
	b := math.Float32bits(v)
	sign := uint16(b>>16) & 0x8000
	abs := b &^ (1 << 31)
	switch {
	case abs > 0xff<<23: // NaN
		return sign | 0x7e00 | uint16(abs>>13)&0x3ff
	case abs >= 0x477ff000: // 65520 and above round to infinity
		return sign | 0x7c00
	case abs < 0x38800000: // below 2^-14: a multiple of 2^-24
		units := math.RoundToEven(float64(math.Float32frombits(abs)) * (1 << 24))
		return sign | uint16(units)
	}
	return sign | uint16(roundShift(abs-(127-15)<<23, 13))
}

// BF16ToF32 is the exact f32 value of a bf16 bit pattern.
func BF16ToF32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F32ToBF16 is the bf16 bit pattern nearest to v.
func F32ToBF16(v float32) uint16 {
	b := math.Float32bits(v)
	if b&^(1<<31) > 0xff<<23 { // NaN
		return uint16(b>>16) | 0x40
	}
	return uint16(roundShift(b, 16))
}

// roundShift is b >> n rounded to nearest even. A carry out of the fraction
// steps the exponent, which is right.
func roundShift(b uint32, n uint) uint32 {
	return (b + 1<<(n-1) - 1 + b>>n&1) >> n
}

// RoundToOdd is v as f32 rounded to odd: an inexact result gets an odd last bit.
// Rounding it again to a type at least two bits narrower gives the correctly
// rounded value of v, which rounding twice to nearest does not.
func RoundToOdd(v float64) float32 {
	f := float32(v)
	if float64(f) == v || math.IsNaN(v) || math.IsInf(v, 0) {
		return f
	}
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(v) { // rounded away from zero: step back
		b--
	}
	return math.Float32frombits(b | 1)
}
