package eval

import (
	"math"

	"github.com/mlxc/mlxc/ir"
)

var nan, inf = math.NaN(), math.Inf(1)
var negZero = math.Copysign(0, -1)

// Transcendental functions: a few units in the last place, f32 has 2⁻²⁴ ≈ 6e-8.
// IREE's polynomials are less exact than the correctly rounded values here.
const (
	tolF32  = 1e-6
	tolF16  = 2e-3
	tolBF16 = 1.6e-2
)

func unary(name string, d ir.DType, tol float64, pairs ...float64) opCase {
	var x, y []float64
	for i := 0; i < len(pairs); i += 2 {
		x, y = append(x, pairs[i]), append(y, pairs[i+1])
	}
	return opCase{name: name + "_" + d.String(), in: tensors(vec(d, x...)), f: op(name), want: tensors(vec(d, y...)), tol: tol}
}

func binary3(name string, d ir.DType, triples ...float64) opCase {
	var x, y, z []float64
	for i := 0; i < len(triples); i += 3 {
		x, y, z = append(x, triples[i]), append(y, triples[i+1]), append(z, triples[i+2])
	}
	return opCase{name: name + "_" + d.String(), in: tensors(vec(d, x...), vec(d, y...)), f: op(name), want: tensors(vec(d, z...))}
}

