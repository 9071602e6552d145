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
	return string(unicode.ToTitle(r))
}

func lowerRune(r rune) string {
	if r == 'İ' {
		return "i̇"
	}
	return string(unicode.ToLower(r))
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

// isUpper and isLower are Python's str.isupper and str.islower: some letter is, and none
// is of another case.
func isUpper(s string) bool { return hasCase(s, isUpperRune, isLowerRune) }

func isLower(s string) bool { return hasCase(s, isLowerRune, isUpperRune) }

func hasCase(s string, is, isnt func(rune) bool) bool {
	return strings.IndexFunc(s, is) >= 0 && strings.IndexFunc(s, func(r rune) bool { return isnt(r) || unicode.IsTitle(r) }) < 0
}

func isUpperRune(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }

func isLowerRune(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// upperCases are the characters whose upper case is several (Unicode's SpecialCasing),
// titleCases the title cases of those, and others that are several.
var (
	upperCases = map[rune]string{
		'ß': "SS", 'ŉ': "ʼN", 'ǰ': "J\u030c", '\u0390': "\u0399\u0308\u0301", '\u03b0': "\u03a5\u0308\u0301", '\u0587': "\u0535\u0552",
		'\u1e96': "H\u0331", '\u1e97': "T\u0308", '\u1e98': "W\u030a", '\u1e99': "Y\u030a", '\u1e9a': "Aʾ", '\u1f50': "\u03a5\u0313",
		'\u1f52': "\u03a5\u0313\u0300", '\u1f54': "\u03a5\u0313\u0301", '\u1f56': "\u03a5\u0313\u0342", '\u1f80': "\u1f08\u0399", '\u1f81': "\u1f09\u0399",
		'\u1f82': "\u1f0a\u0399", '\u1f83': "\u1f0b\u0399", '\u1f84': "\u1f0c\u0399", '\u1f85': "\u1f0d\u0399", '\u1f86': "\u1f0e\u0399",
		'\u1f87': "\u1f0f\u0399", '\u1f88': "\u1f08\u0399", '\u1f89': "\u1f09\u0399", '\u1f8a': "\u1f0a\u0399", '\u1f8b': "\u1f0b\u0399",
		'\u1f8c': "\u1f0c\u0399", '\u1f8d': "\u1f0d\u0399", '\u1f8e': "\u1f0e\u0399", '\u1f8f': "\u1f0f\u0399", '\u1f90': "\u1f28\u0399",
		'\u1f91': "\u1f29\u0399", '\u1f92': "\u1f2a\u0399", '\u1f93': "\u1f2b\u0399", '\u1f94': "\u1f2c\u0399", '\u1f95': "\u1f2d\u0399",
		'\u1f96': "\u1f2e\u0399", '\u1f97': "\u1f2f\u0399", '\u1f98': "\u1f28\u0399", '\u1f99': "\u1f29\u0399", '\u1f9a': "\u1f2a\u0399",
		'\u1f9b': "\u1f2b\u0399", '\u1f9c': "\u1f2c\u0399", '\u1f9d': "\u1f2d\u0399", '\u1f9e': "\u1f2e\u0399", '\u1f9f': "\u1f2f\u0399",
		'\u1fa0': "\u1f68\u0399", '\u1fa1': "\u1f69\u0399", '\u1fa2': "\u1f6a\u0399", '\u1fa3': "\u1f6b\u0399", '\u1fa4': "\u1f6c\u0399",
		'\u1fa5': "\u1f6d\u0399", '\u1fa6': "\u1f6e\u0399", '\u1fa7': "\u1f6f\u0399", '\u1fa8': "\u1f68\u0399", '\u1fa9': "\u1f69\u0399",
		'\u1faa': "\u1f6a\u0399", '\u1fab': "\u1f6b\u0399", '\u1fac': "\u1f6c\u0399", '\u1fad': "\u1f6d\u0399", '\u1fae': "\u1f6e\u0399",
		'\u1faf': "\u1f6f\u0399", '\u1fb2': "\u1fba\u0399", '\u1fb3': "\u0391\u0399", '\u1fb4': "\u0386\u0399", '\u1fb6': "\u0391\u0342",
		'\u1fb7': "\u0391\u0342\u0399", '\u1fbc': "\u0391\u0399", '\u1fc2': "\u1fca\u0399", '\u1fc3': "\u0397\u0399", '\u1fc4': "\u0389\u0399",
		'\u1fc6': "\u0397\u0342", '\u1fc7': "\u0397\u0342\u0399", '\u1fcc': "\u0397\u0399", '\u1fd2': "\u0399\u0308\u0300", '\u1fd3': "\u0399\u0308\u0301",
		'\u1fd6': "\u0399\u0342", '\u1fd7': "\u0399\u0308\u0342", '\u1fe2': "\u03a5\u0308\u0300", '\u1fe3': "\u03a5\u0308\u0301", '\u1fe4': "\u03a1\u0313",
		'\u1fe6': "\u03a5\u0342", '\u1fe7': "\u03a5\u0308\u0342", '\u1ff2': "\u1ffa\u0399", '\u1ff3': "\u03a9\u0399", '\u1ff4': "\u038f\u0399",
		'\u1ff6': "\u03a9\u0342", '\u1ff7': "\u03a9\u0342\u0399", '\u1ffc': "\u03a9\u0399", '\ufb00': "FF", '\ufb01': "FI", '\ufb02': "FL",
		'\ufb03': "FFI", '\ufb04': "FFL", '\ufb05': "ST", '\ufb06': "ST", '\ufb13': "\u0544\u0546", '\ufb14': "\u0544\u0535", '\ufb15': "\u0544\u053b",
		'\ufb16': "\u054e\u0546", '\ufb17': "\u0544\u053d",
	}
	titleCases = map[rune]string{
		'ß': "Ss", 'ŉ': "ʼN", 'ǰ': "J\u030c", '\u0390': "\u0399\u0308\u0301", '\u03b0': "\u03a5\u0308\u0301", '\u0587': "\u0535\u0582",
		'\u1e96': "H\u0331", '\u1e97': "T\u0308", '\u1e98': "W\u030a", '\u1e99': "Y\u030a", '\u1e9a': "Aʾ", '\u1f50': "\u03a5\u0313",
		'\u1f52': "\u03a5\u0313\u0300", '\u1f54': "\u03a5\u0313\u0301", '\u1f56': "\u03a5\u0313\u0342", '\u1f80': "\u1f88", '\u1f81': "\u1f89",
		'\u1f82': "\u1f8a", '\u1f83': "\u1f8b", '\u1f84': "\u1f8c", '\u1f85': "\u1f8d", '\u1f86': "\u1f8e", '\u1f87': "\u1f8f", '\u1f88': "\u1f88",
		'\u1f89': "\u1f89", '\u1f8a': "\u1f8a", '\u1f8b': "\u1f8b", '\u1f8c': "\u1f8c", '\u1f8d': "\u1f8d", '\u1f8e': "\u1f8e", '\u1f8f': "\u1f8f",
		'\u1f90': "\u1f98", '\u1f91': "\u1f99", '\u1f92': "\u1f9a", '\u1f93': "\u1f9b", '\u1f94': "\u1f9c", '\u1f95': "\u1f9d", '\u1f96': "\u1f9e",
		'\u1f97': "\u1f9f", '\u1f98': "\u1f98", '\u1f99': "\u1f99", '\u1f9a': "\u1f9a", '\u1f9b': "\u1f9b", '\u1f9c': "\u1f9c", '\u1f9d': "\u1f9d",
		'\u1f9e': "\u1f9e", '\u1f9f': "\u1f9f", '\u1fa0': "\u1fa8", '\u1fa1': "\u1fa9", '\u1fa2': "\u1faa", '\u1fa3': "\u1fab", '\u1fa4': "\u1fac",
		'\u1fa5': "\u1fad", '\u1fa6': "\u1fae", '\u1fa7': "\u1faf", '\u1fa8': "\u1fa8", '\u1fa9': "\u1fa9", '\u1faa': "\u1faa", '\u1fab': "\u1fab",
		'\u1fac': "\u1fac", '\u1fad': "\u1fad", '\u1fae': "\u1fae", '\u1faf': "\u1faf", '\u1fb2': "\u1fba\u0345", '\u1fb3': "\u1fbc",
		'\u1fb4': "\u0386\u0345", '\u1fb6': "\u0391\u0342", '\u1fb7': "\u0391\u0342\u0345", '\u1fbc': "\u1fbc", '\u1fc2': "\u1fca\u0345",
		'\u1fc3': "\u1fcc", '\u1fc4': "\u0389\u0345", '\u1fc6': "\u0397\u0342", '\u1fc7': "\u0397\u0342\u0345", '\u1fcc': "\u1fcc",
		'\u1fd2': "\u0399\u0308\u0300", '\u1fd3': "\u0399\u0308\u0301", '\u1fd6': "\u0399\u0342", '\u1fd7': "\u0399\u0308\u0342",
		'\u1fe2': "\u03a5\u0308\u0300", '\u1fe3': "\u03a5\u0308\u0301", '\u1fe4': "\u03a1\u0313", '\u1fe6': "\u03a5\u0342", '\u1fe7': "\u03a5\u0308\u0342",
		'\u1ff2': "\u1ffa\u0345", '\u1ff3': "\u1ffc", '\u1ff4': "\u038f\u0345", '\u1ff6': "\u03a9\u0342", '\u1ff7': "\u03a9\u0342\u0345",
		'\u1ffc': "\u1ffc", '\ufb00': "Ff", '\ufb01': "Fi", '\ufb02': "Fl", '\ufb03': "Ffi", '\ufb04': "Ffl", '\ufb05': "St", '\ufb06': "St",
		'\ufb13': "\u0544\u0576", '\ufb14': "\u0544\u0565", '\ufb15': "\u0544\u056b", '\ufb16': "\u054e\u0576", '\ufb17': "\u0544\u056d",
	}
)
