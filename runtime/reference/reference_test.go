package reference

import (
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
)

// TestAllocBeyondMemory: shapes that no machine holds, and many that fit one by one,
// are errors instead of the end of the process.
func TestAllocBeyondMemory(t *testing.T) {
	p, err := Device{}.Load(t.Context(), &bundle.Bundle{}, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Alloc(ir.T(ir.F32, 1<<30, 1<<12)); err == nil || !strings.Contains(err.Error(), "takes 17592186044416 bytes") {
		t.Errorf("16 TiB: %v", err)
	}
	const quarter = 1 << 18
	p.(*program).left = 4 * quarter
	for i := range 5 {
		if _, err := p.Alloc(ir.T(ir.UI8, quarter)); (err != nil) != (i == 4) {
			t.Errorf("buffer %d: %v", i, err)
		}
	}
}

// TestNoLevels: nothing is compiled that a level could be chosen of.
func TestNoLevels(t *testing.T) {
	_, err := Device{}.Load(t.Context(), &bundle.Bundle{}, device.Options{CPUs: []string{"x86-64-v3"}})
	if err == nil || !strings.Contains(err.Error(), "reference: CPU level x86-64-v3: the evaluator runs no compiled code; leave --cpu out") {
		t.Error(err)
	}
}
