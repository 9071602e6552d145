package quant

// Mode is a quantisation of MLX's that isn't affine: codes and scales are small
// floats, and w = scale·code. There are no biases.
type Mode struct {
	Bits, Group int
	code, scale [256]float32 // what they stand for
}

// Modes are the modes by MLX's name.
var Modes = map[string]Mode{
	"mxfp4": {4, 32, table(E2M1), table(E8M0)},
	"mxfp8": {8, 32, table(E4M3), table(E8M0)},
	"nvfp4": {4, 16, table(E2M1), table(E4M3)},
}

func table(number func(uint8) float32) (t [256]float32) {
	for i := range t {
		t[i] = number(uint8(i))
	}
	return t
}

// Dequantize computes w = scale·code, exact but for overflow and underflow.
func (m Mode) Dequantize(w []float32, codes, scales []uint8) {
	for i, s := range scales {
		scale, group := m.scale[s], w[i*m.Group:][:m.Group]
		for j, c := range codes[i*m.Group:][:m.Group] {
			group[j] = scale * m.code[c]
		}
	}
}

// Codes of four bits are multiples of ½ from -6 to 6, so that they can be written as
// whole numbers, without loss:
//
//	scale·v = (scale/2)·((2v+12) - 12)
//
// Affine are the width and the centre of such codes; ok is false if the mode's codes
// can't be written so.
func (m Mode) Affine() (bits, centre int, ok bool) {
	if m.Bits != 4 {
		return 0, 0, false
	}
	return 8, 12, true
}

// AffineCodes turns codes into affine ones, in place.
func (m Mode) AffineCodes(codes []uint8) {
	for i, c := range codes {
		codes[i] = uint8(2*m.code[c] + 12)
	}
}

// AffineScale is the scale of affine codes.
func (m Mode) AffineScale(scale uint8) float32 { return m.scale[scale] / 2 }
