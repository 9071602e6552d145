package archs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir/rope"
)

// tiny is a small config of which tests change single keys. A value of absent
// deletes the key.
var tiny = map[string]any{
	"model_type": "llama", "architectures": []string{"LlamaForCausalLM"}, "vocab_size": 40, "hidden_size": 64,
	"intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
	"max_position_embeddings": 128, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
}

// raw is a token that encoding/json wouldn't write, such as NaN.
type raw string

func (r raw) MarshalJSON() ([]byte, error) { return []byte(`"<<` + string(r) + `>>"`), nil }

type absentKey struct{}

var absent absentKey

func configWith(t testing.TB, changes map[string]any) []byte {
	t.Helper()
	m := maps.Clone(tiny)
	for k, v := range changes {
		if v == absent {
			delete(m, k)
		} else {
			m[k] = v
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.NewReplacer(`"<<`, "", `>>"`, "").Replace(b.String()))
}

func readWith(t testing.TB, changes map[string]any) Spec {
	t.Helper()
	s, err := Read(configWith(t, changes), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadPublishedConfigs(t *testing.T) {
	plain := func(theta float64, dim int) rope.Params {
		return rope.Params{Kind: rope.Default, Theta: theta, Dim: dim}
	}
	for _, c := range []struct {
		file                         string
		layers, vocab, hidden, width int
		heads, kv, headDim, max      int
		eps                          float64
		tied                         bool
		eos                          []int
		bos                          int
		rope                         rope.Params
	}{
		{"llama-1-7b", 32, 32000, 4096, 11008, 32, 32, 128, 2048, 1e-6, false, []int{2}, 1, plain(10000, 128)},
		{"tinyllama-1.1b-chat", 22, 32000, 2048, 5632, 32, 4, 64, 2048, 1e-5, false, []int{2}, 1, plain(10000, 64)},
		{"smollm2-135m-instruct", 30, 49152, 576, 1536, 9, 3, 64, 8192, 1e-5, true, []int{2}, 1, plain(100000, 64)},
		{"yi-6b", 32, 64000, 4096, 11008, 32, 4, 128, 4096, 1e-5, false, []int{2}, 1, plain(5000000, 128)},
		{"deepseek-llm-7b", 30, 102400, 4096, 11008, 32, 32, 128, 4096, 1e-6, false, []int{100001}, 100000, plain(10000, 128)},
		{"llama-3.2-1b-instruct", 16, 128256, 2048, 8192, 32, 8, 64, 131072, 1e-5, true, []int{128001, 128008, 128009}, 128000,
			rope.Params{Kind: rope.Llama3, Theta: 500000, Dim: 64, Factor: 32, LowFreqFactor: 1, HighFreqFactor: 4, OriginalMaxPosition: 8192}},
	} {
		t.Run(c.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "testdata", "configs", c.file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			norm := Norm{Kind: RMSNorm, Eps: c.eps}
			want := Spec{
				ModelType: "llama", Vocab: c.vocab, Hidden: c.hidden, MaxLength: c.max, FinalNorm: norm, TiedHead: c.tied,
				RoPE: []rope.Params{c.rope}, Names: llama.Names, EOS: c.eos, BOS: c.bos,
				Layers: slices.Repeat([]Layer{{
					Attention: Attention{Heads: c.heads, KVHeads: c.kv, HeadDim: c.headDim, Scale: math.Pow(float64(c.headDim), -0.5)},
					MLP:       MLP{Width: c.width, Activation: SiLU},
					Norm:      norm,
				}}, c.layers),
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// The defaults are those of HF's LlamaConfig().
func TestReadClassDefaults(t *testing.T) {
	s, err := Read([]byte(`{"model_type": "llama"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	norm := Norm{Kind: RMSNorm, Eps: 1e-6}
	want := Spec{
		ModelType: "llama", Vocab: 32000, Hidden: 4096, MaxLength: 2048, FinalNorm: norm, Names: llama.Names, EOS: []int{2}, BOS: 1,
		RoPE: []rope.Params{{Kind: rope.Default, Theta: 10000, Dim: 128}},
		Layers: slices.Repeat([]Layer{{Attention: Attention{Heads: 32, KVHeads: 32, HeadDim: 128, Scale: math.Pow(128, -0.5)},
			MLP: MLP{Width: 11008, Activation: SiLU}, Norm: norm}}, 32),
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

// Each row changes one key of tiny and says which leaves of the Spec change, and
// to what. Every leaf must occur: there is no field that no config sets.
func TestReadEveryField(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range []struct {
		key   string
		value any
		want  map[string]any // leaf → value; layer fields are those of the first layer
	}{
		{"vocab_size", 41, map[string]any{"Vocab": 41}},
		{"vocab_size", 41.0, map[string]any{"Vocab": 41}},
		{"hidden_size", 96, map[string]any{"Hidden": 96, "Attention.HeadDim": 24, "Attention.Scale": math.Pow(24, -0.5), "RoPE.Dim": 24}},
		{"intermediate_size", 100, map[string]any{"MLP.Width": 100}},
		{"num_hidden_layers", 3, map[string]any{"Layers": 3}},
		{"num_attention_heads", 8, map[string]any{"Attention.Heads": 8, "Attention.HeadDim": 8, "Attention.Scale": math.Pow(8, -0.5), "RoPE.Dim": 8}},
		{"num_key_value_heads", 1, map[string]any{"Attention.KVHeads": 1}},
		{"num_key_value_heads", nil, map[string]any{"Attention.KVHeads": 4}},
		{"num_key_value_heads", absent, map[string]any{"Attention.KVHeads": 4}},
		{"head_dim", 64, map[string]any{"Attention.HeadDim": 64, "Attention.Scale": 0.125, "RoPE.Dim": 64}},
		{"head_dim", nil, nil},
		{"max_position_embeddings", 256, map[string]any{"MaxLength": 256}},
		{"rms_norm_eps", 1e-6, map[string]any{"FinalNorm.Eps": 1e-6, "Norm.Eps": 1e-6}},
		{"attention_bias", true, map[string]any{"Attention.QKVBias": true, "Attention.OutBias": true}},
		{"mlp_bias", true, map[string]any{"MLP.Bias": true}},
		{"tie_word_embeddings", true, map[string]any{"TiedHead": true}},
		{"hidden_act", "relu", map[string]any{"MLP.Activation": ReLU}},
		{"rope_theta", 500, map[string]any{"RoPE.Theta": 500.0}},
		{"rope_theta", nil, nil},
		{"rope_scaling", map[string]any{"type": "linear", "factor": 2}, map[string]any{"RoPE.Kind": rope.Linear, "RoPE.Factor": 2.0}},
		{"rope_scaling", map[string]any{"type": "dynamic", "factor": 2}, map[string]any{"RoPE.Kind": rope.Dynamic, "RoPE.Factor": 2.0, "RoPE.MaxPosition": 128}},
		{"rope_scaling", map[string]any{"type": "llama3", "factor": 2, "low_freq_factor": 1, "high_freq_factor": 4}, map[string]any{
			"RoPE.Kind": rope.Llama3, "RoPE.Factor": 2.0, "RoPE.LowFreqFactor": 1.0, "RoPE.HighFreqFactor": 4.0, "RoPE.OriginalMaxPosition": 128}},
		{"rope_scaling", map[string]any{"type": "yarn", "original_max_position_embeddings": 32, "beta_fast": 16, "mscale": 0.5, "mscale_all_dim": 0.25,
			"attention_factor": 1.5, "truncate": false}, map[string]any{
			"RoPE.Kind": rope.Yarn, "RoPE.Factor": 4.0, "RoPE.OriginalMaxPosition": 32, "RoPE.BetaFast": 16.0, "RoPE.BetaSlow": 1.0,
			"RoPE.MScale": 0.5, "RoPE.MScaleAllDim": 0.25, "RoPE.AttentionFactor": 1.5, "RoPE.NoTruncate": true}},
		{"rope_scaling", map[string]any{"type": "su", "original_max_position_embeddings": 64, "short_factor": []int{1, 1, 1, 1, 1, 1, 1, 1},
			"long_factor": []int{2, 2, 2, 2, 2, 2, 2, 2}}, map[string]any{
			"RoPE.Kind": rope.LongRoPE, "RoPE.Factor": 2.0, "RoPE.OriginalMaxPosition": 64,
			"RoPE.ShortFactor": []float64{1, 1, 1, 1, 1, 1, 1, 1}, "RoPE.LongFactor": []float64{2, 2, 2, 2, 2, 2, 2, 2}}},
		{"eos_token_id", 7, map[string]any{"EOS": []int{7}}},
		{"eos_token_id", []int{7, 9}, map[string]any{"EOS": []int{7, 9}}},
		{"eos_token_id", []int{}, map[string]any{"EOS": []int(nil)}},
		{"eos_token_id", nil, map[string]any{"EOS": []int(nil)}},
		{"eos_token_id", -1, map[string]any{"EOS": []int(nil)}},
		{"bos_token_id", 0, map[string]any{"BOS": 0}},
		{"bos_token_id", nil, map[string]any{"BOS": -1}},
		{"torch_dtype", "bfloat16", nil},
		{"dtype", "torch.float16", nil},
		{"layer_types", []string{"full_attention", "attention"}, nil},
		{"initializer_range", raw("NaN"), nil},
		{"initializer_range", map[string]any{"__float__": "Infinity"}, nil},
		{"initializer_range", raw("-Infinity"), nil},
		{"_name_or_path", `a "NaN" \ in a string`, nil},
		{"pretraining_tp", 1, nil},
		{"partial_rotary_factor", 1.0, nil},
		{"sliding_window", nil, nil},
		{"quantization", nil, nil},
		{"quantization", map[string]any{"bits": 4, "group_size": 64, "lm_head": false}, nil},
	} {
		t.Run(fmt.Sprintf("%s=%v", c.key, c.value), func(t *testing.T) {
			before, after := leaves(readWith(t, nil)), leaves(readWith(t, map[string]any{c.key: c.value}))
			for leaf, v := range after {
				want, listed := c.want[leaf]
				if !listed {
					want = before[leaf]
				} else {
					covered[leaf] = true
				}
				if !reflect.DeepEqual(v, want) {
					t.Errorf("%s is %v, want %v", leaf, v, want)
				}
			}
			for leaf := range c.want {
				if _, ok := after[leaf]; !ok {
					t.Errorf("there is no field %s", leaf)
				}
			}
		})
	}
	// Fixed by the family, and the layers' reference to Spec.RoPE, of which llama has one.
	fixed := []string{"ModelType", "HeadBias", "FinalNorm.Kind", "Norm.Kind", "Attention.RoPE"}
	for leaf := range leaves(readWith(t, nil)) {
		if !covered[leaf] && !slices.Contains(fixed, leaf) && !strings.HasPrefix(leaf, "Names.") {
			t.Errorf("no row changes %s", leaf)
		}
	}
}

// leaves flattens a Spec: its fields, those of the first layer and those of the
// first RoPE, by dotted name.
func leaves(s Spec) map[string]any {
	m := map[string]any{"Layers": len(s.Layers)}
	var walk func(prefix string, v reflect.Value)
	walk = func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			name := strings.TrimPrefix(prefix+"."+v.Type().Field(i).Name, ".")
			switch f := v.Field(i); {
			case f.Kind() == reflect.Struct:
				walk(name, f)
			case name == "Layers" || name == "RoPE":
			default:
				m[name] = f.Interface()
			}
		}
	}
	walk("", reflect.ValueOf(s))
	walk("", reflect.ValueOf(s.Layers[0]))
	walk("RoPE", reflect.ValueOf(s.RoPE[0]))
	return m
}

// Every layer is the same kind, so that the graphs share one function.
func TestReadLayersAreEqual(t *testing.T) {
	s := readWith(t, map[string]any{"num_hidden_layers": 5})
	for i, l := range s.Layers {
		if l != s.Layers[0] {
			t.Errorf("layer %d is %+v, the first %+v", i, l, s.Layers[0])
		}
	}
}

func TestReadTying(t *testing.T) {
	has := func(names ...string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	for _, c := range []struct {
		name string
		key  any
		has  func(string) bool
		want bool
	}{
		{"the tensor wins over the key", true, has("lm_head.weight"), false},
		{"no tensor, key true", true, has(), true},
		{"no tensor, key false", false, has(), false},
		{"no tensor, no key: class default", absent, has(), false},
		{"no tensor, key null: class default", nil, has(), false},
		{"tensor, no key", absent, has("lm_head.weight"), false},
		{"config alone, key true", true, nil, true},
		{"config alone, no key", absent, nil, false},
	} {
		s, err := Read(configWith(t, map[string]any{"tie_word_embeddings": c.key}), c.has)
		if err != nil || s.TiedHead != c.want {
			t.Errorf("%s: tied is %v, want %v (%v)", c.name, s.TiedHead, c.want, err)
		}
	}
}

func TestReadActivations(t *testing.T) {
	for name, want := range map[string]Activation{
		"silu": SiLU, "swish": SiLU, "gelu": GELU, "gelu_python": GELU, "relu": ReLU, "gelu_new": GELUTanh,
		"gelu_pytorch_tanh": GELUTanh, "gelu_fast": GELUTanh, "gelu_accurate": GELUTanh, "gelu_python_tanh": GELUTanh,
	} {
		if got := readWith(t, map[string]any{"hidden_act": name}).Layers[0].MLP.Activation; got != want {
			t.Errorf("%s is read as %s, want %s", name, got, want)
		}
	}
}

// What the oracle's bad checkpoints have in config.json, and all that must be read.
func TestReadOracleConfigs(t *testing.T) {
	for _, name := range []string{"config_not_json", "unknown_model_type", "unsupported_rope_type"} {
		bad := oracle.LoadBad(t, name)
		data, err := os.ReadFile(filepath.Join(bad.Dir, "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(data, nil)
		if Class(err) != bad.Error {
			t.Errorf("%s: %v, want class %s", name, err, bad.Error)
			continue
		}
		for _, word := range bad.Mentions {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v doesn't mention %s", name, err, word)
			}
		}
	}
	for _, name := range oracle.Names(t) {
		data, err := os.ReadFile(filepath.Join(oracle.Load(t, name).Dir, "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(data, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIgnorable(t *testing.T) {
	for _, c := range []struct {
		model, tensor string
		want          bool
	}{
		{"llama", "model.layers.0.self_attn.rotary_emb.inv_freq", true},
		{"llama", "model.layers.31.self_attn.rotary_emb.inv_freq", true},
		{"llama", "model.rotary_emb.inv_freq", true},
		{"llama", "model.layers.0.self_attn.q_norm.weight", false},
		{"llama", "model.layers.0.self_attn.rotary_emb.inv_freq.weight", false},
		{"llamoid", "model.rotary_emb.inv_freq", false},
	} {
		if got := Ignorable(c.model, c.tensor); got != c.want {
			t.Errorf("Ignorable(%s, %s) = %v", c.model, c.tensor, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../testdata/configs/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, seed := range []string{
		``, `{}`, `{"model_type": "llama"}`, `{"model_type": "llama", "rms_norm_eps": NaN}`, `{"a": {"__float__": "-Infinity"}}`,
		`{"model_type": "llama", "rope_scaling": {"type": "yarn", "factor": 4.0, "truncate": false}}`,
		`{"model_type": "llama", "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2}}}`,
		`{"model_type": "llama", "rope_scaling": {"type": "su", "short_factor": [1], "long_factor": [Infinity]}}`,
		`{"model_type": "llama", "head_dim": 1e3, "num_attention_heads": 4.0, "eos_token_id": [1, -1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(data, nil)
		if err != nil {
			if Class(err) == "" {
				t.Fatalf("an error without class: %v", err)
			}
			return
		}
		a := s.Layers[0].Attention
		if s.Vocab < 1 || s.Hidden < 1 || a.KVHeads < 1 || a.Heads%a.KVHeads != 0 || a.HeadDim < 1 || s.RoPE[a.RoPE].Dim != a.HeadDim {
			t.Fatalf("impossible: %+v", s)
		}
		if _, _, err := rope.Rows(s.RoPE[0], []int{0, 9}, 10); err != nil {
			t.Fatal(err)
		}
	})
}
