package tokenizer

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in the text before the model sees it.
type addedToken struct {
	id         int32
	content    string
	special    bool // found only with ParseSpecial
	skipped    bool // left out by Decode(ids, true)
	normalized bool // found in the normalised text, else in the raw one; content is normalised
	singleWord bool // not found inside a word
	lstrip     bool // takes the white space before it along
	rstrip     bool // takes the white space after it along
}

// addedSet finds added tokens: at each position the longest one.
type addedSet struct {
	tokens []addedToken // sorted by content, which is distinct and not empty
	first  [257]int     // tokens whose content begins with byte c are first[c] … first[c+1]

	special bool // one of them is
}

// newAddedSet sorts tokens in place. Of two with one content (normalizing may make it
// so) the first one counts.
func newAddedSet(tokens []addedToken) addedSet {
	slices.SortStableFunc(tokens, func(a, b addedToken) int { return cmp.Compare(a.content, b.content) })
	tokens = slices.CompactFunc(tokens, func(a, b addedToken) bool { return a.content == b.content })
	a := addedSet{tokens: tokens, special: slices.ContainsFunc(tokens, func(t addedToken) bool { return t.special })}
	for c := range a.first {
		a.first[c] = sort.Search(len(tokens), func(i int) bool { return int(tokens[i].content[0]) >= c })
	}
	return a
}

// split calls text with the stretches s[from:to] between added tokens and token with
// the ids of those, in order. Special ones count only where special holds.
func (a *addedSet) split(s string, special func(from, to int) bool, text func(from, to int), token func(int32)) {
	done := 0 // s[:done] has been reported
	for i := 0; i < len(s) && len(a.tokens) > 0; {
		t := a.longest(s[i:])
		if t == nil {
			i++
			continue
		}
		start, end := i, i+len(t.content)
		i = end
		if t.special && !special(start, end) || t.singleWord && inWord(s, start, end) {
			continue
		}
		if t.lstrip {
			start = max(done, len(strings.TrimRightFunc(s[:start], unicode.IsSpace)))
		}
		if t.rstrip {
			end = len(s) - len(strings.TrimLeftFunc(s[end:], unicode.IsSpace))
		}
		if start > done {
			text(done, start)
		}
		token(t.id)
		done = end
	}
	if done < len(s) {
		text(done, len(s))
	}
}

// longest returns the longest token that s begins with, nil if there is none.
func (a *addedSet) longest(s string) *addedToken {
	var best *addedToken
	lo, hi := a.first[s[0]], a.first[int(s[0])+1]
	for n := 1; lo < hi; n++ { // tokens[lo:hi] begin with s[:n]
		if len(a.tokens[lo].content) == n {
			best = &a.tokens[lo]
			lo++
		}
		if n == len(s) {
			break
		}
		in := a.tokens[lo:hi]
		hi = lo + sort.Search(len(in), func(i int) bool { return in[i].content[n] > s[n] })
		lo += sort.Search(len(in), func(i int) bool { return in[i].content[n] >= s[n] })
	}
	return best
}

// inWord reports whether a word goes on before or after s[start:end].
func inWord(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return start > 0 && isWord(before) || end < len(s) && isWord(after)
}

// isWord is \w of Rust's regex.
var isWord = inSet("hf:word")
