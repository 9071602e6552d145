package archs

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestReadRejects(t *testing.T) {
	rope := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	llama3 := func(kv ...any) map[string]any {
		m := rope("rope_type", "llama3", "factor", 8.0, "low_freq_factor", 1.0, "high_freq_factor", 4.0)
		maps.Copy(m, rope(kv...))
		for k, v := range m {
			if v == absent {
				delete(m, k)
			}
		}
		return m
	}
	for _, c := range []struct {
		key   string
		value any
		class string
		says  string // what the message must mention beside the key
	}{
		{"model_type", absent, BadConfig, "llama"},
		{"model_type", 3, BadConfig, "llama"},
		{"model_type", "llamoid", UnsupportedModel, `"llamoid"`},
		{"architectures", []string{"LlamaForSequenceClassification"}, UnsupportedModel, "LlamaForCausalLM"},
		{"architectures", "LlamaForCausalLM", UnsupportedModel, "LlamaForCausalLM"},

		{"vocab_size", "40", BadConfig, "an integer"},
		{"vocab_size", 0, BadConfig, "is 0"},
		{"vocab_size", -1, BadConfig, "is -1"},
		{"vocab_size", 40.5, BadConfig, "is 40.5"},
		{"vocab_size", 1 << 25, BadConfig, "16777216"},
		{"vocab_size", raw("99999999999999999999999"), BadConfig, "9999"},
		{"vocab_size", raw("1e400"), BadConfig, "1e400"},
		{"vocab_size", raw("NaN"), BadConfig, "NaN"},
		{"hidden_size", 1 << 21, BadConfig, "1048576"},
		{"hidden_size", 66, BadConfig, "num_attention_heads"},
		{"hidden_size", true, BadConfig, "true"},
		{"hidden_size", []int{64}, BadConfig, "[64]"},
		{"intermediate_size", raw("Infinity"), BadConfig, "Infinity"},
		{"intermediate_size", []int{96, 96}, BadConfig, "[96,96]"},
		{"num_hidden_layers", 0, BadConfig, "is 0"},
		{"num_hidden_layers", 1 << 20, BadConfig, "4096"},
		{"num_attention_heads", 0, BadConfig, "is 0"},
		{"num_key_value_heads", 3, BadConfig, "doesn't divide"},
		{"num_key_value_heads", 0, BadConfig, "is 0"},
		{"head_dim", 15, BadConfig, "even"},
		{"head_dim", 0, BadConfig, "is 0"},
		{"head_dim", "16", BadConfig, `"16"`},
		{"max_position_embeddings", 0, BadConfig, "is 0"},
		{"rms_norm_eps", 0, BadConfig, "above 0"},
		{"rms_norm_eps", raw("NaN"), BadConfig, "NaN"},
		{"rms_norm_eps", "1e-5", BadConfig, `"1e-5"`},
		{"attention_bias", "true", BadConfig, "true, false"},
		{"mlp_bias", 1, BadConfig, "true, false"},
		{"tie_word_embeddings", "no", BadConfig, "true, false"},
		{"hidden_act", "xielu", UnsupportedConfig, "gelu_new"},
		{"hidden_act", "relu2", UnsupportedConfig, "relu2"},
		{"hidden_act", 1, UnsupportedConfig, "silu"},
		{"eos_token_id", "2", BadConfig, "token id"},
		{"eos_token_id", 40, BadConfig, "is 40, which is no token: the vocabulary has 40"},
		{"eos_token_id", []int{2, 39, 41}, BadConfig, "is 41, which is no token"},
		{"bos_token_id", 40, BadConfig, "is 40, which is no token"},
		{"eos_token_id", []any{2, "x"}, BadConfig, "token id"},
		{"eos_token_id", -2, BadConfig, "token id"},
		{"eos_token_id", 1 << 40, BadConfig, "token id"},
		{"bos_token_id", []int{1, 2}, BadConfig, "one token id"},
		{"torch_dtype", "float8_e4m3fn", UnsupportedConfig, "bfloat16"},
		{"dtype", "int8", UnsupportedConfig, "bfloat16"},
		{"layer_types", []string{"full_attention"}, BadConfig, "2"},
		{"layer_types", []string{"full_attention", "sliding_attention"}, UnsupportedConfig, "layer 1"},
		{"layer_types", "full_attention", BadConfig, "a list"},

		{"rope_theta", 0, BadConfig, "above 0"},
		{"rope_theta", raw("Infinity"), BadConfig, "Infinity"},
		{"rope_theta", "10000", BadConfig, `"10000"`},
		{"rope_scaling", "linear", BadConfig, "an object"},
		{"rope_parameters", 8, BadConfig, "an object"},
		{"rope_scaling.rope_type", rope("rope_type", "spiral", "factor", 2), UnsupportedConfig, `"spiral"`},
		{"rope_scaling.type", rope("type", "mrope"), UnsupportedConfig, `"mrope"`},
		{"rope_scaling.rope_type", rope("rope_type", 3), UnsupportedConfig, "3"},
		{"rope_parameters.rope_type", rope("rope_type", "proportional"), UnsupportedConfig, `"proportional"`},
		{"rope_scaling", rope("factor", 8), BadConfig, "no rope_type"},
		{"rope_scaling.factor", rope("type", "linear"), BadConfig, "missing"},
		{"rope_scaling.factor", rope("type", "linear", "factor", nil), BadConfig, "missing"},
		{"rope_scaling.factor", rope("type", "linear", "factor", 0), BadConfig, "above 0"},
		{"rope_scaling.factor", rope("type", "linear", "factor", "2"), BadConfig, `"2"`},
		{"rope_scaling.factor", rope("type", "linear", "factor", raw("NaN")), BadConfig, "NaN"},
		{"rope_scaling", rope("type", "dynamic", "factor", 0.5), BadConfig, "factor is 0.5"},
		{"rope_scaling.alpha", rope("type", "dynamic", "factor", 2, "alpha", 1000), UnsupportedConfig, "1000"},
		{"rope_scaling.mrope_section", rope("type", "default", "mrope_section", []int{1, 2}), UnsupportedConfig, "[1,2]"},
		{"rope_scaling.factor", llama3("factor", absent), BadConfig, "missing"},
		{"rope_scaling.low_freq_factor", llama3("low_freq_factor", absent), BadConfig, "missing"},
		{"rope_scaling.high_freq_factor", llama3("high_freq_factor", nil), BadConfig, "missing"},
		{"rope_scaling", llama3("high_freq_factor", 1.0), BadConfig, "high_freq_factor is 1"},
		{"rope_scaling.original_max_position_embeddings", llama3("original_max_position_embeddings", 0), BadConfig, "is 0"},
		{"rope_scaling.truncate", rope("type", "yarn", "factor", 2, "truncate", "no"), BadConfig, `"no"`},
		{"rope_scaling.attention_factor", rope("type", "yarn", "factor", 2, "attention_factor", 0), BadConfig, "above 0"},
		{"rope_scaling.short_factor", rope("type", "longrope", "long_factor", []int{1}), BadConfig, "a list"},
		{"rope_scaling.long_factor", rope("type", "longrope", "short_factor", []int{1}, "long_factor", []any{"1"}), BadConfig, "a list"},
		{"rope_scaling", rope("type", "longrope", "short_factor", []int{1}, "long_factor", []int{1}), BadConfig, "short_factor has 1"},
		{"rope_scaling.partial_rotary_factor", rope("rope_type", "default", "partial_rotary_factor", 0.5), UnsupportedConfig, "0.5"},
		{"rope_parameters", rope("sliding_attention", rope("rope_type", "default")), BadConfig, "full_attention"},
		{"rope_parameters.full_attention.rope_type", rope("full_attention", rope("rope_type", "spiral")), UnsupportedConfig, `"spiral"`},

		{"quantization", rope("bits", 8), BadQuantization, "group_size null"},
		{"quantization_config", rope("quant_method", "gptq", "bits", 4), BadQuantization, `"gptq"`},
		{"quantization", true, BadQuantization, "true"},

		{"pretraining_tp", 2, UnsupportedConfig, "is 2"},
		{"sliding_window", 4096, UnsupportedConfig, "4096"},
		{"use_sliding_window", true, UnsupportedConfig, "true"},
		{"scale_emb", 12, UnsupportedConfig, "12"},
		{"partial_rotary_factor", 0.5, UnsupportedConfig, "0.5"},
		{"clip_qkv", 8.0, UnsupportedConfig, "8"},
		{"logit_scale", 0.25, UnsupportedConfig, "0.25"},
		{"num_local_experts", 8, UnsupportedConfig, "8"},
		{"rope_interleaved", true, UnsupportedConfig, "true"},
		{"pruned_heads", rope("0", []int{1}), UnsupportedConfig, "[1]"},
		{"vision_config", rope("hidden_size", 4), UnsupportedConfig, "llama"},
		{"twist_the_logits", 0.1, UnsupportedConfig, "isn't a key"},
	} {
		t.Run(fmt.Sprintf("%s=%v", c.key, c.value), func(t *testing.T) {
			key, _, _ := strings.Cut(c.key, ".")
			_, err := Read(configWith(t, map[string]any{key: c.value}), nil)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v, want %s", err, c.class)
			}
			if prefix := "config.json: "; e.Class != c.class || !strings.HasPrefix(e.Detail, prefix+c.key) || !strings.Contains(e.Detail, c.says) {
				t.Errorf("%v\nwant %s: %s%s … %s", err, c.class, prefix, c.key, c.says)
			}
		})
	}
}

