package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// TestNFCLongRuns: more marks than package norm takes in a row. The values are those
// of Python's unicodedata.
func TestNFCLongRuns(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct{ in, want string }{
		{"a" + rep("\u0301", 40), "\u00e1" + rep("\u0301", 39)},
		{"a" + rep("\u0301", 20) + rep("\u0323", 20), "\u1ea1" + rep("\u0323", 19) + rep("\u0301", 20)},
		{"a\u0302" + rep("\u0316", 31) + "\u0301", "\u1ea5" + rep("\u0316", 31)},
		{rep("\u0301", 40), rep("\u0301", 40)},
		{"\u1100" + rep("\u1161", 12), "\uac00" + rep("\u1161", 11)},
		{"\u1100\u1161\u11a8" + rep("\u0301", 31), "\uac01" + rep("\u0301", 31)},
		{rep("\u0344", 20), rep("\u0308\u0301", 20)},
		{"x" + rep("\u0f71\u0f72", 16), "x" + rep("\u0f71", 16) + rep("\u0f72", 16)},
		{"\U00011099\U000110ba" + rep("\u0316", 31), "\U0001109a" + rep("\u0316", 31)},
	} {
		for _, around := range []string{"", "e\u0301 "} {
			if got, want := nfc.text(around+c.in+around), norm.NFC.String(around)+c.want+norm.NFC.String(around); got != want {
				t.Errorf("%+q: %+q, want %+q", around+c.in, got, want)
			}
		}
	}
}

// TestWriteSegment: on short runs our normal forms are those of package norm.
func TestWriteSegment(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	starters := []rune("aeouAΑαи日\u1100\u1161\u11a8\uac00\uac01\u0958\u2126\u1f82\u0b47\U00011099 x")
	marks := []rune("\u0301\u0300\u0302\u0323\u0316\u0345\u0344\u0313\u093c\u0f71\u0f72\u3099\u0b57\U000110ba\U0001d165")
	for range 20000 {
		s := []rune{starters[rnd.IntN(len(starters))]}
		for range rnd.IntN(7) {
			if rnd.IntN(5) == 0 {
				s = append(s, starters[rnd.IntN(len(starters))])
			} else {
				s = append(s, marks[rnd.IntN(len(marks))])
			}
		}
		for name, f := range map[string]normalForm{"NFC": nfc, "NFD": nfd, "NFKC": nfkc, "NFKD": nfkd} {
			var b strings.Builder
			f.writeSegment(&b, string(s))
			if got, want := b.String(), f.form.String(string(s)); got != want {
				t.Fatalf("%s of %+q: %+q, want %+q", name, string(s), got, want)
			}
		}
	}
}
