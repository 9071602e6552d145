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

// A scale of a K-quant block that is NaN is refused, by tensor and place, whether it is
// kept or multiplied out, and no bundle is left.
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
	want := "mlxc-emit: bad_quantization: tensor " + name + " (Q4_K in m.gguf): row 3, numbers 0 to 31 are NaN or Inf, because the scale of their group, 0, or its bias is; "
	for _, precision := range []string{"keep", "f32"} {
		out := t.TempDir()
		exit, _, stderr := emit("--precision", precision, "--graphs", "decode", "--no-self-check", "--no-tokenizer", "--iree-compile", script(t, "echo compiled > \"$out\"\n"),
			"--cache-dir", t.TempDir(), "-o", filepath.Join(out, "b.tar"), path)
		if exit != 1 || strings.Count(stderr, want) != 1 {
			t.Errorf("%s: exit %d, %s, want %q once", precision, exit, stderr, want)
		}
		if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", precision, left, err)
		}
	}
}
