package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/native/trampoline"
)

// A machine that can't run a bundle leaves it unchecked; what else goes wrong ends
// the emission.
func TestCannotRun(t *testing.T) {
	for _, c := range []struct {
		err    error
		cannot bool
	}{
		{fmt.Errorf("native: %w warp-drive", cpu.ErrUnknown), true},
		{fmt.Errorf("native: %w", trampoline.ErrUnsupported), true},
		{errors.New("native: this processor lacks avx2"), false},
	} {
		var cannot *compiler.CannotRunError
		if got := errors.As(cannotRun(c.err), &cannot); got != c.cannot {
			t.Errorf("%v: cannot run %v, want %v", c.err, got, c.cannot)
		}
	}
}
