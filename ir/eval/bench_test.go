package eval

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// Terms and columns of the products below: SmolLM2-135M's hidden size, four times its MLP.
const benchK, benchN = 576, 6144

// productCase is a matrix of rows of x times a weight as a plan may store and write it.
type productCase struct {
	name   string
	rows   int
	weight ir.Type
	f      func(b *ir.Builder, x []*ir.Value) *ir.Value
}

func productCases() []productCase {
	rowsOf := func(d ir.DType) ir.Type { return ir.T(d, benchN, benchK) }
	columnsOf := func(d ir.DType) ir.Type { return ir.T(d, benchK, benchN) }
	tilesOf := func(d ir.DType) ir.Type { return ir.T(d, benchN/8, benchK, 8) }
	return []productCase{
		{"matvec_f32", 1, rowsOf(ir.F32), timesRows},
		{"matvec_f16", 1, rowsOf(ir.F16), timesRows},
		{"matvec_bf16", 1, rowsOf(ir.BF16), timesRows},
		{"matvec_columns_f32", 1, columnsOf(ir.F32), timesColumns},
		{"matvec_columns_f16", 1, columnsOf(ir.F16), timesColumns},
		{"matvec_tiles_f32", 1, tilesOf(ir.F32), timesTiles},
		{"matvec_tiles_f16", 1, tilesOf(ir.F16), timesTiles},
		{"matvec_pairs_f32", 1, rowsOf(ir.F32), timesPairs},
		{"matvec_pairs_f16", 1, rowsOf(ir.F16), timesPairs},
		{"matmul16_f32", 16, rowsOf(ir.F32), timesRows},
		{"matmul16_f16", 16, rowsOf(ir.F16), timesRows},
		{"matmul16_tiles_f16", 16, tilesOf(ir.F16), timesTiles},
		{"matmul64_f16", 64, rowsOf(ir.F16), timesRows},
	}
}

func timesRows(b *ir.Builder, x []*ir.Value) *ir.Value {
	return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesRows, ir.F32)
}

func timesColumns(b *ir.Builder, x []*ir.Value) *ir.Value {
	return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesColumns, ir.F32)
}

func timesTiles(b *ir.Builder, x []*ir.Value) *ir.Value {
	space := append([]int{x[0].Type.Shape[0]}, x[1].Type.Shape...)
	w := b.Broadcast(b.Convert(x[1], ir.F32), []int{1, 2, 3}, space...)
	return b.ReduceSum(b.Multiply(w, b.Broadcast(x[0], []int{0, 2}, space...)), 2)
}

// timesPairs is how the dense plan writes a matrix times a vector: terms in pairs of
// eight lanes. See lower.multiplyVector.
func timesPairs(b *ir.Builder, x []*ir.Value) *ir.Value {
	n, pairs := x[1].Type.Shape[0], x[1].Type.Shape[1]/16
	w, v := b.Reshape(b.Convert(x[1], ir.F32), n, pairs, 2, 8), b.Reshape(x[0], pairs, 2, 8)
	var p [2]*ir.Value
	for i := range p {
		wi := b.Reshape(b.Slice(w, []int{0, 0, i, 0}, []int{n, pairs, i + 1, 8}), n, pairs, 8)
		vi := b.Reshape(b.Slice(v, []int{0, i, 0}, []int{pairs, i + 1, 8}), pairs, 8)
		p[i] = b.Multiply(wi, b.Broadcast(vi, []int{1, 2}, n, pairs, 8))
	}
	return b.ReduceSum(b.ReduceSum(b.Add(p[0], p[1]), 1), 1)
}

// prepare is the case's program and arguments; the weight repeats some random numbers.
func (c productCase) prepare(t testing.TB) (*Program, []*ir.Tensor) {
	rng := rand.New(rand.NewPCG(1, 2))
	w := &ir.Tensor{Type: c.weight}
	for few := random(rng, c.weight.DType, 4096); len(w.Data) < c.weight.Bytes(); {
		w.Data = append(w.Data, few.Data...)
	}
	oc := opCase{in: tensors(random(rng, ir.F32, c.rows, benchK), w), f: one(c.f)}
	p, err := New(module(t, func(m *ir.Module) { oc.add(m, "main", false) }))
	if err != nil {
		t.Fatal(err)
	}
	return p, oc.in
}

// BenchmarkProducts reports GMAC/s; with -cpu 1 that of one core.
func BenchmarkProducts(b *testing.B) {
	for _, c := range productCases() {
		b.Run(c.name, func(b *testing.B) {
			p, args := c.prepare(b)
			for b.Loop() {
				if _, err := p.Call(context.Background(), "main", args); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(c.rows*benchK*benchN)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}

// Neither a converted weight (14 MB) nor the products (14 MB a row) may exist as a whole.
func TestProductsAllocateLittle(t *testing.T) {
	for _, c := range productCases() {
		if c.rows > 16 { // the same code as for 16
			continue
		}
		p, args := c.prepare(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := p.Call(context.Background(), "main", args); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 3<<20 {
			t.Errorf("%s: the call allocated %d bytes", c.name, n)
		}
	}
}
