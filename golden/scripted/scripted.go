// Package scripted gives tests a model whose output the test chooses: a llama that
// answers each token with the one that a table names, behind a real tokenizer. It is
// for everything about text, stops and streams.
package scripted

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// Sizes of the model. The vocabulary is SmolLM2's.
const (
	Hidden = 64
	Vocab  = 49152
	EOS    = 2 // <|im_end|>
)

// Model is what the checkpoint computes.
type Model struct {
	// Next is the token after each token, by greedy choice: its logit is 8, all others
	// are 0. After a token that isn't in it all logits are 0, and the choice is id 0.
	Next map[int32]int32
	// Files are more files of the checkpoint, or take the place of those that Checkpoint
	// writes, by name.
	Files map[string]string
	// Break, if not nil, may change the weights before they are written.
	Break func(name string, values []float32)
}

// Chain is the table in which each token is followed by the next of the list.
func Chain(tokens ...int32) map[int32]int32 {
	next := map[int32]int32{}
	for i, t := range tokens[1:] {
		next[tokens[i]] = t
	}
	return next
}

// Tokenizer is SmolLM2's tokenizer.json.
func Tokenizer(t testing.TB) []byte {
	t.Helper()
	return oracle.File(t, "tokenizers/smollm2.tokenizer.json")
}

// Checkpoint writes config.json, tokenizer.json, model.safetensors and Files into a new
// temporary directory and returns it.
//
// Every token of the table has a one-hot code of its own. Attention and MLP add
// nothing to the residual (their weights are zero), so the normalised last hidden
// state is √Hidden = 8 times the code of the last token, and lm_head[Next[t]] is the
// code of t.
func (m Model) Checkpoint(t testing.TB) string {
	t.Helper()
	if len(m.Next) > Hidden {
		t.Fatalf("scripted: %d tokens, the limit is %d", len(m.Next), Hidden)
	}
	dir := t.TempDir()
	config, err := json.Marshal(map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "model_type": "llama", "dtype": "float32",
		"hidden_size": Hidden, "intermediate_size": Hidden, "num_hidden_layers": 1, "vocab_size": Vocab,
		"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "hidden_act": "silu",
		"max_position_embeddings": 4096, "rms_norm_eps": 1e-12, "rope_theta": 10000.0,
		"tie_word_embeddings": false, "bos_token_id": 1, "eos_token_id": EOS,
	})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"config.json": config, "tokenizer.json": Tokenizer(t), "model.safetensors": m.safetensors(t)}
	for name, content := range m.Files {
		files[name] = []byte(content)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shapes of the tensors; all but those that fill sets are zero.
var shapes = map[string][]int{
	"model.embed_tokens.weight":                      {Vocab, Hidden},
	"model.layers.0.input_layernorm.weight":          {Hidden},
	"model.layers.0.self_attn.q_proj.weight":         {64, Hidden},
	"model.layers.0.self_attn.k_proj.weight":         {32, Hidden},
	"model.layers.0.self_attn.v_proj.weight":         {32, Hidden},
	"model.layers.0.self_attn.o_proj.weight":         {Hidden, 64},
	"model.layers.0.post_attention_layernorm.weight": {Hidden},
	"model.layers.0.mlp.gate_proj.weight":            {64, Hidden},
	"model.layers.0.mlp.up_proj.weight":              {64, Hidden},
	"model.layers.0.mlp.down_proj.weight":            {Hidden, 64},
	"model.norm.weight":                              {Hidden},
	"lm_head.weight":                                 {Vocab, Hidden},
}

// fill sets a tensor's values.
func (m Model) fill(name string, values []float32) {
	switch {
	case len(values) == Hidden: // a norm
		for i := range values {
			values[i] = 1
		}
	case name == "model.embed_tokens.weight":
		for code, token := range slices.Sorted(maps.Keys(m.Next)) {
			values[int(token)*Hidden+code] = 1
		}
	case name == "lm_head.weight":
		for code, token := range slices.Sorted(maps.Keys(m.Next)) {
			values[int(m.Next[token])*Hidden+code] = 1
		}
	}
	if m.Break != nil {
		m.Break(name, values)
	}
}

func (m Model) safetensors(t testing.TB) []byte {
	t.Helper()
	type entry struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header := map[string]entry{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 1
		for _, d := range shapes[name] {
			n *= d
		}
		values := make([]float32, n)
		m.fill(name, values)
		header[name] = entry{"F32", shapes[name], [2]int{len(data), len(data) + 4*n}}
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	text = fmt.Appendf(text, "%*s", -len(text)&7, "")
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}
