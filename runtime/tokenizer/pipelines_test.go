package tokenizer

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// pipeline is a tokenizer.json with HF's answers (testdata/pipelines.py).
type pipeline struct {
	Name  string
	Patch map[string]any // the parts in which it differs from the first one
	Rows  []struct {
		Text string
		IDs  []int32
		// Without the post-processor, and also without special tokens in the text; nil
		// if the case isn't about it.
		Plain  []int32 `json:"ids_plain"`
		AsText []int32 `json:"ids_text"`
	}
	Decodes []decoded
}

// decoded is [ids, text, text without special tokens].
type decoded struct {
	ids        []int32
	text, skip string
}

func (d *decoded) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&d.ids, &d.text, &d.skip})
}

func pipelines(t testing.TB) []pipeline {
	t.Helper()
	f, err := os.Open("testdata/pipelines.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []pipeline
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var p pipeline
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// file is the tokenizer.json; a Unigram model takes the place of the whole model.
func (p *pipeline) file(t testing.TB, base map[string]any) []byte {
	t.Helper()
	if m, ok := p.Patch["model"].(map[string]any); ok && m["type"] == "Unigram" {
		b := map[string]any{}
		for k, v := range base {
			b[k] = v
		}
		b["model"] = map[string]any{}
		base = b
	}
	return patched(t, base, p.Patch)
}

// TestPipelines: every option, encoded, decoded and streamed.
func TestPipelines(t *testing.T) {
	all := pipelines(t)
	if len(all) < 100 {
		t.Fatalf("%d cases", len(all))
	}
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			tok, err := Parse(c.file(t, all[0].Patch))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range c.Rows {
				checkEncode(t, tok, r.Text, r.IDs, r.Plain, r.AsText)
			}
			for _, d := range c.Decodes {
				checkDecode(t, tok, d.ids, false, d.text)
				checkDecode(t, tok, d.ids, true, d.skip)
			}
		})
	}
}

// spelled lists tokens for messages.
func spelled(tok *Tokenizer, ids []int32) string {
	var out []string
	for _, id := range ids {
		out = append(out, string(tok.Token(id)))
	}
	return strings.Join(out, "|")
}

// checkEncode compares a text's ids with HF's: as a prompt has them, without the
// post-processor, and also without special tokens in the text. Of what is nil the case
// says nothing.
func checkEncode(t *testing.T, tok *Tokenizer, text string, ids, plain, asText []int32) {
	t.Helper()
	for _, e := range []struct {
		o    EncodeOptions
		want []int32
	}{
		{EncodeOptions{AddSpecial: true, ParseSpecial: true}, ids},
		{EncodeOptions{ParseSpecial: true}, plain},
		{EncodeOptions{}, asText},
	} {
		if e.want == nil {
			continue
		}
		if got := tok.Encode(text, e.o); !slices.Equal(got, e.want) {
			t.Errorf("%q %+v:\n got %v %s\nwant %v %s", text, e.o, got, spelled(tok, got), e.want, spelled(tok, e.want))
		}
	}
}

// checkDecode decodes at once and as a stream, whose pieces must be whole characters.
func checkDecode(t *testing.T, tok *Tokenizer, ids []int32, skip bool, want string) {
	t.Helper()
	if got := tok.Decode(ids, skip); got != want {
		t.Errorf("%s, skip %v: decoded %q, want %q", spelled(tok, ids), skip, got, want)
	}
	d := tok.NewDecoder(skip)
	for range 2 { // Flush resets
		var b strings.Builder
		for _, id := range ids {
			piece := d.Push(id)
			if !utf8.ValidString(piece) {
				t.Errorf("%s: piece %q splits a character", spelled(tok, ids), piece)
			}
			b.WriteString(piece)
		}
		b.WriteString(d.Flush())
		if b.String() != want {
			t.Errorf("%s, skip %v: streamed %q, want %q", spelled(tok, ids), skip, b.String(), want)
		}
	}
}
