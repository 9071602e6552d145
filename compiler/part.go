package compiler

import (
	"fmt"

	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// readPart writes rows [from, to) of what a recipe takes of a source.
type readPart func(dst []byte, s lower.Source, from, to int) error

// partReader reads what the weight's recipe takes of a matrix.
func partReader(c rowReader, w lower.Weight) (readPart, error) {
	r, d := w.Recipe, w.Type.DType
	if r.Part == lower.Numbers {
		return func(dst []byte, s lower.Source, from, to int) error {
			return c.ReadRows(dst, w.NumberType(), s.Tensor, from, to)
		}, nil
	}
	if r.Format.Quantise == 0 {
		return keptPart(c, w)
	}
	a := quant.Affine{Bits: r.Format.Quantise, Group: r.Format.Group}
	if err := a.Check(); err != nil {
		return nil, fmt.Errorf("compiler: weight %s: %w", w.Name, err)
	}
	return func(dst []byte, s lower.Source, from, to int) error {
		q, err := quantise(c, a, r.Format.DType, s, from, to)
		if err != nil {
			return err
		}
		switch r.Part {
		case lower.Codes:
			quant.Pack(dst, q.codes, r.Format.Bits)
		case lower.Scales:
			ir.Narrow(dst, d, q.scales)
		case lower.Biases:
			ir.Narrow(dst, d, q.biases)
		}
		return nil
	}, nil
}

// quantisedRows are rows of a matrix quantised here.
type quantisedRows struct {
	codes          []uint8
	scales, biases []float32
}

// quantise reads rows as numbers of type d, as mlx.core.quantize would get them, and
// quantises them.
func quantise(c rowReader, a quant.Affine, d ir.DType, s lower.Source, from, to int) (quantisedRows, error) {
	n := (to - from) * rowElements(s.Shape)
	numbers := make([]byte, n*d.Size())
	if err := c.ReadRows(numbers, d, s.Tensor, from, to); err != nil {
		return quantisedRows{}, err
	}
	w := make([]float32, n)
	ir.Widen(w, d, numbers)
	q := quantisedRows{make([]uint8, n), make([]float32, n/a.Group), make([]float32, n/a.Group)}
	a.Quantize(q.codes, q.scales, q.biases, w)
	return q, nil
}

// partElements is how many elements a recipe takes of so many neighbouring numbers.
func partElements(r lower.Recipe, n int) int {
	switch r.Part {
	case lower.Codes:
		return n * r.Format.Bits / 32
	case lower.Scales, lower.Biases:
		return n / r.Format.Group
	case lower.SuperScales, lower.SuperBiases:
		return n / r.Format.Group / r.Format.Super
	}
	return n
}

// partShape is the shape of what a recipe takes of a tensor of the shape.
func partShape(r lower.Recipe, shape []int) []int {
	if r.Part == lower.Numbers {
		return shape
	}
	return []int{shape[0], partElements(r, rowElements(shape))}
}

// keptPart reads a part of the checkpoint's own quantisation.
func keptPart(c rowReader, w lower.Weight) (readPart, error) {
	q, ok := c.(checkpoint.Quantised)
	if !ok {
		return nil, fmt.Errorf("compiler: weight %s: the checkpoint isn't quantised", w.Name)
	}
	if w.Recipe.Part == lower.Codes {
		return func(dst []byte, s lower.Source, from, to int) error { return q.ReadCodes(dst, s.Tensor, from, to) }, nil
	}
	read := map[lower.Part]func(dst []byte, d ir.DType, name string, from, to int) error{
		lower.Scales: q.ReadScales, lower.Biases: q.ReadBiases, lower.SuperScales: q.ReadSuperScales, lower.SuperBiases: q.ReadSuperBiases,
	}[w.Recipe.Part]
	return func(dst []byte, s lower.Source, from, to int) error {
		return read(dst, w.Type.DType, s.Tensor, from, to)
	}, nil
}
