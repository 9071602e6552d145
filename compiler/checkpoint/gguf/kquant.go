package gguf

// The K types have two levels of scales: a block of 256 has one or two f16, and each
// group in it small integers to multiply them with. The products, 11 bits by 6 or 8,
// are exact in f32.

// scalesK multiplies both levels of Q4_K and Q5_K.
func scalesK(scales, biases []float32, block []byte) {
	var bytes, minima [8]uint8
	d, dmin := levelsK(bytes[:], minima[:], block)
	for i := range scales {
		scales[i], biases[i] = d*float32(bytes[i]), dmin*float32(minima[i])
	}
}

// levelsK is the beginning of Q4_K and Q5_K: f16 d and dmin, then scale and minimum of
// 8 groups in 6 bits each. The bias is -dmin·minimum.
func levelsK(scales, minima []uint8, block []byte) (d, dmin float32) {
	for i := range scales {
		scales[i], minima[i] = sixBits(block[4:16], i)
	}
	return f16(block), -f16(block[2:])
}

// sixBits are scale and minimum of group i. The first four groups have them in the low
// six bits of bytes 0–3 and 4–7; the others have four bits in bytes 8–11, and the two
// high bits of the former bytes.
func sixBits(packed []byte, i int) (scale, minimum uint8) {
	if i < 4 {
		return packed[i] & 63, packed[i+4] & 63
	}
	return packed[i+4]&15 | packed[i-4]>>6<<4, packed[i+4]>>4 | packed[i]>>6<<4
}

// codesQ4_K: 32 bytes for each 64 codes, low nibbles first.
func codesQ4_K(codes []uint8, block []byte) { fourRuns(codes, block[16:144]) }

func fourRuns(codes []uint8, src []byte) {
	for i := range 4 {
		nibbles(codes[64*i:][:64], src[32*i:][:32])
	}
}

// codesQ5_K: 32 bytes in which bit i is the fifth bit of a code of group i, then as
// Q4_K.
func codesQ5_K(codes []uint8, block []byte) {
	fourRuns(codes, block[48:176])
	for i := range codes {
		codes[i] |= block[16+i%32] >> (i / 32) & 1 << 4
	}
}

// scalesQ6_K multiplies both levels.
func scalesQ6_K(scales, _ []float32, block []byte) {
	var bytes [16]uint8
	d, _ := levelsQ6_K(bytes[:], nil, block)
	for i := range scales {
		scales[i] = d * float32(int8(bytes[i]))
	}
}

// levelsQ6_K: a signed byte for each 16 elements, and the f16 d at the end.
func levelsQ6_K(scales, _ []uint8, block []byte) (d, _ float32) {
	copy(scales, block[192:])
	return f16(block[208:]), 0
}

// codesQ6_K: for each 128 codes 64 bytes of nibbles, and 32 bytes with the two high
// bits of four codes, 32 apart.
func codesQ6_K(codes []uint8, block []byte) {
	for i := range 2 {
		half, high := codes[128*i:][:128], block[128+32*i:][:32]
		nibbles(half, block[64*i:][:64])
		for j := range half {
			half[j] |= high[j%32] >> (j / 32 * 2) & 3 << 4
		}
	}
}
