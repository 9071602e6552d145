package lower

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// packedWeights stores quantised matrices as words of codes, lanes rows of W
// innermost, and computes with the codes where they are read: dequantised weights
// never go through memory in decode. A matrix has these arguments:
//
//	words  [tiles, groups, words a group, lanes] ui32, codes in MLX's order of bits
//	scales [tiles, groups, lanes]
//	biases [tiles, groups, lanes], unless the format has a centre
//
// With super-groups, groups are two dimensions, [super-groups, groups], and there are
// super_scales and super_biases, [tiles, super-groups, lanes].
//
// Rows beyond those of W, up to a whole tile, are zeros. Matrices that aren't quantised
// are tiled.
type packedWeights struct {
	formats Formats
}

// Store puts matrices together that have the same format; otherwise each is alone.
func (p packedWeights) Store(name string, ms []Linear) []Stored {
	f := p.format(ms[0])
	for _, m := range ms[1:] {
		if p.format(m) != f {
			return p.alone(ms)
		}
	}
	if f.Bits == 0 {
		return tiledWeights{f.DType}.Store(name, ms)
	}
	return []Stored{p.pack(name, f, ms)}
}

func (p packedWeights) alone(ms []Linear) []Stored {
	var list []Stored
	for i := range ms {
		list = append(list, p.Store("", ms[i:i+1])...)
	}
	return list
}

// format is that of a matrix. One whose rows aren't whole groups isn't quantised.
func (p packedWeights) format(m Linear) Format {
	f := p.formats(m.Tensor)
	if f.Bits != 0 && !f.wholeGroups(m.In) {
		return Format{DType: f.DType}
	}
	return f
}

func (p packedWeights) pack(name string, f Format, ms []Linear) Stored {
	if len(ms) == 1 {
		name = strings.TrimSuffix(ms[0].Tensor, ".weight")
	}
	rows, in := 0, ms[0].In
	var sources []Source
	for _, m := range ms {
		rows += m.Out
		sources = append(sources, Source{Tensor: m.Tensor, Shape: []int{m.Out, m.In}})
	}
	tiles, groups := tilesOf(rows), f.groups(in)
	pad := padTo(tiles, rows)
	part := func(p Part, d ir.DType, dims []int) Weight { // [tiles, dims…, lanes]
		shape := slices.Concat([]int{tiles}, dims, []int{lanes})
		byRow := slices.Concat([]int{tiles, lanes}, dims)
		steps := slices.Concat(pad, []Step{{"reshape", byRow}, {"transpose", slices.Concat([]int{0}, upTo(len(shape))[2:], []int{1})}})
		return Weight{name + "." + p.suffix(), ir.T(d, shape...), Recipe{Sources: sources, Part: p, Format: f, Steps: steps}}
	}
	ws := []Weight{part(Codes, ir.UI32, append(slices.Clone(groups), f.Group/f.codesPerWord())), part(Scales, f.scaleType(), groups)}
	if f.Centre == 0 {
		ws = append(ws, part(Biases, f.scaleType(), groups))
	}
	if f.Super != 0 {
		ws = append(ws, part(SuperScales, f.DType, groups[:1]))
		if f.Centre == 0 {
			ws = append(ws, part(SuperBiases, f.DType, groups[:1]))
		}
	}
	return Stored{ms, ws}
}

// unpacked is the plan of a matrix that isn't quantised.
func unpacked(s Stored) tiledWeights { return tiledWeights{s.Weights[0].Recipe.Numbers} }

// packedMatrix is a packed W inside a graph.
type packedMatrix struct {
	Format
	parts  map[Part]*ir.Value
	tiles  int
	groups []int // [groups], or [super-groups, groups]
	words  int   // a group
}

func packedArgs(s Stored, args []*ir.Value) packedMatrix {
	shape := args[0].Type.Shape
	last := len(shape) - 2
	m := packedMatrix{s.Weights[0].Recipe.Format, map[Part]*ir.Value{}, shape[0], shape[1:last], shape[last]}
	for i, w := range s.Weights {
		m.parts[w.Recipe.Part] = args[i]
	}
	return m
}

// scale and bias are those of the groups in f32, [tiles or lead…, groups…, trail…],
// broadcast to shape. at are their dimensions' places in it, group that of the last one
// of groups.
func (m packedMatrix) scale(b *ir.Builder, at []int, group int, shape []int) *ir.Value {
	return m.factor(b, Scales, SuperScales, at, group, shape)
}

func (m packedMatrix) bias(b *ir.Builder, at []int, group int, shape []int) *ir.Value {
	return m.factor(b, Biases, SuperBiases, at, group, shape)
}

