package cli

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable is s in one line, with what would steer a terminal or hide text escaped as
// in a Go string: names in checkpoints and bundles come from anywhere.
func Printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// message is an error in one line. Joined errors have a line each.
func message(err error) string {
	return Printable(strings.ReplaceAll(err.Error(), "\n", "; "))
}
