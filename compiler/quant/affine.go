package quant

import "math"

// minScale is the smallest scale, MLX's eps.
const minScale float32 = 1e-7

// Quantize quantises w, whole groups of finite numbers: one code an element, one
// scale and bias a group. It is what mlx.core.quantize computes, bit for bit, for
// weights of any float type: MLX widens them to f32, computes in f32, and rounds
// scale and bias to the type of the weights last, after the codes; the caller does
// that. Where the range of a group overflows f32, the scale is infinite, as MLX's is.
func (a Affine) Quantize(codes []uint8, scales, biases, w []float32) {
	a.Fit(scales, biases, w)
	for i, scale := range scales {
		group, bias := w[i*a.Group:][:a.Group], biases[i]
		for j, x := range group {
			codes[i*a.Group+j] = a.code(x, scale, bias)
		}
	}
}

// Fit is the scales and biases of Quantize, without the codes.
func (a Affine) Fit(scales, biases, w []float32) {
	for i := range scales {
		scales[i], biases[i] = a.fit(w[i*a.Group:][:a.Group])
	}
}

// fit chooses scale and bias: the edge of the range that is further from zero has a
// code of its own, and so has zero.
func (a Affine) fit(w []float32) (scale, bias float32) {
	low, high := w[0], w[0]
	for _, x := range w {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
	}
	scale = max((high-low)/a.top(), minScale)
	edge := low
	if abs(low) <= abs(high) {
		edge, scale = high, -scale
	}
	if q := rint(edge / scale); q != 0 {
		return edge / q, edge
	}
	return scale, 0
}

func (a Affine) code(x, scale, bias float32) uint8 {
	return uint8(min(max(rint((x-bias)/scale), 0), a.top()))
}

// top is the largest code.
func (a Affine) top() float32 { return float32(int(1)<<a.Bits - 1) }

// Dequantize computes w = scale·code + bias in f32; the product is rounded before the
// sum, on machines with fused operations too.
func (a Affine) Dequantize(w []float32, codes []uint8, scales, biases []float32) {
	for i, scale := range scales {
		bias := biases[i]
		group := w[i*a.Group:][:a.Group]
		for j, c := range codes[i*a.Group:][:a.Group] {
			group[j] = float32(scale*float32(c)) + bias
		}
	}
}

func abs(x float32) float32  { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
func rint(x float32) float32 { return float32(math.RoundToEven(float64(x))) }
