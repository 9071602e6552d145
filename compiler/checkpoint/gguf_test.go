package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

func open(t testing.TB, path string) Checkpoint {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// values is a JSON document of the checkpoint's.
func values(t *testing.T, c Checkpoint, name string) map[string]any {
	t.Helper()
	data, err := c.File(name)
	if name == "config.json" {
		data, err = c.Config(), nil
	}
	var v map[string]any
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// Every tensor of the small files, bit for bit as the Python gguf package
// dequantises it and in HF's row order; whole, by row ranges, and as f16 and bf16.
func TestGGUFValues(t *testing.T) {
	for _, name := range []string{"tiny", "tied", "blocks", "few"} {
		c := open(t, "testdata/"+name+".gguf")
		want, err := safetensors.Open("testdata/" + name + ".safetensors")
		if err != nil {
			t.Fatal(err)
		}
		defer want.Close()
		if len(c.Tensors()) != len(want.Tensors) {
			t.Errorf("%s: %d tensors, want %d", name, len(c.Tensors()), len(want.Tensors))
		}
		shapes := map[string][]int{}
		for _, x := range c.Tensors() {
			shapes[x.Name] = x.Shape
			if x.File != name+".gguf" {
				t.Errorf("%s is in %s", x.Name, x.File)
			}
		}
		for _, x := range want.Tensors {
			if !reflect.DeepEqual(shapes[x.Name], x.Shape) {
				t.Errorf("%s: %s has shape %v, want %v", name, x.Name, shapes[x.Name], x.Shape)
				continue
			}
			rows, width := Tensor{Shape: x.Shape}.rows()
			for d, stored := range sameType {
				all := make([]byte, rows*width*d.Size())
				convert(all, d, x.Data, "F32")
				for _, r := range [][2]int{{0, rows}, {1, rows - 1}, {rows / 2, rows/2 + 1}, {rows / 2, rows / 2}} {
					got := make([]byte, (r[1]-r[0])*width*d.Size())
					if err := c.ReadRows(got, d, x.Name, r[0], r[1]); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, all[r[0]*width*d.Size():r[1]*width*d.Size()]) {
						t.Errorf("%s: rows %v of %s differ as %s", name, r, x.Name, stored)
					}
				}
			}
		}
	}
}

func TestGGUFConfig(t *testing.T) {
	tiny, tied := values(t, open(t, "testdata/tiny.gguf"), "config.json"), values(t, open(t, "testdata/tied.gguf"), "config.json")
	for _, c := range []struct {
		key        string
		tiny, tied any
	}{
		{"model_type", "llama", "llama"},
		{"hidden_size", 32.0, 32.0},
		{"num_key_value_heads", 2.0, 2.0},
		{"rms_norm_eps", 1e-5, 1e-5},
		{"tie_word_embeddings", false, true},
		{"attention_bias", false, true},
		{"rope_scaling", nil, map[string]any{"rope_type": "longrope", "attention_factor": 1.0,
			"short_factor": []any{1.0, 1.0, 2.5, 8.0}, "long_factor": []any{1.0, 1.0, 2.5, 8.0}}},
	} {
		if !reflect.DeepEqual(tiny[c.key], c.tiny) || !reflect.DeepEqual(tied[c.key], c.tied) {
			t.Errorf("%s = %v and %v, want %v and %v", c.key, tiny[c.key], tied[c.key], c.tiny, c.tied)
		}
	}
}

// The tokenizer of the small files, and that it tokenizes.
func TestGGUFTokenizer(t *testing.T) {
	for _, c := range []struct {
		name string
		ids  []int32 // of " abc<tool>ab", as HF's tokenizers 0.23.3 reads the tokenizer.json
		post any
	}{
		{"tiny", []int32{1, 9, 8, 2, 7}, map[string]any{"type": "TemplateProcessing",
			"single":         []any{map[string]any{"SpecialToken": map[string]any{"id": "<|start|>", "type_id": 0.0}}, map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0.0}}},
			"pair":           []any{map[string]any{"SpecialToken": map[string]any{"id": "<|start|>", "type_id": 0.0}}, map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0.0}}, map[string]any{"SpecialToken": map[string]any{"id": "<|start|>", "type_id": 0.0}}, map[string]any{"Sequence": map[string]any{"id": "B", "type_id": 1.0}}},
			"special_tokens": map[string]any{"<|start|>": map[string]any{"id": "<|start|>", "ids": []any{1.0}, "tokens": []any{"<|start|>"}}}}},
		{"tied", []int32{9, 8, 2, 7}, nil},
	} {
		ckpt := open(t, "testdata/"+c.name+".gguf")
		got := values(t, ckpt, "tokenizer.json")
		if !reflect.DeepEqual(got["post_processor"], c.post) {
			t.Errorf("%s: post_processor %v", c.name, got["post_processor"])
		}
		model := got["model"].(map[string]any)
		if v := model["vocab"].(map[string]any); len(v) != 11 || v["Ġa"] != 10.0 || v["[PAD3]"] != nil {
			t.Errorf("%s: vocab %v", c.name, v)
		}
		if m := model["merges"]; !reflect.DeepEqual(m, []any{[]any{"a", "b"}, []any{"ab", "c"}, []any{"Ġ", "a"}}) {
			t.Errorf("%s: merges %v", c.name, m)
		}
		special := map[any]any{}
		for _, a := range got["added_tokens"].([]any) {
			special[a.(map[string]any)["content"]] = a.(map[string]any)["special"]
		}
		// <tool> is user-defined, and special because it ends a turn.
		if want := (map[any]any{"<|end|>": true, "<|start|>": true, "<tool>": true}); !reflect.DeepEqual(special, want) {
			t.Errorf("%s: added tokens %v", c.name, special)
		}
		data, _ := ckpt.File("tokenizer.json")
		tok, err := tokenizer.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if ids := tok.Encode(" abc<tool>ab", tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true}); !reflect.DeepEqual(ids, c.ids) {
			t.Errorf("%s: ids %v, want %v", c.name, ids, c.ids)
		}
		generation := values(t, ckpt, "generation_config.json")
		if !reflect.DeepEqual(generation, map[string]any{"bos_token_id": 1.0, "eos_token_id": []any{0.0, 2.0}}) {
			t.Errorf("%s: generation_config %v", c.name, generation)
		}
	}
	tiny := values(t, open(t, "testdata/tiny.gguf"), "tokenizer_config.json")
	if want := []any{map[string]any{"name": "default", "template": "{{ messages }}"}, map[string]any{"name": "tool_use", "template": "{{ tools }}"}}; !reflect.DeepEqual(tiny["chat_template"], want) ||
		tiny["bos_token"] != "<|start|>" || tiny["eos_token"] != "<|end|>" {
		t.Errorf("tokenizer_config %v", tiny)
	}
	if data, err := open(t, "testdata/tiny.gguf").File("chat_template.jinja"); data != nil || err != nil {
		t.Errorf("chat_template.jinja = %q, %v", data, err)
	}
}

