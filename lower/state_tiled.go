package lower

import (
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// stateLanes is how many numbers of the state lie innermost: what a vector register
// of the CPU rows takes.
const stateLanes = 16

// tiledState keeps lanes innermost, so that products with keys and values load whole
// registers and sum without shuffling:
//
//	keys   [slots, heads, capacity/lanes, headDim, lanes]
//	values [slots, heads, headDim/lanes, capacity, lanes]
//
// Chunks of several rows are whole tiles at whole tiles. Heads that are no multiple of
// lanes wide are kept by others. f16 is stored as its bits with the sign flipped: see number.
type tiledState struct {
	dtype  ir.DType
	others denseState
}

func (t tiledState) Capacity(rows int) int { return (rows + stateLanes - 1) / stateLanes * stateLanes }

func (t tiledState) ChunkAlign() int { return stateLanes }

func (t tiledState) Pools(slots, heads, capacity, headDim int) (key, value ir.Type) {
	if headDim%stateLanes != 0 {
		return t.others.Pools(slots, heads, capacity, headDim)
	}
	d := t.dtype
	if d == ir.F16 {
		d = ir.UI16
	}
	return ir.T(d, slots, heads, capacity/stateLanes, headDim, stateLanes), ir.T(d, slots, heads, headDim/stateLanes, capacity, stateLanes)
}

// tiled says whether a pool, or what was read of it, is of this layout.
func (t tiledState) tiled(pool *ir.Value, slots int) bool { return pool.Type.Rank() == 4+slots }

func (t tiledState) WriteKeys(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	if !t.tiled(pool, 1) {
		return t.others.WriteKeys(b, pool, x, slot, position)
	}
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	lanes := b.I32(stateLanes)
	tile, lane, zero := b.Divide(position, lanes), b.I32(0), b.I32(0)
	if rows == 1 {
		lane = b.Remainder(position, lanes)
		x = b.Reshape(x, 1, heads, 1, d, 1)
	} else {
		x = b.Transpose(b.Reshape(x, heads, rows/stateLanes, stateLanes, d), 0, 1, 3, 2)
		x = b.Reshape(x, 1, heads, rows/stateLanes, d, stateLanes)
	}
	return b.DynamicUpdateSlice(pool, t.stored(b, x), slot, zero, tile, zero, lane)
}

func (t tiledState) WriteValues(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	if !t.tiled(pool, 1) {
		return t.others.WriteValues(b, pool, x, slot, position)
	}
	heads, rows, d := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	x = b.Transpose(b.Reshape(x, heads, rows, d/stateLanes, stateLanes), 0, 2, 1, 3)
	x = b.Reshape(x, 1, heads, d/stateLanes, rows, stateLanes)
	zero := b.I32(0)
	return b.DynamicUpdateSlice(pool, t.stored(b, x), slot, zero, zero, position, zero)
}

func (t tiledState) ReadKeys(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	if !t.tiled(pool, 1) {
		return t.others.ReadKeys(b, pool, slot, span)
	}
	s := pool.Type.Shape
	return held(b, pool, slot, s[1], span/stateLanes, s[3], s[4])
}

func (t tiledState) ReadValues(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	if !t.tiled(pool, 1) {
		return t.others.ReadValues(b, pool, slot, span)
	}
	s := pool.Type.Shape
	return held(b, pool, slot, s[1], s[2], span, s[4])
}

// held is the first part, of that shape, of what a pool holds of slot.
func held(b *ir.Builder, pool, slot *ir.Value, shape ...int) *ir.Value {
	zero := b.I32(0)
	part := b.DynamicSlice(pool, []*ir.Value{slot, zero, zero, zero, zero}, append([]int{1}, shape...)...)
	return b.Reshape(part, shape...)
}

func (t tiledState) Scores(b *ir.Builder, q, keys *ir.Value) *ir.Value {
	if !t.tiled(keys, 0) {
		return t.others.Scores(b, q, keys)
	}
	return t.product(b, q, keys)
}

func (t tiledState) Output(b *ir.Builder, p, values *ir.Value) *ir.Value {
	if !t.tiled(values, 0) {
		return t.others.Output(b, p, values)
	}
	return t.product(b, p, values)
}

// product is x·held over x's last dimension: x [heads, lead…, n], held
// [heads, tiles, n, lanes]; the result [heads, lead…, tiles·lanes]. Heads and lead are
// kept apart: IREE would fold neighbours together and write down what is held for each.
func (t tiledState) product(b *ir.Builder, x, held *ir.Value) *ir.Value {
	heads, lead, n := x.Type.Shape[0], x.Type.Shape[1:x.Type.Rank()-1], x.Type.Shape[x.Type.Rank()-1]
	tiles := held.Type.Shape[1]
	shape := slices.Concat([]int{heads, tiles, n}, lead, []int{stateLanes})
	last := len(shape) - 1
	toLast := append(append([]int{0}, len(lead)+1), upTo(len(lead) + 1)[1:]...) // heads, n, lead…
	xs := b.Broadcast(b.Transpose(x, toLast...), append([]int{0, 2}, upTo(last)[3:]...), shape...)
	product := b.Multiply(xs, t.number(b, b.Broadcast(held, []int{0, 1, 2, last}, shape...)))
	y := b.ReduceSum(product, 2) // [heads, tiles, lead…, lanes]
	order := append(append([]int{0}, upTo(len(lead) + 2)[2:]...), 1, len(lead)+2)
	return b.Reshape(b.Transpose(y, order...), slices.Concat([]int{heads}, lead, []int{tiles * stateLanes})...)
}

// signBit of an f16.
const signBit = 0x8000

// number is what is held, f32, after it was broadcast. IREE would move the conversion
// of f16 before the broadcast and write the whole state down as f32; it doesn't move
// an operation of two operands, which flipping the sign is.
func (t tiledState) number(b *ir.Builder, held *ir.Value) *ir.Value {
	if held.Type.DType != ir.UI16 {
		return held
	}
	bits := b.Xor(held, b.Splat(held.Type, signBit))
	return b.Convert(b.BitcastConvert(bits, ir.T(ir.F16, held.Type.Shape...)), ir.F32)
}

// stored is what is held of x, f32.
func (t tiledState) stored(b *ir.Builder, x *ir.Value) *ir.Value {
	if t.dtype != ir.F16 {
		return x
	}
	bits := b.BitcastConvert(b.Convert(x, ir.F16), ir.T(ir.UI16, x.Type.Shape...))
	return b.Xor(bits, b.Splat(bits.Type, signBit))
}

// Rules are the tiles of the products with keys and with values.
func (t tiledState) Rules(a archs.Attention, rows, span int, v target.Vector) []Rule {
	if a.HeadDim%stateLanes != 0 {
		return nil
	}
	groups := a.Heads / a.KVHeads
	product := oneRow
	if rows > 0 {
		product = func(heads, groups, tiles, n int, v target.Vector) Rule {
			return chunkRows(heads, groups, rows, tiles, n, v)
		}
	}
	return []Rule{
		product(a.KVHeads, groups, span/stateLanes, a.HeadDim, v),
		product(a.KVHeads, groups, a.HeadDim/stateLanes, span, v),
	}
}

// oneRow is the rule of product for a row a group: what is loaded of the state serves
// all groups, and sums of several tiles are under way at a time.
func oneRow(heads, groups, tiles, n int, v target.Vector) Rule {
	sums := max(1, v.Registers*3/8*v.Lanes/stateLanes)
	share := tiles
	if tiles%2 == 0 {
		share = tiles / 2
	}
	high := divisor(groups, sums)
	return newRule([]int{heads, groups, tiles, stateLanes, n},
		[]int{1, groups, share, stateLanes}, []int{1, high, divisor(share, max(1, sums/high)), stateLanes}, []int{1})
}

// chunkRows is the rule of product for so many rows of each group.
func chunkRows(heads, groups, rows, tiles, n int, v target.Vector) Rule {
	wide := divisor(tiles, v.Tiles)
	share := tiles
	if tiles/wide%2 == 0 {
		share = tiles / 2
	}
	return newRule([]int{heads, groups, rows, tiles, stateLanes, n},
		[]int{1, 1, divisor(rows, 64), share, stateLanes}, []int{1, 1, divisor(rows, v.Rows), wide, min(stateLanes, v.Lanes)}, []int{1})
}
