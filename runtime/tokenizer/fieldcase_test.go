package tokenizer

import (
	"encoding/binary"
	"hash/crc32"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// longRuns are texts that are one piece, of field case C1. The numbers are HF's:
// ids, and the CRC-32 (IEEE) of them as little-endian int32.
var longRuns = []struct {
	style string
	unit  string
	times int
	ids   int
	crc   uint32
}{
	{"smollm2", "A", 40000, 5000, 0x34ec68c0},
	{"smollm2", "\n", 20000, 5000, 0x225fad09},
	{"smollm2", "_", 1 << 20, 32768, 0x4c311048},
	{"smollm2", "日", 1 << 20 / 3, 699050, 0x953a7f78},
	{"smollm2", " ", 1 << 20, 16384, 0xba4d8217},
	{"smollm2", "7", 200000, 200000, 0xe79f2883},
	{"smollm2", "é", 30001, 30001, 0x95fd680a},
	{"smollm2", "abc\f", 50000, 100000, 0xffee7151},
	{"llama2style", "A", 40000, 20001, 0xd24fc8b1},
	{"llama2style", "\n", 20000, 20001, 0x7bed60c3},
	{"llama2style", "_", 1 << 20, 524288, 0x81083def},
	{"llama2style", "日", 1 << 20 / 3, 1048576, 0xc031703d},
	{"llama2style", " ", 1 << 20, 131072, 0x912335cd},
	{"llama2style", "7", 200000, 200001, 0xb46ebde1},
	{"llama2style", "é", 30001, 30002, 0x7490d6cc},
	{"llama2style", "ab_ ", 1 << 18, 786433, 0xda943030},
	{"unigram", "A", 40000, 40000, 0x78e8b6b6},
	{"unigram", "\n", 20000, 2, 0x4b611918},
	{"unigram", "_", 1 << 20, 524288, 0x75bdaee2},
	{"unigram", "日", 1 << 20 / 3, 2, 0x4b611918},
	{"unigram", " ", 1 << 20, 1, 0xae26484b},
	{"unigram", "7", 200000, 200000, 0x113b7a45},
	{"unigram", "é", 30001, 2, 0x4b611918},
	{"unigram", "ab_ ", 1 << 18, 786433, 0xae62451b},
}

func TestLongRuns(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 10)) // more is fatal
	for _, c := range longRuns {
		if testing.Short() && c.times > 100000 {
			continue
		}
		tok := style(t, c.style)
		text := strings.Repeat(c.unit, c.times)
		ids := tok.Encode(text, EncodeOptions{})
		var b []byte
		for _, id := range ids {
			b = binary.LittleEndian.AppendUint32(b, uint32(id))
		}
		if crc := crc32.ChecksumIEEE(b); len(ids) != c.ids || crc != c.crc {
			t.Errorf("%s: %d × %q: %d ids with CRC %#x, want %d with %#x", c.style, c.times, c.unit, len(ids), crc, c.ids, c.crc)
		}
		if c.style != "unigram" && tok.Decode(ids, false) != text { // unknown characters don't come back
			t.Errorf("%s: %d × %q: decodes to another text", c.style, c.times, c.unit)
		}
	}
}

// TestLinearTime: a megabyte of anything comes back. It takes a tenth of a second; in
// quadratic time it would take the whole time that go test allows.
func TestLinearTime(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 15
	}
	for _, c := range []struct {
		style string
		units []string
	}{
		{"smollm2", []string{"<|", "<|im_end|>", "<|im_end|", "7'"}},
		{"qwen2style", []string{"\u0301", "a\u0301\u0323", " \u0301", "\u1161", "\r\n", "\t "}},
		{"o200style", []string{"A", "aA", " ", "/\n", "日"}},
		{"llama2style", []string{"A", "a ", "  a", "日", "é", "\n", "▁", "<s>"}},
		{"deepseekstyle", []string{"日", "!", "!a", " \n", "\x02", "٣"}},
	} {
		tok := style(t, c.style)
		for _, unit := range c.units {
			text := strings.Repeat(unit, size/len(unit))
			want, _ := tok.normalize.text(text)
			if c.style == "llama2style" { // spelled otherwise
				want = strings.ReplaceAll(text, "▁", " ")
			}
			if got := tok.Decode(tok.Encode(text, EncodeOptions{ParseSpecial: true}), false); got != want {
				t.Errorf("%s: runs of %q decode to another text", c.style, unit)
			}
		}
	}
}

// TestControlWords is field case C2: with specials off they are text.
func TestControlWords(t *testing.T) {
	tok := style(t, "smollm2")
	for _, c := range []struct {
		special bool
		want    []int32
	}{
		{true, []int32{49, 2, 50}},
		{false, []int32{49, 44, 108, 306, 79, 486, 108, 46, 50}},
	} {
		if got := tok.Encode("A<|im_end|>B", EncodeOptions{ParseSpecial: c.special}); !slices.Equal(got, c.want) {
			t.Errorf("ParseSpecial %v: %v, want %v", c.special, got, c.want)
		}
	}
}
