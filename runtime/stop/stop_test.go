package stop

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// truncate is what the matcher does, on a whole text.
func truncate(text string, stops []string) (string, bool) {
	end := -1
	for _, s := range stops {
		if i := strings.Index(text, s); s != "" && utf8.ValidString(s) && i >= 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end < 0 {
		return text, false
	}
	return text[:end], true
}

// run gives pieces to a matcher until it stops, and two more that it must drop.
func run(t *testing.T, pieces, stops []string) (out []string, stopped bool) {
	t.Helper()
	m := New(stops)
	for _, p := range pieces {
		text, stopped := m.Push(p)
		if out = append(out, text); stopped {
			mustStay(t, m)
			return out, true
		}
	}
	text, stopped := m.Flush()
	if stopped {
		mustStay(t, m)
	}
	return append(out, text), stopped
}

// mustStay checks that a matcher that has stopped gives nothing any more.
func mustStay(t *testing.T, m *Matcher) {
	t.Helper()
	for _, piece := range []string{"", "abab日本"} {
		if text, stopped := m.Push(piece); text != "" || !stopped {
			t.Fatalf("Push(%q) after the stop: %q, %v", piece, text, stopped)
		}
	}
	if text, stopped := m.Flush(); text != "" || !stopped {
		t.Fatalf("Flush after the stop: %q, %v", text, stopped)
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		pieces, stops string // separated by |
		want          string // pieces, the last one from Flush unless stopped
		stopped       bool
	}{
		{"a|b|c", "", "a|b|c|", false},
		{"a|b|c", "x", "a|b|c|", false},
		{"Hel|lo", "lo", "He|l", true},
		{"Hel|lo", "l", "He", true},
		{"Hello wor|ld", "world", "Hello |", true},
		{"Hello wor|d", "world", "Hello |word|", false},
		{"a</|s|>b", "</s>", "a||", true},
		{"a<|/|s", "</s>", "a|||</s", false},
		{"ab|ab|ac", "abac", "|ab|", true},
		{"x日|本", "日本", "x|", true},
		{"x日|木", "日本", "x|日木|", false},
		{"one two", "two|one", "", true},
		{"xxab|yz", "ab|xxabyy", "|xx", true}, // waits for xxabyy, which doesn't come
		{"xxab|yy", "ab|xxabyy", "|", true},   // …, which comes
		{"xxab", "ab|xxabyy", "|xx", true},    // …, and the text ends
		{"aab|", "|\xff", "aab||", false},
		{"stop", "stop|sto", "", true},
		{"a\n|\nb", "\n\n", "a|", true},
		{"aaa|aab", "aaab", "|aa", true},
		{"ababab|x", "abababab", "|abababx|", false},
	} {
		stops := strings.Split(c.stops, "|")
		got, stopped := run(t, strings.Split(c.pieces, "|"), stops)
		if strings.Join(got, "|") != c.want || stopped != c.stopped {
			t.Errorf("%q with stops %q: %q, stopped %v; want %q, %v", c.pieces, stops, strings.Join(got, "|"), stopped, c.want, c.stopped)
		}
	}
}

// TestEveryChunking: whatever the pieces are, the result is that for the whole text.
func TestEveryChunking(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune([]rune("ab日本")[rnd.IntN(4)])
		}
		return b.String()
	}
	stopped := 0
	for range 20000 {
		text := word(rnd.IntN(30))
		stops := make([]string, rnd.IntN(4))
		for i := range stops {
			stops[i] = word(rnd.IntN(7))
		}
		check(t, text, stops, func() int { return 1 + rnd.IntN(5) })
		if _, s := truncate(text, stops); s {
			stopped++
		}
	}
	if stopped < 5000 || stopped > 19000 {
		t.Errorf("%d of 20000 texts were stopped: the test is one-sided", stopped)
	}
}

// check cuts text into pieces of size() runes.
func check(t *testing.T, text string, stops []string, size func() int) {
	t.Helper()
	var pieces []string
	for c := range slices.Chunk([]rune(text), size()) {
		pieces = append(pieces, string(c))
	}
	got, stopped := run(t, pieces, stops)
	want, wantStopped := truncate(text, stops)
	if strings.Join(got, "") != want || stopped != wantStopped {
		t.Fatalf("%q with stops %q: %q, stopped %v; want %q, %v", pieces, stops, got, stopped, want, wantStopped)
	}
	for _, piece := range got {
		if !utf8.ValidString(piece) {
			t.Fatalf("%q with stops %q: piece %q splits a character", pieces, stops, piece)
		}
	}
}

// TestHoldsLittle: text that can't belong to a stop string is given back at once.
func TestHoldsLittle(t *testing.T) {
	m := New([]string{"END", "\n\nUser:"})
	for _, piece := range []string{"Some text", " E", "N", "glish\n", "\nUse", " it"} {
		if _, stopped := m.Push(piece); stopped {
			t.Fatalf("stopped at %q", piece)
		}
		if len(m.held) > len("\n\nUser") {
			t.Errorf("after %q %d bytes are held", piece, len(m.held))
		}
	}
	if len(m.held) != 0 {
		t.Errorf("%q is held at the end", m.held)
	}
}

func FuzzMatcher(f *testing.F) {
	f.Add("xxabyz", "ab", "xxabyy", uint8(2))
	f.Add("日本語", "本", "日木", uint8(1))
	f.Fuzz(func(t *testing.T, text, a, b string, n uint8) {
		if !utf8.ValidString(text) {
			return
		}
		check(t, text, []string{a, b}, func() int { return 1 + int(n) })
	})
}
