package gguf

import "encoding/binary"

// affine is a block type whose numbers are scale·code + bias, or scale·(code - centre).
// Both are exact in f32 up to the last sum: scales and biases have few bits.
type affine struct {
	bits   int // that hold a code: 4 or 8
	group  int // elements that share a scale
	centre int // the code of zero; 0 if the blocks have biases
	// codes writes the codes of a block, one a byte, in the order of the elements.
	codes func(codes []uint8, block []byte)
	// scales writes the scales of a block, and the biases if the blocks have them; nil if
	// there are levels.
	scales func(scales, biases []float32, block []byte)
	// levels, if the scales have two levels, writes a byte for each group, of the scale
	// and of the bias if the blocks have them, and returns what they are multiplied with.
	// Scales are signed if there is a centre.
	levels func(scales, biases []uint8, block []byte) (scale, bias float32)
}

// maxGroups is how many groups a block has at most.
const maxGroups = 16

// factors writes the scales of a block, and the biases if there is no centre. Products
// of two levels, 11 bits by up to 8, are exact in f32.
func (a *affine) factors(scales, biases []float32, block []byte) {
	if a.levels == nil {
		a.scales(scales, biases, block)
		return
	}
	var scaleBytes, biasBytes [maxGroups]uint8
	scale, bias := a.levels(scaleBytes[:len(scales)], biasBytes[:len(scales)], block)
	for i := range scales {
		if a.centre != 0 {
			scales[i] = scale * float32(int8(scaleBytes[i]))
		} else {
			scales[i], biases[i] = scale*float32(scaleBytes[i]), bias*float32(biasBytes[i])
		}
	}
}

// Affine says that numbers of the type are scale·code + bias in f32, the product
// rounded before the sum: how many bits hold a code (4 or 8), and how many elements
// share a scale and a bias. Where centre isn't 0, they are scale·(code - centre). ok is
// false for other types.
func (t Type) Affine() (bits, group, centre int, ok bool) {
	if a := layouts[t].affine; a != nil {
		return a.bits, a.group, a.centre, true
	}
	return 0, 0, 0, false
}

// Super is how many groups a block of a type with two levels of scales has, 0 for others.
func (t Type) Super() int {
	l := layouts[t]
	if l.affine == nil || l.affine.levels == nil {
		return 0
	}
	return l.elements / l.affine.group
}

// Levels writes, for each group, a byte of its scale and of its bias, and for each block
// what they are multiplied with, of src, whole blocks of a type with two levels of scales. Without
// biases theirs are zero. The product of both levels is exact in f32.
func Levels(scales, biases []uint8, superScales, superBiases []float32, t Type, src []byte) {
	l := layouts[t]
	n := t.Super()
	for i := range superScales {
		superScales[i], superBiases[i] = l.affine.levels(scales[i*n:][:n], biases[i*n:][:n], src[i*l.bytes:][:l.bytes])
	}
}

// Codes writes the codes of src, whole blocks of an affine type, one a byte.
func Codes(codes []uint8, t Type, src []byte) {
	l := layouts[t]
	for ; len(src) > 0; codes, src = codes[l.elements:], src[l.bytes:] {
		l.affine.codes(codes[:l.elements], src[:l.bytes])
	}
}

// Scales writes the scales of src, whole blocks of an affine type, and the biases if
// the type has no centre.
func Scales(scales, biases []float32, t Type, src []byte) {
	l := layouts[t]
	n := l.elements / l.affine.group
	for ; len(src) > 0; scales, biases, src = scales[n:], biases[n:], src[l.bytes:] {
		l.affine.factors(scales[:n], biases[:n], src[:l.bytes])
	}
}

// decodeAffine decodes whole blocks. The product is rounded before the sum, on
// machines with fused operations too; without biases, zeros have the scale's sign, as
// ggml's have.
func (l layout) decodeAffine(dst []float32, src []byte) {
	a := l.affine
	codes := make([]uint8, l.elements)
	scales, biases := make([]float32, l.elements/a.group), make([]float32, l.elements/a.group)
	for ; len(src) > 0; src = src[l.bytes:] {
		a.codes(codes, src[:l.bytes])
		a.factors(scales, biases, src[:l.bytes])
		for i, scale := range scales {
			group := codes[i*a.group:][:a.group]
			if a.centre != 0 {
				for j, c := range group {
					dst[j] = scale * float32(int(c)-a.centre)
				}
			} else {
				for j, c := range group {
					dst[j] = float32(scale*float32(c)) + biases[i]
				}
			}
			dst = dst[a.group:]
		}
	}
}

// oneScale: the block begins with the f16 scale.
func oneScale(scales, _ []float32, block []byte) { scales[0] = f16(block) }

// scaleAndMinimum: the block begins with the f16 scale and the f16 bias.
func scaleAndMinimum(scales, biases []float32, block []byte) {
	scales[0], biases[0] = f16(block), f16(block[2:])
}

// nibblesAt: 16 bytes from the offset on, whose low nibbles are the first 16 codes.
func nibblesAt(offset int) func(codes []uint8, block []byte) {
	return func(codes []uint8, block []byte) { nibbles(codes, block[offset:][:16]) }
}

// nibbles writes the low nibbles of all bytes, then the high ones.
func nibbles(codes []uint8, src []byte) {
	low, high := codes[:len(src)], codes[len(src):][:len(src)]
	for i, b := range src {
		low[i], high[i] = b&15, b>>4
	}
}

// fiveBitsAt: the fifth bits of the 32 codes from the offset on, then nibbles.
func fiveBitsAt(offset int) func(codes []uint8, block []byte) {
	return func(codes []uint8, block []byte) {
		nibbles(codes, block[offset+4:][:16])
		fifth := binary.LittleEndian.Uint32(block[offset:])
		for i := range codes {
			codes[i] |= uint8(fifth>>i&1) << 4
		}
	}
}

// codesQ8_0: signed bytes after the scale.
func codesQ8_0(codes []uint8, block []byte) {
	for i, b := range block[2:][:len(codes)] {
		codes[i] = b ^ 0x80
	}
}
