package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// idDecoder spells token 7 as "7,".
type idDecoder struct{}

func (idDecoder) Push(id int32) string { return fmt.Sprintf("%d,", id) }
func (idDecoder) Flush() string        { return "" }

func TestGenerate(t *testing.T) {
	prompt := ids(5)
	w := want(prompt, 36)
	stop := w[4]
	cut := slices.Index(w, stop)
	for _, tc := range []struct {
		name   string
		req    Request
		tokens []int32
		reason string
	}{
		{"length", Request{MaxTokens: 3}, w[:3], "length"},
		{"one token", Request{MaxTokens: 1}, w[:1], "length"},
		{"context", Request{}, w[:36], "length"},
		{"stop id", Request{Stop: []int32{stop}}, w[:cut], "stop"},
	} {
		s, _ := newScripted(t, 40, 43, 1, prefill4, decode1)
		tc.req.Prompt = prompt
		text := ""
		r, err := Generate(t.Context(), s, idDecoder{}, tc.req, func(p string) error { text += p; return nil })
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if !slices.Equal(r.Tokens, tc.tokens) || r.FinishReason != tc.reason || r.Text != text || r.PromptTokens != 5 {
			t.Errorf("%s: %+v, text %q; want tokens %v, %s", tc.name, r, text, tc.tokens, tc.reason)
		}
		if c := s.Capabilities().Slots; func() int {
			n := 0
			for range c {
				open1(t, s)
				n++
			}
			return n
		}() != c {
			t.Errorf("%s: the slot was not released", tc.name)
		}
	}
}

// TestGenerateStopString: the text ends before the first stop string, wherever it
// begins in a token's text, once.
func TestGenerateStopString(t *testing.T) {
	spelled := ""
	for _, id := range want(ids(5), 8) {
		spelled += fmt.Sprintf("%d,", id)
	}
	for from := range len(spelled) - 4 {
		for _, length := range []int{1, 3} {
			stops := []string{spelled[from : from+length], spelled[from+length-1:from+length] + "x"}
			text, _, _ := strings.Cut(spelled, stops[0])
			s, _ := newScripted(t, 40, 43, 1, prefill4, decode1)
			written := ""
			r, err := Generate(t.Context(), s, idDecoder{}, Request{Prompt: ids(5), StopStrings: stops, MaxTokens: 8},
				func(p string) error { written += p; return nil })
			if err != nil || r.Text != text || written != text || r.FinishReason != "stop" {
				t.Errorf("stops %q: text %q, written %q, %s, %v; want %q", stops, r.Text, written, r.FinishReason, err, text)
			}
		}
	}
}

func TestGenerateCancelled(t *testing.T) {
	s, _ := newScripted(t, 40, 43, 1, prefill4, decode1)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	r, err := Generate(ctx, s, idDecoder{}, Request{Prompt: ids(5)}, func(string) error {
		if n++; n == 4 {
			cancel()
		}
		return nil
	})
	if err != nil || r.FinishReason != "cancelled" || len(r.Tokens) != 4 {
		t.Errorf("%+v, %v: want 4 tokens, cancelled, no error", r, err)
	}
}
