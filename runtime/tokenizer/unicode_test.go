package tokenizer

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEveryCodePoint: steps that depend on Unicode make of every code point what HF's
// make of it (testdata/sums.py). A Go release with another version of Unicode must not
// change that.
func TestEveryCodePoint(t *testing.T) {
	var b strings.Builder
	for r := rune(1); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) {
			b.WriteByte('x')
			b.WriteRune(r)
		}
	}
	text := b.String()
	check := func(kind string, got []byte, want uint32) {
		if sum := crc32.ChecksumIEEE(got); sum != want {
			t.Errorf("%s: %#x, want %#x", kind, sum, want)
		}
	}
	for _, c := range []struct {
		kind, fields string
		sum          uint32
	}{
		{"NFC", "", 0x8f3ce2f0},
		{"NFD", "", 0x44a02ad4},
		{"NFKC", "", 0x433abd2d},
		{"NFKD", "", 0xf1713b2c},
		{"Lowercase", "", 0x95ceb638},
		{"StripAccents", "", 0xd5d1b17a},
		{"Nmt", "", 0x7fb29caf},
		{"BertNormalizer", `,"clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true`, 0xfd7c6f42},
	} {
		n, err := makeOf("normalizer", normalizerKinds, component{c.kind, fmt.Appendf(nil, `{"type":%q%s}`, c.kind, c.fields)})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := n(text)
		check(c.kind, []byte(out), c.sum)
	}
	for _, c := range []struct {
		kind string
		sum  uint32
	}{
		{"Digits", 0xedfb28e1},
		{"Punctuation", 0x9db5b232},
		{"Whitespace", 0x6695d930},
		{"WhitespaceSplit", 0x9cba5277},
	} {
		split, err := makeOf("pre_tokenizer", preTokenizerKinds, component{c.kind, fmt.Appendf(nil, `{"type":%q}`, c.kind)})
		if err != nil {
			t.Fatal(err)
		}
		var pieces bytes.Buffer
		split(text, true, func(piece string, _ bool) {
			if pieces.Len() > 0 {
				pieces.WriteByte('\n')
			}
			pieces.WriteString(piece)
		})
		check(c.kind, pieces.Bytes(), c.sum)
	}
}

// FuzzCharsmap: whatever a charsmap's bytes are, it is refused or makes text of text.
func FuzzCharsmap(f *testing.F) {
	f.Add([]byte("\x08\x00\x00\x00\x00\x04\x00\x00\x61\x05\x00\x00A\x00"), "abc é")
	f.Add([]byte{}, "")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		m, err := newCharsmap(data)
		if err != nil || !utf8.ValidString(text) {
			return
		}
		if out := m.normalize(text); !utf8.ValidString(out) || len(out) > maxInserted*len(text) {
			t.Errorf("%q becomes %q", text, out)
		}
	})
}