// Every key of the table is refused at another value and accepted at its own.
func TestReadNeutralKeys(t *testing.T) {
	for key, at := range neutral {
		if slices.Contains([]string{"attention_bias", "mlp_bias"}, key) {
			continue // llama reads them
		}
		if _, err := Read(configWith(t, map[string]any{key: at}), nil); err != nil {
			t.Errorf("%s at its neutral value: %v", key, err)
		}
		_, err := Read(configWith(t, map[string]any{key: 0.375}), nil)
		if Class(err) != UnsupportedConfig || !strings.Contains(err.Error(), key+" is 0.375") {
			t.Errorf("%s at another value: %v", key, err)
		}
		if harmless[key] {
			t.Errorf("%s is both harmless and neutral", key)
		}
	}
}

func TestReadIgnores(t *testing.T) {
	data := configWith(t, map[string]any{"twist_the_logits": 0.1, "sliding_window": 16})
	if _, err := Read(data, nil, "sliding_window"); Class(err) != UnsupportedConfig || !strings.Contains(err.Error(), "twist_the_logits") {
		t.Errorf("one key ignored: %v", err)
	}
	s, err := Read(data, nil, "twist_the_logits", "sliding_window")
	if err != nil || !reflect.DeepEqual(s, readWith(t, nil)) {
		t.Errorf("both ignored: %v", err)
	}
}

