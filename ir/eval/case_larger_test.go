package eval

import (
	"math/rand/v2"

	"github.com/mlxc/mlxc/ir"
)

// random is a tensor of normally distributed floats, or of integers of all bits.
func random(rng *rand.Rand, d ir.DType, shape ...int) *ir.Tensor {
	v := make([]float64, ir.T(d, shape...).Elements())
	for i := range v {
		v[i] = rng.NormFloat64()
		if !d.IsFloat() {
			lo, hi := limits(d)
			v[i] = float64(lo + rng.Int64N(hi-lo+1))
		}
	}
	return tensor(d, shape, v...)
}

// largerCases are graphs as decoders have them, of sizes at which blocks, runs and
// threads come into play. They have no values computed by hand: IREE is the oracle.
func largerCases() []opCase {
	rng := rand.New(rand.NewPCG(3, 4))
	f32 := func(shape ...int) *ir.Tensor { return random(rng, ir.F32, shape...) }
	f16 := func(shape ...int) *ir.Tensor { return random(rng, ir.F16, shape...) }
	// Sums of hundreds of products of order 1 are of order 10 and may cancel.
	const atol = 5e-5
	return []opCase{
		{name: "matmul", in: tensors(f32(37, 200), f32(130, 200)), atol: atol, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DotGeneral(x[0], x[1], rowsTimesRows, ir.F32)
		})},
		{name: "matmul_columns", in: tensors(f32(37, 200), f32(200, 130)), atol: atol, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DotGeneral(x[0], x[1], rowsTimesColumns, ir.F32)
		})},
		{name: "matvec_f16_weight", in: tensors(f32(1, 201), f16(130, 201)), atol: atol, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.DotGeneral(x[0], b.Convert(x[1], ir.F32), rowsTimesRows, ir.F32)
		})},
		{name: "matvec_in_lanes", in: tensors(f32(203), f16(17, 203, 8)), atol: atol, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			w := b.Convert(x[1], ir.F32)
			return b.ReduceSum(b.Multiply(w, b.Broadcast(x[0], []int{1}, 17, 203, 8)), 1)
		})},
		{name: "matvec_in_pairs", in: tensors(f32(208), f16(130, 208)), atol: atol, f: one(timesPairs)},
		{name: "matmul_in_lanes", in: tensors(f32(5, 99), f32(17, 99, 8)), atol: atol, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			w, y := b.Broadcast(x[1], []int{1, 2, 3}, 5, 17, 99, 8), b.Broadcast(x[0], []int{0, 2}, 5, 17, 99, 8)
			return b.ReduceSum(b.Multiply(w, y), 2)
		})},
		{name: "packed_4_bit", in: tensors(f32(2, 6, 8), random(rng, ir.UI32, 5, 2, 6, 16), f16(5, 2, 16), f16(5, 2, 16)), atol: 10 * atol, f: one(packedProduct)},
		{name: "attention", in: tensors(f32(3, 2, 16), f16(3, 50, 16), f16(3, 50, 16), num(ir.I32, 33)), atol: atol, f: one(attention)},
		{name: "softmax", in: tensors(f32(70, 65)), tol: 1e-5, f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return softmax(b, x[0], 1) })},
		{name: "argmax", in: tensors(f32(3, 1024)), f: func(b *ir.Builder, x []*ir.Value) []*ir.Value { return argmaxOf(b, x[0], 1) }},
		{name: "sort", in: tensors(f32(3, 300)), f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.Sort([]*ir.Value{x[0], b.Iota(x[0].Type.With(ir.I32), 1)}, 1, true, greater)
		}},
		{name: "reduce_rows_and_columns", in: tensors(f32(40, 1030)), atol: 4 * atol, f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return []*ir.Value{b.ReduceMax(x[0], 0), b.ReduceMax(x[0], 0, 1), b.ReduceSum(x[0], 0), b.ReduceSum(x[0], 1)}
		}},
		{name: "transposes", in: tensors(f16(30, 7, 41)), f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value {
			return b.Reshape(b.Transpose(x[0], 2, 0, 1), 41, 210)
		})},
		{name: "rotary", in: tensors(f32(5, 9, 64), f32(5, 32), f32(5, 32)), atol: 1e-6, f: one(rotary)},
	}
}

