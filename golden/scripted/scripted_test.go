package scripted

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// The bundle walks the table on every device; after a token without an entry comes 0.
func TestModelWalksItsTable(t *testing.T) {
	want := []int32{504, 3575, 282, 17, 7000, 49151, 0, 0}
	m := Model{Next: Chain(want[:6]...)}
	b, err := bundle.Open(m.Bundle(t, compiler.Options{Context: 64}))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, device := range runtime.DeviceNames() {
		backend, err := runtime.BackendFor(device, b)
		if err != nil {
			t.Fatal(err)
		}
		s, err := backend.Open(t.Context(), b, runtime.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		slot, err := s.Open(t.Context(), sample.Spec{})
		if err != nil {
			t.Fatal(err)
		}
		step, err := s.Prefill(t.Context(), slot, []int32{9, 8, want[0]})
		if err != nil {
			t.Fatal(err)
		}
		got := []int32{want[0], step.Token}
		for len(got) < len(want) {
			steps, err := s.Decode(t.Context(), []runtime.Slot{slot})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, steps[0].Token)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", device, got, want)
		}
	}
}
