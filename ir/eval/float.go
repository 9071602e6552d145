package eval

import "math"

// Kernels of float32 lanes. Transcendental functions are computed in float64 and
// rounded once; f16 and bf16 ops round the f32 result to their type (see
// newKernel).

var floatUnary = map[string]func(float32) float32{
	"abs":                   func(x float32) float32 { return float32(math.Abs(float64(x))) },
	"negate":                func(x float32) float32 { return -x },
	"exponential":           wide(math.Exp),
	"exponential_minus_one": wide(math.Expm1),
	"log":                   wide(math.Log),
	"log_plus_one":          wide(math.Log1p),
	"logistic":              wide(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	"tanh":                  wide(math.Tanh),
	"sqrt":                  wide(math.Sqrt),
	"rsqrt":                 wide(func(x float64) float64 { return 1 / math.Sqrt(x) }),
	"sine":                  wide(math.Sin),
	"cosine":                wide(math.Cos),
	"floor":                 wide(math.Floor),
	"ceil":                  wide(math.Ceil),
	"round_nearest_even":    wide(math.RoundToEven),
}

func wide(f func(float64) float64) func(float32) float32 {
	return func(x float32) float32 { return float32(f(float64(x))) }
}

// floatBinary are whole loops where a call per element would dominate.
var floatBinary = map[string]func(dst, a, b []float32){
	"add": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	},
	"subtract": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	},
	"multiply": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	},
	"divide": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] / b[i]
		}
	},
	// max and min return NaN if either is, and order −0 before +0, as StableHLO wants.
	"maximum": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = max(a[i], b[i])
		}
	},
	"minimum": func(dst, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = min(a[i], b[i])
		}
	},
	"power":     wide2(math.Pow),
	"remainder": wide2(math.Mod), // the sign of the dividend
}

func wide2(f func(x, y float64) float64) func(dst, a, b []float32) {
	return func(dst, a, b []float32) {
		for i := range dst {
			dst[i] = float32(f(float64(a[i]), float64(b[i])))
		}
	}
}
