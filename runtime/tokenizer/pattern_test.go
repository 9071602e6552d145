package tokenizer

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestFindAgainstRegexp: where a pattern means the same to Go, matches are those of
// package regexp.
func TestFindAgainstRegexp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("aabbcAB  1'\nsé日ſ_,")
	for _, pattern := range []string{
		`a|ab|abc`, `abc|ab|a`, `(?:a|ab)(?:c|bcd)?`, `a*?b|c+?`, `(?i:'s|ab)|b+`, `[^a-b]{1,3}|b{2}`, `\p{Lu}?\p{L}+|\n`,
		`a.*b|.`, `a.*?b`, `(?:ab?)+c|b`, `[\p{L}1]+'|'`, `(a)(b)|c`, `(?:|a)b`, `\x{e9}|\x41`, `(?:a*b*)+c`,
	} {
		re := regexp.MustCompile(pattern)
		d, err := compilePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			var b strings.Builder
			for range rnd.IntN(12) {
				b.WriteRune(alphabet[rnd.IntN(len(alphabet))])
			}
			s := b.String()
			for pos := 0; ; {
				start, end := d.find(s, pos)
				want := re.FindStringIndex(s[pos:])
				if want == nil {
					want = []int{len(s) - pos, len(s) - pos}
				}
				if start-pos != want[0] || end-pos != want[1] {
					t.Fatalf("%s in %q after %d: [%d %d], want %v", pattern, s, pos, start-pos, end-pos, want)
				}
				if pos = end; pos == len(s) {
					break
				}
			}
		}
	}
}

// TestSyntax has what Go and Oniguruma spell differently; matches are between bars.
func TestSyntax(t *testing.T) {
	for _, c := range []struct{ pattern, pieces string }{
		{`\s+`, "a| \t|b|\u00a0\u3000\u0085\u2028\v|c"},
		{`\S+`, "|a| \u00a0|b|\u0085"},
		{`[^\s]+`, "|a|\u2003|b|"},
		{`[\S]+`, "|ab1|\u2003|日|"},
		{`[^\S\n]+`, "a|\u00a0 |\nb"},
		{`\d+`, "a|1٣|b"},
		{`\D+`, "1٣|ab|2"},
		{`\s+(?!\S)|x`, "a|  | b| |"},
		{`\s+(?!\S)|\s+`, "a|  || |b|   |"},
		{`b+(?!\S)`, "abba|bb| "},
		{`\-\/\"\]`, `a|-/"]|`},
		{`[\-a\]]+`, `b|-a]|b`},
		{`日|[末-本]`, "x|日||本|y"},
		{`(?i:k)`, "a|K||k||\u212a|"},
	} {
		d, err := compilePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		s := strings.ReplaceAll(c.pieces, "|", "")
		var b strings.Builder
		for pos := 0; pos < len(s); {
			start, end := d.find(s, pos)
			b.WriteString(s[pos:start])
			if end > start {
				b.WriteString("|" + s[start:end] + "|")
			}
			pos = end
		}
		if got := b.String(); got != c.pieces {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.pieces)
		}
	}
}

func TestRefusedPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, mentions string }{
		{`a(?!b)`, `group "(?!b"`},
		{`(?=a)b`, `group "(?=a"`},
		{`(?<=a)b`, `group "(?<="`},
		{`(?<!\S)b`, `group "(?<!"`},
		{`(?>a)b`, `group "(?>a"`},
		{`(?m:a)`, `group "(?m:"`},
		{`a(?i)b`, `group "(?i)"`},
		{`^a`, "anchor ^"},
		{`a$`, "anchor $"},
		{`\ba`, `escape \b`},
		{`\w+`, `escape \w`},
		{`(a)\1`, `escape \1`},
		{`\Ra`, `escape \R`},
		{`a\`, "backslash at the end"},
		{`a{,3}`, "without a lower bound"},
		{`a?+b`, "invalid nested repetition"},
		{`a++`, "invalid nested repetition"},
		{`[a[bc]]`, "a class inside a class"},
		{`[[:alpha:]]`, "a class inside a class"},
		{`[a-z&&[aeiou]]`, "class intersection"},
		{`[]a]`, "an empty class"},
		{`[a`, "missing closing ]"},
		{`(a`, "missing closing )"},
		{`\p{Alphabetic}`, "invalid character class range"},
		{`a*`, "the empty string"},
		{`a|`, "the empty string"},
		{`(?!\S)`, "the empty string"},
		{`(?:.?a){500}`, "instructions"},
		{`(?:a|b)*a(?:a|b){40}c`, "too complex"},
		{strings.Repeat("a", maxPatternLen+1), "limit"},
	} {
		if _, err := compilePattern(c.pattern); err == nil || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%.40s: error %v, want one that mentions %q", c.pattern, err, c.mentions)
		}
	}
}
