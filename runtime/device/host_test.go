package device

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

func TestCopySlot(t *testing.T) {
	typ := ir.T(ir.UI8, 2, 3, 2)
	data := []byte{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}
	if err := CopySlot(typ, data, 1, 0, 2); err != nil {
		t.Fatal(err)
	}
	want := []byte{0, 1, 2, 3, 0, 1, 10, 11, 12, 13, 10, 11}
	if !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
	for _, bad := range [][3]int{{3, 0, 1}, {-1, 0, 1}, {0, 2, 0}, {0, 0, -1}} {
		if err := CopySlot(typ, data, bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("CopySlot%v: no error", bad)
		}
	}
}

func TestClearSlot(t *testing.T) {
	typ := ir.T(ir.UI8, 2, 3, 2)
	data := []byte{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}
	if err := ClearSlot(typ, data, 1, 1); err != nil {
		t.Fatal(err)
	}
	if want := []byte{0, 1, 0, 0, 4, 5, 10, 11, 0, 0, 14, 15}; !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
	for _, bad := range [][2]int{{3, 0}, {-1, 0}, {0, 2}, {1, -1}} {
		if err := ClearSlot(typ, data, bad[0], bad[1]); err == nil {
			t.Errorf("ClearSlot%v: no error", bad)
		}
	}
}
