package compiler

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// Weights that are NaN or Inf, in the checkpoint or for want of range in the bundle, don't
// stop an emission: a row of the embedding may never be read. They are remarked. The
// self-check finds those that its prompt reaches, and a session those that a user's does.

// noteBroken remarks what was found of each weight, in their order.
func noteBroken(p Progress, found []string) {
	found = slices.DeleteFunc(slices.Clone(found), func(f string) bool { return f == "" })
	const few = 4
	for _, f := range found[:min(few, len(found))] {
		p.Note(f)
	}
	if n := len(found) - few; n > 0 {
		p.Note(fmt.Sprintf("%d more weights hold NaN or Inf", n))
	}
}

// watched is read, which tells found of the first number that isn't finite. A row of so
// many neighbouring numbers comes out as so many elements.
func watched(read readPart, w lower.Weight, found func(string)) readPart {
	d := w.NumberType()
	if floatBits[d].size == 0 {
		return read
	}
	return func(dst []byte, s lower.Source, from, to int) error {
		if err := read(dst, s, from, to); err != nil {
			return err
		}
		if i := nonFinite(d, dst); i >= 0 {
			row, n := "", partElements(w.Recipe, rowElements(s.Shape))
			if len(s.Shape) > 1 {
				row = fmt.Sprintf("row %d, ", from+i/n)
				i %= n
			} else {
				i += from
			}
			found(fmt.Sprintf("tensor %s: %s%s %d is NaN or Inf as %s: what it reaches are no numbers, which ends a generation", s.Tensor, row, partNames[w.Recipe.Part], i, d))
		}
		return nil
	}
}

// partNames are what a matrix has of each part, for messages.
var partNames = map[lower.Part]string{
	lower.Numbers: "number", lower.Scales: "the scale of group", lower.Biases: "the bias of group",
	lower.SuperScales: "the scale of super-group", lower.SuperBiases: "the bias of super-group",
}

// floatBits are the types that can hold NaN and Inf, which have all bits of the exponent.
var floatBits = map[ir.DType]struct {
	size     int
	exponent uint32
}{ir.F32: {4, 0x7f800000}, ir.F16: {2, 0x7c00}, ir.BF16: {2, 0x7f80}}

// nonFinite is the index of the first NaN or Inf, -1 if there is none.
func nonFinite(d ir.DType, data []byte) int {
	f := floatBits[d]
	if f.size == 4 {
		for i := 0; i+4 <= len(data); i += 4 {
			if binary.LittleEndian.Uint32(data[i:])&f.exponent == f.exponent {
				return i / 4
			}
		}
		return -1
	}
	exponent := uint16(f.exponent)
	for i := 0; i+2 <= len(data); i += 2 {
		if binary.LittleEndian.Uint16(data[i:])&exponent == exponent {
			return i / 2
		}
	}
	return -1
}
