package tokenizer

import (
	"maps"
	"slices"
)

// behavior says what becomes of the matches of a split pattern.
type behavior uint8

// The behaviors of HF's SplitDelimiterBehavior.
const (
	isolated           behavior = iota // a match is a piece of its own
	removed                            // matches are dropped
	contiguous                         // neighbouring matches are one piece
	mergedWithPrevious                 // a match belongs to the piece before it
	mergedWithNext                     // a match belongs to the piece after it
)

var behaviors = map[string]behavior{
	"Isolated":           isolated,
	"Removed":            removed,
	"Contiguous":         contiguous,
	"MergedWithPrevious": mergedWithPrevious,
	"MergedWithNext":     mergedWithNext,
}

func findBehavior(name string) (behavior, error) {
	b, ok := behaviors[name]
	if !ok {
		return 0, unsupported("behavior", name, slices.Collect(maps.Keys(behaviors)))
	}
	return b, nil
}

// splitRule splits a text by a pattern.
type splitRule struct {
	pattern  string // Oniguruma syntax; empty: no split
	behavior behavior
	invert   bool // what the pattern doesn't match is the delimiter
}

func (r splitRule) compile() (preTokenizer, error) {
	if r.pattern == "" {
		return func(s string, first bool, emit func(string, bool)) { emit(s, first) }, nil
	}
	d, err := compilePattern(r.pattern)
	if err != nil {
		return nil, err
	}
	return func(s string, first bool, emit func(string, bool)) {
		m := merger{s: s, first: first, behavior: r.behavior, emit: emit}
		for pos := 0; pos < len(s); {
			start, end := d.find(s, pos)
			if start > pos {
				m.add(start, r.invert)
			}
			if end > start {
				m.add(end, !r.invert)
			}
			pos = end
		}
		m.flush()
	}, nil
}

// merger joins consecutive stretches of a text, each of them a delimiter or not, to
// pieces. A piece is emitted once nothing can join it any more.
type merger struct {
	s          string
	first      bool
	behavior   behavior
	emit       func(piece string, first bool)
	start, end int  // the piece that is being put together
	delimiter  bool // its last stretch is one
}

// add takes the next stretch, which ends at end.
func (m *merger) add(end int, delimiter bool) {
	if m.end > m.start && !m.joins(delimiter) {
		m.flush()
	}
	m.end, m.delimiter = end, delimiter
	if delimiter && m.behavior == removed {
		m.start = end
	}
}

// joins reports whether the next stretch belongs to the piece so far.
func (m *merger) joins(delimiter bool) bool {
	switch m.behavior {
	case contiguous:
		return delimiter == m.delimiter
	case mergedWithPrevious:
		return delimiter && !m.delimiter
	case mergedWithNext:
		return !delimiter && m.delimiter
	}
	return false
}

func (m *merger) flush() {
	if m.end > m.start {
		m.emit(m.s[m.start:m.end], m.first && m.start == 0)
	}
	m.start = m.end
}
