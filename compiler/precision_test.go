package compiler

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// What the self-check of a large model takes holds every kind of layer, by what it
// computes and by how its weights are stored.
func TestCutHoldsEveryKind(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, precision string
		layers          int
	}{{"llama_q3_g64", "", 1}, {"llama_mixed", "", 2}, {"llama_mixed", "f32", 1}, {"llama_gguf", "", 8}, {"llama_gguf", "q4", 1}} {
		m, err := readModel(Options{Checkpoint: oracle.LoadQuantised(t, c.name).Checkpoint, Target: row, Precision: c.precision, Progress: &notes{}})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		part, err := m.cut()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(part.spec.Layers); n != c.layers {
			t.Errorf("%s, precision %q: %d layers of %d, want %d", c.name, c.precision, n, len(m.spec.Layers), c.layers)
		}
	}
}

// notes collects remarks.
type notes []string

func (n *notes) Note(text string)          { *n = append(*n, text) }
func (n *notes) Step(string, int64, int64) {}

// What a precision makes of the matrices of a checkpoint whose embedding has 8 bits, one
// of whose down projections is BF16, and whose other matrices have 4 bits.
func TestPrecisions(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	c := oracle.LoadQuantised(t, "llama_mixed")
	file := filepath.Join(t.TempDir(), "my.toml")
	if err := os.WriteFile(file, []byte("bits = 3\n[[module]]\npath = \"down_proj\"\nbits = 5\ngroup_size = 32\n[[module]]\npath = \"embed_tokens\"\nquantize = false"), 0o600); err != nil {
		t.Fatal(err)
	}
	const embed, query, down, plain = "model.embed_tokens.weight", "model.layers.0.self_attn.q_proj.weight", "model.layers.0.mlp.down_proj.weight", "model.layers.1.mlp.down_proj.weight"
	again := fmt.Sprintf("the checkpoint is quantised already (%s: ", embed)
	for _, p := range []struct {
		precision, as string
		embed, query  lower.Format
		down, plain   lower.Format
		note          string
	}{
		{"", "keep", lower.Format{Bits: 8, Group: 64, DType: ir.BF16}, lower.Format{Bits: 4, Group: 64, DType: ir.BF16},
			lower.Format{Bits: 4, Group: 64, DType: ir.BF16}, lower.Format{DType: ir.BF16}, ""},
		{"f32", "f32", lower.Format{}, lower.Format{}, lower.Format{}, lower.Format{}, ""},
		{"q4:32", "q4:32", lower.Format{Bits: 4, Group: 32, DType: ir.F16, Quantise: 4}, lower.Format{Bits: 4, Group: 32, DType: ir.F16, Quantise: 4},
			lower.Format{Bits: 4, Group: 32, DType: ir.F16, Quantise: 4}, lower.Format{Bits: 4, Group: 32, DType: ir.BF16, Quantise: 4}, again},
		{"recipe:" + file, "recipe:my.toml", lower.Format{Bits: 8, Group: 64, DType: ir.BF16}, lower.Format{Bits: 4, Group: 64, DType: ir.F16, Quantise: 3},
			lower.Format{Bits: 8, Group: 32, DType: ir.F16, Quantise: 5}, lower.Format{Bits: 8, Group: 32, DType: ir.BF16, Quantise: 5}, "the checkpoint is quantised already"},
		{"recipe:mixed_2_6", "recipe:mixed_2_6", lower.Format{Bits: 4, Group: 64, DType: ir.F16, Quantise: 2}, lower.Format{Bits: 4, Group: 64, DType: ir.F16, Quantise: 2},
			lower.Format{Bits: 4, Group: 64, DType: ir.F16, Quantise: 2}, lower.Format{Bits: 8, Group: 64, DType: ir.BF16, Quantise: 6}, again},
	} {
		var said notes
		m, err := readModel(Options{Checkpoint: c.Dir, Target: row, Precision: p.precision, Progress: &said})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if got := m.plan.Precision; got != p.as {
			t.Errorf("%s: precision %s, want %s", p.precision, got, p.as)
		}
		got, want := map[string]lower.Format{}, map[string]lower.Format{embed: p.embed, query: p.query, down: p.down, plain: p.plain}
		for _, w := range m.program.Weights {
			for _, s := range w.Recipe.Sources {
				if _, ok := want[s.Tensor]; !ok || !w.Recipe.Counted() {
					continue
				}
				if got[s.Tensor] = w.Recipe.Format; w.Recipe.Part == lower.Numbers && p.precision != "f32" {
					got[s.Tensor] = lower.Format{DType: w.NumberType()}
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", p.precision, got, want)
		}
		if text := strings.Join(said, "; "); strings.Contains(text, "quantised") != (p.note != "") || !strings.Contains(text, p.note) {
			t.Errorf("%s: remarks %q, want %q", p.precision, text, p.note)
		}
	}
}

// Matrices whose rows aren't whole groups stay as they are, with a remark; a precision
// that quantises none is refused.
func TestLeftMatrices(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	m := &model{program: &lower.Program{}}
	matrix := func(tensor string, in, quantise int) lower.Weight {
		return lower.Weight{Name: tensor, Recipe: lower.Recipe{
			Sources: []lower.Source{{Tensor: tensor, Shape: []int{16, in}}}, Format: lower.Format{Quantise: quantise}}}
	}
	if m.plan, err = lower.PlanFor(row, "q4", "", nil); err != nil {
		t.Fatal(err)
	}
	var remarks notes
	m.program.Weights = []lower.Weight{matrix("a", 64, 4), matrix("b", 40, 0)}
	if err := m.checkLeft(&remarks); err != nil || len(remarks) != 1 || !strings.Contains(remarks[0], "leaves 1 matrices as they are") || !strings.Contains(remarks[0], "b: rows of 40") {
		t.Errorf("one of two: %v, remarks %q", err, remarks)
	}
	m.program.Weights = m.program.Weights[1:]
	if err := m.checkLeft(&remarks); err == nil || !strings.Contains(err.Error(), "precision q4 quantises nothing") {
		t.Errorf("none: %v", err)
	}
}
