// Package half converts between float32 and the 16-bit floats: IEEE 754 binary16
// (f16) and bfloat16 (bf16). Narrowing rounds to nearest, ties to even, and
// overflows to infinity; NaN stays NaN (quiet, sign and top payload bits kept).
package half

import "math"

// F16 rounds f to binary16.
func F16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // NaN
		return sign | 0x7e00 | uint16(b>>13&0x1ff)
	case b >= 0x477ff000: // 65520 and above round to infinity
		return sign | 0x7c00
	case b >= 0x38800000: // normal: 2^-14 and above
		return sign | uint16(roundShift(b-112<<23, 13))
	case b >= 0x33000000: // subnormal: 2^-25 and above, in units of 2^-24
		return sign | uint16(roundShift(b&0x7fffff|0x800000, 126-b>>23))
	}
	return sign
}

// roundShift is b / 2^n, n in [1, 31], rounded to nearest, ties to even.
func roundShift(b, n uint32) uint32 {
	return (b + 1<<(n-1) - 1 + b>>n&1) >> n
}

// FromF16 widens binary16, exactly.
func FromF16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero and subnormals: fraction · 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31: // infinity and NaN
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// BF16 rounds f to bfloat16.
func BF16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 { // NaN
		return uint16(b>>16) | 0x40
	}
	return uint16(roundShift(b, 16))
}

// FromBF16 widens bfloat16, exactly.
func FromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// OddF32 narrows x to float32 by rounding to odd: an inexact result has its last
// bit set. Rounding that once more to f16 or bf16 gives what rounding x directly
// would (Boldo & Melquiond, "When double rounding is odd").
func OddF32(x float64) float32 {
	f := float32(x)
	back := float64(f)
	if back == x || x != x {
		return f
	}
	b := math.Float32bits(f)
	if math.Abs(back) > math.Abs(x) {
		b-- // towards zero
	}
	return math.Float32frombits(b | 1)
}
