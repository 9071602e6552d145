package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// FuzzParse: a tokenizer.json is refused, or its tokenizer works, and so does what Load
// makes of its binary form: the same ids, the same text.
func FuzzParse(f *testing.F) {
	all := variants(f)
	for _, v := range all {
		f.Add(patched(f, all[0].Patch, v.Patch), "ab 12 é<s>")
	}
	small := pipelines(f)
	for _, p := range small {
		if slices.Contains(fuzzed, p.Name) {
			f.Add(p.file(f, small[0].Patch), "ab é日 <s> x")
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tok, err := Parse(file)
		if err != nil {
			return
		}
		use(t, tok, text)
		loaded, err := Load(tok.Marshal())
		if err != nil {
			t.Fatal(err)
		}
		o := EncodeOptions{AddSpecial: true, ParseSpecial: true}
		ids, again := tok.Encode(text, o), loaded.Encode(text, o)
		if !slices.Equal(ids, again) || tok.Decode(ids, false) != loaded.Decode(ids, false) {
			t.Errorf("%q: %v, as loaded from its binary form %v", text, ids, again)
		}
	})
}

// use calls everything that may fail on a bad tokenizer. Ids are in the vocabulary, a
// text gives the same ids every time, and token by token the same text as at once.
func use(t *testing.T, tok *Tokenizer, text string) {
	text = text[:min(len(text), 100)]
	for _, o := range []EncodeOptions{{}, {AddSpecial: true, ParseSpecial: true}} {
		ids := tok.Encode(text, o)
		for _, id := range ids {
			if id < 0 || int(id) >= tok.VocabSize() {
				t.Errorf("%q: id %d of %d", text, id, tok.VocabSize())
			}
		}
		if again := tok.Encode(text, o); !slices.Equal(ids, again) {
			t.Errorf("%q: %v, then %v", text, ids, again)
		}
		for _, skip := range []bool{false, true} {
			stream, d := strings.Builder{}, tok.NewDecoder(skip)
			for _, id := range ids {
				stream.WriteString(d.Push(id))
			}
			stream.WriteString(d.Flush())
			if whole := tok.Decode(ids, skip); stream.String() != whole {
				t.Errorf("%q: %q token by token, %q at once", text, stream.String(), whole)
			}
		}
		tok.Decode(append(ids, -1, 1<<30), true)
	}
	tok.ID(text)
	tok.Encode(strings.Repeat(text+"ab", 20), EncodeOptions{})
}
