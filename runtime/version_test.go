package runtime

import (
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/reference"
)

// Graphs of another IR version are refused: what their arguments mean may differ.
func TestIRVersion(t *testing.T) {
	for _, version := range []int{0, ir.IRVersion - 1, ir.IRVersion + 1} {
		b := &bundle.Bundle{Manifest: bundle.Manifest{IRVersion: version, Compile: bundle.Compile{Devices: []string{"reference"}}}}
		_, err := graphBackend{reference.Device{}}.Open(t.Context(), b, Options{})
		if err == nil || !strings.Contains(err.Error(), "emit it again") {
			t.Errorf("IR version %d: %v", version, err)
		}
	}
}