// The splits of the known names are those of the tokenizer.json files that HF's
// tokenizers read the oracle rows with.
func TestSplits(t *testing.T) {
	for pre, style := range map[string]string{"smollm": "smollm2", "llama-bpe": "llama3style", "qwen2": "qwen2style", "gpt-4o": "o200style", "deepseek-v3": "deepseekstyle"} {
		text := string(oracle.File(t, "tokenizers/"+style+".tokenizer.json"))
		var want struct {
			Normalizer any `json:"normalizer"`
			Pre        any `json:"pre_tokenizer"`
		}
		// The oracle's DeepSeek pattern escapes a quotation mark, which is the same.
		if err := json.Unmarshal([]byte(strings.ReplaceAll(text, `[!\\\"#`, `[!\"#`)), &want); err != nil {
			t.Fatal(err)
		}
		data, err := encode(object{"normalizer": splits[pre].normalize(), "pre_tokenizer": splits[pre].preTokenizer()})
		if err != nil {
			t.Fatal(err)
		}
		got := want
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v (%v)", pre, got, want, err)
		}
	}
}

// patched is tiny.gguf with the first old replaced by new, of the same length.
func patched(t *testing.T, old, new string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/tiny.gguf")
	if err != nil || len(old) != len(new) || !bytes.Contains(data, []byte(old)) {
		t.Fatalf("can't replace %q by %q: %v", old, new, err)
	}
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(path, bytes.Replace(data, []byte(old), []byte(new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each thing that isn't supported is refused by name, when the file is opened or
// when the tokenizer is asked for.
func TestGGUFRefused(t *testing.T) {
	const u32 = "\x04\x00\x00\x00"                                                                            // the value type, or 4
	const dims = "\x02\x00\x00\x00" + "\x20\x00\x00\x00\x00\x00\x00\x00" + "\x0c\x00\x00\x00\x00\x00\x00\x00" // [12, 32]
	length := func(s string) string { return string([]byte{byte(len(s)), 0, 0, 0, 0, 0, 0, 0}) + s }
	for _, c := range []struct{ name, old, new, class, want string }{
		{"no architecture", "general.architecture", "general.arkhitecture", archs.BadGGUF, "general.architecture is missing"},
		{"architecture", "\x05\x00\x00\x00\x00\x00\x00\x00llama", "\x05\x00\x00\x00\x00\x00\x00\x00lambo", archs.UnsupportedModel, `"lambo"`},
		{"unknown key", "llama.vocab_size", "llama.vokab_size", archs.UnsupportedConfig, "llama.vokab_size"},
		{"element type", "token_embd.weight" + dims + "\x01", "token_embd.weight" + dims + "\x19", archs.BadQuantization,
			"tensor token_embd.weight is I16 (supported: [F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS BF16])"},
		{"rows of no heads", "head_count_kv" + u32 + "\x02", "head_count_kv" + u32 + "\x03", archs.ShapeMismatch, "doesn't divide into 3 heads"},
		{"heads", "head_count" + u32 + u32, "head_count" + u32 + "\x05\x00\x00\x00", archs.UnsupportedConfig, "rope.dimension_count"},
		{"pre unknown", length("llama-bpe"), length("llama-xyz"), archs.UnsupportedConfig, `tokenizer.ggml.pre: "llama-xyz" isn't known (known: command-r, deepseek-v3, gpt-2, gpt-4o, llama-bpe, llama-v3, llama3, llama4, mpt, olmo, phi-2, qwen2, qwen35, refact, smollm, starcoder, tekken); give the model's tokenizer.json with --tokenizer FILE`},
		{"pre absent", "tokenizer.ggml.pre", "tokenizer.ggml.prx", archs.UnsupportedConfig, "tokenizer.ggml.pre: it is absent"},
		{"tokenizer model", length("gpt2"), length("bert"), archs.UnsupportedConfig, "tokenizer.ggml.model: bert isn't supported (supported: gpt2, llama); give the model's"},
		{"no tokens", "tokenizer.ggml.tokens", "tokenizer.ggml.tokenz", archs.BadGGUF, "tokenizer.ggml.tokens: it is absent"},
		{"no types", "tokenizer.ggml.token_type", "tokenizer.ggml.token_typo", archs.BadGGUF, "tokenizer.ggml.token_type: it must be a list of int32, one for each of the 12 tokens"},
		{"no merges", "tokenizer.ggml.merges", "tokenizer.ggml.mergez", archs.BadGGUF, "tokenizer.ggml.merges: it is absent"},
		{"broken merge", "a b", "a-b", archs.BadGGUF, `"a-b" (number 0) is not two tokens`},
		{"token twice", length("c"), length("b"), archs.BadGGUF, `tokens 5 and 6 are both "b"`},
		{"eos outside", "eos_token_id" + u32 + "\x00", "eos_token_id" + u32 + "\x63", archs.BadGGUF, "99 is not one of the 12 tokens"},
		{"token of bytes", "\x03\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00", "\x03\x00\x00\x00\x03\x00\x00\x00\x06\x00\x00\x00\x05\x00\x00\x00", archs.BadGGUF, `token 2 ("<tool>") has type 6`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Open(patched(t, c.old, c.new))
			if err == nil {
				defer m.Close()
				_, err = m.File("tokenizer.json")
			}
			if archs.Class(err) != c.class || !strings.HasPrefix(err.Error(), c.class+": tiny.gguf: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want class %s and %q", err, c.class, c.want)
			}
		})
	}
}

// What the small files don't have, put into their metadata.
func TestGGUFTokenizerMetadata(t *testing.T) {
	m := open(t, "testdata/tied.gguf").(*ggufModel)
	add := func(key string, value any) {
		m.file.Metadata[key] = value
		t.Cleanup(func() { delete(m.file.Metadata, key) })
	}
	add("tokenizer.ggml.add_eos_token", true)
	post, _ := values(t, m, "tokenizer.json")["post_processor"].(map[string]any)
	if single, _ := post["single"].([]any); len(single) != 2 || !reflect.DeepEqual(single[1], map[string]any{"SpecialToken": map[string]any{"id": "<|end|>", "type_id": 0.0}}) {
		t.Errorf("EOS: post_processor %v", post)
	}
	add("tokenizer.ggml.add_space_prefix", true)
	if _, err := m.File("tokenizer.json"); err == nil || !strings.Contains(err.Error(), "unsupported_config: tied.gguf: metadata: tokenizer.ggml.add_space_prefix") {
		t.Errorf("add_space_prefix: %v", err)
	}
	add("tokenizer.huggingface.json", `{"whole":true}`)
	if data, err := m.File("tokenizer.json"); string(data) != `{"whole":true}` || err != nil {
		t.Errorf("tokenizer.huggingface.json: %s, %v", data, err)
	}
	add("tokenizer.chat_templates", []string{"rag"})
	if _, err := m.File("tokenizer_config.json"); err == nil || !strings.Contains(err.Error(), "tokenizer.chat_template.rag") {
		t.Errorf("a promised template: %v", err)
	}
	if _, err := m.File("config.json"); err == nil {
		t.Error("config.json is not a side file")
	}
}

// A directory with one GGUF is that file, but for the side files beside it; this
// is how a user helps out a file without a usable tokenizer.
func TestGGUFDirectory(t *testing.T) {
	path := patched(t, "llama-bpe", "llama-xyz")
	dir := filepath.Dir(path)
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(`{"mine":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, dir)
	if data, err := c.File("tokenizer.json"); string(data) != `{"mine":1}` || err != nil {
		t.Errorf("tokenizer.json = %s, %v", data, err)
	}
	if n := c.Notes(); len(n) != 1 || !strings.Contains(n[0], "tokenizer.json is used instead of what tiny.gguf holds") {
		t.Errorf("notes %q", n)
	}
	if _, err := open(t, path).File("tokenizer.json"); err == nil {
		t.Error("the file alone has a tokenizer")
	}
	if err := os.WriteFile(filepath.Join(dir, "b.gguf"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "it holds 2 GGUF models (b.gguf, tiny.gguf); give one of them") {
		t.Errorf("two files: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "b.gguf")); err == nil || !strings.HasPrefix(err.Error(), "bad_gguf: b.gguf: is an empty file") {
		t.Errorf("an empty file: %v", err)
	}
}

// realGGUF is the demo model.
func realGGUF(t testing.TB) string {
	t.Helper()
	path := filepath.Join(oracle.Root(), "build/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; run make deps first", err)
	}
	return path
}

// The real SmolLM2: digests of tensors as the Python gguf package dequantises them
// (testdata/make_gguf.py FILE), and a tokenizer.json equal to HF's.
func TestRealGGUF(t *testing.T) {
	c := open(t, realGGUF(t))
	if n := len(c.Tensors()); n != 272 {
		t.Errorf("%d tensors, want 272", n)
	}
	shapes := map[string][]int{}
	for _, x := range c.Tensors() {
		shapes[x.Name] = x.Shape
	}
	for name, want := range map[string]string{
		"model.embed_tokens.weight":                      "cf4ea146e6b910cc",
		"model.layers.7.input_layernorm.weight":          "46bdac4706acba99",
		"model.layers.7.mlp.down_proj.weight":            "9d3af8b67d13c727",
		"model.layers.7.mlp.gate_proj.weight":            "8ce193f5d0489a2b",
		"model.layers.7.mlp.up_proj.weight":              "5666dcfd8d775002",
		"model.layers.7.post_attention_layernorm.weight": "e52d302a44b78766",
		"model.layers.7.self_attn.k_proj.weight":         "c0853489b02eee1e",
		"model.layers.7.self_attn.o_proj.weight":         "02c5a1bb63a1fe47",
		"model.layers.7.self_attn.q_proj.weight":         "3a690b62d9c91269",
		"model.layers.7.self_attn.v_proj.weight":         "8b6862c014dfc739",
	} {
		rows, width := Tensor{Shape: shapes[name]}.rows()
		rows = min(rows, 2000)
		data := make([]byte, rows*width*4)
		if err := c.ReadRows(data, ir.F32, name, 0, rows); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:8]) != want {
			t.Errorf("%s: sha256 %x…, want %s…", name, sum[:8], want)
		}
	}
	var want map[string]any
	if err := json.Unmarshal(oracle.File(t, "tokenizers/smollm2.tokenizer.json"), &want); err != nil {
		t.Fatal(err)
	}
	got := values(t, c, "tokenizer.json")
	for key := range want {
		if !reflect.DeepEqual(got[key], want[key]) {
			t.Errorf("tokenizer.json: %s differs: %.200v, want %.200v", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("tokenizer.json has %d keys, want %d", len(got), len(want))
	}
	if template, _ := values(t, c, "tokenizer_config.json")["chat_template"].(string); !strings.HasPrefix(template, "{% for message in messages %}") {
		t.Errorf("chat template %.100q", template)
	}
	if g := values(t, c, "generation_config.json"); !reflect.DeepEqual(g["eos_token_id"], []any{2.0}) {
		t.Errorf("generation_config %v", g)
	}
}

func BenchmarkReadRows(b *testing.B) {
	c := open(b, realGGUF(b))
	for _, name := range []string{"model.embed_tokens.weight", "model.layers.0.mlp.gate_proj.weight", "model.layers.0.self_attn.q_proj.weight"} {
		for d := range sameType {
			b.Run(name+"_"+d.String(), func(b *testing.B) {
				dst := make([]byte, 576*576*d.Size())
				b.SetBytes(576 * 576)
				for b.Loop() {
					if err := c.ReadRows(dst, d, name, 0, 576); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
