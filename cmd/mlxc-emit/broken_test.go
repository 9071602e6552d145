package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/golden/oracle"
)

// A scale of a K-quant block that is NaN is remarked, by tensor and place, whether it is
// kept or multiplied out.
func TestBrokenScale(t *testing.T) {
	data, err := os.ReadFile(oracle.LoadQuantised(t, "llama_gguf").Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Parse("m.gguf", data)
	if err != nil {
		t.Fatal(err)
	}
	const row = 3
	layer := slices.IndexFunc(f.Tensors, func(x gguf.Tensor) bool {
		return x.Type.String() == "Q4_K" && strings.HasSuffix(x.Name, ".ffn_gate.weight")
	})
	if layer < 0 {
		t.Fatal("no Q4_K tensor")
	}
	x := f.Tensors[layer]
	copy(data[bytes.Index(data, x.Data[:64])+row*x.Type.RowBytes(x.Shape[1]):], []byte{0, 0x7e}) // d, f16
	name := "model.layers." + strings.Split(x.Name, ".")[1] + ".mlp.gate_proj.weight"
	path := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for precision, place := range map[string]string{"keep": "row 3, the scale of super-group 0 is NaN or Inf as f16: ", "f32": "row 3, number 0 is NaN or Inf as f32: "} {
		exit, _, stderr := emit("--precision", precision, "--graphs", "decode", "--no-self-check", "--no-tokenizer", "--iree-compile", script(t, "echo compiled > \"$out\"\n"),
			"--cache-dir", t.TempDir(), "-o", filepath.Join(t.TempDir(), "b.tar"), path)
		if want := "mlxc-emit: tensor " + name + ": " + place; exit != 0 || strings.Count(stderr, "NaN or Inf") != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s, want %q once", precision, exit, stderr, want)
		}
	}
}
