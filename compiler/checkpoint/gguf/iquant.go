package gguf

import "encoding/binary"

// The IQ4 types have codes of 4 bits that stand for 16 uneven numbers of 8 bits, which
// are the codes of affine: as such they are exact, at twice the size.

// iq4 are ggml's kvalues_iq4nl, plus 128.
var iq4 = [16]uint8{1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241}

// codesIQ4_NL: 16 bytes of nibbles after the scale.
func codesIQ4_NL(codes []uint8, block []byte) {
	nibbles(codes, block[2:18])
	for i, c := range codes {
		codes[i] = iq4[c]
	}
}

// codesIQ4_XS: 16 bytes of nibbles for each 32 codes.
func codesIQ4_XS(codes []uint8, block []byte) {
	for i := range 8 {
		codesIQ4_NL(codes[32*i:][:32], block[6+16*i:])
	}
}

// levelsIQ4_XS: f16 d, then six bits for each 32 elements, less 32: the two high ones
// of all groups in 2 bytes, the low nibbles in 4.
func levelsIQ4_XS(scales, _ []uint8, block []byte) (d, _ float32) {
	high := binary.LittleEndian.Uint16(block[2:])
	for i := range scales {
		scales[i] = (block[4+i/2]>>(i%2*4)&15 | uint8(high>>(2*i)&3)<<4) - 32
	}
	return f16(block), 0
}
