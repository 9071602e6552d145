package lower

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/eval"
)

// compute evaluates what body builds of f32 arguments and returns its bits.
func compute(t *testing.T, body func(b *ir.Builder, args []*ir.Value) *ir.Value, args ...*ir.Tensor) []uint32 {
	t.Helper()
	m, err := ir.Build(func() *ir.Module {
		m := &ir.Module{}
		var types []ir.Type
		for _, a := range args {
			types = append(types, a.Type)
		}
		b := ir.NewFunc(m, "main", false, types, nil)
		y := body(b, b.Func.Args)
		b.Func.Results = []ir.Type{y.Type}
		b.Return(y)
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := eval.New(m)
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Call(t.Context(), "main", args)
	if err != nil {
		t.Fatal(err)
	}
	var bits []uint32
	for data := results[0].Data; len(data) > 0; data = data[4:] {
		bits = append(bits, binary.LittleEndian.Uint32(data))
	}
	return bits
}

func tensor(values []float32, shape ...int) *ir.Tensor {
	x := &ir.Tensor{Type: ir.T(ir.F32, shape...)}
	for _, v := range values {
		x.Data = binary.LittleEndian.AppendUint32(x.Data, math.Float32bits(v))
	}
	return x
}

func TestArgmax(t *testing.T) {
	nan, inf, minus0 := float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1))
	for _, c := range []struct {
		logits []float32
		want   int32
	}{
		{[]float32{1, 3, 2}, 1},
		{[]float32{1, 3, 3}, 1},       // ties: the lowest
		{[]float32{minus0, 0, -1}, 0}, // zeros are equal
		{[]float32{-5, -4, -inf}, 1},  //
		{[]float32{-inf, -inf, -1e38}, 2},
		{[]float32{-inf, -inf, -inf}, 0},
		{[]float32{1, inf, 2}, 1},
		{[]float32{nan, 3, 2}, 3}, // NaN: no token
		{[]float32{1, 3, nan}, 3},
		{[]float32{1, inf, nan}, 3},
	} {
		for _, apart := range []bool{false, true} {
			got := compute(t, func(b *ir.Builder, args []*ir.Value) *ir.Value { return argmax(b, args[0], apart) }, tensor(c.logits, 3))
			rows := compute(t, func(b *ir.Builder, args []*ir.Value) *ir.Value { return argmax(b, args[0], apart) },
				tensor(append([]float32{9, 0, 0}, c.logits...), 2, 3))
			if int32(got[0]) != c.want || int32(rows[0]) != 0 || int32(rows[1]) != c.want {
				t.Errorf("argmax(%v), indices apart %v, = %d, as the second of two rows %d; want %d", c.logits, apart, got, rows, c.want)
			}
		}
	}
}

func TestActivations(t *testing.T) {
	var xs []float32
	for x := float32(-12); x <= 12; x += 1.0 / 64 {
		xs = append(xs, x)
	}
	for name, want := range map[archs.Activation]func(x float64) float64{
		archs.SiLU: func(x float64) float64 { return x / (1 + math.Exp(-x)) },
		archs.ReLU: func(x float64) float64 { return max(x, 0) },
		// 1 + erf cancels: the error is that of 1, times x.
		archs.GELU:     func(x float64) float64 { return x * (1 + math.Erf(x/math.Sqrt2)) / 2 },
		archs.GELUTanh: func(x float64) float64 { return x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) / 2 },
	} {
		got := compute(t, func(b *ir.Builder, args []*ir.Value) *ir.Value { return activations[name](b, args[0]) }, tensor(xs, len(xs)))
		for i, x := range xs {
			w, g := want(float64(x)), float64(math.Float32frombits(got[i]))
			if d := math.Abs(g - w); !(d <= 2e-7*max(1, math.Abs(float64(x)))) {
				t.Errorf("%s(%g) = %g, want %g", name, x, g, w)
			}
		}
	}
	if len(activations) != 4 {
		t.Errorf("%d activations, 4 are compared", len(activations))
	}
}

// TestRotate: [heads 1, headDim 6] with 4 rotary dimensions, pairs (0, 2) and (1, 3).
func TestRotate(t *testing.T) {
	x := []float32{1, 2, 3, 4, 5, 6}
	cos, sin := []float32{0.6, 0}, []float32{0.8, 1}
	want := []float32{1*0.6 - 3*0.8, -4, 3*0.6 + 1*0.8, 2, 5, 6}
	for _, c := range []struct {
		name string
		rows []int
	}{{"one row", nil}, {"two rows", []int{2}}} {
		n := 1
		for _, r := range c.rows {
			n *= r
		}
		shape := func(dims ...int) []int { return append(append([]int{}, c.rows...), dims...) }
		got := compute(t, func(b *ir.Builder, args []*ir.Value) *ir.Value { return rotate(b, args[0], args[1], args[2]) },
			tensor(repeat(x, n), shape(1, 6)...), tensor(repeat(cos, n), shape(2)...), tensor(repeat(sin, n), shape(2)...))
		for i, w := range repeat(want, n) {
			if g := math.Float32frombits(got[i]); math.Abs(float64(g-w)) > 1e-6 {
				t.Errorf("%s: element %d is %g, want %g", c.name, i, g, w)
			}
		}
	}
}

func repeat(x []float32, n int) []float32 {
	var y []float32
	for range n {
		y = append(y, x...)
	}
	return y
}

// TestMultiply: products agree with sums in float64, padded rows are left out.
func TestMultiply(t *testing.T) {
	for _, c := range []struct{ rows, out, in int }{
		{0, 5, 64}, {0, 32, 24}, {1, 5, 64}, {3, 5, 32}, {4, 17, 24}, {16, 7, 48},
	} {
		n := max(c.rows, 1)
		x, w := ramp(n*c.in, 0.37), ramp(c.out*c.in, 0.11)
		shape := []int{c.rows, c.in}
		if c.rows == 0 {
			shape = shape[1:]
		}
		linear := []Linear{{Tensor: "w.weight", Out: c.out, In: c.in}}
		for _, p := range []struct {
			name    string
			plan    WeightPlan
			weights *ir.Tensor
		}{
			{"dense", denseWeights{ir.F32}, tensor(w, c.out, c.in)},
			{"tiled", tiledWeights{ir.F32}, tensor(tiled(w, c.out, c.in), tilesOf(c.out), c.in, lanes)},
		} {
			got := compute(t, func(b *ir.Builder, args []*ir.Value) *ir.Value {
				return p.plan.Multiply(b, args[0], p.plan.Store("w", linear)[0], args[1:])
			}, tensor(x, shape...), p.weights)
			for r := range n {
				for o := range c.out {
					want := 0.0
					for i := range c.in {
						want += float64(x[r*c.in+i]) * float64(w[o*c.in+i])
					}
					if g := float64(math.Float32frombits(got[r*c.out+o])); math.Abs(g-want) > 1e-4 {
						t.Errorf("%s %v: row %d, output %d is %g, want %g", p.name, c, r, o, g, want)
					}
				}
			}
		}
	}
}

// tiled is w [out, in] as [tiles, in, lanes].
func tiled(w []float32, out, in int) []float32 {
	x := make([]float32, tilesOf(out)*lanes*in)
	for o := range out {
		for i := range in {
			x[(o/lanes*in+i)*lanes+o%lanes] = w[o*in+i]
		}
	}
	return x
}

// ramp is a deterministic zigzag between -1 and 1.
func ramp(n int, step float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(2*math.Abs(math.Mod(float64(i)*step, 2)-1) - 1)
	}
	return x
}
