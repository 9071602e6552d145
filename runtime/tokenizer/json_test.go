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
		{`{"surprise":1}`, `field "surprise" is not supported; supported: added_tokens, decoder,`},
		{`{"version":"2.0"}`, `version "2.0"`},
		{`{"model":{"type":"WordPiece"}}`, `model "WordPiece" is not supported; supported: BPE, Unigram`},
		{`{"model":{"type":"WordLevel"}}`, `model "WordLevel"`},
		{`{"model":{"surprise":1}}`, `model BPE: field "surprise" is not supported; supported: byte_fallback,`},
		{`{"model":{"byte_fallback":true}}`, "byte_fallback is not supported with pre_tokenizer ByteLevel and without a token for byte 0x5e"},
		{`{"model":{"dropout":0.1}}`, "dropout"},
		{`{"model":{"continuing_subword_prefix":"##"}}`, "continuing_subword_prefix"},
		{`{"model":{"end_of_word_suffix":"</w>"}}`, "end_of_word_suffix"},
		{`{"model":{"unk_token":"<none>"}}`, `unk_token "<none>" is not in the vocabulary`},
		{`{"model":{"vocab":{}}}`, "0 tokens"},
		{`{"model":{"vocab":[["a",0.5]]}}`, "model BPE: vocab: a list where an object belongs"},
		{`{"model":{"vocab":{"a":-1}}}`, `token "a" has id -1`},
		{`{"model":{"vocab":{"a":2097152}}}`, `token "a" has id 2097152`},
		{`{"model":{"vocab":{"a":1,"b":1}}}`, `id 1 belongs to both "a" and "b"`},
		{`{"model":{"vocab":{"a":1.5}}}`, "model BPE: vocab: number 1.5 where a whole number of 32 bits belongs"},
		{`{"model":{"merges":[["a"]]}}`, `merge 0 is ["a"]: two tokens are needed`},
		{`{"model":{"merges":["a b","a b c"]}}`, `merge 1 is ["a" "b" "c"]`},
		{`{"model":{"merges":[["a","日"]]}}`, `token "日" is not in the vocabulary`},
		{`{"model":{"merges":[["a","c"]]}}`, `token "ac" is not in the vocabulary`},
		{`{"model":{"merges":7}}`, "model BPE: merges: a number where a list belongs"},
		{`{"model":{"merges":["a b",7]}}`, "model BPE: merges: a number where a string belongs"},
		{`{"model":[7]}`, "model: a list where an object belongs"},
		{`{"model":{"type":7}}`, "model: type: a number where a string belongs"},
		{`{"model":{"byte_fallback":"yes"}}`, "model BPE: byte_fallback: a string where true or false belongs"},
		{`{"normalizer":{"type":"Sparkle"}}`, `normalizer "Sparkle" is not supported; supported: BertNormalizer, ByteLevel, Lowercase, NFC,`},
		{`{"normalizer":{}}`, "normalizer: it has no type"},
		{`{"normalizer":7}`, "normalizer: a number where an object belongs"},
		{`{"normalizer":{"type":7}}`, "normalizer: type: a number where a string belongs"},
		{`{"normalizer":{"type":"Replace","pattern":7,"content":""}}`, "normalizer Replace: pattern: a number where an object belongs"},
		{`{"normalizer":{"type":"NFC","form":"C"}}`, `normalizer NFC: field "form" is not supported; supported: type`},
		{`{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Sparkle"}]}}`, `normalizer "Sparkle"`},
		{`{"normalizer":{"type":"Sequence","pretokenizers":[]}}`, `normalizer: Sequence field "pretokenizers"`},
		{`{"normalizer":{"type":"Sequence"}}`, "normalizer: a Sequence without a list of normalizers"},
		{`{"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 10) + `{"type":"NFC"}` + strings.Repeat(`]}`, 10) + `}`, "more than 8 deep"},
		{`{"normalizer":{"type":"Sequence","normalizers":[` + strings.Repeat(`{"type":"NFC"},`, 64) + `{"type":"NFC"}]}}`, "65 steps: the limit is 64"},
		{`{"normalizer":{"type":"Replace","pattern":{"String":""},"content":""}}`, "normalizer Replace: no pattern"},
		{`{"normalizer":{"type":"Replace","pattern":{"Glob":"*"},"content":""}}`, `field "Glob"`},
		{`{"normalizer":{"type":"Replace","pattern":{"Regex":"^a"},"content":""}}`, "anchor ^"},
		{`{"normalizer":{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("a", 257) + `"}}`, "content has 257 bytes: the limit is 256"},
		{`{"normalizer":{"type":"Prepend","prepend":"` + strings.Repeat("a", 257) + `"}}`, "prepend has 257 bytes: the limit is 256"},
		{`{"normalizer":{"type":"Sequence","normalizers":[` + strings.Repeat(`{"type":"Replace","pattern":{"String":"a"},"content":"aa"},`, 13) + `{"type":"NFC"}]}}`, "make a text more than 4096 times as long"},
		{`{"pre_tokenizer":null,"decoder":{"type":"Sequence","decoders":[` + strings.Repeat(`{"type":"Replace","pattern":{"String":"a"},"content":"aa"},`, 13) + `{"type":"Fuse"}]}}`, "make a text more than 4096 times as long"},
		{`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"AA"}}`, "illegal base64"},
		{`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAAAA=="}}`, "a trie of 0 bytes"},
		{`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAAD/"}}`, "the replacements are not UTF-8"},
		{`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAAB` + strings.Repeat("hYWF", 100) + `h"}}`, "replacement of"},
		{`{"pre_tokenizer":{"type":"UnicodeScripts"}}`, `pre_tokenizer "UnicodeScripts" is not supported; supported: BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, Metaspace, Punctuation, Sequence, Split, Whitespace, WhitespaceSplit`},
		{`{"pre_tokenizer":{"type":"Metaspace"}}`, "replacement \"\" is not one character"},
		{`{"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"twice"}}`, `prepend_scheme "twice" is not supported; supported: always, first, never`},
		{`{"pre_tokenizer":{"type":"Metaspace","replacement":"_","add_prefix_space":false}}`, "contradicts prepend_scheme"},
		{`{"pre_tokenizer":{"type":"CharDelimiterSplit","delimiter":"ab"}}`, "one character"},
		{`{"pre_tokenizer":{"type":"Punctuation","behavior":"Weird"}}`, `behavior "Weird"`},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]}}`, "ByteLevel is not supported but as the last step"},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Weird","pattern":{"Regex":"a"}},{"type":"ByteLevel"}]}}`, `behavior "Weird"`},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","pattern":{"Regex":""}},{"type":"ByteLevel"}]}}`, "no pattern"},
		{`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","pattern":{"Regex":"a(?=b)"}},{"type":"ByteLevel"}]}}`, "lookarounds"},
		{`{"post_processor":{"type":"Sparkle"}}`, `post_processor "Sparkle" is not supported; supported: BertProcessing, ByteLevel, RobertaProcessing, Sequence, TemplateProcessing`},
		{`{"post_processor":{"type":"BertProcessing","sep":"</s>","cls":["<s>",1]}}`, "is not a token with its id"},
		{`{"post_processor":{"type":"BertProcessing","sep":["</s>","2"],"cls":["<s>",1]}}`, "BertProcessing: sep: a string where a whole number of 32 bits belongs"},
		{`{"post_processor":{"type":"Sequence","processors":[{"type":"BertProcessing","sep":["a",1],"cls":["b",2]},{"type":"BertProcessing","sep":["a",1],"cls":["b",2]}]}}`, "more than one that adds tokens"},
		{`{"post_processor":{"type":"TemplateProcessing","single":[]}}`, "must have it once"},
		{`{"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}]}}`, `"<s>" is not in special_tokens`},
		{`{"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a"}},{"Sequence":{"id":"A"}}],"special_tokens":{"a":{"ids":[9999]}}}}`, "id 9999"},
		{`{"decoder":null}`, "a decoder that doesn't begin with ByteLevel"},
		{`{"decoder":{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]}}`, "a decoder that doesn't begin with ByteLevel"},
		{`{"decoder":{"type":"Sequence","decoders":[{"type":"ByteLevel"},{"type":"ByteFallback"}]}}`, "decoder ByteFallback: it is not supported after Fuse or ByteLevel"},
		{`{"decoder":{"type":"Sequence","decoders":[{"type":"ByteLevel"},{"type":"Replace","pattern":{"String":"ab"},"content":""}]}}`, "decoder Replace: after Fuse or ByteLevel"},
		{`{"pre_tokenizer":null,"decoder":{"type":"WordPiece","prefix":"##","cleanup":true}}`, `decoder "WordPiece" is not supported; supported: ByteFallback, ByteLevel, Fuse, Metaspace, Replace, Sequence, Strip`},
		{`{"pre_tokenizer":null,"decoder":{"type":"CTC"}}`, `decoder "CTC"`},
		{`{"pre_tokenizer":null,"decoder":{"type":"Strip","content":"","start":1,"stop":0}}`, "decoder Strip: content"},
		{`{"added_tokens":[{"id":900,"content":"x","sparkle":true}]}`, `added_tokens: field "sparkle"`},
		{`{"added_tokens":{}}`, "added_tokens: an object where a list belongs"},
		{`{"added_tokens":[{"id":"x","content":"x"}]}`, "added_tokens: id: a string where a whole number of 32 bits belongs"},
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
