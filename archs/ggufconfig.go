package archs

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ggufNeutral are metadata keys, without the architecture, that config.json has no
// key for: all are refused at any other value than this one, at any if it is nil.
var ggufNeutral = map[string]any{
	"expert_count": 0, "expert_used_count": 0, "leading_dense_block_count": 0,
	"attention.scale": nil, "attention.sliding_window": nil, "attention.clamp_kqv": nil,
	"attention.causal": true, "attention.max_alibi_bias": 0, "use_parallel_residual": false,
	"embedding_scale": 1, "residual_scale": 1, "logit_scale": 1,
	"attn_logit_softcapping": nil, "final_logit_softcapping": nil,
	"rope.scaling.yarn_log_multiplier": 0, "rope.scaling.yarn_ext_factor": nil,
	"rope.scaling.yarn_attn_factor": nil, "rope.scaling.alpha": nil,
	"tensor_data_layout": "Meta AI original pth", // pairs, as every llama file has
}

// ggufRead are the metadata keys that GGUFConfig reads beyond those of the row.
var ggufRead = []string{
	"attention.value_length", "rope.dimension_count",
	"rope.scaling.type", "rope.scaling.factor", "rope.scale_linear",
	"rope.scaling.original_context_length", "rope.scaling.attn_factor", "rope.scaling.finetuned",
	"rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow",
}

// GGUFConfig writes the config.json that the metadata amounts to. Metadata of the
// architecture that config.json has no counterpart for is refused by name.
func (r *Row) GGUFConfig(f GGUFFile) ([]byte, error) {
	if kind, ok := f.Value("general.type").(string); ok && kind != "model" {
		return nil, Errorf(UnsupportedModel, "metadata: general.type is %q (supported: model)", kind)
	}
	if err := r.checkMetadata(f); err != nil {
		return nil, err
	}
	config := map[string]any{"model_type": r.ModelType, "architectures": r.Classes[:1]}
	for _, key := range slices.Sorted(maps.Keys(r.GGUF.Keys)) {
		n, err := r.number(f, r.GGUF.Keys[key])
		if err != nil {
			return nil, err
		}
		if n != "" {
			config[key] = n
		}
	}
	if _, ok := config["vocab_size"]; !ok {
		if tokens := reflect.ValueOf(f.Value("tokenizer.ggml.tokens")); tokens.Kind() == reflect.Slice {
			config["vocab_size"] = tokens.Len()
		}
	}
	for _, key := range []string{"vocab_size", "max_position_embeddings", "hidden_size", "num_hidden_layers",
		"intermediate_size", "num_attention_heads", r.NormEps} {
		if _, ok := config[key]; !ok {
			return nil, Errorf(BadGGUF, "metadata: %s is missing", r.key(r.GGUF.Keys[key]))
		}
	}
	r.ggufSwitches(f, config)
	if err := r.ggufHeadSizes(f); err != nil {
		return nil, err
	}
	if err := r.ggufTokens(f, config); err != nil {
		return nil, err
	}
	if err := r.ggufRoPE(f, config); err != nil {
		return nil, err
	}
	return json.MarshalIndent(config, "", "  ")
}

// checkMetadata refuses keys of the architecture that nothing reads.
func (r *Row) checkMetadata(f GGUFFile) error {
	known := slices.AppendSeq(slices.Clone(ggufRead), maps.Values(r.GGUF.Keys))
	for _, full := range slices.Sorted(slices.Values(f.Keys())) {
		key, ok := strings.CutPrefix(full, r.GGUF.Architecture+".")
		if !ok || slices.Contains(known, key) {
			continue
		}
		neutral, listed := ggufNeutral[key]
		switch v := f.Value(full); {
		case listed && fmt.Sprint(v) == fmt.Sprint(neutral):
		case listed && neutral == nil:
			return Errorf(UnsupportedConfig, "metadata: %s (%v) isn't supported", full, v)
		case listed:
			return Errorf(UnsupportedConfig, "metadata: %s is %v (supported: %v)", full, v, describe(neutral))
		default:
			return Errorf(UnsupportedConfig, "metadata: %s (%v) isn't known for this architecture", full, v)
		}
	}
	return nil
}

// ggufSwitches sets what GGUF expresses by presence of tensors.
func (r *Row) ggufSwitches(f GGUFFile, config map[string]any) {
	config["tie_word_embeddings"] = !f.HasTensor(r.GGUF.Names.Head)
	layer0 := strings.Replace(r.GGUF.Names.Layer, "%d", "0", 1)
	for key, name := range map[Switch]string{r.QKVBias: r.GGUF.Names.Query, r.MLPBias: r.GGUF.Names.Gate} {
		if key != Always && key != Never {
			config[string(key)] = f.HasTensor(layer0 + strings.TrimSuffix(name, ".weight") + ".bias")
		}
	}
}

// ggufTokens sets the special token ids. All ids that end a turn are stop ids.
func (r *Row) ggufTokens(f GGUFFile, config map[string]any) error {
	var eos []json.Number
	for _, name := range []string{"bos", "eos", "eot", "eom"} {
		key := "tokenizer.ggml." + name + "_token_id"
		n, err := number(key, f.Value(key))
		switch {
		case err != nil:
			return err
		case name == "bos" && n != "":
			config["bos_token_id"] = n
		case name != "bos" && n != "" && !slices.Contains(eos, n):
			eos = append(eos, n)
		}
	}
	if _, ok := config["bos_token_id"]; !ok {
		config["bos_token_id"] = -1
	}
	config["eos_token_id"] = append([]json.Number{}, eos...)
	return nil
}
