package compiler

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// Floats of a checkpoint that are NaN or Inf, or become so for want of range in the bundle,
// don't stop an emission: a row of the embedding may never be read. They are remarked. The
// self-check finds those that its prompt reaches, and a session those that a user's does.
// A quantised file whose scale is NaN or Inf is damaged, and refused.

// broken is a number that isn't finite, as it is written to the bundle.
type broken struct {
	source lower.Source
	part   lower.Part
	dtype  ir.DType
	row    int // of the source; for vectors the element
	at     int // in the row
}

// String is the remark.
func (b broken) String() string {
	place := fmt.Sprintf("%s %d", partNames[b.part], b.row)
	if len(b.source.Shape) > 1 {
		place = fmt.Sprintf("row %d, %s %d", b.row, partNames[b.part], b.at)
	}
	return fmt.Sprintf("tensor %s: %s is NaN or Inf as %s: what it reaches are no numbers, which ends a generation", b.source.Tensor, place, b.dtype)
}

// damaged says which group of neighbouring numbers of the checkpoint's own quantisation a
// broken number comes from, nil if the file's numbers are finite or are floats.
func (m *model) damaged(b broken) error {
	name := b.source.Tensor
	tensors := m.checkpoint.Tensors()
	i := slices.IndexFunc(tensors, func(t checkpoint.Tensor) bool { return t.Name == name })
	if i < 0 || tensors[i].Group == 0 {
		return nil
	}
	t := tensors[i]
	row := make([]byte, ir.F32.Size()*rowElements(t.Shape))
	if err := m.checkpoint.ReadRows(row, ir.F32, name, b.row, b.row+1); err != nil {
		return err
	}
	at := nonFinite(ir.F32, row)
	if at < 0 {
		return nil
	}
	if len(t.Shape) == 1 {
		at = b.row
	}
	group, place := at/t.Group, ""
	if len(t.Shape) > 1 {
		place = fmt.Sprintf("row %d, ", b.row)
	}
	return archs.Errorf(archs.BadQuantization, "tensor %s (%s in %s): %snumbers %d to %d are NaN or Inf, because the scale of their group, %d, or its bias is; the file is damaged: get it again, or quantise the model again",
		name, t.DType, t.File, place, group*t.Group, group*t.Group+t.Group-1, group)
}

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

// watched is read, which tells found of the first number that isn't finite, and fails if
// found does. A row of so many neighbouring numbers comes out as so many elements.
func watched(read readPart, w lower.Weight, found func(broken) error) readPart {
	d := w.NumberType()
	if floatBits[d].size == 0 {
		return read
	}
	return func(dst []byte, s lower.Source, from, to int) error {
		if err := read(dst, s, from, to); err != nil {
			return err
		}
		i := nonFinite(d, dst)
		if i < 0 {
			return nil
		}
		n := partElements(w.Recipe, rowElements(s.Shape))
		return found(broken{source: s, part: w.Recipe.Part, dtype: d, row: from + i/n, at: i % n})
	}
}

// partNames are what a matrix has of each part, for messages.
var partNames = map[lower.Part]string{
	lower.Numbers: "number", lower.Scales: "the scale of group", lower.Biases: "the bias of group",
	lower.SuperScales: "the scale of super-group", lower.SuperBiases: "the bias of super-group",
}

// floatBits are the types that can hold NaN and Inf, which have all bits of the exponent:
// those bits, and the lowest of them, in each of the numbers that eight bytes hold.
var floatBits = map[ir.DType]struct {
	size             int
	exponent, lowest uint64
}{
	ir.F32:  {4, 0x7f800000_7f800000, 0x00800000_00800000},
	ir.F16:  {2, 0x7c00_7c00_7c00_7c00, 0x0400_0400_0400_0400},
	ir.BF16: {2, 0x7f80_7f80_7f80_7f80, 0x0080_0080_0080_0080},
}

// nonFinite is the index of the first NaN or Inf, -1 if there is none. It looks at eight
// bytes at a time: adding the lowest bit of an exponent carries into the sign's place if all
// of its bits are set, and never further.
func nonFinite(d ir.DType, data []byte) int {
	f := floatBits[d]
	signs := f.exponent + f.lowest
	for i := 0; i < len(data); i += 8 {
		var word uint64
		if len(data)-i >= 8 {
			word = binary.LittleEndian.Uint64(data[i:])
		} else {
			var last [8]byte
			copy(last[:], data[i:])
			word = binary.LittleEndian.Uint64(last[:])
		}
		if hits := (word&f.exponent + f.lowest) & signs; hits != 0 {
			return i/f.size + bits.TrailingZeros64(hits)/(8*f.size)
		}
	}
	return -1
}