// packedProduct is y[n, t] = Σ x·(q·s + b) with eight 4-bit q in a word.
func packedProduct(b *ir.Builder, x []*ir.Value) *ir.Value {
	words := x[1].Type
	n, g, w, lanes := words.Shape[0], words.Shape[1], words.Shape[2], words.Shape[3]
	q := b.BitcastConvert(x[1], words.With(ir.I32))
	scale := func(v *ir.Value) *ir.Value { return b.Broadcast(b.Convert(v, ir.F32), []int{0, 1, 3}, words.Shape...) }
	var sum, all *ir.Value
	for j := range 8 {
		xj := b.Reshape(b.Slice(x[0], []int{0, 0, j}, []int{g, w, j + 1}), g, w)
		shifted := b.ShiftRightLogical(q, b.Splat(q.Type, float64(4*j)))
		digit := b.Convert(b.And(shifted, b.Splat(q.Type, 15)), ir.F32)
		p := b.Multiply(digit, b.Broadcast(xj, []int{1, 2}, n, g, w, lanes))
		if sum == nil {
			sum, all = p, xj
		} else {
			sum, all = b.Add(sum, p), b.Add(all, xj)
		}
	}
	bias := b.Multiply(scale(x[3]), b.Broadcast(all, []int{1, 2}, n, g, w, lanes))
	return b.ReduceSum(b.Add(b.Multiply(sum, scale(x[2])), bias), 1, 2)
}

func softmax(b *ir.Builder, x *ir.Value, dim int) *ir.Value {
	var others []int
	for d := range x.Type.Shape {
		if d != dim {
			others = append(others, d)
		}
	}
	e := b.Exponential(b.Subtract(x, b.Broadcast(b.ReduceMax(x, dim), others, x.Type.Shape...)))
	return b.Divide(e, b.Broadcast(b.ReduceSum(e, dim), others, x.Type.Shape...))
}

// attention of q [kv, r, d] over keys and values [kv, s, d] up to position x[3].
func attention(b *ir.Builder, x []*ir.Value) *ir.Value {
	d := ir.DotDims{LhsBatch: []int{0}, RhsBatch: []int{0}, LhsContract: []int{2}, RhsContract: []int{2}}
	scores := b.DotGeneral(x[0], x[1], d, ir.F32)
	scores = b.Multiply(scores, b.Splat(scores.Type, 0.25))
	at := b.Iota(scores.Type.With(ir.I32), 2)
	seen := b.Compare("LE", at, b.Broadcast(x[3], nil, scores.Type.Shape...))
	scores = b.Select(seen, scores, b.Splat(scores.Type, -1e30))
	d.RhsContract = []int{1}
	return b.DotGeneral(softmax(b, scores, 2), b.Convert(x[2], ir.F32), d, ir.F32)
}

// rotary turns x [rows, heads, d] by cos and sin [rows, d/2].
func rotary(b *ir.Builder, x []*ir.Value) *ir.Value {
	s := x[0].Type.Shape
	half := s[2] / 2
	wide := func(v *ir.Value) *ir.Value { return b.Broadcast(v, []int{0, 2}, s[0], s[1], half) }
	lo := b.Slice(x[0], []int{0, 0, 0}, []int{s[0], s[1], half})
	hi := b.Slice(x[0], []int{0, 0, half}, s)
	cos, sin := wide(x[1]), wide(x[2])
	return b.Concatenate(2, b.Subtract(b.Multiply(lo, cos), b.Multiply(hi, sin)), b.Add(b.Multiply(hi, cos), b.Multiply(lo, sin)))
}
