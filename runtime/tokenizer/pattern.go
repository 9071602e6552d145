package tokenizer

import (
	"fmt"
	"regexp/syntax"
	"strings"
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

// classes are the letters that stand for a class after a backslash, and whether for
// what it lacks.
var classes = map[byte]struct {
	name    string
	negated bool
}{
	's': {"hf:space", false},
	'S': {"hf:space", true},
	'd': {"Nd", false},
	'D': {"Nd", true},
}

// escapes are the letters that mean the same to Go after a backslash. Punctuation
// stands for itself.
const escapes = "nrtfvxpP"

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
	class, ok := classes[c]
	switch {
	case ok:
		r.set(mustSet(class.name), class.negated)
		r.rest = r.rest[2:]
	case (c == 'p' || c == 'P') && r.property():
	case strings.IndexByte(escapes, c) >= 0 || isASCIIPunct(c):
		r.copy(2)
	default:
		r.refuse(`escape \` + r.rest[1:2])
	}
}

func isASCIIPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// property rewrites \p{Name}, \P{Name} or \p{^Name} where we know the class as HF has
// it; others, such as scripts, are left to package regexp/syntax.
func (r *rewriter) property() bool {
	name, _, ok := strings.Cut(r.rest[2:], "}")
	if !ok || !strings.HasPrefix(name, "{") {
		return false
	}
	size := len(`\p`) + len(name) + len("}")
	name, negated := strings.CutPrefix(name[1:], "^")
	set, ok := unicodeSet(name)
	if !ok {
		return false
	}
	r.set(set, negated != (r.rest[1] == 'P'))
	r.rest = r.rest[size:]
	return true
}

// set writes a class or what it lacks, or the inside of that.
func (r *rewriter) set(s runeSet, negated bool) {
	if negated {
		s = s.complement()
	}
	text := s.class()
	if !r.inClass {
		text = "[" + text + "]"
	}
	r.out.WriteString(text)
}
