package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// TestLongRuns is field case C1: a long run of anything is exact and takes linear time.
// The numbers are HF's.
func TestLongRuns(t *testing.T) {
	tok := style(t, "smollm2")
	for _, c := range []struct {
		text string
		n    int // ids
	}{
		{strings.Repeat("A", 40000), 5000},
		{strings.Repeat("\n", 20000), 5000},
	} {
		ids := tok.Encode(c.text, EncodeOptions{})
		if len(ids) != c.n {
			t.Errorf("%d × %q: %d ids, want %d", len(c.text), c.text[:1], len(ids), c.n)
		}
		if tok.Decode(ids, false) != c.text {
			t.Errorf("%d × %q: decodes to another text", len(c.text), c.text[:1])
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
