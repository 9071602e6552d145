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
// never go through memory in decode. A matrix has three arguments:
//
//	words  [tiles, groups, words a group, lanes] ui32, codes in MLX's order of bits
//	scales [tiles, groups, lanes]
//	biases [tiles, groups, lanes], unless the format has a centre
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
	if f.Bits != 0 && m.In%f.Group != 0 {
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
	tiles, groups, words := tilesOf(rows), in/f.Group, f.Group/f.codesPerWord()
	pad := padTo(tiles, rows)
	recipe := func(part Part, steps ...Step) Recipe {
		return Recipe{Sources: sources, Part: part, Format: f, Steps: slices.Concat(pad, steps)}
	}
	factors := []Step{{"reshape", []int{tiles, lanes, groups}}, {"transpose", []int{0, 2, 1}}}
	ws := []Weight{
		{name + ".weight", ir.T(ir.UI32, tiles, groups, words, lanes),
			recipe(Codes, Step{"reshape", []int{tiles, lanes, groups, words}}, Step{"transpose", []int{0, 2, 3, 1}})},
		{name + ".scales", ir.T(f.DType, tiles, groups, lanes), recipe(Scales, factors...)},
	}
	if f.Centre == 0 {
		ws = append(ws, Weight{name + ".biases", ir.T(f.DType, tiles, groups, lanes), recipe(Biases, factors...)})
	}
	return Stored{ms, ws}
}

// unpacked is the plan of a matrix that isn't quantised.
func unpacked(s Stored) tiledWeights { return tiledWeights{s.Weights[0].Recipe.Numbers} }

// packedMatrix is a packed W inside a graph.
type packedMatrix struct {
	words, scales                *ir.Value
	biases                       *ir.Value // nil: there is a centre
	tiles, groups, wordsPerGroup int
	bits, codes                  int // of a code; in a word
	centre                       int
}

