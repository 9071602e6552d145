package quant

import "math"

// E2M1 is OCP E2M1, a float of four bits: 0, ½, 1, 1½, 2, 3, 4, 6, and the sign in bit 3.
func E2M1(b uint8) float32 { return small(b&7|b&8<<4, 1, 1) }

// E4M3 is OCP E4M3 (torch float8_e4m3fn): bias 7, no infinity, S1111111 is NaN.
func E4M3(b uint8) float32 {
	if b&0x7f == 0x7f {
		return float32(math.NaN())
	}
	return small(b, 3, 7)
}

// E8M0 is the OCP scale type: 2^(b-127), 255 is NaN.
func E8M0(b uint8) float32 {
	if b == 255 {
		return float32(math.NaN())
	}
	return float32(math.Ldexp(1, int(b)-127))
}

// small reads sign, exponent and fraction of the given width.
func small(b uint8, fractionBits, bias int) float32 {
	fraction := float64(b & (1<<fractionBits - 1))
	exponent := int(b&0x7f) >> fractionBits
	if exponent > 0 {
		fraction += float64(int(1) << fractionBits)
		exponent--
	}
	value := math.Ldexp(fraction, exponent+1-bias-fractionBits)
	if b&0x80 != 0 {
		value = math.Copysign(value, -1)
	}
	return float32(value)
}
