package tokenizer

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"testing"
)

// variant is a tokenizer.json on a tiny vocabulary with rows of HF's numbers
// (testdata/variants.py).
type variant struct {
	Name  string
	Patch map[string]any // the parts in which it differs from the first one
	Rows  []struct {
		row
		AsText []int32 `json:"ids_text"`
	}
}

func variants(t testing.TB) []variant {
	t.Helper()
	data, err := os.ReadFile("testdata/variants.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []variant
	for line := range bytes.Lines(data) {
		var v variant
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// TestVariants: the options of tokenizer.json, one by one.
func TestVariants(t *testing.T) {
	all := variants(t)
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			tok, err := Parse(patched(t, all[0].Patch, c.Patch))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range c.Rows {
				checkEncode(t, tok, r.Text, r.IDs, r.Plain, r.AsText)
				if got := tok.Decode(r.IDs, false); got != r.Decoded {
					t.Errorf("%v: decoded %q, want %q", r.IDs, got, r.Decoded)
				}
				if got := tok.Decode(r.IDs, true); got != r.DecodedSkip {
					t.Errorf("%v: decoded without specials %q, want %q", r.IDs, got, r.DecodedSkip)
				}
			}
		})
	}
}

// patched is a tokenizer.json that differs from base in some parts and some fields of
// its model.
func patched(t testing.TB, base, patch map[string]any) []byte {
	t.Helper()
	out := maps.Clone(base)
	maps.Copy(out, patch)
	if m, ok := patch["model"].(map[string]any); ok {
		model := maps.Clone(base["model"].(map[string]any))
		maps.Copy(model, m)
		out["model"] = model
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
