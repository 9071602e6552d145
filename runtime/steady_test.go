package runtime_test

import (
	"path/filepath"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/scripted"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// TestDecodeAllocatesOnlyItsSteps: in steady state a token costs no memory but the
// slice that Decode returns, alone or in a batch, whatever the number of threads.
func TestDecodeAllocatesOnlyItsSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scripted.tar")
	scripted.Model{Next: scripted.Chain(314, 7042, 30)}.Bundle(t, compiler.Options{
		Context: 128, Output: path,
		Graphs: []lower.GraphKind{{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Decode, Rows: 1}, {Kind: lower.Ragged, Rows: 4}},
	})
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	backend, err := runtime.BackendFor("native", b)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		s, err := backend.Open(t.Context(), b, runtime.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var slots []runtime.Slot
		for range 3 {
			slot, err := s.Open(t.Context(), sample.Spec{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Prefill(t.Context(), slot, []int32{314, 7042}); err != nil {
				t.Fatal(err)
			}
			slots = append(slots, slot)
		}
		for _, n := range []int{1, 3} {
			decode := func() {
				if _, err := s.Decode(t.Context(), slots[:n]); err != nil {
					t.Fatal(err)
				}
			}
			for range 4 { // the first calls are recorded
				decode()
			}
			if got := testing.AllocsPerRun(20, decode); got > 1 {
				t.Errorf("%d threads, %d sequences: %g allocations a step, want 1", threads, n, got)
			}
		}
	}
}
