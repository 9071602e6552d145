package eval

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// Sizes of SmolLM2-135M's MLP; M is the number of rows.
const benchK, benchN = 576, 6144

// BenchmarkProducts reports GMAC/s of weights as plans store them. Run it with
// -cpu 1 for the rate of one core.
func BenchmarkProducts(b *testing.B) {
	dot := func(b *ir.Builder, x []*ir.Value) *ir.Value {
		return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesRows, ir.F32)
	}
	columns := func(b *ir.Builder, x []*ir.Value) *ir.Value {
		return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesColumns, ir.F32)
	}
	inLanes := func(b *ir.Builder, x []*ir.Value) *ir.Value {
		m, shape := x[0].Type.Shape[0], x[1].Type.Shape
		space := append([]int{m}, shape...)
		w := b.Broadcast(b.Convert(x[1], ir.F32), []int{1, 2, 3}, space...)
		return b.ReduceSum(b.Multiply(w, b.Broadcast(x[0], []int{0, 2}, space...)), 2)
	}
	plain, transposed, tiled := []int{benchN, benchK}, []int{benchK, benchN}, []int{benchN / 8, benchK, 8}
	for _, c := range []struct {
		name   string
		rows   int
		weight ir.Type
		f      func(b *ir.Builder, x []*ir.Value) *ir.Value
	}{
		{"matvec_f32", 1, ir.T(ir.F32, plain...), dot},
		{"matvec_f16", 1, ir.T(ir.F16, plain...), dot},
		{"matvec_bf16", 1, ir.T(ir.BF16, plain...), dot},
		{"matvec_columns_f32", 1, ir.T(ir.F32, transposed...), columns},
		{"matvec_columns_f16", 1, ir.T(ir.F16, transposed...), columns},
		{"matvec_lanes_f32", 1, ir.T(ir.F32, tiled...), inLanes},
		{"matvec_lanes_f16", 1, ir.T(ir.F16, tiled...), inLanes},
		{"matmul16_f32", 16, ir.T(ir.F32, plain...), dot},
		{"matmul16_f16", 16, ir.T(ir.F16, plain...), dot},
		{"matmul16_lanes_f16", 16, ir.T(ir.F16, tiled...), inLanes},
		{"matmul64_f16", 64, ir.T(ir.F16, plain...), dot},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := make([]float64, c.rows*benchK)
			for i := range x {
				x[i] = rand.NormFloat64()
			}
			w := ir.SplatTensor(c.weight, 0.5)
			for i := range w.Data {
				w.Data[i] = byte(i*7919>>3) & 0x3b // no infinities, no subnormals to speak of
			}
			oc := opCase{in: tensors(tensor(ir.F32, []int{c.rows, benchK}, x...), w), f: one(c.f)}
			p, err := New(module(b, func(m *ir.Module) { oc.add(m, "main", false) }))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := p.Call(context.Background(), "main", oc.in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(c.rows*benchK*benchN)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}
