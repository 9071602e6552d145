package gguf

// The K types have two levels of scales: a block of 256 has one or two f16, and each
// group in it small integers to multiply them with.

// levelsQ2_K: for each 16 elements scale and minimum in a nibble each, and f16 d and dmin
// at the end. The bias is -dmin·minimum.
func levelsQ2_K(scales, minima []uint8, block []byte) (d, dmin float32) {
	for i, b := range block[:16] {
		scales[i], minima[i] = b&15, b>>4
	}
	return f16(block[80:]), -f16(block[82:])
}

// codesQ2_K: two bits each.
func codesQ2_K(codes []uint8, block []byte) { pairs(codes, block[16:80]) }

// pairs: 32 bytes for each 128 codes, each with two bits of four codes, 32 apart.
func pairs(codes []uint8, src []byte) {
	for i := range codes {
		codes[i] = src[i/128*32+i%32] >> (i % 128 / 32 * 2) & 3
	}
}

// levelsQ3_K: for each 16 elements six bits, less 32, and the f16 d at the end. The low
// four bits of groups 0–7 and 8–15 are the nibbles of 8 bytes; the two high ones lie in
// 4 more, each with those of four groups, 4 apart.
func levelsQ3_K(scales, _ []uint8, block []byte) (d, _ float32) {
	nibbles(scales, block[96:104])
	for i := range scales {
		scales[i] = (scales[i] | block[104+i%4]>>(i/4*2)&3<<4) - 32
	}
	return f16(block[108:]), 0
}

// codesQ3_K: 32 bytes in which bit i is the third bit of the codes 32·i to 32·i+31, then
// as Q2_K.
func codesQ3_K(codes []uint8, block []byte) {
	pairs(codes, block[32:96])
	for i := range codes {
		codes[i] |= block[i%32] >> (i / 32) & 1 << 2
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
