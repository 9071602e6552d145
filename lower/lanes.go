package lower

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// lanes is how many rows of a matrix, or numbers of the state, lie innermost where
// they lie in tiles: one register of AVX-512, two of AVX2.
const lanes = 16

// tilesOf is how many tiles so many rows fill.
func tilesOf(rows int) int { return (rows + lanes - 1) / lanes }

// bitsOf is the type in which numbers of type d lie in tiles: f16 and bf16 as their
// bits, because laneProduct wants them so.
func bitsOf(d ir.DType) ir.DType {
	if d == ir.F32 {
		return d
	}
	return ir.UI16
}

// fromBits are numbers of type d, as f32, that lie as bitsOf has them.
func fromBits(b *ir.Builder, x *ir.Value, d ir.DType) *ir.Value {
	if x.Type.DType != d {
		x = b.BitcastConvert(x, x.Type.With(d))
	}
	return b.Convert(x, ir.F32)
}

// vectorTerms is how many terms of a sum laneProduct adds up before it adds them to the
// rest, where x is one vector: one sum of all would wait for the addition before, longer
// than for 32 bytes of memory.
func vectorTerms(n int) int { return divisor(n, 2) }

// laneProduct multiplies x by tiles and sums over x's last dimension:
//
//	x [batch…, lead…, n], w [batch…, tiles, n, lanes] -> [batch…, lead…, tiles·lanes]
//
// d is the type of w's numbers, which lie as bitsOf has them; batch the number of batch
// dimensions. x is read as it lies: IREE would fuse a transpose of it into what makes
// it, and the product read it a column at a time.
func laneProduct(b *ir.Builder, x, w *ir.Value, d ir.DType, batch int) *ir.Value {
	rank := x.Type.Rank()
	outer := x.Type.Shape[:rank-1] // batch, lead
	tiles, terms := w.Type.Shape[batch], 1
	if rank == 1 {
		terms = vectorTerms(x.Type.Shape[0])
	}
	shape := slices.Concat(outer, []int{tiles, x.Type.Shape[rank-1] / terms, lanes})
	all := upTo(len(shape))

	xs, ws := every(b, x, rank-1, terms), every(b, w, batch+1, terms)
	products := make([]*ir.Value, terms)
	for i := range products {
		x := b.Broadcast(xs[i], append(upTo(rank-1), rank), shape...)
		w := b.Broadcast(ws[i], slices.Concat(all[:batch], all[rank-1:]), shape...)
		if w.Type.DType != d {
			w = negative(b, w, d)
		}
		products[i] = b.Multiply(x, w)
	}
	sum := chains(b, products, terms)
	y := b.ReduceSum(sum, rank) // [batch…, lead…, tiles, lanes]
	if w.Type.DType != d {
		y = b.Negate(y)
	}
	return b.Reshape(y, slices.Concat(outer, []int{tiles * lanes})...)
}

// every are n parts of x, of which the i-th has indices i, n+i, 2n+i, … of a dimension.
func every(b *ir.Builder, x *ir.Value, dim, n int) []*ir.Value {
	if n == 1 {
		return []*ir.Value{x}
	}
	shape := slices.Clone(x.Type.Shape)
	shape[dim] /= n
	x = b.Reshape(x, slices.Insert(shape, dim+1, n)...)
	parts := make([]*ir.Value, n)
	for i := range parts {
		parts[i] = nth(b, x, dim+1, i)
	}
	return parts
}

// nth is x at index i of a dimension, which is gone.
func nth(b *ir.Builder, x *ir.Value, dim, i int) *ir.Value {
	start, limit := make([]int, x.Type.Rank()), slices.Clone(x.Type.Shape)
	start[dim], limit[dim] = i, i+1
	return b.Reshape(b.Slice(x, start, limit), slices.Delete(slices.Clone(x.Type.Shape), dim, dim+1)...)
}

// chains sums in chains of n.
func chains(b *ir.Builder, xs []*ir.Value, n int) *ir.Value {
	var sum *ir.Value
	for chain := range slices.Chunk(xs, n) {
		part := chain[0]
		for _, x := range chain[1:] {
			part = b.Add(part, x)
		}
		if sum == nil {
			sum = part
		} else {
			sum = b.Add(sum, part)
		}
	}
	return sum
}

// negative are the numbers of type d, negated, of which x has the bits: f32. IREE moves
// a conversion that follows a broadcast before it, and writes down what it makes: all
// of the state or of a matrix as f32, in every step. It doesn't move an operation of
// two operands, and flipping the sign is one. It costs nothing in the sum.
func negative(b *ir.Builder, x *ir.Value, d ir.DType) *ir.Value {
	const sign = 0x8000
	return fromBits(b, b.Xor(x, b.Splat(x.Type, sign)), d)
}

// tileRows is a[id/lanes, …, id%lanes]: a [tiles, …, lanes], ids [] or [rows].
func tileRows(b *ir.Builder, a, ids *ir.Value) *ir.Value {
	n := b.Splat(ids.Type, lanes)
	tile, lane := b.Divide(ids, n), b.Remainder(ids, n)
	inner := a.Type.Shape[1 : a.Type.Rank()-1]
	sizes := slices.Concat([]int{1}, inner, []int{1})
	if ids.Type.Rank() == 0 {
		starts := []*ir.Value{tile}
		for range inner {
			starts = append(starts, b.I32(0))
		}
		return b.Reshape(b.DynamicSlice(a, append(starts, lane), sizes...), inner...)
	}
	rows, last := ids.Type.Shape[0], a.Type.Rank()-1
	at := b.Concatenate(1, b.Reshape(tile, rows, 1), b.Reshape(lane, rows, 1))
	return b.Gather(a, at, ir.GatherDims{OffsetDims: upTo(last)[1:], CollapsedSliceDims: []int{0, last},
		StartIndexMap: []int{0, last}, IndexVectorDim: 1, SliceSizes: sizes})
}
