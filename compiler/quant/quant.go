// Package quant is the arithmetic of quantised matrices: MLX's affine quantisation
// and the packing of codes into bits. A row of a matrix is cut into groups of
// neighbouring elements; each element is a code, a small unsigned number, and
//
//	w = scale·code + bias
//
// with one scale and one bias for each group. MLX's other modes have small floats for
// codes, and no bias.
package quant

import (
	"fmt"
	"slices"
)

// Affine is a width of codes and a size of groups.
type Affine struct {
	Bits, Group int
}

// The widths and group sizes of MLX's affine mode that are supported.
var (
	Widths = []int{2, 3, 4, 5, 6, 8}
	Groups = []int{32, 64, 128}
)

// Check refuses a width or a group size that isn't supported.
func (a Affine) Check() error {
	if !slices.Contains(Widths, a.Bits) {
		return fmt.Errorf("bits %d (supported: %v)", a.Bits, Widths)
	}
	if !slices.Contains(Groups, a.Group) {
		return fmt.Errorf("group_size %d (supported: %v)", a.Group, Groups)
	}
	return nil
}

// String is "affine4g32".
func (a Affine) String() string { return fmt.Sprintf("affine%dg%d", a.Bits, a.Group) }

// RowBytes is the size of the packed codes of a row of n elements.
func (a Affine) RowBytes(n int) int { return n * a.Bits / 8 }
