package archs

import (
	"errors"
	"fmt"
	"testing"
)

func TestErrorClass(t *testing.T) {
	err := Errorf(ShapeMismatch, "tensor %s: found %v", "a.weight", []int{2, 3})
	if got, want := err.Error(), "shape_mismatch: tensor a.weight: found [2 3]"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{err, ShapeMismatch},
		{fmt.Errorf("emit: %w", err), ShapeMismatch},
		{errors.New("shape_mismatch: a message is no class"), ""},
		{nil, ""},
	} {
		if got := Class(c.err); got != c.want {
			t.Errorf("Class(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}
