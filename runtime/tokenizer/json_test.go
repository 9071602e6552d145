package tokenizer

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRefused: what isn't supported is refused by name.
func TestRefused(t *testing.T) {
	base := variants(t)[0].Patch
	for _, c := range []struct{ patch, mentions string }{
		{`{"model":null}`, "it has no model"},
		{`{"model":{"type":"Unigram"}}`, `model "Unigram" is not supported; supported: BPE`},
		{`{"model":{"type":"WordPiece"}}`, `model "WordPiece"`},
		{`{"model":{"byte_fallback":true}}`, "byte_fallback"},
		{`{"model":{"dropout":0.1}}`, "dropout"},
		{`{"model":{"continuing_subword_prefix":"##"}}`, "continuing_subword_prefix"},
		{`{"model":{"end_of_word_suffix":"</w>"}}`, "end_of_word_suffix"},
		{`{"model":{"unk_token":"<none>"}}`, `model.unk_token "<none>" is not in the vocabulary`},
		{`{"model":{"vocab":{}}}`, "0 tokens"},
		{`{"model":{"vocab":[["a",0.5]]}}`, "model.vocab"},
		{`{"model":{"vocab":{"a":-1}}}`, `token "a" has id -1`},
		{`{"model":{"vocab":{"a":2097152}}}`, `token "a" has id 2097152`},
		{`{"model":{"vocab":{"a":1,"b":1}}}`, `id 1 belongs to both "a" and "b"`},
		{`{"model":{"vocab":{"a":1.5}}}`, "model.vocab"},
		{`{"model":{"merges":[["a"]]}}`, `merge 0 is ["a"]: two tokens are needed`},
		{`{"model":{"merges":["a b","a b c"]}}`, `merge 1 is ["a" "b" "c"]`},
		{`{"model":{"merges":[["a","日"]]}}`, `token "日" is not in the vocabulary`},
		{`{"model":{"merges":[["a","c"]]}}`, `token "ac" is not in the vocabulary`},
		{`{"model":{"merges":7}}`, "Model.Merges"},
		{`{"normalizer":{"type":"Lowercase"}}`, `normalizer "Lowercase" is not supported; supported: NFC, Sequence`},
		{`{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Prepend","prepend":"_"}]}}`, `normalizer "Prepend"`},
		{`{"pre_tokenizer":null}`, "no pre_tokenizer"},
		{`{"pre_tokenizer":{"type":"Metaspace"}}`, `pre_tokenizer "Metaspace" is not supported; supported: ByteLevel, Digits, Sequence, Split`},
		{`{"pre_tokenizer":{"type":"Digits"}}`, "ByteLevel must be there once, as the last step"},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]}}`, "ByteLevel must be there once, as the last step"},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Weird","pattern":{"Regex":"a"}},{"type":"ByteLevel"}]}}`, `behavior "Weird"`},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","pattern":{"Regex":""}},{"type":"ByteLevel"}]}}`, "no pattern"},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","pattern":{"Regex":"a(?=b)"}},{"type":"ByteLevel"}]}}`, "lookarounds"},
		{`{"post_processor":{"type":"BertProcessing"}}`, `post_processor "BertProcessing" is not supported; supported: ByteLevel, Sequence, TemplateProcessing`},
		{`{"post_processor":{"type":"TemplateProcessing","single":[]}}`, "must have it once"},
		{`{"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}]}}`, `"<s>" is not in special_tokens`},
		{`{"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a"}},{"Sequence":{"id":"A"}}],"special_tokens":{"a":{"ids":[9999]}}}}`, "id 9999"},
		{`{"decoder":null}`, "no decoder"},
		{`{"decoder":{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]}}`, `decoder "ByteFallback" is not supported; supported: ByteLevel, Fuse, Sequence`},
		{`{"added_tokens":[{"id":-1,"content":"x"}]}`, `added token "x" has id -1`},
		{`{"added_tokens":[{"id":0,"content":"<s>"}]}`, `"<s>" has id 0, which belongs to another token`},
		{`{"added_tokens":[{"id":900,"content":"a"}]}`, `added token "a" has id 900, but`},
		{`{"added_tokens":[{"id":900,"content":"<s>"},{"id":901,"content":"<s>"}]}`, `"<s>" is listed twice`},
		{`{"added_tokens":[{"id":900,"content":"<s>"},{"id":900,"content":"<t>"}]}`, `"<t>" has id 900, which belongs`},
	} {
		var patch map[string]any
		if err := json.Unmarshal([]byte(c.patch), &patch); err != nil {
			t.Fatal(err)
		}
		_, err := Parse(patched(t, base, patch))
		if err == nil || !strings.Contains(err.Error(), c.mentions) || !strings.HasPrefix(err.Error(), "tokenizer: ") {
			t.Errorf("%s: error %v, want one that mentions %q", c.patch, err, c.mentions)
		}
	}
	for _, text := range []string{"", "{", "[]", `{"model":{"type":7}}`, "version https://git-lfs.github.com/spec/v1"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q is taken for a tokenizer.json", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	all := variants(f)
	for _, v := range all {
		f.Add(patched(f, all[0].Patch, v.Patch), "ab 12 é<s>")
	}
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tok, err := Parse(file)
		if err != nil {
			return
		}
		use(tok, text)
	})
}

// use calls everything that may fail on a bad tokenizer.
func use(tok *Tokenizer, text string) {
	text = text[:min(len(text), 100)]
	for _, o := range []EncodeOptions{{}, {AddSpecial: true, ParseSpecial: true}} {
		ids := tok.Encode(text, o)
		tok.Decode(ids, false)
		tok.Decode(append(ids, -1, 1<<30), true)
	}
	tok.ID(text)
	tok.Encode(strings.Repeat(text+"ab", 20), EncodeOptions{})
}
