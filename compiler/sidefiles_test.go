package compiler

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/runtime/bundle"
)

func TestStopIDs(t *testing.T) {
	ids := map[string]int32{"<|im_end|>": 2, "<eot>": 7}
	idOf := func(s string) (int32, bool) { id, ok := ids[s]; return id, ok }
	const c, g, k = "config.json", "generation_config.json", "tokenizer_config.json"
	for _, x := range []struct {
		name                  string
		eos                   []int
		generation, tokenizer string
		want                  []bundle.Stop
		notes                 int
	}{
		{"C3", []int{2}, `{"eos_token_id": [0]}`, `{"eos_token": "<|im_end|>"}`, []bundle.Stop{{ID: 0, Sources: []string{g}}, {ID: 2, Sources: []string{c, k}}}, 0},
		{"object", nil, `{"eos_token_id": 5}`, `{"eos_token": {"content": "<eot>", "lstrip": false}}`, []bundle.Stop{{ID: 5, Sources: []string{g}}, {ID: 7, Sources: []string{k}}}, 0},
		{"lists", []int{3, 1, 3}, `{"eos_token_id": [1, 4]}`, ``, []bundle.Stop{{ID: 1, Sources: []string{c, g}}, {ID: 3, Sources: []string{c}}, {ID: 4, Sources: []string{g}}}, 0},
		{"null", []int{3}, `{"eos_token_id": null}`, `{"eos_token": null}`, []bundle.Stop{{ID: 3, Sources: []string{c}}}, 0},
		{"outside", []int{3, 10}, ``, `{"eos_token": "<unknown>"}`, []bundle.Stop{{ID: 3, Sources: []string{c}}}, 2},
		{"none", nil, ``, ``, nil, 1},
	} {
		got, notes, err := stopIDs(archs.Spec{Vocab: 10, EOS: x.eos}, c, []byte(x.generation), []byte(x.tokenizer), idOf)
		if err != nil || len(notes) != x.notes {
			t.Errorf("%s: notes %q, %v", x.name, notes, err)
		}
		if d := cmp.Diff(x.want, got); d != "" {
			t.Errorf("%s: %s", x.name, d)
		}
	}
	if got, notes, err := stopIDs(archs.Spec{Vocab: 10, EOS: []int{3}}, c, nil, []byte(`{"eos_token": "<eot>"}`), nil); err != nil || len(got) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "<eot>") {
		t.Errorf("without a tokenizer: %v, %q, %v", got, notes, err)
	}
	for _, x := range []struct{ generation, tokenizer, want string }{
		{`{"eos_token_id": "two"}`, ``, `generation_config.json: eos_token_id is "two"`},
		{`{`, ``, "generation_config.json: unexpected end of JSON input"},
		{`[2]`, ``, "generation_config.json: a list where an object belongs"},
		{``, `{"eos_token": 5}`, "tokenizer_config.json: eos_token is 5"},
	} {
		_, _, err := stopIDs(archs.Spec{Vocab: 10}, c, []byte(x.generation), []byte(x.tokenizer), idOf)
		if archs.Class(err) != archs.BadConfig || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q %q: %v, want %q", x.generation, x.tokenizer, err, x.want)
		}
	}
}

func TestOverride(t *testing.T) {
	got := override([]string{"--a=1", "--b", "--c=3"}, []string{"--c=4", "--d"})
	if want := []string{"--a=1", "--b", "--c=4", "--d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
