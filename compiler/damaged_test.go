package compiler

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower/target"
)

// tensorBytes are the bytes of a tensor inside a file's, by the file's own name of it.
func tensorBytes(t *testing.T, file string, data []byte, name string) []byte {
	t.Helper()
	if strings.HasSuffix(file, ".gguf") {
		f, err := gguf.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		return f.Tensor(name).Data
	}
	f, err := safetensors.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Tensors, func(x safetensors.Tensor) bool { return x.Name == name })
	return f.Tensors[i].Data
}

// TestDamagedScales: a scale or bias of the checkpoint's own quantisation that is NaN or
// Inf is refused while weights are packed, in whichever precision, by tensor, file and place.
func TestDamagedScales(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	nan16, inf16 := "\x00\x7e", "\x00\x7c"
	for _, c := range []struct {
		oracle, file, tensor string
		at                   int // byte of the tensor
		bytes                string
		want                 string
	}{
		{"llama_gguf", "model.gguf", "blk.0.ffn_down.weight", 3 * 18, nan16, "tensor model.layers.0.mlp.down_proj.weight (Q4_0 in model.gguf): row 3, numbers 0 to 31 are NaN or Inf, because the scale of their group, 0, "},
		{"llama_gguf", "model.gguf", "token_embd.weight", 100*144 + 2, inf16, "tensor model.embed_tokens.weight (Q4_K in model.gguf): row 100, numbers 0 to 31 are "},
		{"llama_gguf", "model.gguf", "output.weight", 7*210 + 208, inf16, "tensor lm_head.weight (Q6_K in model.gguf): row 7, numbers 0 to 15 are "},
		{"llama_q4_g32", "model.safetensors", "model.layers.0.mlp.down_proj.scales", (5*3 + 2) * 2, inf16, "tensor model.layers.0.mlp.down_proj.weight (affine4g32 in model.safetensors): row 5, numbers 64 to 95 are "},
		{"llama_q4_g32", "model.safetensors", "model.embed_tokens.biases", 3 * 2, nan16, "tensor model.embed_tokens.weight (affine4g32 in model.safetensors): row 1, numbers 32 to 63 are "},
		{"llama_modes", "model.safetensors", "model.layers.0.mlp.up_proj.scales", 4*9 + 1, "\xff", "tensor model.layers.0.mlp.up_proj.weight (mxfp4 in model.safetensors): row 9, numbers 32 to 63 are "},
		{"llama_modes", "model.safetensors", "model.layers.0.mlp.gate_proj.scales", 0, "\xff", "tensor model.layers.0.mlp.gate_proj.weight (mxfp8 in model.safetensors): row 0, numbers 0 to 31 are "},
		{"llama_modes", "model.safetensors", "model.layers.0.self_attn.o_proj.scales", 8, "\x7f", "tensor model.layers.0.self_attn.o_proj.weight (nvfp4 in model.safetensors): row 1, numbers 0 to 15 are "},
	} {
		for _, precision := range []string{"keep", "f32", "f16", "q4:32"} {
			t.Run(c.oracle+" "+c.tensor+" "+precision, func(t *testing.T) {
				dir := oracle.LoadQuantised(t, c.oracle).Checkpoint
				path := filepath.Join(dir, c.file)
				if strings.HasSuffix(dir, ".gguf") {
					path = dir
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				copy(tensorBytes(t, c.file, data, c.tensor)[c.at:], c.bytes)
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				err = packAll(t, Options{Checkpoint: dir, Target: row, Precision: precision, Progress: &notes{}})
				if archs.Class(err) != archs.BadQuantization || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
			})
		}
	}
}

// packAll packs every weight, to nowhere.
func packAll(t *testing.T, o Options) error {
	t.Helper()
	m, err := readModel(o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, w := range m.program.Weights {
		if _, err := m.packWeight(t.Context(), w, io.Discard); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkNonFinite is what looking for NaN and Inf costs.
func BenchmarkNonFinite(b *testing.B) {
	for _, d := range []ir.DType{ir.F32, ir.F16} {
		b.Run(d.String(), func(b *testing.B) {
			data := make([]byte, pieceBytes)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if nonFinite(d, data) >= 0 {
					b.Fatal("zeros are finite")
				}
			}
		})
	}
}
