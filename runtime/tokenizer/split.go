package tokenizer

import "fmt"

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

// splitRule is one step of pre-tokenization as data.
type splitRule struct {
	pattern     string // Oniguruma syntax; empty: no split
	behavior    behavior
	invert      bool // what the pattern doesn't match is the delimiter
	prefixSpace bool // a space is put before a piece that doesn't begin with one, then it is split
}

// splitter is a compiled splitRule.
type splitter struct {
	rule splitRule
	dfa  *dfa // nil: no split
}

func compileRules(rules []splitRule) ([]splitter, error) {
	if len(rules) > maxStages {
		return nil, fmt.Errorf("%d pre-tokenizers: the limit is %d", len(rules), maxStages)
	}
	out := make([]splitter, len(rules))
	for i, r := range rules {
		out[i].rule = r
		if r.behavior > mergedWithNext {
			return nil, fmt.Errorf("split behavior %d is unknown", r.behavior)
		}
		if r.pattern == "" {
			continue
		}
		d, err := compilePattern(r.pattern)
		if err != nil {
			return nil, err
		}
		out[i].dfa = d
	}
	return out, nil
}

// split calls emit with the pieces of s in order; none is empty.
func (p *splitter) split(s string, emit func(string)) {
	if p.rule.prefixSpace && s[0] != ' ' {
		s = " " + s
	}
	if p.dfa == nil {
		emit(s)
		return
	}
	m := merger{s: s, behavior: p.rule.behavior, emit: emit}
	for pos := 0; pos < len(s); {
		start, end := p.dfa.find(s, pos)
		if start > pos {
			m.add(start, p.rule.invert)
		}
		if end > start {
			m.add(end, !p.rule.invert)
		}
		pos = end
	}
	m.flush()
}

// merger joins consecutive stretches of a text, each of them a delimiter or not, to
// pieces. A piece is emitted once nothing can join it any more.
type merger struct {
	s          string
	behavior   behavior
	emit       func(string)
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
		m.emit(m.s[m.start:m.end])
	}
	m.start = m.end
}
