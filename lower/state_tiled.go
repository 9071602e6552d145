package lower

import (
	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// tiledState keeps lanes innermost, so that products with keys and values load whole
// registers and sum without shuffling:
//
//	keys   [slots, heads, capacity/lanes, headDim, lanes]
//	values [slots, heads, headDim/lanes, capacity, lanes]
//
// Heads are a multiple of lanes wide. Chunks of several rows are whole tiles at whole
// tiles. f16 lies as its bits.
type tiledState struct{ dtype ir.DType }

func (t tiledState) Capacity(rows int) int { return (rows + lanes - 1) / lanes * lanes }

func (t tiledState) ChunkAlign() int { return lanes }

func (t tiledState) Pools(slots, heads, capacity, headDim int) (key, value ir.Type) {
	d := bitsOf(t.dtype)
	return ir.T(d, slots, heads, capacity/lanes, headDim, lanes), ir.T(d, slots, heads, headDim/lanes, capacity, lanes)
}

func (t tiledState) WriteKeys(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	n := b.I32(lanes)
	tile, lane, zero := b.Divide(position, n), b.I32(0), b.I32(0)
	if rows == 1 {
		lane = b.Remainder(position, n)
		x = b.Reshape(x, 1, heads, 1, d, 1)
	} else {
		x = b.Transpose(b.Reshape(x, heads, rows/lanes, lanes, d), 0, 1, 3, 2)
		x = b.Reshape(x, 1, heads, rows/lanes, d, lanes)
	}
	return b.DynamicUpdateSlice(pool, t.bits(b, x), slot, zero, tile, zero, lane)
}

func (t tiledState) WriteValues(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	x = b.Transpose(b.Reshape(x, heads, rows, d/lanes, lanes), 0, 2, 1, 3)
	x = b.Reshape(x, 1, heads, d/lanes, rows, lanes)
	zero := b.I32(0)
	return b.DynamicUpdateSlice(pool, t.bits(b, x), slot, zero, zero, position, zero)
}

func (t tiledState) ReadKeys(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	s := pool.Type.Shape
	return held(b, pool, slot, s[1], span/lanes, s[3], s[4])
}

func (t tiledState) ReadValues(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	s := pool.Type.Shape
	return held(b, pool, slot, s[1], s[2], span, s[4])
}

// bits are those of x, f32, as the pools have them.
func (t tiledState) bits(b *ir.Builder, x *ir.Value) *ir.Value {
	x = b.Convert(x, t.dtype)
	if d := bitsOf(t.dtype); d != t.dtype {
		return b.BitcastConvert(x, x.Type.With(d))
	}
	return x
}

// held is the first part, of that shape, of what a pool holds of slot.
func held(b *ir.Builder, pool, slot *ir.Value, shape ...int) *ir.Value {
	zero := b.I32(0)
	part := b.DynamicSlice(pool, []*ir.Value{slot, zero, zero, zero, zero}, append([]int{1}, shape...)...)
	return b.Reshape(part, shape...)
}

func (t tiledState) Scores(b *ir.Builder, q, keys *ir.Value) *ir.Value {
	return laneProduct(b, q, keys, t.dtype, 1)
}

func (t tiledState) Output(b *ir.Builder, p, values *ir.Value) *ir.Value {
	return laneProduct(b, p, values, t.dtype, 1)
}

// Rules are the tiles of the products with keys and with values.
func (t tiledState) Rules(a archs.Attention, rows, span int, v target.Vector) []Rule {
	groups := a.Heads / a.KVHeads
	product := oneRow
	if rows > 0 {
		product = func(heads, groups, tiles, n int, v target.Vector) Rule {
			return chunkRows(heads, groups, rows, tiles, n, v)
		}
	}
	return []Rule{
		product(a.KVHeads, groups, span/lanes, a.HeadDim, v),
		product(a.KVHeads, groups, a.HeadDim/lanes, span, v),
	}
}

// oneRow is the rule of laneProduct for a row a group: what is loaded of the state serves
// all groups, and sums of several tiles are under way at a time.
func oneRow(heads, groups, tiles, n int, v target.Vector) Rule {
	sums := max(1, v.Registers*3/8*v.Lanes/lanes)
	share := half(tiles)
	high := divisor(groups, sums)
	return newRule([]int{heads, groups, tiles, lanes, n},
		[]int{1, groups, share, lanes}, []int{1, high, divisor(share, max(1, sums/high)), lanes}, []int{1})
}

// chunkRows is the rule of laneProduct for so many rows of each group.
func chunkRows(heads, groups, rows, tiles, n int, v target.Vector) Rule {
	return newRule([]int{heads, groups, rows, tiles, lanes, n},
		[]int{1, 1, divisor(rows, 64), half(tiles), lanes}, []int{1, 1, divisor(rows, v.Rows), 1, lanes}, []int{1})
}

// half is what of so many tiles a workgroup takes.
func half(tiles int) int {
	if tiles%2 == 0 {
		return tiles / 2
	}
	return tiles
}
