package ir

import "strings"

// tokenKind says what a token is.
type tokenKind int

const (
	endToken    tokenKind = iota
	wordToken             // stablehlo.add, dims, #stablehlo.gather, ^bb0
	valueToken            // %name, without the sign
	symbolToken           // @name, without the sign
	numberToken           // -1, 0.5, 1.0e-05, 0x7F80
	stringToken           // the content of a quoted string
	punctToken            // one character, or ->
)

// token is a piece of the text; start and end are its offsets.
type token struct {
	kind       tokenKind
	text       string
	start, end int
}

// scan is the token at or after offset at; what is none becomes a punctToken.
func scan(text string, at int) token {
	at = skipSpace(text, at)
	if at == len(text) {
		return token{endToken, "end of text", at, at}
	}
	rest := text[at:]
	cut := func(kind tokenKind, skip, n int) token {
		return token{kind, rest[skip:n], at, at + n}
	}
	switch c := rest[0]; {
	case isLetter(c):
		return cut(wordToken, 0, wordEnd(rest, 1))
	case (c == '#' || c == '^') && len(rest) > 1 && isLetter(rest[1]):
		return cut(wordToken, 0, wordEnd(rest, 2))
	case c == '%':
		return cut(valueToken, 1, wordEnd(rest, 1))
	case c == '@':
		return cut(symbolToken, 1, wordEnd(rest, 1))
	case isDigit(c), c == '-' && len(rest) > 1 && isDigit(rest[1]):
		return cut(numberToken, 0, numberEnd(rest))
	case c == '"':
		if n, content, ok := unquote(rest); ok {
			return token{stringToken, content, at, at + n}
		}
	case strings.HasPrefix(rest, "->"):
		return cut(punctToken, 0, 2)
	}
	return cut(punctToken, 0, 1)
}

// skipSpace skips white space and comments.
func skipSpace(text string, at int) int {
	for at < len(text) {
		switch {
		case strings.IndexByte(" \t\r\n", text[at]) >= 0:
			at++
		case strings.HasPrefix(text[at:], "//"):
			n := strings.IndexByte(text[at:], '\n')
			if n < 0 {
				return len(text)
			}
			at += n
		default:
			return at
		}
	}
	return at
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// wordEnd is the end of the name characters from i on: letters, digits, $ . - _;
// a - that begins an arrow is none.
func wordEnd(s string, i int) int {
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || strings.IndexByte("$.-", s[i]) >= 0) &&
		!strings.HasPrefix(s[i:], "->") {
		i++
	}
	return i
}

// numberEnd is the end of the number that s begins with.
func numberEnd(s string) int {
	digits := func(i int, ok func(byte) bool) int {
		for i < len(s) && ok(s[i]) {
			i++
		}
		return i
	}
	if strings.HasPrefix(s, "0x") {
		return digits(2, func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' })
	}
	i := digits(1, isDigit)
	if i == len(s) || s[i] != '.' {
		return i
	}
	i = digits(i+1, isDigit)
	if i < len(s) && s[i]|0x20 == 'e' {
		exp := i + 1
		if exp < len(s) && (s[exp] == '-' || s[exp] == '+') {
			exp++
		}
		if end := digits(exp, isDigit); end > exp {
			return end
		}
	}
	return i
}

// unquote reads the quoted string that s begins with: its length and content.
func unquote(s string) (n int, content string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return i + 1, b.String(), true
		case '\n':
			return 0, "", false
		case '\\':
			if i+2 >= len(s) {
				return 0, "", false
			}
			hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
			if hi < 0 || lo < 0 {
				return 0, "", false
			}
			b.WriteByte(byte(hi<<4 | lo))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return 0, "", false
}

// hexDigit is the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
