package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestStreaming: whatever the ids are, the pieces of a Decoder put together are Decode,
// and no piece splits a character.
func TestStreaming(t *testing.T) {
	tok := style(t, "smollm2")
	rnd := rand.New(rand.NewPCG(1, 2))
	check := func(ids []int32, skip bool) {
		t.Helper()
		d := tok.NewDecoder(skip)
		var b strings.Builder
		for _, id := range ids {
			piece := d.Push(id)
			if !utf8.ValidString(piece) {
				t.Fatalf("%v: piece %q splits a character", ids, piece)
			}
			b.WriteString(piece)
		}
		b.WriteString(d.Flush())
		if want := tok.Decode(ids, skip); b.String() != want {
			t.Fatalf("%v: streamed %q, want %q", ids, b.String(), want)
		}
	}
	for _, r := range rows(t, "smollm2") {
		check(r.Plain, false)
	}
	var bytes []int32 // the ids of single bytes, most of them no characters
	for _, id := range tok.model.(*bpe).bytes {
		bytes = append(bytes, id)
	}
	for range 2000 {
		ids := make([]int32, rnd.IntN(12))
		for i := range ids {
			ids[i] = bytes[rnd.IntN(256)]
			if rnd.IntN(4) == 0 {
				ids[i] = rnd.Int32N(int32(tok.VocabSize()) + 2)
			}
		}
		check(ids, rnd.IntN(2) == 0)
	}
}

// TestWellFormed has the examples of the Unicode Standard, section 3.9, tables 3-8 to
// 3-11, and ends in the middle of a character.
func TestWellFormed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"aé日🙂", "aé日🙂"},
		{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A", "��������A"},
		{"\xED\xA0\x80\xED\xBF\xBF\xED\xAFA", "��������A"},
		{"\xF4\x91\x92\x93\xFFA\x80\xBFB", "�����A��B"},
		{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA", "����A"},
		{"x\xE6\x97", "x�"},
		{"x\xF0\x9F\x99", "x�"},
		{"\xE6", "�"},
		{"�", "�"},
	} {
		if got := string(appendWellFormed(nil, []byte(c.in))); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
