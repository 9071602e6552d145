package archs

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// ggufScaling are the ways in which GGUF scales RoPE: by the kind in metadata, or
// by tensors with a divisor for every frequency.
var ggufScaling = map[string]struct {
	kind        string
	short, long string            // tensors of divisors
	keys        map[string]string // rope_scaling key → metadata key
	defaults    map[string]any    // rope_scaling keys that metadata needn't have
}{
	"linear": {kind: "linear"},
	"yarn": {kind: "yarn", keys: map[string]string{
		"factor":                           "rope.scaling.factor",
		"original_max_position_embeddings": "rope.scaling.original_context_length",
		"beta_fast":                        "rope.scaling.yarn_beta_fast",
		"beta_slow":                        "rope.scaling.yarn_beta_slow",
	}},
	"longrope": {kind: "longrope", short: "rope_factors_short.weight", long: "rope_factors_long.weight",
		keys: map[string]string{
			"original_max_position_embeddings": "rope.scaling.original_context_length",
			"attention_factor":                 "rope.scaling.attn_factor",
		},
		defaults: map[string]any{"attention_factor": 1}},
	// llama3 arrives as one list; its parameters are lost. The same list for short
	// and long prompts is the same rotation.
	"rope_freqs": {kind: "longrope", short: "rope_freqs.weight", long: "rope_freqs.weight",
		defaults: map[string]any{"attention_factor": 1}},
}

// ggufRoPE sets rope_scaling.
func (r *Row) ggufRoPE(f GGUFFile, config map[string]any) error {
	name, factor, err := r.ggufScalingName(f)
	if err != nil || name == "" {
		return err
	}
	way, ok := ggufScaling[name]
	if !ok {
		return Errorf(UnsupportedConfig, "metadata: %s: rope kind %q isn't supported (supported: none, linear, yarn, longrope)",
			r.key("rope.scaling.type"), name)
	}
	scaling := map[string]any{"rope_type": way.kind}
	if name == "linear" {
		scaling["factor"] = factor
	}
	maps.Copy(scaling, way.defaults)
	for _, key := range slices.Sorted(maps.Keys(way.keys)) {
		n, err := r.number(f, way.keys[key])
		if err != nil {
			return err
		}
		if n != "" {
			scaling[key] = n
		}
	}
	if way.short != "" {
		if scaling["short_factor"], err = divisors(f, way.short); err != nil {
			return err
		}
		if scaling["long_factor"], err = divisors(f, way.long); err != nil {
			return err
		}
	}
	config["rope_scaling"] = scaling
	return nil
}

// ggufScalingName returns the entry of ggufScaling that applies, "" for plain
// RoPE, and the linear factor. An absent kind is linear, an absent factor 1.
func (r *Row) ggufScalingName(f GGUFFile) (string, json.Number, error) {
	var factor json.Number
	for _, meta := range []string{"rope.scale_linear", "rope.scaling.factor"} { // old and new name
		n, err := r.number(f, meta)
		if err != nil {
			return "", "", err
		}
		if n != "" {
			factor = n
		}
	}
	plain := factor == "" || factor == "1" || factor == "0"
	name, _ := f.Value(r.key("rope.scaling.type")).(string)
	attention, err := r.number(f, "rope.scaling.attn_factor")
	switch {
	case err != nil:
		return "", "", err
	case f.HasTensor("rope_freqs.weight"):
		if !plain {
			return "", "", Errorf(UnsupportedConfig, "tensor rope_freqs.weight together with %s = %s", r.key("rope.scaling.factor"), factor)
		}
		name = "rope_freqs"
	case f.HasTensor("rope_factors_long.weight"):
		name = "longrope"
	case name == "none", plain && (name == "" || name == "linear"):
		name = ""
	case name == "":
		name = "linear"
	}
	if name != "longrope" && attention != "" && attention != "1" {
		return "", "", Errorf(UnsupportedConfig, "metadata: %s is %s (supported with longrope only)", r.key("rope.scaling.attn_factor"), attention)
	}
	return name, factor, nil
}

// divisors reads one of longrope's lists.
func divisors(f GGUFFile, tensor string) ([]json.Number, error) {
	values, err := f.Floats(tensor)
	if err != nil {
		return nil, err
	}
	list := make([]json.Number, len(values))
	for i, v := range values {
		if list[i], err = number("of tensor "+tensor, v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ggufHeadSizes refuses heads whose values have another size than their keys, or
// that RoPE rotates in part.
func (r *Row) ggufHeadSizes(f GGUFFile) error {
	sizes := map[string]float64{}
	for _, meta := range []string{"embedding_length", "attention.head_count", "attention.key_length",
		"attention.value_length", "rope.dimension_count"} {
		n, err := r.number(f, meta)
		if err != nil {
			return err
		}
		if n != "" {
			sizes[meta], _ = n.Float64()
		}
	}
	head := sizes["attention.key_length"]
	if n := sizes["attention.head_count"]; head == 0 && n > 0 {
		head = math.Floor(sizes["embedding_length"] / n)
	}
	for _, meta := range []string{"attention.value_length", "rope.dimension_count"} {
		if n, ok := sizes[meta]; ok && n != head {
			return Errorf(UnsupportedConfig, "metadata: %s is %v (supported: the head size, %v)", r.key(meta), n, head)
		}
	}
	return nil
}