func (m packedMatrix) factor(b *ir.Builder, part, super Part, at []int, group int, shape []int) *ir.Value {
	x := b.Broadcast(b.Convert(m.parts[part], ir.F32), at, shape...)
	if m.Super == 0 {
		return x
	}
	at = slices.DeleteFunc(slices.Clone(at), func(dim int) bool { return dim == group })
	return b.Multiply(x, b.Broadcast(b.Convert(m.parts[super], ir.F32), at, shape...))
}

// fewPacked is up to how many rows the words are unpacked for each row anew.
const fewPacked = 8

// Multiply unpacks inside the sum for few rows; for more it dequantises W first.
func (p packedWeights) Multiply(b *ir.Builder, x *ir.Value, s Stored, args []*ir.Value) *ir.Value {
	if len(args) == 1 {
		return unpacked(s).Multiply(b, x, s, args)
	}
	m := packedArgs(s, args)
	lead := x.Type.Shape[:x.Type.Rank()-1]
	var y *ir.Value
	if len(lead) == 0 || lead[0] <= fewPacked {
		y = m.multiplyFew(b, x)
	} else {
		y = m.multiplyMany(b, x)
	}
	return cut(b, y, 0, s.Rows())
}

// multiplyFew is x·Wᵀ for x [(rows,) in]. With x cut into words of codes x[g, w, j],
//
//	y = Σ_g Σ_w scale[g]·(Σ_j code[g, w, j]·x[g, w, j]) + bias[g]·(Σ_j x[g, w, j])
//
// or, with a centre in place of biases, minus scale[g]·centre·(Σ_j x[g, w, j]): a sum of
// two products. One product, of the difference, would be a contraction to IREE, which
// unpacks in a loop of its own then, and takes a third longer.
// A code stays where it lies in its word: masked, it is code·2^(bits·j), and the power
// of two, exact in f32, is taken out of x instead. Words are broadcast over the rows
// before they are unpacked: IREE would write down what is computed before a broadcast.
func (m packedMatrix) multiplyFew(b *ir.Builder, x *ir.Value) *ir.Value {
	step := m.wordsPerStep()
	lead, summed := x.Type.Shape[:x.Type.Rank()-1], append(slices.Clone(m.groups), m.words/step)
	shape := slices.Concat(lead, []int{m.tiles}, summed, []int{lanes})
	tile, n := len(lead), len(summed)
	first, last := tile+1, len(shape)-1 // the dimensions of groups and words are between
	all := upTo(len(shape))

	words := every(b, b.BitcastConvert(m.parts[Codes], ir.T(ir.I32, m.parts[Codes].Type.Shape...)), n, step)
	if len(lead) > 0 {
		for i, w := range words {
			words[i] = b.Broadcast(w, all[tile:], shape...)
		}
	}
	perWord := m.codesPerWord()
	x = b.Reshape(x, slices.Concat(lead, summed, []int{step * perWord})...)
	spread := func(x *ir.Value) *ir.Value { // [(rows, )groups, words]
		return b.Broadcast(x, slices.Concat(all[:tile], all[first:last]), shape...)
	}

	codes := tile + n // their dimension in x
	xs := m.unscaled(b, x, codes)
	products := make([]*ir.Value, step*perWord)
	for j := range products {
		code := m.code(b, words[j/perWord], j%perWord)
		products[j] = b.Multiply(b.Convert(code, ir.F32), spread(nth(b, xs, codes, j)))
	}
	chain := 4 // so that an addition waits for few others
	if len(lead) > 0 {
		chain = len(products) // rows are sums enough
	}
	sum := chains(b, products, chain)
	ofGroups := slices.Concat(all[tile:last-1], all[last:])
	scale := m.scale(b, ofGroups, last-2, shape)
	var terms *ir.Value
	if m.Centre != 0 {
		total := b.ReduceSum(x, codes)
		shift := spread(b.Multiply(total, b.Splat(total.Type, float64(m.Centre))))
		terms = b.Subtract(b.Multiply(sum, scale), b.Multiply(scale, shift))
	} else {
		bias := m.bias(b, ofGroups, last-2, shape)
		terms = b.Add(b.Multiply(sum, scale), b.Multiply(bias, spread(b.ReduceSum(x, codes))))
	}
	y := b.ReduceSum(terms, all[first:last]...) // [(rows, )tiles, lanes]
	return b.Reshape(y, slices.Concat(lead, []int{m.tiles * lanes})...)
}

