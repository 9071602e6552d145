package jinja

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// splitCall is split and rsplit.
func (m *machine) splitCall(a []Value, fromRight bool) Value {
	t, sep, limit := m.self(a), or(a[1], nil), m.intOf(or(a[2], int64(-1)), "maxsplit")
	if sep == nil {
		return m.textList(t.fields(limit, fromRight))
	}
	s := m.textOf(sep, "the separator").s
	switch {
	case s == "":
		m.fail("empty separator")
	case fromRight:
		return m.textList(t.cutRight(s, limit))
	}
	return m.textList(t.cut(s, limit))
}

// cutRight is cut with the limit counted from the right.
func (t Text) cutRight(sep string, limit int) []Text {
	var parts []Text
	end := len(t.s)
	for limit != 0 {
		i := strings.LastIndex(t.s[:end], sep)
		if i < 0 {
			break
		}
		parts = append(parts, t.slice(i+len(sep), end))
		end = i
		limit--
	}
	parts = append(parts, t.slice(0, end))
	slices.Reverse(parts)
	return parts
}

// fields splits at runs of white space, at most limit times, as Python does: the last
// part keeps its white space on the far side.
func (t Text) fields(limit int, fromRight bool) []Text {
	if fromRight {
		return t.fieldsRight(limit)
	}
	var parts []Text
	rest := t.trim(isSpace, true, false)
	for rest.s != "" {
		i := strings.IndexFunc(rest.s, isSpace)
		if i < 0 || limit == 0 {
			if limit != 0 {
				i = len(rest.s)
			} else {
				return append(parts, rest)
			}
		}
		parts = append(parts, rest.slice(0, i))
		rest = rest.slice(i, len(rest.s)).trim(isSpace, true, false)
		limit--
	}
	return parts
}

func (t Text) fieldsRight(limit int) []Text {
	var parts []Text
	rest := t.trim(isSpace, false, true)
	for rest.s != "" {
		i := strings.LastIndexFunc(rest.s, isSpace)
		if limit == 0 {
			i = -1
		} else if i >= 0 {
			_, size := utf8.DecodeRuneInString(rest.s[i:])
			i += size - 1
		}
		parts = append(parts, rest.slice(i+1, len(rest.s)))
		rest = rest.slice(0, i+1)
		if limit == 0 {
			break
		}
		rest = rest.trim(isSpace, false, true)
		limit--
	}
	slices.Reverse(parts)
	return parts
}

// isLineEnd is what Python's splitlines splits at.
func isLineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

func splitLines(m *machine, t Text, keepEnds bool) []Text {
	var lines []Text
	for at := 0; at < len(t.s); {
		i := strings.IndexFunc(t.s[at:], isLineEnd)
		if i < 0 {
			return append(lines, t.slice(at, len(t.s)))
		}
		_, size := utf8.DecodeRuneInString(t.s[at+i:])
		if strings.HasPrefix(t.s[at+i:], "\r\n") {
			size = 2
		}
		end := at + i
		if keepEnds {
			end += size
		}
		m.alloc(32)
		lines = append(lines, t.slice(at, end))
		at += i + size
	}
	return lines
}

func expandTabs(m *machine, t Text, size int) Text {
	column := 0
	return t.mapRunes(m, func(_ int, r rune) string {
		switch {
		case r == '\t' && size > 0:
			n := size - column%size
			m.alloc(n)
			column += n
			return strings.Repeat(" ", n)
		case r == '\t':
			return ""
		case r == '\n' || r == '\r':
			column = -1
		}
		column++
		return string(r)
	})
}
