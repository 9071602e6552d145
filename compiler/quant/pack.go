package quant

// Codes are packed as MLX does it: a row is a little-endian stream of bits, in which
// code i has bits [i·width, (i+1)·width). Eight codes always fill whole bytes.

// Pack packs codes, a multiple of 8 of them, into len(codes)·width/8 bytes.
func Pack(dst []byte, codes []uint8, width int) {
	for ; len(codes) > 0; codes, dst = codes[8:], dst[width:] {
		var word uint64
		for i, c := range codes[:8] {
			word |= uint64(c) << (i * width)
		}
		for i := range width {
			dst[i] = byte(word >> (8 * i))
		}
	}
}

// Unpack unpacks len(codes) codes, a multiple of 8.
func Unpack(codes []uint8, src []byte, width int) {
	mask := uint64(1)<<width - 1
	for ; len(codes) > 0; codes, src = codes[8:], src[width:] {
		var word uint64
		for i, b := range src[:width] {
			word |= uint64(b) << (8 * i)
		}
		for i := range codes[:8] {
			codes[i] = uint8(word >> (i * width) & mask)
		}
	}
}

// Widened is the width, 4 or 8, that codes of a width are repacked with for
// computing; the codes are the same.
func Widened(width int) int {
	if width <= 4 {
		return 4
	}
	return 8
}

// Widen repacks codes of a width, whole bytes of 8 codes, with the widened width.
func Widen(dst, src []byte, width int) {
	to := Widened(width)
	if to == width {
		copy(dst, src)
		return
	}
	var codes [8]uint8
	for ; len(src) > 0; src, dst = src[width:], dst[to:] {
		Unpack(codes[:], src, width)
		Pack(dst, codes[:], to)
	}
}
