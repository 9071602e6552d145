package archs

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fakeGGUF is a GGUF file of metadata and F32 tensors.
type fakeGGUF struct {
	meta    map[string]any
	tensors map[string][]float32
}

func (f fakeGGUF) Keys() []string {
	var keys []string
	for k := range f.meta {
		keys = append(keys, k)
	}
	return keys
}
func (f fakeGGUF) Value(key string) any { return f.meta[key] }
func (f fakeGGUF) HasTensor(name string) bool {
	_, ok := f.tensors[name]
	return ok
}
func (f fakeGGUF) Floats(name string) ([]float32, error) {
	if v, ok := f.tensors[name]; ok {
		return v, nil
	}
	return nil, errors.New("no tensor " + name)
}

// smolLM2 is the metadata of the real SmolLM2-135M-Instruct file.
func smolLM2() fakeGGUF {
	return fakeGGUF{tensors: map[string][]float32{"token_embd.weight": nil}, meta: map[string]any{
		"general.architecture": "llama", "general.type": "model",
		"llama.block_count": uint32(30), "llama.context_length": uint32(8192),
		"llama.embedding_length": uint32(576), "llama.feed_forward_length": uint32(1536),
		"llama.attention.head_count": uint32(9), "llama.attention.head_count_kv": uint32(3),
		"llama.rope.freq_base": float32(100000), "llama.attention.layer_norm_rms_epsilon": float32(1e-5),
		"llama.vocab_size": uint32(49152), "llama.rope.dimension_count": uint32(64),
		"tokenizer.ggml.bos_token_id": uint32(1), "tokenizer.ggml.eos_token_id": uint32(2),
	}}
}

func TestGGUFNames(t *testing.T) {
	r, err := FindGGUF("llama")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ gguf, hf string }{ // as the Python gguf package maps them
		{"token_embd.weight", "model.embed_tokens.weight"},
		{"output_norm.weight", "model.norm.weight"},
		{"output.weight", "lm_head.weight"},
		{"blk.0.attn_norm.weight", "model.layers.0.input_layernorm.weight"},
		{"blk.1.ffn_norm.weight", "model.layers.1.post_attention_layernorm.weight"},
		{"blk.12.attn_q.weight", "model.layers.12.self_attn.q_proj.weight"},
		{"blk.12.attn_k.bias", "model.layers.12.self_attn.k_proj.bias"},
		{"blk.3.attn_v.weight", "model.layers.3.self_attn.v_proj.weight"},
		{"blk.3.attn_output.weight", "model.layers.3.self_attn.o_proj.weight"},
		{"blk.100.ffn_gate.weight", "model.layers.100.mlp.gate_proj.weight"},
		{"blk.0.ffn_up.weight", "model.layers.0.mlp.up_proj.weight"},
		{"blk.0.ffn_down.bias", "model.layers.0.mlp.down_proj.bias"},
	} {
		if got, ok := r.HFName(c.gguf); !ok || got != c.hf {
			t.Errorf("HFName(%q) = %q, %v, want %q", c.gguf, got, ok, c.hf)
		}
		if got, ok := r.GGUFName(c.hf); !ok || got != c.gguf {
			t.Errorf("GGUFName(%q) = %q, %v, want %q", c.hf, got, ok, c.gguf)
		}
	}
	for _, name := range []string{"", "blk.", "blk.0.", "blk.x.attn_q.weight", "blk.00.attn_q.weight", "blk.-1.attn_q.weight",
		"attn_q.weight", "blk.0.token_embd.weight", "blk.0.attn_q", "rope_freqs.weight", "blk.99999999999.attn_q.weight"} {
		if got, ok := r.HFName(name); ok {
			t.Errorf("HFName(%q) = %q, want none", name, got)
		}
	}
	if _, err := FindGGUF("mamba"); Class(err) != UnsupportedModel || !strings.Contains(err.Error(), "mamba") {
		t.Errorf("FindGGUF(mamba): %v", err)
	}
}

func TestGGUFPairedRows(t *testing.T) {
	r, err := FindGGUF("llama")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{
		"model.layers.0.self_attn.q_proj.weight": 9,
		"model.layers.4.self_attn.q_proj.bias":   9,
		"model.layers.0.self_attn.k_proj.weight": 3,
		"model.layers.0.self_attn.v_proj.weight": 0,
		"model.embed_tokens.weight":              0,
	} {
		if got, err := r.PairedHeads(name, smolLM2()); err != nil || got != want {
			t.Errorf("PairedHeads(%s) = %d, %v, want %d", name, got, err, want)
		}
	}
	// numpy: arange(12).reshape(2, 2, 3).swapaxes(1, 2).reshape(-1) is how the
	// converter orders the rows of 2 heads of 6.
	file := []int{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}
	var hf []int
	for row := range file {
		hf = append(hf, file[PairedRow(row, 6)])
	}
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}; !slices.Equal(hf, want) {
		t.Errorf("rows read in PairedRow's order: %v, want %v", hf, want)
	}
}

// The metadata of SmolLM2's GGUF says what its config.json says.
func TestGGUFConfig(t *testing.T) {
	r, err := FindGGUF("llama")
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.GGUFConfig(smolLM2())
	if err != nil {
		t.Fatal(err)
	}
	published, err := os.ReadFile("../testdata/configs/smollm2-135m-instruct.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(made, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Read(published, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read from %s\n%+v\nwant %+v", made, got, want)
	}
}

