package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// script writes a fake iree-compile, and an iree-opt beside it: the first lines of every one answer for the
// version and the CPU, then comes body with the output's path in $out.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "iree-compile")
	const head = `#!/bin/sh
for a; do out=$a; done
case "$*" in
--version) echo 'IREE compiler version 3.13.0'; exit;;
*--compile-to=executable-sources*) echo '{cpu = "fake", cpu_features = "+sse2"}'; exit;;
esac
`
	opt := filepath.Join(filepath.Dir(path), "iree-opt")
	for file, text := range map[string]string{path: head + body, opt: "#!/bin/sh\ncp \"$2\" \"$4\"\n"} {
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// llama1B makes a checkpoint with the shapes of Llama-3.2-1B in f16; the file is
// sparse, its weights are zeros.
func llama1B(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	config := `{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
"num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256,
"max_position_embeddings": 131072, "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "tie_word_embeddings": true,
"rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
"hidden_act": "silu", "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009], "torch_dtype": "float16"}`
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	type tensor struct {
		DType   string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	header, end := map[string]tensor{}, int64(0)
	add := func(name string, shape ...int) {
		n := int64(2)
		for _, d := range shape {
			n *= int64(d)
		}
		header[name] = tensor{"F16", shape, [2]int64{end, end + n}}
		end += n
	}
	add("model.embed_tokens.weight", 128256, 2048)
	add("model.norm.weight", 2048)
	for i := range 16 {
		l := fmt.Sprintf("model.layers.%d.", i)
		add(l+"input_layernorm.weight", 2048)
		add(l+"post_attention_layernorm.weight", 2048)
		add(l+"self_attn.q_proj.weight", 2048, 2048)
		add(l+"self_attn.k_proj.weight", 512, 2048)
		add(l+"self_attn.v_proj.weight", 512, 2048)
		add(l+"self_attn.o_proj.weight", 2048, 2048)
		add(l+"mlp.gate_proj.weight", 8192, 2048)
		add(l+"mlp.up_proj.weight", 8192, 2048)
		add(l+"mlp.down_proj.weight", 2048, 8192)
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(8 + int64(len(text)) + end); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Field case B1: the texts of a model of 1.2 billion parameters are small, and a
// compiler that is killed half-way leaves nothing.
func TestLargeModel(t *testing.T) {
	dir, out := llama1B(t), t.TempDir()
	exit, stdout, stderr := emit("--mlir-only", dir)
	if exit != 0 || len(stdout) < 10_000 || len(stdout) > 4<<20 {
		t.Errorf("exit %d, %d bytes of text, want less than 4 MB: %s", exit, len(stdout), stderr)
	}
	fake := script(t, "[ $3 = --iree-hal-local-target-device-backends=llvm-cpu ] || exit 2\nhead -c 100000 /dev/zero > \"$out\"\nkill -9 $$\n")
	exit, _, stderr = emit("--iree-compile", fake, "--jobs", "4", "--memory", "4GB", "--cache-dir", filepath.Join(out, "cache"), "-o", filepath.Join(out, "b.tar"), dir)
	if exit == 0 || !strings.Contains(stderr, "ended by signal 9") || !strings.Contains(stderr, "lower --jobs") {
		t.Errorf("exit %d: %s", exit, stderr)
	}
	left, _ := os.ReadDir(out)
	entries, _ := os.ReadDir(filepath.Join(out, "cache"))
	if len(left) != 1 || len(entries) != 1 || entries[0].Name() != "logs" {
		t.Errorf("left behind: %v, %v", left, entries)
	}
}

// The self-check of a model above the limit takes one layer of each kind, compiled and
// packed apart, of which nothing is left.
func TestCheckOneLayer(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	var checked *bundle.Manifest
	err = compiler.Emit(t.Context(), compiler.Options{
		Checkpoint: oracle.Load(t, "llama").Dir, Output: filepath.Join(out, "b.tar"), Generator: "test", Target: row, CheckWhole: 1,
		IREECompile: script(t, "echo compiled > \"$out\"\n"), CacheDir: t.TempDir(), Progress: stopAt{step: "never"},
		OpenSession: func(ctx context.Context, b *bundle.Bundle, device, cpu string) (compiler.Session, error) {
			checked = &b.Manifest
			return fakeSessions("right")(ctx, b, device, cpu)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	// Embedding, one layer (6), norm and head; three graphs.
	if checked == nil || len(checked.Weights) != 9 || len(checked.Graphs) != 3 {
		t.Errorf("checked: %+v", checked)
	}
	left, _ := os.ReadDir(out)
	b, err := bundle.Open(filepath.Join(out, "b.tar"))
	if err != nil || len(left) != 1 {
		t.Fatalf("%v, files %v", err, left)
	}
	defer b.Close()
	if c := b.Manifest.SelfCheck; !c.Ran || c.Reason != "one layer of each kind" || len(b.Manifest.Weights) != 15 {
		t.Errorf("recorded: %+v, %d weights", c, len(b.Manifest.Weights))
	}
}

// stopAt cancels an emission when a step begins.
type stopAt struct {
	step   string
	cancel func()
}

func (s stopAt) Note(string) {}
func (s stopAt) Step(name string, _, _ int64) {
	if strings.HasPrefix(name, s.step) {
		s.cancel()
	}
}

// Field case D6: interrupted while packing and while checking.
func TestInterrupted(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	fake := script(t, "echo compiled > \"$out\"\n")
	for _, step := range []string{"compile", "weights", "self-check"} {
		ctx, cancel := context.WithCancel(t.Context())
		out := t.TempDir()
		err := compiler.Emit(ctx, compiler.Options{
			Checkpoint: oracle.Load(t, "llama").Dir, Output: filepath.Join(out, "b.tar"), Generator: "test", Target: row,
			IREECompile: fake, CacheDir: t.TempDir(), OpenSession: fakeSessions("right"), Progress: stopAt{step, cancel},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if left, _ := os.ReadDir(out); len(left) != 0 {
			t.Errorf("%s: left behind: %v", step, left)
		}
	}
}
