package tokenizer

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
)

// Split patterns are written for Oniguruma. goSyntax rewrites one into the syntax of
// package regexp/syntax with the same meaning, and refuses by name what it can't say.
//
// One lookahead is supported, `(?!\S)`, by which the families keep the last space of
// a run for the word that follows. Go has no lookahead, so it is spelled `\B` (an
// assertion that patterns may not use otherwise) and the automaton evaluates it with
// the next rune in hand; see dfaBuilder.
const (
	lookahead     = `(?!\S)`
	lookaheadInGo = `\B`
	opLookahead   = syntax.EmptyNoWordBoundary
)

// White space by Unicode, as Oniguruma's \s has it; Go's \s is ASCII.
var (
	spaceClass    = classText(unicode.White_Space)
	nonSpaceClass = classText(complement(unicode.White_Space))
)

// escapes are the letters that may follow a backslash: what they become, outside of a
// character class and in one. Punctuation stands for itself.
var escapes = map[byte]struct{ outside, inside string }{
	's': {"[" + spaceClass + "]", spaceClass},
	'S': {"[" + nonSpaceClass + "]", nonSpaceClass},
	'd': {`\p{Nd}`, `\p{Nd}`},
	'D': {`\P{Nd}`, `\P{Nd}`},
	'n': {`\n`, `\n`},
	'r': {`\r`, `\r`},
	't': {`\t`, `\t`},
	'f': {`\f`, `\f`},
	'v': {`\v`, `\v`},
	'x': {`\x`, `\x`},
	'p': {`\p`, `\p`},
	'P': {`\P`, `\P`},
}

// groups are the ways in which a group may begin.
var groups = []string{"(?:", "(?i:", "(?-i:"}

func goSyntax(pattern string) (string, error) {
	r := rewriter{rest: pattern}
	for r.rest != "" && r.err == nil {
		if r.inClass {
			r.class()
		} else {
			r.outside()
		}
	}
	if r.err != nil {
		return "", fmt.Errorf("pattern %q: %w", pattern, r.err)
	}
	return r.out.String(), nil
}

// rewriter walks over a pattern, one element at a time.
type rewriter struct {
	rest       string
	out        strings.Builder
	inClass    bool
	classStart bool // nothing of the class but its bracket and caret seen yet
	err        error
}

func (r *rewriter) copy(n int) {
	r.out.WriteString(r.rest[:n])
	r.rest = r.rest[n:]
}

func (r *rewriter) refuse(what string) {
	r.err = fmt.Errorf("%s is not supported", what)
}

func (r *rewriter) outside() {
	switch {
	case r.rest[0] == '\\':
		r.escape()
	case strings.HasPrefix(r.rest, lookahead):
		r.out.WriteString(lookaheadInGo)
		r.rest = r.rest[len(lookahead):]
	case strings.HasPrefix(r.rest, "(?"):
		r.group()
	case r.rest[0] == '^' || r.rest[0] == '$':
		r.refuse("anchor " + r.rest[:1])
	case strings.HasPrefix(r.rest, "{,"):
		r.refuse("repetition without a lower bound")
	case r.rest[0] == '[':
		n := 1
		if strings.HasPrefix(r.rest, "[^") {
			n = 2
		}
		r.copy(n)
		r.inClass, r.classStart = true, true
	default:
		r.copy(1)
	}
}

func (r *rewriter) class() {
	start := r.classStart
	r.classStart = false
	switch {
	case r.rest[0] == '\\':
		r.escape()
	case r.rest[0] == '[':
		r.refuse("a class inside a class")
	case strings.HasPrefix(r.rest, "&&"):
		r.refuse("class intersection (&&)")
	case r.rest[0] == ']' && start:
		r.refuse("an empty class")
	case r.rest[0] == ']':
		r.copy(1)
		r.inClass = false
	default:
		r.copy(1)
	}
}

func (r *rewriter) group() {
	for _, g := range groups {
		if strings.HasPrefix(r.rest, g) {
			r.copy(len(g))
			return
		}
	}
	r.refuse(fmt.Sprintf("group %q (of lookarounds only %s is)", r.rest[:min(len(r.rest), 4)], lookahead))
}

func (r *rewriter) escape() {
	if len(r.rest) < 2 {
		r.refuse("a backslash at the end")
		return
	}
	c := r.rest[1]
	e, known := escapes[c]
	switch {
	case known && r.inClass:
		r.out.WriteString(e.inside)
	case known:
		r.out.WriteString(e.outside)
	case isASCIIPunct(c):
		r.out.WriteString(r.rest[:2])
	default:
		r.refuse(`escape \` + r.rest[1:2])
		return
	}
	r.rest = r.rest[2:]
}

func isASCIIPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// classText spells a range table as the inside of a character class.
func classText(t *unicode.RangeTable) string {
	var b strings.Builder
	for _, r := range runeRanges(t) {
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, r[0], r[1])
	}
	return b.String()
}

// runeRanges lists the ranges of a table whose strides are all one or short.
func runeRanges(t *unicode.RangeTable) [][2]rune {
	var out [][2]rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, [2]rune{lo, hi})
			return
		}
		for c := lo; c <= hi; c += stride {
			out = append(out, [2]rune{c, c})
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}

// complement returns the runes that t lacks.
func complement(t *unicode.RangeTable) *unicode.RangeTable {
	c := &unicode.RangeTable{}
	next := rune(0)
	add := func(hi rune) {
		if next <= hi {
			c.R32 = append(c.R32, unicode.Range32{Lo: uint32(next), Hi: uint32(hi), Stride: 1})
		}
	}
	for _, r := range runeRanges(t) {
		add(r[0] - 1)
		next = r[1] + 1
	}
	add(unicode.MaxRune)
	return c
}
