package archs

import (
	"strings"
	"testing"
)

func TestQuantization(t *testing.T) {
	const global, q, v = "quantization", `quantization["model.layers.0.q"]`, `quantization["language_model.model.layers.0.v"]`
	config := []byte(`{"rms_norm_eps": NaN, "quantization_config": {"quant_method": "fp8"}, "quantization": {"group_size": 64, "bits": 4, "mode": "affine",
		"model.layers.0.q": {"bits": 6, "group_size": 32}, "language_model.model.layers.0.v": false, "model.language_model.layers.0.k": true,
		"language_model.lm_head": {"bits": 8, "group_size": 128, "mode": "affine"}, "model.norm": null, "model.layers.2.q": {"bits": 4, "group_size": 16, "mode": "nvfp4"}}}`)
	block, err := ReadQuantization(config)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Quantized{
		"model.embed_tokens":              {global, false, Affine, 4, 64},
		"model.layers.1.q":                {global, false, Affine, 4, 64},
		"model.norm":                      {global, false, Affine, 4, 64},
		"model.layers.0.q":                {q, true, Affine, 6, 32},
		"language_model.model.layers.0.q": {q, true, Affine, 6, 32},
		"model.language_model.layers.0.q": {q, true, Affine, 6, 32},
		"model.layers.0.q.q":              {global, false, Affine, 4, 64},
		"model.layers.0.v":                {v, true, "", 0, 0},
		"model.language_model.layers.0.v": {v, true, "", 0, 0},
		"model.layers.2.q":                {`quantization["model.layers.2.q"]`, true, "nvfp4", 4, 16},
		"model.layers.0.k":                {`quantization["model.language_model.layers.0.k"]`, true, Affine, 4, 64},
		"lm_head":                         {`quantization["language_model.lm_head"]`, true, Affine, 8, 128},
	} {
		if got := block.Module(path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	for _, config := range []string{`{}`, `{"quantization": null, "quantization_config": null}`} {
		if block, err := ReadQuantization([]byte(config)); block != nil || err != nil {
			t.Errorf("%s: %v, %v", config, block, err)
		}
	}
	block, err = ReadQuantization([]byte(`{"quantization_config": {"group_size": 32.0, "bits": 8}}`))
	if want := (Quantized{"quantization_config", false, Affine, 8, 32}); err != nil || block.Module("x") != want {
		t.Errorf("quantization_config: %v, %v", block, err)
	}
}

// TestTwoBlocks: mlx-lm writes its block under both names; two that differ are refused.
func TestTwoBlocks(t *testing.T) {
	const first = `{"group_size": 64, "bits": 4, "a": {"bits": 8, "group_size": 32}, "model.b": false}`
	for second, want := range map[string]string{
		first: "",
		`{"group_size": 64, "bits": 4, "mode": "affine", "model.a": {"bits": 8, "group_size": 32}, "b": false, "c": true}`: "",
		`{"quant_method": "fp8"}`: "",
		`null`:                    "",
		`{"group_size": 64, "bits": 8, "a": {"bits": 8, "group_size": 32}, "b": false}`:                                     "quantization says mode affine, bits 4, group_size 64, but quantization_config says mode affine, bits 8, group_size 64; leave the block",
		`{"group_size": 64, "bits": 4, "a": {"bits": 8, "group_size": 32}}`:                                                 `quantization["model.b"] says not quantised, but quantization_config says mode affine, bits 4, group_size 64;`,
		`{"group_size": 64, "bits": 4, "a": {"bits": 8, "group_size": 32}, "b": false, "c": {"bits": 2, "group_size": 64}}`: `quantization says mode affine, bits 4, group_size 64, but quantization_config["c"] says mode affine, bits 2, group_size 64;`,
		`{"group_size": 32, "bits": 4, "mode": "mxfp4", "b": false}`:                                                        "quantization says mode affine, bits 4, group_size 64, but quantization_config says mode mxfp4, bits 4, group_size 32;",
		`7`: "quantization_config is 7 (supported: an object)",
	} {
		q, err := ReadQuantization([]byte(`{"quantization_config": ` + second + `, "quantization": ` + first + `}`))
		if want == "" && (err != nil || q.Module("a").Bits != 8) || want != "" && (Class(err) != BadQuantization || !strings.HasPrefix(err.Error(), "bad_quantization: config.json: "+want)) {
			t.Errorf("%s: %v, want %q", second, err, want)
		}
	}
}

func TestUnmatched(t *testing.T) {
	q, err := ReadQuantization([]byte(`{"quantization": {"group_size": 64, "bits": 4, "model.a": true, "language_model.b": false, "c": {"bits": 8, "group_size": 32}, "model.layers.0.d": false}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(q.Unmatched([]string{"a", "model.layers.0.d", "model.layers.1.b"}), " ")
	if want := `quantization["c"] quantization["language_model.b"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestQuantizationRefused(t *testing.T) {
	for block, want := range map[string]string{
		`true`:                          "quantization is true (supported: an object)",
		`{"quant_method": "gptq"}`:      `quantization has quant_method "gptq" (supported: MLX's quantisation`,
		`{"bits": 4}`:                   "quantization has group_size null (supported: a whole number above 0)",
		`{"bits": 4.5}`:                 "quantization has bits 4.5",
		`{"bits": 0, "group_size": 32}`: "quantization has bits 0",
		`{"bits": 4, "group_size": 32, "mode": "mxfp6"}`:                                  `quantization has mode "mxfp6" (supported: affine, mxfp4, mxfp8, nvfp4)`,
		`{"bits": 4, "group_size": 32, "linear": "x"}`:                                    `quantization["linear"] is "x" (supported: an object or a boolean`,
		`{"bits": 4, "group_size": 32, "m": {"bits": 4}}`:                                 `quantization["m"] has group_size null`,
		`{"bits": 4, "group_size": 32, "m": {"bits": 4, "group_size": 32, "mode": true}}`: `quantization["m"] has mode true`,
		`{"bits": 4, "group_size": 32, "m": {"bits": 4, "group_size": 32, "rank": 1}}`:    `quantization["m"] has the unknown key "rank" (supported: bits, group_size, mode)`,
		`{"bits": 4, "group_size": 32, "model.q": false, "language_model.model.q": true}`: `quantization["model.q"] and quantization["language_model.model.q"] name the same module and differ`,
	} {
		_, err := ReadQuantization([]byte(`{"quantization": ` + block + `}`))
		if Class(err) != BadQuantization || !strings.HasPrefix(err.Error(), "bad_quantization: config.json: "+want) {
			t.Errorf("%s: %v, want %q", block, err, want)
		}
	}
	if _, err := ReadQuantization([]byte(`{`)); Class(err) != BadConfig {
		t.Errorf("not JSON: %v", err)
	}
}

// Whatever is accepted is above 0, or both are 0.
func FuzzQuantization(f *testing.F) {
	f.Add([]byte(`{"quantization": {"group_size": 64, "bits": 4, "model.layers.0.q": false, "lm_head": {"bits": 6, "group_size": 32}}}`))
	f.Add([]byte(`{"quantization_config": {"group_size": 64, "bits": 4, "lm_head": true}}`))
	f.Add([]byte(`{"quantization": {"group_size": 32, "bits": 4, "mode": "mxfp4", "lm_head": {"bits": 8, "group_size": 32, "mode": "mxfp8"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := ReadQuantization(data)
		if q == nil || err != nil {
			return
		}
		for path, how := range q.modules {
			if got := q.Module(path); !how.Named || (how.Bits < 1) != (how.Group < 1) || (how.Bits < 1) != (how.Mode == "") || modulePath(path) == path && got != how {
				t.Errorf("%s: %+v and %+v", path, how, got)
			}
		}
	})
}