var floatCases = []opCase{
	unary("abs", ir.F32, 0, -1.5, 1.5, negZero, 0, -inf, inf, nan, nan),
	unary("abs", ir.F16, 0, -1.5, 1.5, 65504, 65504),
	unary("negate", ir.F32, 0, 1.5, -1.5, 0, negZero, inf, -inf),
	unary("negate", ir.BF16, 0, 1.5, -1.5),
	unary("exponential", ir.F32, tolF32, 0, 1, 1, math.E, -1, 1/math.E, -inf, 0, 88, math.Exp(88)),
	unary("exponential", ir.F16, tolF16, 0, 1, 1, math.E, 12, inf),
	unary("exponential", ir.BF16, tolBF16, 0, 1, 1, math.E),
	unary("exponential_minus_one", ir.F32, 1e-5, 1, math.E-1, 1e-6, 1.0000005e-6, -20, math.Expm1(-20)),
	unary("log", ir.F32, tolF32, 1, 0, math.E, 1, 0, -inf, -1, nan, 1e-20, math.Log(1e-20)),
	unary("log_plus_one", ir.F32, tolF32, 0, 0, math.E-1, 1, 1e-6, 9.999995e-7),
	unary("logistic", ir.F32, tolF32, 0, 0.5, 2, 1/(1+math.Exp(-2)), -30, 1/(1+math.Exp(30)), inf, 1),
	unary("logistic", ir.F16, tolF16, 0, 0.5, 2, 0.8808),
	unary("tanh", ir.F32, tolF32, 0, 0, 1, math.Tanh(1), -20, -1),
	unary("sqrt", ir.F32, 0, 4, 2, 2, math.Sqrt2, 0, 0, -1, nan),
	unary("rsqrt", ir.F32, tolF32, 4, 0.5, 2, 1/math.Sqrt2, 0, inf),
	unary("sine", ir.F32, tolF32, 0, 0, 1, math.Sin(1), -2, math.Sin(-2)),
	unary("cosine", ir.F32, tolF32, 0, 1, 1, math.Cos(1), -2, math.Cos(-2)),
	unary("sine", ir.F32, tolF32, 100, math.Sin(100)).butIREE("reduces large angles in f32, 5e-6 off"),
	unary("cosine", ir.F32, tolF32, 100, math.Cos(100)).butIREE("reduces large angles in f32, 2e-6 off"),
	unary("floor", ir.F32, 0, 1.5, 1, -1.5, -2, 2, 2),
	unary("ceil", ir.F32, 0, 1.5, 2, -1.5, -1, 2, 2),
	unary("round_nearest_even", ir.F32, 0, 0.5, 0, 1.5, 2, 2.5, 2, -0.5, negZero, -1.7, -2),
	unary("round_nearest_even", ir.F16, 0, 2.5, 2, 3.5, 4),

	binary3("add", ir.F32, 1, 2, 3, 16777216, 1, 16777216, 0.1, 0.2, float64(float32(0.1)+float32(0.2)), inf, -inf, nan),
	binary3("add", ir.F16, 2048, 1, 2048, 2048, 3, 2052, 65504, 16, inf), // ties to even
	binary3("add", ir.BF16, 256, 1, 256, 256, 3, 260),
	binary3("subtract", ir.F32, 1, 2, -1, 5, 5, 0),
	binary3("multiply", ir.F32, 3, 4, 12, 0, inf, nan, -1, 0, negZero),
	binary3("multiply", ir.F16, 3, 0.1, 0.2998046875, 300, 300, inf), // f16(0.1) = 0.0999755859375
	binary3("multiply", ir.BF16, 3, 0.1, 0.30078125),
	binary3("divide", ir.F32, 1, 4, 0.25, 1, 0, inf, -1, 0, -inf, 0, 0, nan, 1, 3, float64(float32(1)/3)),
	binary3("maximum", ir.F32, 1, 2, 2, 3, -3, 3, -inf, 0, 0),
	binary3("minimum", ir.F32, 1, 2, 1, 3, -3, -3, -inf, 0, -inf),
	{name: "maximum_f32_nan", in: tensors(vec(ir.F32, nan, 1), vec(ir.F32, 1, nan)), f: op("maximum"), want: tensors(vec(ir.F32, nan, nan))},
	{name: "minimum_f32_nan", in: tensors(vec(ir.F32, nan, 1), vec(ir.F32, 1, nan)), f: op("minimum"), want: tensors(vec(ir.F32, nan, nan))},
	{name: "maximum_f32_zeros", in: tensors(vec(ir.F32, negZero, 0), vec(ir.F32, 0, negZero)), f: op("maximum"), want: tensors(vec(ir.F32, 0, 0)), differs: "the order of -0 and 0"},
	{name: "power_f32", in: tensors(vec(ir.F32, 2, 9, 2, 10), vec(ir.F32, 10, 0.5, -1, 0)), f: op("power"), want: tensors(vec(ir.F32, 1024, 3, 0.5, 1)), tol: 1e-5},
	binary3("remainder", ir.F32, 5, 3, 2, -5, 3, -2, 5, -3, 2, 5.5, 2, 1.5),

	{name: "compare_f32", in: tensors(vec(ir.F32, 1, 2, 2, nan, nan), vec(ir.F32, 2, 2, 1, 1, nan)),
		f: func(b *ir.Builder, x []*ir.Value) (out []*ir.Value) {
			for _, d := range []string{"EQ", "NE", "LT", "LE", "GT", "GE"} {
				out = append(out, b.Compare(d, x[0], x[1]))
			}
			return out
		},
		want: tensors(vec(ir.I1, 0, 1, 0, 0, 0), vec(ir.I1, 1, 0, 1, 1, 1), vec(ir.I1, 1, 0, 0, 0, 0),
			vec(ir.I1, 1, 1, 0, 0, 0), vec(ir.I1, 0, 0, 1, 0, 0), vec(ir.I1, 0, 1, 1, 0, 0))},
	{name: "select_f32", in: tensors(vec(ir.I1, 1, 0, 1), vec(ir.F32, 1, 2, 3), vec(ir.F32, -1, -2, -3)), f: op("select"),
		want: tensors(vec(ir.F32, 1, -2, 3))},
	{name: "select_scalar_predicate", in: tensors(num(ir.I1, 0), vec(ir.F16, 1, 2), vec(ir.F16, -1, -2)), f: op("select"),
		want: tensors(vec(ir.F16, -1, -2))},
	{name: "clamp_f32_scalar_bounds", in: tensors(num(ir.F32, -1), vec(ir.F32, -5, 0.5, 7), num(ir.F32, 1)), f: op("clamp"),
		want: tensors(vec(ir.F32, -1, 0.5, 1))},
	{name: "clamp_f32_bounds", in: tensors(vec(ir.F32, 0, 1, 2), vec(ir.F32, -5, 5, 5), vec(ir.F32, 3, 3, 9)), f: op("clamp"),
		want: tensors(vec(ir.F32, 0, 3, 5))},
	// Each op of a chain rounds: (2048+1)+1 in f16 is 2048, not 2050.
	{name: "f16_rounds_each_op", in: tensors(vec(ir.F16, 2048), vec(ir.F16, 1)),
		f:    one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Add(b.Add(x[0], x[1]), x[1]) }),
		want: tensors(vec(ir.F16, 2048)), differs: "excess precision between ops"},
}
