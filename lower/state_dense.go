package lower

import (
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// denseState keeps keys and values as [slots, heads, capacity, headDim].
type denseState struct{ dtype ir.DType }

// Capacity is an odd multiple of 16: IREE works on 16 rows of keys at a time then,
// on 32 otherwise, for which registers do not suffice: half the speed with f16.
func (d denseState) Capacity(rows int) int { return (rows+15)/32*32 + 16 }

func (d denseState) ChunkAlign() int { return 1 }

func (d denseState) Pools(slots, heads, capacity, headDim int) (key, value ir.Type) {
	t := ir.T(d.dtype, slots, heads, capacity, headDim)
	return t, t
}

func (d denseState) WriteKeys(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	row := b.Reshape(b.Convert(x, d.dtype), slices.Concat([]int{1}, x.Type.Shape)...)
	zero := b.I32(0)
	return b.DynamicUpdateSlice(pool, row, slot, zero, position, zero)
}

func (d denseState) WriteValues(b *ir.Builder, pool, x, slot, position *ir.Value) *ir.Value {
	return d.WriteKeys(b, pool, x, slot, position)
}

func (d denseState) ReadKeys(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	heads, headDim := pool.Type.Shape[1], pool.Type.Shape[3]
	zero := b.I32(0)
	held := b.DynamicSlice(pool, []*ir.Value{slot, zero, zero, zero}, 1, heads, span, headDim)
	return b.Reshape(held, heads, span, headDim)
}

func (d denseState) ReadValues(b *ir.Builder, pool, slot *ir.Value, span int) *ir.Value {
	return d.ReadKeys(b, pool, slot, span)
}

// Scores multiplies f32 by the stored type directly: a convert of the keys before
// the product would be written to memory, as large as the state, in every step.
func (d denseState) Scores(b *ir.Builder, q, keys *ir.Value) *ir.Value {
	return b.DotGeneral(q, keys, ir.DotDims{LhsBatch: []int{0}, RhsBatch: []int{0},
		LhsContract: []int{q.Type.Rank() - 1}, RhsContract: []int{2}}, ir.F32)
}

func (d denseState) Output(b *ir.Builder, p, values *ir.Value) *ir.Value {
	return b.DotGeneral(p, values, ir.DotDims{LhsBatch: []int{0}, RhsBatch: []int{0},
		LhsContract: []int{p.Type.Rank() - 1}, RhsContract: []int{1}}, ir.F32)
}

// gpuState is denseState for GPUs.
type gpuState struct{ denseState }

// Capacity is a multiple of subgroups of up to 64 threads: only rows that they divide are
// reduced by a subgroup; others IREE gathers in the memory that a workgroup shares,
// which is too small for them.
func (gpuState) Capacity(rows int) int { return (rows + 63) / 64 * 64 }
