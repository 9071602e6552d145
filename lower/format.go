package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mlxc/mlxc/ir"
)

// Format is how a matrix is stored: each Group neighbouring elements of a row are codes
// of Bits bits with one scale and one bias of type DType, w = scale·code + bias. With
// Bits 0 it isn't quantised: its elements are numbers of type DType.
type Format struct {
	Bits, Group int
	DType       ir.DType
	// Centre, if it isn't 0, stands for biases: w = scale·(code - centre).
	Centre int
	// Super, if it isn't 0, is how many groups share factors of type DType; their scales
	// and biases are bytes then, to be multiplied with them: ui8, or i8 with a centre.
	Super int
	// Quantise is the number of bits that the checkpoint's numbers are quantised to, at
	// most Bits; 0: they are as the checkpoint has them.
	Quantise int
}

// Quantised is the format of a matrix of format f whose numbers are quantised, as
// mlx-lm converts: scales and biases are of the type of the numbers, which are taken as
// bf16 if they are bf16, else as f16.
func (f Format) Quantised(bits, group int) Format {
	q := Format{Bits: 8, Group: group, DType: ir.F16, Quantise: bits}
	if bits <= 4 {
		q.Bits = 4
	}
	if f == (Format{DType: ir.BF16}) {
		q.DType = ir.BF16
	}
	return q
}

// codesPerWord is how many codes an ui32 word holds.
func (f Format) codesPerWord() int { return 32 / f.Bits }

// wordsPerStep is how many words of a group are unpacked in a step of a sum: their codes
// share the multiplication by the scale. More than eight codes are too much for IREE: it
// splits the step into several loops.
func (f Format) wordsPerStep() int { return divisor(f.Group/f.codesPerWord(), 8/f.codesPerWord()) }

// groups are the dimensions of a row's groups: [groups], or [super-groups, groups].
func (f Format) groups(in int) []int {
	if f.Super == 0 {
		return []int{in / f.Group}
	}
	return []int{in / f.Group / f.Super, f.Super}
}

// scaleType is the type of scales and biases as they are stored.
func (f Format) scaleType() ir.DType {
	switch {
	case f.Super == 0:
		return f.DType
	case f.Centre == 0:
		return ir.UI8
	}
	return ir.I8
}

// wholeGroups says whether a row of so many numbers can be stored.
func (f Format) wholeGroups(in int) bool { return in%(f.Group*max(f.Super, 1)) == 0 }

// Formats says in which format a checkpoint has a matrix, or is to have it.
type Formats func(tensor string) Format

// Keep is the precision that leaves matrices as the checkpoint has them; Mixed, with a
// colon and a name behind it, the one that quantises each in a format of its own.
const (
	Keep  = "keep"
	Mixed = "recipe"
)

// defaultGroup is MLX's.
const defaultGroup = 64

var quantised = map[string]int{"q4": 4, "q8": 8}

// parseFormat reads the precisions q4, q8, q4:32. ok is false for all other names.
func parseFormat(precision string) (f Format, ok bool, err error) {
	name, group, has := strings.Cut(precision, ":")
	bits, ok := quantised[name]
	if !ok {
		return f, false, nil
	}
	f = Format{Bits: bits, Group: defaultGroup}
	if has {
		if f.Group, err = strconv.Atoi(group); err != nil || f.Group != 32 && f.Group != 64 && f.Group != 128 {
			return f, true, fmt.Errorf("lower: precision %s: unknown group size %q (supported: 32, 64, 128)", precision, group)
		}
	}
	return f, true, nil
}
