package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// simpleEscapes are Python's escapes of one character.
var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// hexEscapes are the numbers of digits that follow.
var hexEscapes = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescape reads the inside of a string literal as Python does; a backslash before
// any other character stays.
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:i])
		c := s[i+1]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i+1:])
			b.WriteString(escapedTwice(r))
			s = s[i+1+size:]
			continue
		}
		s = s[i+2:]
		if out, ok := simpleEscapes[c]; ok {
			b.WriteString(out)
			continue
		}
		n, base, digits := hexEscapes[c], 16, s
		if c >= '0' && c <= '7' {
			digits = string(c) + s
			n, base = octalDigits(digits), 8
		}
		switch {
		case c == 'N':
			return "", fmt.Errorf(`\N{…} is not supported: write the character itself`)
		case n == 0:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		case len(digits) < n:
			return "", fmt.Errorf(`\%c needs %d digits`, c, n)
		}
		code, err := strconv.ParseUint(digits[:n], base, 32)
		if err != nil || !utf8.ValidRune(rune(code)) {
			return "", fmt.Errorf(`\%c%s is no character`, c, digits[:n])
		}
		b.WriteRune(rune(code))
		s = digits[n:]
	}
}

// escapedTwice is what Python makes of a backslash before a character beyond ASCII: it
// escapes the character first, so that the backslash is that of a backslash.
func escapedTwice(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func octalDigits(s string) int {
	n := 0
	for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	return n
}
