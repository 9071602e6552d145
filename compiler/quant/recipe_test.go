package quant

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// llamaPaths are the matrices of a llama model.
func llamaPaths(layers int) []string {
	paths := []string{"model.embed_tokens", "lm_head"}
	for i := range layers {
		for _, name := range []string{"self_attn.q_proj", "self_attn.v_proj", "mlp.up_proj", "mlp.down_proj"} {
			paths = append(paths, fmt.Sprintf("model.layers.%d.%s", i, name))
		}
	}
	return paths
}

// The named recipes give each matrix the bits that mlx-lm's give it: the table is
// made by mlx-lm, testdata/make_recipes.py.
func TestMixedRecipes(t *testing.T) {
	data, err := os.ReadFile("../../testdata/quant/recipes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 68 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		layers, _ := strconv.Atoi(f[1])
		r, err := LoadRecipe(f[0], llamaPaths(layers), layers)
		if err != nil {
			t.Fatal(err)
		}
		bits := func(path string) string {
			how := r.Of(path)
			if how.Group != 64 {
				t.Errorf("%s: %s: %v", f[0], path, how)
			}
			return strconv.Itoa(how.Bits)
		}
		each := func(name string) (all string) {
			for i := range layers {
				all += bits(fmt.Sprintf("model.layers.%d.%s", i, name))
			}
			return all
		}
		got := strings.Join([]string{f[0], f[1], each("self_attn.v_proj"), each("mlp.down_proj"), each("self_attn.q_proj"), bits("model.embed_tokens"), bits("lm_head")}, "\t")
		if got != line {
			t.Errorf("got  %s\nwant %s", got, line)
		}
	}
}

const ownRecipe = `
bits = 3
group_size = 128

[[module]]
path = "mlp.*"
bits = 4

[[module]]
path = "layers.[12].mlp.down_proj"
bits = 8
group_size = 32

[[module]]
path = "lm_head"
quantize = false
`

// A file's last entry that fits the end of a path counts, under any prefix.
func TestOwnRecipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.toml")
	if err := os.WriteFile(file, []byte(ownRecipe), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := LoadRecipe(file, llamaPaths(2), 2)
	if err != nil || r.Name != "my.toml" {
		t.Fatal(r, err)
	}
	for path, want := range map[string]Affine{
		"model.layers.0.self_attn.q_proj":             {3, 128},
		"model.embed_tokens":                          {3, 128},
		"model.layers.0.mlp.up_proj":                  {4, 128},
		"model.layers.0.mlp.down_proj":                {4, 128},
		"model.layers.1.mlp.down_proj":                {8, 32},
		"model.language_model.layers.2.mlp.down_proj": {8, 32},
		"model.layers.11.mlp.down_proj":               {4, 128},
		"model.layers.1.mlp.experts.down_proj":        {3, 128},
		"lm_head":                                     {},
		"language_model.lm_head":                      {},
		"my_lm_head":                                  {3, 128},
	} {
		if got := r.Of(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestRecipeRefused(t *testing.T) {
	for text, want := range map[string]string{
		"bits = 7": "bits 7 (supported: [2 3 4 5 6 8])",
		"[[module]]\npath = \"lm_head\"\nbits = 0": "bits 0",
		"[[module]]\npath = \"a\"\ngroup_size = 0": "group_size 0",
		"group_size = 16":                          "group_size 16 (supported: [32 64 128])",
		"bit = 4":                                  "unknown key bit (supported: bits, group_size, and of each [[module]]",
		"[[module]]\nbits = 4":                     `[[module]] path "" isn't one`,
		"[[module]]\npath = \"a..b\"":              `[[module]] path "a..b" isn't one`,
		"[[module]]\npath = \"[\"":                 `[[module]] path "[": syntax error in pattern`,
		"[[module]]\npath = \"lm_head\"\nbits = 1": `[[module]] path "lm_head": bits 1 (supported`,
		"[[module]]\npath = \"q_proj\"\nrank = 1":  "unknown key module.rank",
		"[[module]]\npath = \"k_proj\"":            "path k_proj fits no matrix of the model (there are model.embed_tokens, lm_head, model.layers.0.self_attn.q_proj, …)",
		"bits = ":                                  "toml: line 1",
		"#" + strings.Repeat("#", maxRecipe):       "too long: the limit is 1048576 bytes",
	} {
		file := filepath.Join(t.TempDir(), "my.toml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadRecipe(file, llamaPaths(1), 1); err == nil || !strings.HasPrefix(err.Error(), "quant: recipe "+file+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	for name, want := range map[string]string{
		"mixed_9_9":   `quant: unknown recipe "mixed_9_9" (supported: mixed_2_6, mixed_3_4, mixed_3_6, mixed_4_6, or the path of a file: ./my.toml)`,
		"absent.toml": "quant: recipe absent.toml: stat absent.toml: no such file or directory",
	} {
		if _, err := LoadRecipe(name, llamaPaths(1), 1); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := LoadRecipe("mixed_4_6", []string{"h.0.mlp.c_proj"}, 1); err == nil || !strings.Contains(err.Error(), "path *down_proj* fits no matrix") {
		t.Errorf("a model without down projections: %v", err)
	}
}

// Whatever is accepted gives a supported format, or none, to every path.
func FuzzRecipe(f *testing.F) {
	f.Add([]byte(ownRecipe), "model.layers.0.mlp.down_proj")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		r, err := parseRecipe("f", data)
		if err != nil {
			return
		}
		if how := r.Of(path); how != (Affine{}) && how.Check() != nil {
			t.Errorf("%q: %v", path, how)
		}
	})
}
