package device

import (
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// CopySlot copies index from of dimension axis over index to in data, a dense
// row-major tensor of type t: CopySlot of devices whose buffers are host memory.
func CopySlot(t ir.Type, data []byte, axis, from, to int) error {
	if err := checkSlot(t, axis, from, to); err != nil {
		return err
	}
	inner, stride := slotBytes(t, axis)
	for at := 0; at < len(data); at += stride {
		copy(data[at+to*inner:][:inner], data[at+from*inner:][:inner])
	}
	return nil
}

// ClearSlot zeroes index slot of dimension axis in data: ClearSlot of devices whose
// buffers are host memory.
func ClearSlot(t ir.Type, data []byte, axis, slot int) error {
	if err := checkSlot(t, axis, slot); err != nil {
		return err
	}
	inner, stride := slotBytes(t, axis)
	for at := 0; at < len(data); at += stride {
		clear(data[at+slot*inner:][:inner])
	}
	return nil
}

func checkSlot(t ir.Type, axis int, slots ...int) error {
	for _, slot := range slots {
		if axis < 0 || axis >= t.Rank() || slot < 0 || slot >= t.Shape[axis] {
			return fmt.Errorf("device: index %d of dimension %d is outside %v", slot, axis, t)
		}
	}
	return nil
}

// slotBytes are the bytes of one index of dimension axis that lie together, and of
// all its indices.
func slotBytes(t ir.Type, axis int) (inner, stride int) {
	inner = t.DType.Size()
	for _, d := range t.Shape[axis+1:] {
		inner *= d
	}
	return inner, inner * t.Shape[axis]
}
