package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// Running takes the memory of weights and state, and at most 64 MiB more: weights are
// in memory once, and the tokenizer is mapped. The whole context is used.
func TestPeakMemory(t *testing.T) {
	path := scriptedBundle(t)
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	weights, state := b.WeightBytes(), b.Manifest.StateBytes()
	cmd := exec.CommandContext(t.Context(), "mlxc-run", "--json", "-n", "0", path, "-")
	cmd.Stdin = strings.NewReader(strings.Repeat(" one", contextLength-4))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var r runtime.Result
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Tokens) != 5 {
		t.Errorf("%d tokens, want 5", len(r.Tokens))
	}
	if peak := r.Timings.PeakBytes; peak > weights+state+64<<20 || peak < weights/2 {
		t.Errorf("peak memory %d, weights %d, state %d", peak, weights, state)
	}
}
