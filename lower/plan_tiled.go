package lower

import (
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// tiledWeights stores matrices as [tiles, in, lanes]: a step of a product loads lanes
// rows of W at once and sums without shuffling. Numbers are of one type; f16 and bf16
// lie as their bits. Rows beyond those of W, up to a whole tile, are zeros. Products are
// of f32 and summed in f32.
type tiledWeights struct{ dtype ir.DType }

func (t tiledWeights) Store(name string, ms []Linear) []Stored {
	in := ms[0].In
	w := Weight{Name: ms[0].Tensor, Recipe: Recipe{Numbers: t.dtype}}
	if len(ms) > 1 {
		w.Name = name + ".weight"
	}
	rows := 0
	for _, m := range ms {
		rows += m.Out
		w.Recipe.Sources = append(w.Recipe.Sources, Source{Tensor: m.Tensor, Shape: []int{m.Out, in}})
	}
	tiles := tilesOf(rows)
	w.Type = ir.T(bitsOf(t.dtype), tiles, in, lanes)
	w.Recipe.Steps = append(padTo(tiles, rows), Step{"reshape", []int{tiles, lanes, in}}, Step{"transpose", []int{0, 2, 1}})
	return []Stored{{ms, []Weight{w}}}
}

// padTo adds rows of zeros to so many, up to whole tiles.
func padTo(tiles, rows int) []Step {
	if tiles*lanes == rows {
		return nil
	}
	return []Step{{"pad", []int{tiles*lanes - rows}}}
}

func (t tiledWeights) Multiply(b *ir.Builder, x *ir.Value, s Stored, args []*ir.Value) *ir.Value {
	return cut(b, laneProduct(b, x, args[0], t.dtype, 0), 0, s.Rows())
}

func (t tiledWeights) Rows(b *ir.Builder, ids *ir.Value, _ Stored, args []*ir.Value) *ir.Value {
	return fromBits(b, tileRows(b, args[0], ids), t.dtype)
}

// Rules are the tiles of a product.
func (t tiledWeights) Rules(s Stored, rows int, v target.Vector) []Rule {
	tiles, in := s.Weights[0].Type.Shape[0], s.Linears[0].In
	if rows == 0 {
		return []Rule{newRule([]int{tiles, lanes, in / vectorTerms(in)}, []int{workgroupTiles(tiles, in), lanes}, []int{1, lanes}, []int{1})}
	}
	return []Rule{manyRows(rows, tiles, in, v)}
}
