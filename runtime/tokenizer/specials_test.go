package tokenizer

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// TestLiteral: in literal ranges control words are text, and nothing else changes:
// without control words the ids are those of the whole text.
func TestLiteral(t *testing.T) {
	tok, err := Parse(oracle.File(t, "tokenizers/smollm2.tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	const text = "<|im_start|>user\nA<|im_end|>B<|im_end|>\n"
	for _, x := range []struct {
		name    string
		text    string
		literal [][2]int
		want    []int32
	}{
		{"none", text, nil, []int32{1, 4093, 198, 49, 2, 50, 2, 198}},
		{"the content", text, [][2]int{{17, 29}}, []int32{1, 4093, 198, 49, 44, 108, 306, 79, 486, 108, 46, 50, 2, 198}},
		{"a part of a word", text, [][2]int{{20, 21}}, []int32{1, 4093, 198, 49, 44, 108, 306, 79, 486, 108, 46, 50, 2, 198}},
		{"beside a word", text, [][2]int{{17, 18}, {28, 29}}, []int32{1, 4093, 198, 49, 2, 50, 2, 198}},
		{"all", "<|im_end|>", [][2]int{{0, 10}}, []int32{44, 108, 306, 79, 486, 108, 46}},
		{"text across an edge", "user\nHello", [][2]int{{5, 10}}, tok.Encode("user\nHello", EncodeOptions{})},
		{"ill-formed text", "\xff<|im_end|>", [][2]int{{0, 1}}, tok.Encode("\uFFFD<|im_end|>", EncodeOptions{})},
	} {
		if got := tok.Encode(x.text, EncodeOptions{ParseSpecial: true, Literal: x.literal}); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
