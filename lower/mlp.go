package lower

import (
	"math"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
)

// mlp is down(act(gate(x))·up(x)).
func (g *graph) mlp(b *ir.Builder, m archs.MLP, p layerParams, x *ir.Value, w weightArgs) *ir.Value {
	gu := g.project(b, p.gateUp, x, w)
	gate, up := ir.Named("gate", gu[0]), ir.Named("up", gu[1])
	h := ir.Named("hidden", b.Multiply(activations[m.Activation](b, gate), up))
	return ir.Named("mlp", g.project(b, p.down, h, w)[0])
}

// activations are HF's ACT2FN.
var activations = map[archs.Activation]func(b *ir.Builder, x *ir.Value) *ir.Value{
	archs.SiLU: func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Multiply(x, b.Logistic(x)) },
	archs.ReLU: func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Maximum(x, b.Splat(x.Type, 0)) },
	// x·(1 + erf(x/√2))/2
	archs.GELU: func(b *ir.Builder, x *ir.Value) *ir.Value {
		return halfTimesOnePlus(b, x, erf(b, b.Multiply(x, b.Splat(x.Type, math.Sqrt2/2))))
	},
	// x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2
	archs.GELUTanh: func(b *ir.Builder, x *ir.Value) *ir.Value {
		cube := b.Multiply(b.Multiply(x, x), x)
		inner := b.Add(x, b.Multiply(cube, b.Splat(x.Type, 0.044715)))
		return halfTimesOnePlus(b, x, b.Tanh(b.Multiply(inner, b.Splat(x.Type, math.Sqrt(2/math.Pi)))))
	},
}

// halfTimesOnePlus is x·(1 + y)/2.
func halfTimesOnePlus(b *ir.Builder, x, y *ir.Value) *ir.Value {
	return b.Multiply(b.Multiply(x, b.Splat(x.Type, 0.5)), b.Add(y, b.Splat(y.Type, 1)))
}

// erf is the error function, which StableHLO lacks: x·P(x²)/Q(x²) on [-4, 4] with the
// coefficients of Eigen (generic_fast_erf_float), highest power first; error ≤ 2 ulp of 1.
func erf(b *ir.Builder, x *ir.Value) *ir.Value {
	x = b.Clamp(b.Splat(ir.T(ir.F32), -4), x, b.Splat(ir.T(ir.F32), 4))
	square := b.Multiply(x, x)
	p := polynomial(b, square, -2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06,
		-5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02)
	q := polynomial(b, square, -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
		-7.37332916720468e-03, -1.42647390514189e-02)
	return b.Divide(b.Multiply(x, p), q)
}

// polynomial is Horner's rule, highest power first.
func polynomial(b *ir.Builder, x *ir.Value, coefficients ...float64) *ir.Value {
	y := b.Splat(x.Type, coefficients[0])
	for _, c := range coefficients[1:] {
		y = b.Add(b.Multiply(y, x), b.Splat(x.Type, c))
	}
	return y
}
