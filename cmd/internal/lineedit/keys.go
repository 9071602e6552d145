package lineedit

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key is one press, or one paste.
type key struct {
	name string // of names, or "text"
	text []rune // of "text"
}

// names of the keys, by what terminals send: control characters, and the sequences of
// xterm, the Linux console and rxvt.
var names = map[string]string{
	"\r": "enter", "\n": "enter",
	"\x03": "interrupt",
	"\x04": "delete or end",

	"\x02": "left", "\x1b[D": "left", "\x1bOD": "left",
	"\x06": "right", "\x1b[C": "right", "\x1bOC": "right",
	"\x10": "previous", "\x1b[A": "previous", "\x1bOA": "previous",
	"\x0e": "next", "\x1b[B": "next", "\x1bOB": "next",
	"\x01": "home", "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
	"\x05": "end", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
	"\x1bb": "word left", "\x1b[1;3D": "word left", "\x1b[1;5D": "word left",
	"\x1bf": "word right", "\x1b[1;3C": "word right", "\x1b[1;5C": "word right",

	"\x7f": "backspace", "\x08": "backspace",
	"\x1b[3~": "delete",
	"\x17":    "delete word", "\x1b\x7f": "delete word",
	"\x0b": "delete to end",
	"\x15": "delete to start",
	"\x0c": "clear screen",

	"\x1b\r": "new line", "\x1b\n": "new line", // Alt and Enter
	"\x1b[200~": "paste",
}

// parser cuts the bytes of a terminal into keys.
type parser struct {
	bytes   []byte
	pasting bool // between what terminals send before and after pasted text
}

// pasteEnd is what a terminal sends after pasted text.
const pasteEnd = "\x1b[201~"

func (p *parser) feed(b []byte) { p.bytes = append(p.bytes, b...) }

// next returns the next key that is complete; a paste comes in pieces.
func (p *parser) next() (key, bool) {
	if p.pasting {
		return p.paste()
	}
	n := sequence(p.bytes)
	if n == 0 {
		return key{}, false
	}
	sent := string(p.bytes[:n])
	p.take(n)
	switch name := names[sent]; {
	case name == "paste":
		p.pasting = true
		return p.paste()
	case name == "new line":
		return key{"text", []rune{'\n'}}, true
	case name == "" && (sent[0] >= ' ' || sent[0] == '\t'):
		return key{"text", []rune(sent)}, true
	default:
		return key{name: name}, true
	}
}

// paste returns as much of a pasted text as is certain: what may be a part of its end,
// of a character or of a line end waits.
func (p *parser) paste() (key, bool) {
	n, after := bytes.Index(p.bytes, []byte(pasteEnd)), len(pasteEnd)
	p.pasting = n < 0
	if p.pasting {
		n, after = max(0, len(p.bytes)-len(pasteEnd)), 0
		for n > 0 && (p.bytes[n-1] == '\r' || !utf8.RuneStart(p.bytes[n])) {
			n--
		}
		if n == 0 {
			return key{}, false
		}
	}
	text := pasted(string(p.bytes[:n]))
	p.take(n + after)
	return key{"text", text}, true
}

// take removes the first n bytes.
func (p *parser) take(n int) {
	p.bytes = p.bytes[n:]
	if len(p.bytes) == 0 {
		p.bytes = nil
	}
}

// sequence is the length of the character or escape sequence that b begins with, 0 if
// more bytes belong to it.
func sequence(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case b[0] != '\x1b':
		if !utf8.FullRune(b) {
			return 0
		}
		_, n := utf8.DecodeRune(b)
		return n
	case len(b) == 1:
		return 0
	case b[1] == 'O':
		if len(b) == 2 {
			return 0
		}
		return 3
	case b[1] != '[':
		n := sequence(b[1:])
		if n == 0 {
			return 0
		}
		return 1 + n
	}
	for i := 2; i < len(b); i++ { // CSI ends with the first of @ … ~
		if b[i] >= '@' && b[i] <= '~' {
			return i + 1
		}
	}
	return 0
}

// pasted is text as a terminal sends it, with its own line ends, and without what would
// steer a terminal.
func pasted(s string) []rune {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s))
}
