package archs

import (
	"reflect"
	"strings"
	"testing"
)

// A row of a family that differs from llama in a few points, as most do.
func TestRowInherits(t *testing.T) {
	child := Row{
		ModelType: "testling", Inherits: "llama", Classes: []string{"TestlingForCausalLM"},
		Defaults: map[string]any{"vocab_size": 99, "tie_word_embeddings": true},
		Keys:     map[string]string{"num_hidden_layers": "n_layer"},
		QKVBias:  Always, OutBias: Never,
		Names: Names{Embed: "wte.weight"},
		GGUF:  GGUF{Architecture: "testling", QKRows: Half, Names: Names{Embed: "wte"}},
	}
	rows = append(rows, &child)
	defer func() { rows = rows[:len(rows)-1] }()

	s, err := Read([]byte(`{"model_type": "testling", "n_layer": 3}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.ModelType != "testling" || s.Vocab != 99 || s.Hidden != 4096 || len(s.Layers) != 3 || !s.TiedHead ||
		!s.Layers[0].Attention.QKVBias || s.Layers[0].Attention.OutBias ||
		s.Names.Embed != "wte.weight" || s.Names.Query != llama.Names.Query {
		t.Errorf("%+v", s)
	}
	// A switch that the family fixes is no key of it: the neutral value alone will do.
	if _, err := Read([]byte(`{"model_type": "testling", "attention_bias": true}`), nil); Class(err) != UnsupportedConfig {
		t.Errorf("attention_bias: %v", err)
	}
	if _, err := Read([]byte(`{"model_type": "testling", "n_layer": "3"}`), nil); err == nil || !strings.Contains(err.Error(), "n_layer") {
		t.Errorf("the family's spelling isn't named: %v", err)
	}
	r, err := FindGGUF("testling")
	if err != nil || r.ModelType != "testling" || r.GGUF.Names.Query != "attn_q.weight" || r.GGUF.Keys["hidden_size"] != "embedding_length" {
		t.Errorf("FindGGUF: %+v, %v", r, err)
	}
	if n, err := r.PairedHeads("model.layers.0.self_attn.q_proj.weight", smolLM2()); n != 0 || err != nil {
		t.Errorf("PairedHeads = %d, %v", n, err)
	}
	if got := llama.Defaults["vocab_size"]; got != 32000 {
		t.Errorf("the parent's vocab_size became %v", got)
	}
}

// What must hold for every row of the table.
func TestRowsAreComplete(t *testing.T) {
	for _, modelType := range ModelTypes() {
		r, err := find(modelType)
		if err != nil {
			t.Fatal(err)
		}
		names := reflect.ValueOf(r.Names)
		for i := range names.NumField() {
			field := names.Type().Field(i).Name
			name := names.Field(i).String()
			if field == "Layer" {
				if strings.Count(name, "%d") != 1 {
					t.Errorf("%s: Names.Layer is %q", modelType, name)
				}
			} else if !strings.HasSuffix(name, ".weight") {
				t.Errorf("%s: Names.%s is %q", modelType, field, name)
			}
			if gguf := reflect.ValueOf(r.GGUF.Names).Field(i).String(); r.GGUF.Architecture != "" && gguf == "" {
				t.Errorf("%s: GGUF.Names.%s is empty", modelType, field)
			}
		}
		if len(r.Classes) == 0 || r.Norm == "" || r.NormEps == "" || r.QKVBias == "" || r.OutBias == "" || r.MLPBias == "" || r.HeadBias == "" {
			t.Errorf("%s is incomplete: %+v", modelType, r)
		}
		if _, err := Read([]byte(`{"model_type": "`+modelType+`"}`), nil); err != nil {
			t.Errorf("%s with all defaults: %v", modelType, err)
		}
	}
}
