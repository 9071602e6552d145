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
	unit  string
	times int
	ids   int
	crc   uint32
}{
	{"A", 40000, 5000, 0x34ec68c0},
	{"\n", 20000, 5000, 0x225fad09},
	{"_", 1 << 20, 32768, 0x4c311048},
	{"日", 1 << 20 / 3, 699050, 0x953a7f78},
	{" ", 1 << 20, 16384, 0xba4d8217},
	{"7", 200000, 200000, 0xe79f2883},
	{"é", 30001, 30001, 0x95fd680a},
	{"abc\f", 50000, 100000, 0xffee7151},
}

func TestLongRuns(t *testing.T) {
	tok := style(t, "smollm2")
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 10)) // more is fatal
	for _, c := range longRuns {
		if testing.Short() && c.times > 100000 {
			continue
		}
		text := strings.Repeat(c.unit, c.times)
		ids := tok.Encode(text, EncodeOptions{})
		var b []byte
		for _, id := range ids {
			b = binary.LittleEndian.AppendUint32(b, uint32(id))
		}
		if crc := crc32.ChecksumIEEE(b); len(ids) != c.ids || crc != c.crc {
			t.Errorf("%d × %q: %d ids with CRC %#x, want %d with %#x", c.times, c.unit, len(ids), crc, c.ids, c.crc)
		}
		if tok.Decode(ids, false) != text {
			t.Errorf("%d × %q: decodes to another text", c.times, c.unit)
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
		{"deepseekstyle", []string{"日", "!", "!a", " \n", "\x02", "٣"}},
	} {
		tok := style(t, c.style)
		for _, unit := range c.units {
			text := strings.Repeat(unit, size/len(unit))
			want, _ := tok.normalize.text(text)
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
