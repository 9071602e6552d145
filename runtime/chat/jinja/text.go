package jinja

import (
	"sort"
	"strings"
)

// Text is a string of which every byte is known to be the template's own or content:
// out of a value that the template was given. Operations on strings keep track.
type Text struct {
	s    string
	runs []run // the content: rising, disjoint, none empty
}

// run is the bytes [from, to) of a Text.
type run struct{ from, to int }

// Plain is a text of the template's own.
func Plain(s string) Text { return Text{s: s} }

// Content is a text from outside.
func Content(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{s, []run{{0, len(s)}}}
}

func (t Text) String() string { return t.s }

// Segment is a piece of text from one side.
type Segment struct {
	Text    string
	Content bool // from a value that the template was given, not from the template
}

// Segments cuts the text where content begins and ends. None is empty.
func (t Text) Segments() []Segment {
	var all []Segment
	add := func(from, to int, content bool) {
		if from < to {
			all = append(all, Segment{t.s[from:to], content})
		}
	}
	at := 0
	for _, r := range t.runs {
		add(at, r.from, false)
		add(r.from, r.to, true)
		at = r.to
	}
	add(at, len(t.s), false)
	return all
}

// slice is the bytes [from, to).
func (t Text) slice(from, to int) Text {
	out := Text{s: t.s[from:to]}
	if len(t.runs) == 0 || from == to {
		return out
	}
	first := sort.Search(len(t.runs), func(i int) bool { return t.runs[i].to > from })
	end := first + sort.Search(len(t.runs)-first, func(i int) bool { return t.runs[first+i].from >= to })
	if first == end {
		return out
	}
	out.runs = make([]run, 0, end-first)
	for _, r := range t.runs[first:end] {
		out.runs = append(out.runs, run{max(r.from, from) - from, min(r.to, to) - from})
	}
	return out
}

// isContent reports whether byte i is content.
func (t Text) isContent(i int) bool {
	k := sort.Search(len(t.runs), func(k int) bool { return t.runs[k].to > i })
	return k < len(t.runs) && t.runs[k].from <= i
}

// builder joins texts, within the limits of a machine.
type builder struct {
	m    *machine
	b    strings.Builder
	runs []run
}

func (m *machine) builder() *builder { return &builder{m: m} }

// write appends a text.
func (b *builder) write(t Text) {
	at := b.b.Len()
	b.m.alloc(len(t.s) + 16*len(t.runs))
	b.b.WriteString(t.s)
	for _, r := range t.runs {
		b.mark(at+r.from, at+r.to)
	}
}

// plain appends a string of the template's own.
func (b *builder) plain(s string) {
	b.m.alloc(len(s))
	b.b.WriteString(s)
}

// tagged appends a string that is content or not.
func (b *builder) tagged(s string, content bool) {
	at := b.b.Len()
	b.plain(s)
	if content && s != "" {
		b.mark(at, at+len(s))
	}
}

func (b *builder) mark(from, to int) {
	if n := len(b.runs); n > 0 && b.runs[n-1].to == from {
		b.runs[n-1].to = to
		return
	}
	b.runs = append(b.runs, run{from, to})
}

func (b *builder) text() Text { return Text{b.b.String(), b.runs} }

// mapRunes is the text with each character replaced, content staying content.
func (t Text) mapRunes(m *machine, f func(i int, r rune) string) Text {
	b := m.builder()
	for i, r := range t.s {
		b.tagged(f(i, r), len(t.runs) > 0 && t.isContent(i))
	}
	return b.text()
}

// isSpace is Python's str.isspace of one character.
func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r >= 0x1c && r <= ' ', r == 0x85, r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a,
		r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}

// trim cuts characters that in holds for off the ends asked for.
func (t Text) trim(in func(rune) bool, left, right bool) Text {
	s := t.s
	if left {
		s = strings.TrimLeftFunc(s, in)
	}
	from := len(t.s) - len(s)
	if right {
		s = strings.TrimRightFunc(s, in)
	}
	return t.slice(from, from+len(s))
}

// cut splits the text at each occurrence of sep, at most limit times from the left
// (limit < 0: everywhere). sep isn't empty.
func (t Text) cut(sep string, limit int) []Text {
	var parts []Text
	at := 0
	for limit != 0 {
		i := strings.Index(t.s[at:], sep)
		if i < 0 {
			break
		}
		parts = append(parts, t.slice(at, at+i))
		at += i + len(sep)
		limit--
	}
	return append(parts, t.slice(at, len(t.s)))
}

// replace puts with in place of old, at most limit times (limit < 0: everywhere). As
// in Python an empty old stands between all characters.
func (t Text) replace(m *machine, old string, with Text, limit int) Text {
	b := m.builder()
	at := 0
	if old == "" {
		for i, r := range t.s {
			if limit == 0 {
				break
			}
			b.write(with)
			at = i + len(string(r))
			b.write(t.slice(i, at))
			limit--
		}
		b.write(t.slice(at, len(t.s)))
		if limit != 0 {
			b.write(with)
		}
		return b.text()
	}
	for ; limit != 0; limit-- {
		i := strings.Index(t.s[at:], old)
		if i < 0 {
			break
		}
		b.write(t.slice(at, at+i))
		b.write(with)
		at += i + len(old)
	}
	b.write(t.slice(at, len(t.s)))
	return b.text()
}