func packedArgs(s Stored, args []*ir.Value) packedMatrix {
	shape := args[0].Type.Shape
	m := packedMatrix{words: args[0], scales: args[1], tiles: shape[0], groups: shape[1], wordsPerGroup: shape[2]}
	if m.centre = s.Weights[0].Recipe.Format.Centre; m.centre == 0 {
		m.biases = args[2]
	}
	m.codes = s.Linears[0].In / (m.groups * m.wordsPerGroup)
	m.bits = 32 / m.codes
	return m
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
// or, with a centre in place of biases, scale[g]·(Σ_j … - centre·Σ_j x[g, w, j]).
// A code stays where it lies in its word: masked, it is code·2^(bits·j), and the power
// of two, exact in f32, is taken out of x instead. Words are broadcast over the rows
// before they are unpacked: IREE would write down what is computed before a broadcast.
func (m packedMatrix) multiplyFew(b *ir.Builder, x *ir.Value) *ir.Value {
	lead := x.Type.Shape[:x.Type.Rank()-1]
	shape := slices.Concat([]int{m.tiles, m.groups, m.wordsPerGroup}, lead, []int{lanes})
	last := len(shape) - 1

	words := b.BitcastConvert(m.words, ir.T(ir.I32, m.words.Type.Shape...))
	if len(lead) > 0 {
		words = b.Broadcast(words, []int{0, 1, 2, last}, shape...)
	}
	x = b.Reshape(x, slices.Concat(lead, []int{m.groups, m.wordsPerGroup, m.codes})...)
	if len(lead) > 0 {
		x = b.Transpose(x, 1, 2, 3, 0)
	}
	spread := func(x *ir.Value) *ir.Value { return b.Broadcast(x, upTo(last)[1:], shape...) } // [groups, words(, rows)]

	xs := m.unscaled(b, x)
	products := make([]*ir.Value, m.codes)
	for j := range products {
		products[j] = b.Multiply(b.Convert(m.code(b, words, j), ir.F32), spread(nth(b, xs, 2, j)))
	}
	chain := 4 // so that an addition waits for few others
	if len(lead) > 0 {
		chain = m.codes // rows are sums enough
	}
	sum := chains(b, products, chain)
	scale := b.Broadcast(b.Convert(m.scales, ir.F32), []int{0, 1, last}, shape...)
	total := b.ReduceSum(x, 2)
	var terms *ir.Value
	if m.biases == nil {
		shift := spread(b.Multiply(total, b.Splat(total.Type, float64(m.centre))))
		terms = b.Multiply(b.Subtract(sum, shift), scale)
	} else {
		bias := b.Broadcast(b.Convert(m.biases, ir.F32), []int{0, 1, last}, shape...)
		terms = b.Add(b.Multiply(sum, scale), b.Multiply(bias, spread(total)))
	}
	y := b.ReduceSum(terms, 1, 2) // [tiles, (rows,) lanes]
	if len(lead) == 0 {
		return b.Reshape(y, m.tiles*lanes)
	}
	return b.Reshape(b.Transpose(y, 1, 0, 2), lead[0], m.tiles*lanes)
}

// code is code j of each word, times 2^(bits·j) but for the last.
func (m packedMatrix) code(b *ir.Builder, words *ir.Value, j int) *ir.Value {
	if j == m.codes-1 {
		return b.ShiftRightLogical(words, b.Splat(words.Type, float64(m.bits*j)))
	}
	return b.And(words, b.Splat(words.Type, float64((int(1)<<m.bits-1)<<(m.bits*j))))
}

// unscaled is x [groups, words, codes(, rows)] times 2^(-bits·j) at code j but the last.
func (m packedMatrix) unscaled(b *ir.Builder, x *ir.Value) *ir.Value {
	powers := ir.Tensor{Type: ir.T(ir.F32, m.codes)}
	for j := range m.codes {
		power := math.Ldexp(1, -m.bits*j)
		if j == m.codes-1 {
			power = 1
		}
		powers.Data = binary.LittleEndian.AppendUint32(powers.Data, math.Float32bits(float32(power)))
	}
	return b.Multiply(x, b.Broadcast(b.Constant(&powers), []int{2}, x.Type.Shape...))
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

// multiplyMany is x·Wᵀ for x [rows, in], W dequantised once: [tiles, in, lanes].
func (m packedMatrix) multiplyMany(b *ir.Builder, x *ir.Value) *ir.Value {
	in := x.Type.Shape[1]
	w := m.dequantise(b, 3)
	return laneProduct(b, x, b.Reshape(w, m.tiles, in, lanes), ir.F32, 0)
}

// dequantise turns words [lead…, groups, words, trail…] and scales and biases
// [lead…, groups, trail…] into f32 [lead…, groups, words, codes, trail…]; at is the
// place of codes.
func (m packedMatrix) dequantise(b *ir.Builder, at int) *ir.Value {
	shape := slices.Insert(slices.Clone(m.words.Type.Shape), at, m.codes)
	t := ir.T(ir.UI32, shape...)
	all := upTo(len(shape))
	ofWords := slices.Delete(slices.Clone(all), at, at+1)
	ofGroups := slices.Delete(slices.Clone(all), at-1, at+1)
	bits := b.Multiply(b.Iota(t, at), b.Splat(t, float64(m.bits)))
	codes := b.And(b.ShiftRightLogical(b.Broadcast(m.words, ofWords, shape...), bits), b.Splat(t, float64(int(1)<<m.bits-1)))
	w := b.Convert(b.BitcastConvert(codes, ir.T(ir.I32, shape...)), ir.F32)
	scale := b.Broadcast(b.Convert(m.scales, ir.F32), ofGroups, shape...)
	if m.biases == nil {
		return b.Multiply(b.Subtract(w, b.Splat(w.Type, float64(m.centre))), scale)
	}
	bias := b.Broadcast(b.Convert(m.biases, ir.F32), ofGroups, shape...)
	return b.Add(b.Multiply(w, scale), bias)
}

// Rows dequantises only the rows asked for.
func (p packedWeights) Rows(b *ir.Builder, ids *ir.Value, s Stored, args []*ir.Value) *ir.Value {
	if len(args) == 1 {
		return unpacked(s).Rows(b, ids, s, args)
	}
	m := packedArgs(s, args)
	for _, part := range []**ir.Value{&m.words, &m.scales, &m.biases} {
		if *part != nil {
			*part = tileRows(b, *part, ids)
		}
	}
	lead := ids.Type.Shape
	w := m.dequantise(b, len(lead)+2)
	return b.Reshape(w, slices.Concat(lead, []int{s.Linears[0].In})...)
}

// Rules are the tiles of a product: without them IREE spends three to four times as long.
func (p packedWeights) Rules(s Stored, rows int, v target.Vector) []Rule {
	if len(s.Weights) == 1 {
		return unpacked(s).Rules(s, rows, v)
	}
	shape := s.Weights[0].Type.Shape
	tiles, groups, words := shape[0], shape[1], shape[2]
	in := s.Linears[0].In
	share := workgroupTiles(tiles, in)
	switch {
	case rows == 0:
		return []Rule{newRule([]int{tiles, lanes, groups, words}, []int{share, lanes}, []int{1, lanes}, []int{1, 1})}
	case rows <= fewPacked:
		few := divisor(rows, 4)
		return []Rule{
			newRule([]int{rows, tiles, lanes, groups, words}, []int{rows, share, lanes}, []int{few, 1, lanes}, []int{1, 1}),
			newRule([]int{tiles, rows, lanes, groups, words}, []int{share, rows, lanes}, []int{1, few, lanes}, []int{1, 1}),
		}
	}
	return []Rule{manyRows(rows, tiles, in, v)}
}

// manyRows is the rule of x·Wᵀ for x [rows, in] and W [tiles, in, lanes], summed in
// registers over in.
func manyRows(rows, tiles, in int, v target.Vector) Rule {
	return newRule([]int{rows, tiles, lanes, in},
		[]int{divisor(rows, 64), divisor(tiles, 12), lanes}, []int{divisor(rows, v.Rows), 1, lanes}, []int{1})
}

// workgroupTiles is how many tiles a workgroup takes: a divisor that makes an even
// number of workgroups, more of them for larger matrices.
func workgroupTiles(tiles, in int) int {
	const perWorkgroup = 220 << 10 // elements
	workgroups := min(max(tiles*lanes*in/perWorkgroup, 4), 64)
	for d := tiles / workgroups; d > 1; d-- {
		if tiles%d == 0 && tiles/d%2 == 0 {
			return d
		}
	}
	return 1
}
