// Package stop ends a text at the first of several stop strings while the text is
// still being made.
package stop

import "unicode/utf8"

// Matcher takes a text in pieces and gives it back as far as it is certain. What it
// gives back, put together, is the whole text up to its earliest stop string, however
// the text was cut into pieces.
type Matcher struct {
	stops []pattern
	held  []byte // the end of the text so far that hasn't been given back
	match int    // where in held the earliest stop string begins; -1 if none was seen
	ended bool   // the stop string was reported; what comes after it is dropped
}

// New returns a matcher for the stop strings. Empty ones, and ones that aren't UTF-8
// and so occur in no text, are left out.
func New(stops []string) *Matcher {
	m := &Matcher{match: -1}
	for _, s := range stops {
		if s != "" && utf8.ValidString(s) {
			m.stops = append(m.stops, newPattern(s))
		}
	}
	return m
}

// Push takes the next piece, of whole characters, and returns the text that is certain
// now. When a stop string was found, stopped is true and the text is at its end, for
// good: pieces after it are dropped.
//
// The end may be known some pieces after a stop string is complete: a longer one that
// began earlier may still become complete.
func (m *Matcher) Push(piece string) (text string, stopped bool) {
	if m.ended {
		return "", true
	}
	for i := range len(piece) {
		m.held = append(m.held, piece[i])
		m.advance(piece[i])
	}
	pending := len(m.held) // where the earliest stop string begins that may become complete
	for _, p := range m.stops {
		pending = min(pending, len(m.held)-p.matched)
	}
	if m.match >= 0 && m.match <= pending {
		return m.end(), true
	}
	return m.take(pending), false
}

// Flush ends the text: it returns what was held back, up to a stop string if there is
// one in it.
func (m *Matcher) Flush() (text string, stopped bool) {
	if m.ended {
		return "", true
	}
	if m.match >= 0 {
		return m.end(), true
	}
	return m.take(len(m.held)), false
}

// advance runs the patterns over one byte, the last one of held.
func (m *Matcher) advance(c byte) {
	for i := range m.stops {
		p := &m.stops[i]
		if !p.advance(c) {
			continue
		}
		if start := len(m.held) - len(p.text); m.match < 0 || start < m.match {
			m.match = start
		}
	}
}

// end returns the text before the stop string.
func (m *Matcher) end() string {
	m.ended = true
	return string(m.held[:m.match])
}

// take returns the first n bytes of held and removes them.
func (m *Matcher) take(n int) string {
	text := string(m.held[:n])
	m.held = append(m.held[:0], m.held[n:]...)
	if m.match >= 0 {
		m.match -= n
	}
	return text
}

// pattern finds one string (Knuth, Morris, Pratt 1977), in constant time a byte.
type pattern struct {
	text    string
	border  []int // border[n]: the longest proper prefix of text[:n] that is its suffix too
	matched int   // the longest proper prefix of text that what was seen ends with
}

func newPattern(text string) pattern {
	p := pattern{text: text, border: make([]int, len(text)+1)}
	for i := 1; i < len(text); i++ {
		p.advance(text[i])
		p.border[i+1] = p.matched
	}
	p.matched = 0
	return p
}

// advance takes a byte and reports whether the string is complete with it.
func (p *pattern) advance(c byte) bool {
	for p.matched > 0 && p.text[p.matched] != c {
		p.matched = p.border[p.matched]
	}
	if p.text[p.matched] == c {
		p.matched++
	}
	if p.matched < len(p.text) {
		return false
	}
	p.matched = p.border[len(p.text)]
	return true
}
