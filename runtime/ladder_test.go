package runtime

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/runtime/bundle"
)

// to is g for the first span positions.
func to(span int, g bundle.Graph) bundle.Graph {
	g.Name, g.Span = fmt.Sprintf("%s_s%d", g.Name, span), span
	return g
}

// TestLadder: of the graphs that read enough of the state for every row that counts,
// the one that reads the least runs.
func TestLadder(t *testing.T) {
	s, p := newScripted(t, 40, 48, 1, decode1, to(8, decode1), to(16, decode1),
		prefill16, to(16, prefill16), to(32, prefill16), prefill4, to(8, prefill4), ragged2, to(16, ragged2))
	first, second := open1(t, s), open1(t, s)
	for _, tc := range []struct {
		slots  []Slot // to decode
		prompt int    // or to prefill the first slot with
		calls  []string
	}{
		{nil, 4, []string{"prefill_c4_s8"}},
		{nil, 2, []string{"prefill_c4_s8"}}, // the padded rows end at the span
		{[]Slot{first}, 0, []string{"decode_s8"}},
		{[]Slot{first}, 0, []string{"decode_s8"}}, // position 7, the last one of the span
		{[]Slot{first}, 0, []string{"decode_s16"}},
		{nil, 4, []string{"prefill_c4"}},
		{nil, 1, []string{"prefill_c4"}}, // to position 13
		{[]Slot{first}, 0, []string{"decode_s16"}},
		{[]Slot{first, second}, 0, []string{"ragged_b2_s16"}}, // position 15 and position 3
		{[]Slot{second, first}, 0, []string{"ragged_b2"}},
		{[]Slot{first}, 0, []string{"decode"}},
		{nil, 15, []string{"prefill_c16"}},
		{[]Slot{second}, 0, []string{"decode_s8"}},
	} {
		if len(s.seq(second).history) == 0 {
			if _, err := s.Prefill(t.Context(), second, ids(3)); err != nil {
				t.Fatal(err)
			}
		}
		p.calls = nil
		var err error
		if tc.prompt > 0 {
			_, err = s.Prefill(t.Context(), first, ids(tc.prompt))
		} else {
			_, err = s.Decode(t.Context(), tc.slots)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.calls, tc.calls) {
			t.Errorf("slots %v, prompt %d, up to position %d: calls %v, want %v", tc.slots, tc.prompt, s.Len(first)-1, p.calls, tc.calls)
		}
	}
	s.Release(first)
	if _, err := s.Prefill(t.Context(), open1(t, s), ids(32)); err != nil {
		t.Fatal(err)
	}
	if got := p.calls[len(p.calls)-2:]; !slices.Equal(got, []string{"prefill_c16_s16", "prefill_c16_s32"}) {
		t.Errorf("prompt of 32: calls %v", got)
	}
}