func TestGGUFConfigSwitches(t *testing.T) {
	with := func(change func(f fakeGGUF)) fakeGGUF {
		f := smolLM2()
		change(f)
		return f
	}
	for _, c := range []struct {
		name   string
		change func(f fakeGGUF)
		want   string // a part of the config, without spaces
	}{
		{"untied", func(f fakeGGUF) { f.tensors["output.weight"] = nil }, `"tie_word_embeddings":false`},
		{"attention bias", func(f fakeGGUF) { f.tensors["blk.0.attn_q.bias"] = nil }, `"attention_bias":true`},
		{"mlp bias", func(f fakeGGUF) { f.tensors["blk.0.ffn_gate.bias"] = nil }, `"mlp_bias":true`},
		{"eot", func(f fakeGGUF) { f.meta["tokenizer.ggml.eot_token_id"] = uint32(0) }, `"eos_token_id":[2,0]`},
		{"eot is eos", func(f fakeGGUF) { f.meta["tokenizer.ggml.eot_token_id"] = uint32(2) }, `"eos_token_id":[2]`},
		{"vocabulary from tokens", func(f fakeGGUF) {
			delete(f.meta, "llama.vocab_size")
			f.meta["tokenizer.ggml.tokens"] = []string{"a", "b", "c"}
		}, `"vocab_size":3`},
		{"per layer, equal", func(f fakeGGUF) { f.meta["llama.feed_forward_length"] = []int32{7, 7} }, `"intermediate_size":7`},
		{"linear", func(f fakeGGUF) {
			f.meta["llama.rope.scaling.type"], f.meta["llama.rope.scaling.factor"] = "linear", float32(4)
		}, `"rope_scaling":{"factor":4,"rope_type":"linear"}`},
		{"linear, old name", func(f fakeGGUF) { f.meta["llama.rope.scale_linear"] = float32(2.5) }, `"rope_scaling":{"factor":2.5,"rope_type":"linear"}`},
		{"yarn", func(f fakeGGUF) {
			f.meta["llama.rope.scaling.type"], f.meta["llama.rope.scaling.factor"] = "yarn", float32(4)
			f.meta["llama.rope.scaling.original_context_length"] = uint32(2048)
		}, `"rope_scaling":{"factor":4,"original_max_position_embeddings":2048,"rope_type":"yarn"}`},
		{"llama3", func(f fakeGGUF) { f.tensors["rope_freqs.weight"] = []float32{1, 8} },
			`"rope_scaling":{"attention_factor":1,"long_factor":[1,8],"rope_type":"longrope","short_factor":[1,8]}`},
		{"longrope", func(f fakeGGUF) {
			f.tensors["rope_factors_long.weight"], f.tensors["rope_factors_short.weight"] = []float32{2}, []float32{1}
			f.meta["llama.rope.scaling.attn_factor"] = float32(1.1)
			f.meta["llama.rope.scaling.original_context_length"] = uint32(4096)
		}, `"rope_scaling":{"attention_factor":1.1,"long_factor":[2],"original_max_position_embeddings":4096,"rope_type":"longrope","short_factor":[1]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := llama.GGUFConfig(with(c.change))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(string(data)), ""); !strings.Contains(got, c.want) {
				t.Errorf("config.json has no %s:\n%s", c.want, data)
			}
			if !json.Valid(data) {
				t.Error("config.json isn't JSON")
			}
		})
	}
	for _, c := range []struct {
		name     string
		change   func(f fakeGGUF)
		class    string
		mentions string
	}{
		{"experts", func(f fakeGGUF) { f.meta["llama.expert_count"] = uint32(8) }, UnsupportedConfig, "llama.expert_count"},
		{"unknown key", func(f fakeGGUF) { f.meta["llama.twist"] = true }, UnsupportedConfig, "llama.twist"},
		{"adapter", func(f fakeGGUF) { f.meta["general.type"] = "adapter" }, UnsupportedModel, "adapter"},
		{"layers differ", func(f fakeGGUF) { f.meta["llama.attention.head_count"] = []int32{9, 3} }, UnsupportedConfig, "llama.attention.head_count"},
		{"no size", func(f fakeGGUF) { delete(f.meta, "llama.embedding_length") }, BadGGUF, "llama.embedding_length"},
		{"a string for a size", func(f fakeGGUF) { f.meta["llama.block_count"] = "30" }, BadGGUF, "llama.block_count"},
		{"partial rotation", func(f fakeGGUF) { f.meta["llama.rope.dimension_count"] = uint32(32) }, UnsupportedConfig, "llama.rope.dimension_count"},
		{"value heads", func(f fakeGGUF) { f.meta["llama.attention.value_length"] = uint32(32) }, UnsupportedConfig, "llama.attention.value_length"},
		{"rope kind", func(f fakeGGUF) { f.meta["llama.rope.scaling.type"] = "spiral" }, UnsupportedConfig, "spiral"},
		{"yarn attention factor", func(f fakeGGUF) {
			f.meta["llama.rope.scaling.type"], f.meta["llama.rope.scaling.attn_factor"] = "yarn", float32(2)
		}, UnsupportedConfig, "llama.rope.scaling.attn_factor"},
		{"two scalings", func(f fakeGGUF) {
			f.tensors["rope_freqs.weight"], f.meta["llama.rope.scaling.factor"] = []float32{1}, float32(2)
		}, UnsupportedConfig, "rope_freqs.weight"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := llama.GGUFConfig(with(c.change))
			if Class(err) != c.class || !strings.Contains(err.Error(), c.mentions) {
				t.Errorf("%v, want %s about %s", err, c.class, c.mentions)
			}
		})
	}
}
