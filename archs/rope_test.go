package archs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir/rope"
)

// Field case A1: every spelling of one rotation is read as the same Params.
func TestRoPESpellings(t *testing.T) {
	want := rope.Params{Kind: rope.Llama3, Theta: 500, Dim: 16, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalMaxPosition: 64}
	const numbers = `"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0`
	const all = numbers + `, "original_max_position_embeddings": 64`
	for name, text := range map[string]string{
		"type":                       `"rope_theta": 500, "rope_scaling": {"type": "llama3", ` + all + `}`,
		"rope_type":                  `"rope_theta": 500, "rope_scaling": {"rope_type": "llama3", ` + all + `}`,
		"both, rope_type wins":       `"rope_theta": 500, "rope_scaling": {"type": "linear", "rope_type": "llama3", ` + all + `}`,
		"rope_type null":             `"rope_theta": 500, "rope_scaling": {"type": "llama3", "rope_type": null, ` + all + `}`,
		"theta inside":               `"rope_scaling": {"rope_type": "llama3", "rope_theta": 500.0, ` + all + `}`,
		"theta inside wins":          `"rope_theta": 7.5, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500.0, ` + all + `}`,
		"rope_parameters":            `"rope_parameters": {"rope_type": "llama3", "rope_theta": 500, ` + all + `}`,
		"rope_parameters, theta out": `"rope_theta": 500, "rope_parameters": {"type": "llama3", ` + all + `}`,
		"rope_scaling null":          `"rope_scaling": null, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500, ` + all + `}`,
		"rope_scaling empty":         `"rope_scaling": {}, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500, ` + all + `}`,
		"rope_scaling wins":          `"rope_theta": 500, "rope_scaling": {"type": "llama3", ` + all + `}, "rope_parameters": {"rope_type": "default", "rope_theta": 3}`,
		"nested by layer type":       `"rope_parameters": {"full_attention": {"rope_type": "llama3", "rope_theta": 500, ` + all + `}, "sliding_attention": {"rope_type": "default"}}`,
		"nested, theta beside":       `"rope_theta": 500, "rope_parameters": {"full_attention": {"rope_type": "llama3", ` + all + `}, "sliding_attention": null}`,
		"original beside":            `"rope_theta": 500, "original_max_position_embeddings": 64, "rope_scaling": {"rope_type": "llama3", ` + numbers + `}`,
		"original beside wins":       `"rope_theta": 500, "original_max_position_embeddings": 64, "rope_scaling": {"rope_type": "llama3", "original_max_position_embeddings": 7, ` + numbers + `}`,
		"original is the maximum":    `"rope_theta": 500, "max_position_embeddings": 64, "rope_scaling": {"rope_type": "llama3", ` + numbers + `}`,
		"integers":                   `"rope_theta": 500, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 64.0}`,
		"keys of other kinds":        `"rope_theta": 500, "rope_scaling": {"rope_type": "llama3", "beta_fast": 32, "short_factor": [1], "finetuned": true, ` + all + `}`,
		"an unused null":             `"rope_theta": 500, "rope_scaling": {"rope_type": "llama3", "mrope_section": null, ` + all + `}`,
	} {
		s, err := Read([]byte(`{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, `+text+`}`), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if len(s.RoPE) != 1 || !reflect.DeepEqual(s.RoPE[0], want) {
			t.Errorf("%s: %+v, want %+v", name, s.RoPE, want)
		}
	}
}

// Every spelling of no scaling.
func TestRoPEUnscaled(t *testing.T) {
	want := rope.Params{Kind: rope.Default, Theta: 10000, Dim: 16}
	for _, text := range []string{
		``, `"rope_scaling": null,`, `"rope_scaling": {},`, `"rope_parameters": null, "rope_scaling": null,`, `"rope_theta": null,`,
		`"rope_scaling": {"rope_type": "default"},`, `"rope_scaling": {"type": "default", "factor": 8.0},`,
		`"rope_parameters": {"rope_theta": 10000.0},`, `"rope_parameters": {"rope_type": null, "rope_theta": null},`,
		`"rope_parameters": {"full_attention": {"rope_theta": 10000}},`, `"original_max_position_embeddings": 7,`,
	} {
		s, err := Read([]byte(`{"model_type": "llama", `+text+` "hidden_size": 64, "num_attention_heads": 4}`), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if len(s.RoPE) != 1 || !reflect.DeepEqual(s.RoPE[0], want) {
			t.Errorf("%s: %+v, want %+v", text, s.RoPE, want)
		}
	}
}

// The configs of which HF made the rows in testdata/rope are read as the Params
// with which package rope makes the same rows.
func TestRoPEOfOracleConfigs(t *testing.T) {
	files, err := filepath.Glob("../testdata/rope/*.json")
	if err != nil || len(files) != 6 {
		t.Fatalf("found %v (%v), want six kinds", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var oracle struct {
			Cases []struct {
				Name   string
				Config json.RawMessage
				Params rope.Params
			}
		}
		if err := json.Unmarshal(data, &oracle); err != nil {
			t.Fatal(err)
		}
		for _, c := range oracle.Cases {
			s, err := Read(c.Config, nil)
			if err != nil {
				t.Errorf("%s: %s: %v", file, c.Name, err)
			} else if !reflect.DeepEqual(s.RoPE, []rope.Params{c.Params}) {
				t.Errorf("%s: %s: %+v, want %+v", file, c.Name, s.RoPE, c.Params)
			}
		}
	}
}

func TestRoPEUnknownKind(t *testing.T) {
	_, err := Read([]byte(`{"model_type": "llama", "rope_scaling": {"rope_type": "spiral"}}`), nil)
	want := `unsupported_config: config.json: rope_scaling.rope_type "spiral" isn't supported (supported: default, dynamic, linear, llama3, longrope, su, yarn)`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
