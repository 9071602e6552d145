package jinja

import (
	"strings"
	"unicode"
)

func upper(m *machine, t Text) Text {
	return t.mapRunes(m, func(_ int, r rune) string { return upperRune(r) })
}

// lower is Python's str.lower, with the sigma at the end of a word.
func lower(m *machine, t Text) Text {
	return t.mapRunes(m, func(i int, r rune) string {
		if r == 'Σ' && endsWord(t.s, i) {
			return "ς"
		}
		return lowerRune(r)
	})
}

// endsWord reports whether a letter stands before byte i of s and none behind its
// character, with what doesn't count for case in between (Unicode's Final_Sigma).
func endsWord(s string, i int) bool {
	before := strings.TrimRightFunc(s[:i], caseIgnorable)
	after := strings.TrimLeftFunc(s[i+len("Σ"):], caseIgnorable)
	last := []rune(lastRune(before))
	first := []rune(firstRune(after))
	return len(last) > 0 && isCased(last[0]) && !(len(first) > 0 && isCased(first[0]))
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func lastRune(s string) string {
	out := ""
	if i := strings.LastIndexFunc(s, func(rune) bool { return true }); i >= 0 {
		out = s[i:]
	}
	return out
}

func caseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·‘’․", r)
}

func isCased(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) }

// upperRune is the upper case of a character, which may be several.
func upperRune(r rune) string {
	if s, ok := upperCases[r]; ok {
		return s
	}
	return string(unicode.ToUpper(r))
}

func titleRune(r rune) string {
	if s, ok := titleCases[r]; ok {
		return s
	}
	if s, ok := upperCases[r]; ok {
		return s
	}
	return string(unicode.ToTitle(r))
}

func lowerRune(r rune) string {
	if r == 'İ' {
		return "i̇"
	}
	return string(unicode.ToLower(r))
}

func casefold(m *machine, t Text) Text {
	return t.mapRunes(m, func(_ int, r rune) string {
		if s, ok := upperCases[r]; ok {
			return strings.ToLower(s)
		}
		if r == 'ς' {
			return "σ"
		}
		return lowerRune(r)
	})
}

// capitalize is Python's str.capitalize.
func capitalize(m *machine, t Text) Text {
	rest := lower(m, t)
	if t.s == "" {
		return rest
	}
	n := len(firstRune(t.s))
	first := t.slice(0, n).mapRunes(m, func(_ int, r rune) string { return titleRune(r) })
	return m.concat(first, rest.slice(len(lowerRune([]rune(t.s[:n])[0])), len(rest.s)))
}

// title is Python's str.title: a letter after anything but a letter is a capital.
func title(m *machine, t Text) Text {
	inWord := false
	return t.mapRunes(m, func(_ int, r rune) string {
		was := inWord
		inWord = isCased(r)
		if was {
			return lowerRune(r)
		}
		return titleRune(r)
	})
}

func isUpper(s string) bool {
	return strings.IndexFunc(s, unicode.IsUpper) >= 0 && strings.IndexFunc(s, func(r rune) bool { return unicode.IsLower(r) || unicode.IsTitle(r) }) < 0
}

func isLower(s string) bool {
	return strings.IndexFunc(s, unicode.IsLower) >= 0 && strings.IndexFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }) < 0
}

// upperCases are the characters whose upper case is several (Unicode's SpecialCasing),
// titleCases those whose title case isn't that.
var (
	upperCases = map[rune]string{'ß': "SS", 'ŉ': "ʼN", 'ǰ': "J̌", 'ΐ': "Ϊ́", 'ΰ': "Ϋ́", 'և': "ԵՒ", 'ẖ': "H̱", 'ẗ': "T̈", 'ẘ': "W̊", 'ẙ': "Y̊",
		'ẚ': "Aʾ", 'ﬀ': "FF", 'ﬁ': "FI", 'ﬂ': "FL", 'ﬃ': "FFI", 'ﬄ': "FFL", 'ﬅ': "ST", 'ﬆ': "ST"}
	titleCases = map[rune]string{'ß': "Ss", 'և': "Եւ", 'ﬀ': "Ff", 'ﬁ': "Fi", 'ﬂ': "Fl", 'ﬃ': "Ffi", 'ﬄ': "Ffl", 'ﬅ': "St", 'ﬆ': "St"}
)