func TestReadJSON(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "ends in the middle"},
		{"cut", `{"model_type": "llama", "hidden_size": 6`, "ends in the middle"},
		{"cut in a string", `{"model_type": "lla`, "ends in the middle"},
		{"cut after a key", `{"model_type"`, "ends in the middle"},
		{"a list", `[1]`, "an object"},
		{"null", `null`, "an object"},
		{"twice the same key", `{"model_type": "llama", "model_type": "llama"}`, `"model_type" appears twice`},
		{"twice, nested", `{"model_type": "llama", "a": {"b": 1, "b": 2}}`, `"b" appears twice`},
		{"more text", `{"model_type": "llama"} {}`, "more text"},
		{"not UTF-8", "{\"model_type\": \"\xff\"}", "UTF-8"},
		{"too deep", `{"a": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}", "nested deeper"},
		{"too large", `{"a": "` + strings.Repeat("x", maxConfigBytes) + `"}`, "bytes"},
		{"single quotes", `{'model_type': 'llama'}`, "not valid JSON"},
		{"a comma too many", `{"model_type": "llama",}`, "not valid JSON"},
	} {
		_, err := Read([]byte(c.text), nil)
		if Class(err) != BadConfig || !strings.Contains(err.Error(), "config.json: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.name, err, c.says)
		}
	}
}
