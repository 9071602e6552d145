package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mlxc/mlxc/ir"
)

// Format is how a matrix is quantised: each Group neighbouring elements of a row
// are codes of Bits bits with one scale and one bias, w = scale·code + bias.
type Format struct {
	Bits, Group int
	Scale       ir.DType // of scales and biases
}

// codesPerWord is how many codes an ui32 word holds.
func (f Format) codesPerWord() int { return 32 / f.Bits }

// Formats says in which format a checkpoint has a matrix, false if it isn't
// quantised in one that can be computed with.
type Formats func(tensor string) (Format, bool)

// Keep is the precision that leaves matrices as the checkpoint has them.
const Keep = "keep"

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
	f = Format{bits, defaultGroup, ir.F16}
	if has {
		if f.Group, err = strconv.Atoi(group); err != nil || f.Group != 32 && f.Group != 64 && f.Group != 128 {
			return f, true, fmt.Errorf("lower: precision %s: unknown group size %q (supported: 32, 64, 128)", precision, group)
		}
	}
	return f, true, nil
}
