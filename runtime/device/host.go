package device

import (
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// CopySlot copies index from of dimension axis over index to in data, a dense
// row-major tensor of type t: CopySlot of devices whose buffers are host memory.
func CopySlot(t ir.Type, data []byte, axis, from, to int) error {
	if axis < 0 || axis >= t.Rank() || min(from, to) < 0 || max(from, to) >= t.Shape[axis] {
		return fmt.Errorf("device: copy %d over %d along dimension %d of %v: out of range", from, to, axis, t)
	}
	inner := t.DType.Size()
	for _, d := range t.Shape[axis+1:] {
		inner *= d
	}
	stride := inner * t.Shape[axis]
	for at := 0; at < len(data); at += stride {
		copy(data[at+to*inner:][:inner], data[at+from*inner:][:inner])
	}
	return nil
}
