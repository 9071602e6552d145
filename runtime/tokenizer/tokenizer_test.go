package tokenizer

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// styles are the pipelines with rows of Hugging Face's tokenizers 0.23.3.
var styles = []string{"smollm2", "llama3style", "qwen2style", "o200style", "deepseekstyle", "llama2style", "unigram"}

var parsed sync.Map // style → *Tokenizer

// style returns a tokenizer of testdata, parsed once.
func style(t testing.TB, name string) *Tokenizer {
	t.Helper()
	if tok, ok := parsed.Load(name); ok {
		return tok.(*Tokenizer)
	}
	tok, err := Parse(oracle.File(t, "tokenizers/"+name+".tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	parsed.Store(name, tok)
	return tok
}

type row struct {
	Text        string
	IDs         []int32
	Plain       []int32 `json:"ids_plain"`
	Decoded     string
	DecodedSkip string `json:"decoded_skip"`
}

func rows(t testing.TB, name string) []row {
	t.Helper()
	var out []row
	for line := range bytes.Lines(oracle.File(t, "tokenizers/"+name+".oracle.jsonl")) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestOracle(t *testing.T) {
	for _, name := range styles {
		t.Run(name, func(t *testing.T) {
			tok := style(t, name)
			loaded, err := Load(tok.Marshal())
			if err != nil {
				t.Fatal(err)
			}
			all := rows(t, name)
			if len(all) < 188 {
				t.Fatalf("%d rows, want 188", len(all))
			}
			for _, r := range all {
				for _, tok := range []*Tokenizer{tok, loaded} {
					checkRow(t, tok, r)
				}
			}
		})
	}
}

func checkRow(t *testing.T, tok *Tokenizer, r row) {
	t.Helper()
	for _, c := range []struct {
		what string
		add  bool
		want []int32
	}{{"ids", true, r.IDs}, {"plain ids", false, r.Plain}} {
		if got := tok.Encode(r.Text, EncodeOptions{AddSpecial: c.add, ParseSpecial: true}); !slices.Equal(got, c.want) {
			t.Errorf("%s of %q:\n got %v\nwant %v", c.what, r.Text, got, c.want)
		}
	}
	if got := tok.Decode(r.Plain, false); got != r.Decoded {
		t.Errorf("decoded %q, want %q", got, r.Decoded)
	}
	if got := tok.Decode(r.Plain, true); got != r.DecodedSkip {
		t.Errorf("decoded without specials %q, want %q", got, r.DecodedSkip)
	}
}
