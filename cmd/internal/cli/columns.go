package cli

import (
	"unicode"

	"golang.org/x/text/width"
)

// RuneColumns is how many columns a terminal takes for a printable character (Unicode,
// UAX #11): none for what is drawn into the character before it.
func RuneColumns(r rune) int {
	if r >= 0x1160 && r <= 0x11FF || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0 // the range is Hangul's vowels and final consonants
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
