package tokenizer

import "sort"

// specials says where special tokens are found in a text: nowhere, or everywhere but
// in the literal ranges.
type specials struct {
	parse   bool
	literal [][2]int // [from, to), rising and disjoint
}

// in reports whether a special token may lie at [from, to).
func (s specials) in(from, to int) bool {
	if !s.parse {
		return false
	}
	i := sort.Search(len(s.literal), func(i int) bool { return s.literal[i][1] > from })
	return i == len(s.literal) || s.literal[i][0] >= to
}

// part is the same for the text's bytes [from, to) on their own.
func (s specials) part(from, to int) specials {
	if s.literal == nil {
		return s
	}
	out := specials{parse: s.parse}
	first := sort.Search(len(s.literal), func(i int) bool { return s.literal[i][1] > from })
	for _, r := range s.literal[first:] {
		if r[0] >= to {
			break
		}
		out.literal = append(out.literal, [2]int{max(r[0], from) - from, min(r[1], to) - from})
	}
	return out
}

// parts calls f with the stretches of n bytes in which special tokens are found
// everywhere or nowhere.
func (s specials) parts(n int, f func(from, to int, parse bool)) {
	if !s.parse {
		f(0, n, false)
		return
	}
	at := 0
	for _, r := range s.literal {
		if at < r[0] {
			f(at, r[0], true)
		}
		f(r[0], r[1], false)
		at = r[1]
	}
	if at < n {
		f(at, n, true)
	}
}