// code is code j of each word, times 2^(bits·j) but for the last.
func (m packedMatrix) code(b *ir.Builder, words *ir.Value, j int) *ir.Value {
	if j == m.codesPerWord()-1 {
		return b.ShiftRightLogical(words, b.Splat(words.Type, float64(m.Bits*j)))
	}
	return b.And(words, b.Splat(words.Type, float64((int(1)<<m.Bits-1)<<(m.Bits*j))))
}

// unscaled is x [(rows, )groups, words, codes] times 2^(-bits·j) at code j of a word but
// the last; at is the place of codes, which may be those of several words.
func (m packedMatrix) unscaled(b *ir.Builder, x *ir.Value, at int) *ir.Value {
	codes := m.codesPerWord()
	powers := ir.Tensor{Type: ir.T(ir.F32, x.Type.Shape[at])}
	for i := range x.Type.Shape[at] {
		j := i % codes
		power := math.Ldexp(1, -m.Bits*j)
		if j == codes-1 {
			power = 1
		}
		powers.Data = binary.LittleEndian.AppendUint32(powers.Data, math.Float32bits(float32(power)))
	}
	return b.Multiply(x, b.Broadcast(b.Constant(&powers), []int{at}, x.Type.Shape...))
}

// multiplyMany is x·Wᵀ for x [rows, in], W dequantised once: [tiles, in, lanes].
func (m packedMatrix) multiplyMany(b *ir.Builder, x *ir.Value) *ir.Value {
	in := x.Type.Shape[1]
	w := m.dequantise(b, len(m.groups)+2)
	return laneProduct(b, x, b.Reshape(w, m.tiles, in, lanes), ir.F32, 0)
}

// dequantise turns words [lead…, groups, words, trail…] and scales and biases
// [lead…, groups, trail…] into f32 [lead…, groups, words, codes, trail…]; at is the
// place of codes.
func (m packedMatrix) dequantise(b *ir.Builder, at int) *ir.Value {
	shape := slices.Insert(slices.Clone(m.parts[Codes].Type.Shape), at, m.codesPerWord())
	t := ir.T(ir.UI32, shape...)
	all := upTo(len(shape))
	ofWords := slices.Delete(slices.Clone(all), at, at+1)
	ofGroups := slices.Delete(slices.Clone(all), at-1, at+1)
	bits := b.Multiply(b.Iota(t, at), b.Splat(t, float64(m.Bits)))
	codes := b.And(b.ShiftRightLogical(b.Broadcast(m.parts[Codes], ofWords, shape...), bits), b.Splat(t, float64(int(1)<<m.Bits-1)))
	w := b.Convert(b.BitcastConvert(codes, ir.T(ir.I32, shape...)), ir.F32)
	scale := m.scale(b, ofGroups, at-2, shape)
	if m.Centre != 0 {
		return b.Multiply(b.Subtract(w, b.Splat(w.Type, float64(m.Centre))), scale)
	}
	bias := m.bias(b, ofGroups, at-2, shape)
	return b.Add(b.Multiply(w, scale), bias)
}

// Rows dequantises only the rows asked for.
func (p packedWeights) Rows(b *ir.Builder, ids *ir.Value, s Stored, args []*ir.Value) *ir.Value {
	if len(args) == 1 {
		return unpacked(s).Rows(b, ids, s, args)
	}
	m := packedArgs(s, args)
	for _, w := range s.Weights {
		m.parts[w.Recipe.Part] = tileRows(b, m.parts[w.Recipe.Part], ids)
	}
	lead := ids.Type.Shape
	w := m.dequantise(b, len(lead)+len(m.groups)+1)
	return b.Reshape(w, slices.Concat(lead, []int{s.Linears[0].In})...)
}

// Rules are the tiles of a product: without them IREE spends three to four times as long.
func (p packedWeights) Rules(s Stored, rows int, v target.Vector) []Rule {
	if len(s.Weights) == 1 {
		return unpacked(s).Rules(s, rows, v)
	}
	shape := s.Weights[0].Type.Shape
	tiles, summed := shape[0], slices.Clone(shape[1:len(shape)-1])
	summed[len(summed)-1] /= s.Weights[0].Recipe.Format.wordsPerStep()
	in := s.Linears[0].In
	each := slices.Repeat([]int{1}, len(summed)) // step of the sum
	share := workgroupTiles(tiles, in)
	switch {
	case rows == 0:
		return []Rule{newRule(append([]int{tiles, lanes}, summed...), []int{share, lanes}, []int{1, lanes}, each)}
	case rows <= fewPacked:
		return []Rule{newRule(append([]int{rows, tiles, lanes}, summed...), []int{rows, share, lanes}, []int{divisor(rows, 4), 1, lanes}, each)}
	}
	return []Rule{manyRows(rows, tiles, in, v)}
}
