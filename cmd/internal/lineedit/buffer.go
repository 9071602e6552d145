package lineedit

import (
	"slices"
	"unicode"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// buffer is the message that is being typed; it may have several lines.
type buffer struct {
	text   []rune
	cursor int // 0 … len(text), before a character that has a place of its own
}

// edits are what keys do to the message.
var edits = map[string]func(*buffer){
	"left":            func(b *buffer) { b.cursor = b.previous() },
	"right":           func(b *buffer) { b.cursor = b.next() },
	"word left":       func(b *buffer) { b.cursor = b.wordStart() },
	"word right":      func(b *buffer) { b.cursor = b.wordEnd() },
	"home":            func(b *buffer) { b.cursor = b.lineStart() },
	"end":             func(b *buffer) { b.cursor = b.lineEnd() },
	"backspace":       func(b *buffer) { b.delete(b.previous()) },
	"delete":          func(b *buffer) { b.delete(b.next()) },
	"delete word":     func(b *buffer) { b.delete(b.wordStart()) },
	"delete to end":   func(b *buffer) { b.delete(b.lineEnd()) },
	"delete to start": func(b *buffer) { b.delete(b.lineStart()) },
}

// insert puts text before the cursor; it reports whether there was room.
func (b *buffer) insert(text []rune) bool {
	if len(b.text)+len(text) > maxMessage {
		return false
	}
	b.text = slices.Insert(b.text, b.cursor, text...)
	b.cursor += len(text)
	return true
}

// delete takes away what lies between the cursor and a place.
func (b *buffer) delete(place int) {
	from, to := min(place, b.cursor), max(place, b.cursor)
	b.text = slices.Delete(b.text, from, to)
	b.cursor = from
}

// previous is the place one character to the left, with all that is drawn in one place.
func (b *buffer) previous() int {
	i := max(b.cursor-1, 0)
	for i > 0 && b.joined(i) {
		i--
	}
	return i
}

// next is the place one character to the right.
func (b *buffer) next() int {
	i := min(b.cursor+1, len(b.text))
	for i < len(b.text) && b.joined(i) {
		i++
	}
	return i
}

// joined reports whether text[i] belongs to the character before it: it has no width of
// its own, or follows a zero width joiner.
func (b *buffer) joined(i int) bool {
	const zeroWidthJoiner = 0x200D
	return columns(b.text[i]) == 0 && b.text[i] != '\n' || b.text[i-1] == zeroWidthJoiner
}

func (b *buffer) wordStart() int {
	i := b.cursor
	for i > 0 && unicode.IsSpace(b.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(b.text[i-1]) {
		i--
	}
	return i
}

func (b *buffer) wordEnd() int {
	i := b.cursor
	for i < len(b.text) && unicode.IsSpace(b.text[i]) {
		i++
	}
	for i < len(b.text) && !unicode.IsSpace(b.text[i]) {
		i++
	}
	return i
}

func (b *buffer) lineStart() int {
	i := b.cursor
	for i > 0 && b.text[i-1] != '\n' {
		i--
	}
	return i
}

func (b *buffer) lineEnd() int {
	i := b.cursor
	for i < len(b.text) && b.text[i] != '\n' {
		i++
	}
	return i
}

// tab is how a tab is drawn.
const tab = "    "

// columns is how many columns of a terminal a character takes.
func columns(r rune) int {
	switch r {
	case '\t':
		return len(tab)
	case '\n':
		return 0
	}
	return cli.RuneColumns(r)
}
