package tokenizer

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestParseScore: up to 15 digits both ways of rounding agree; the others are
// arithmetic on what serde_json does.
func TestParseScore(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := strconv.FormatFloat(-20*rnd.Float64(), 'g', 1+rnd.IntN(15), 64)
		want, _ := strconv.ParseFloat(text, 64)
		if got, err := parseScore(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	digits, tens := 10234567890123457., 1e15 // variables: Go's constants are exact
	largest, ten, e19 := 18446744073709551615., 10., 1e19
	for _, c := range []struct {
		text string
		want float64
	}{
		{"0", 0}, {"-0.0", 0}, {"5", 5}, {"-5", -5}, {"1E2", 100}, {"1e+2", 100}, {"25e-1", 2.5}, {"0e999", 0}, {"1e-999", 0},
		{"-10.234567890123457", -digits / tens},
		{"18446744073709551615", largest},
		{"184467440737095516159", largest * ten},
		{"1.84467440737095516159999", largest / e19},
	} {
		if got, err := parseScore(c.text); err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"1e309", "-1e999999999999999999999", "9" + strings.Repeat("9", 400)} {
		if f, err := parseScore(text); err == nil {
			t.Errorf("%.20s is taken for %v", text, f)
		}
	}
}

// TestTies has words whose best cuts differ by the rounding of scores alone; the tokens
// are HF's.
func TestTies(t *testing.T) {
	tok := style(t, "unigram")
	for text, want := range map[string]string{"Ⅷ": "▁|V|I|II", "Ⅷ I": "▁|V|I|II|▁I", "1''''_": "▁1|'''|'|_", "'''' ''''": "▁'|'''|▁'|'''", "x''''y": "▁x|'|'''|y"} {
		if got := spelled(tok, tok.Encode(text, EncodeOptions{})); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
