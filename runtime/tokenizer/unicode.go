package tokenizer

import (
	_ "embed"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// unicodeText holds the character classes of HF's tokenizers, one a line: its name (that
// of a general category, or hf:…) and ranges of code points in hexadecimal. They are not those of package unicode: each of
// HF's libraries has a version of Unicode of its own. It is made by
// testdata/unicode.py.
//
//go:embed unicode.txt
var unicodeText string

// runeSet is a sorted list of inclusive ranges.
type runeSet [][2]rune

func (s runeSet) has(r rune) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i][1] >= r })
	return i < len(s) && s[i][0] <= r
}

// class spells the set as the inside of a character class.
func (s runeSet) class() string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, r[0], r[1])
	}
	return b.String()
}

// complement returns the runes that s lacks.
func (s runeSet) complement() runeSet {
	var out runeSet
	next := rune(0)
	for _, r := range append(s, [2]rune{maxRune + 1, maxRune}) {
		if next < r[0] {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	return out
}

// maxRune is the last code point.
const maxRune = 0x10FFFF

// unicodeLines are the lines of unicodeText by name.
var unicodeLines = sync.OnceValue(func() map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(unicodeText) {
		if name, text, _ := strings.Cut(strings.TrimSpace(line), " "); name != "#" {
			lines[name] = text
		}
	}
	return lines
})

var unicodeSets sync.Map // name → runeSet

// unicodeSet returns a class of unicodeText; ok is false if there is none of the name.
func unicodeSet(name string) (s runeSet, ok bool) {
	if known, ok := unicodeSets.Load(name); ok {
		return known.(runeSet), true
	}
	text, ok := unicodeLines()[name]
	if !ok || strings.HasPrefix(name, "map:") {
		return nil, false
	}
	for _, field := range strings.Fields(text) {
		first, last, more := strings.Cut(field, "-")
		if !more {
			last = first
		}
		s = append(s, [2]rune{hex(first), hex(last)})
	}
	unicodeSets.Store(name, s)
	return s, true
}

// mustSet is a class that unicodeText has.
func mustSet(name string) runeSet {
	s, ok := unicodeSet(name)
	if !ok {
		panic("tokenizer: unicode.txt has no class " + name)
	}
	return s
}

// inSet is membership in a class that is read when it is first asked for.
func inSet(name string) func(rune) bool {
	set := sync.OnceValue(func() runeSet { return mustSet(name) })
	return func(r rune) bool { return set().has(r) }
}

// lowerRun are the code points first, first+step, … last, whose lower-case form is
// offset further on.
type lowerRun struct{ first, last, step, offset rune }

var lowerRuns = sync.OnceValue(func() (runs []lowerRun) {
	for _, field := range strings.Fields(unicodeLines()["map:lower"]) {
		at := strings.IndexByte(field, '/')
		sign := at + 2 // steps have one digit
		first, last, _ := strings.Cut(field[:at], "-")
		offset, err := strconv.ParseInt(field[sign:], 16, 32)
		if err != nil {
			panic(err)
		}
		runs = append(runs, lowerRun{hex(first), hex(last), rune(field[at+1] - '0'), rune(offset)})
	}
	return runs
})

// toLower is the lower-case form of a rune but U+0130, which has two runes.
func toLower(r rune) rune {
	runs := lowerRuns()
	i := sort.Search(len(runs), func(i int) bool { return runs[i].last >= r })
	if i < len(runs) && runs[i].first <= r && (r-runs[i].first)%runs[i].step == 0 {
		return r + runs[i].offset
	}
	return r
}

func hex(s string) rune {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		panic(err)
	}
	return rune(n)
}
