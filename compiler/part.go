package compiler

import (
	"fmt"
	"slices"

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
	q := quantiser{checkpoint: c, affine: a, numbers: r.Format.DType}
	return func(dst []byte, s lower.Source, from, to int) error {
		if err := q.read(s, from, to); err != nil {
			return err
		}
		switch r.Part {
		case lower.Codes:
			a.Quantize(q.codes, q.scales, q.biases, q.w)
			quant.Pack(dst, q.codes, r.Format.Bits)
		case lower.Scales:
			a.Fit(q.scales, q.biases, q.w)
			ir.Narrow(dst, d, q.scales)
		case lower.Biases:
			a.Fit(q.scales, q.biases, q.w)
			ir.Narrow(dst, d, q.biases)
		}
		return nil
	}, nil
}

// quantiser reads rows that are to be quantised here, piece after piece into the same memory.
type quantiser struct {
	checkpoint rowReader
	affine     quant.Affine
	numbers    ir.DType // of the weights, as mlx.core.quantize would get them

	raw            []byte
	w              []float32 // the numbers, in f32
	codes          []uint8   // room for what is made of them
	scales, biases []float32
}

// read reads rows, and makes room for codes, scales and biases of theirs.
func (q *quantiser) read(s lower.Source, from, to int) error {
	n := (to - from) * rowElements(s.Shape)
	groups := n / q.affine.Group
	q.raw, q.w, q.codes = sized(q.raw, n*q.numbers.Size()), sized(q.w, n), sized(q.codes, n)
	q.scales, q.biases = sized(q.scales, groups), sized(q.biases, groups)
	if err := q.checkpoint.ReadRows(q.raw, q.numbers, s.Tensor, from, to); err != nil {
		return err
	}
	ir.Widen(q.w, q.numbers, q.raw)
	return nil
}

// sized is s with n elements of any content, in its memory if there is room.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

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
