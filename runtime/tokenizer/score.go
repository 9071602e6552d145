package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// parseScore reads a JSON number as HF does (serde_json without float_roundtrip): the
// digits as one uint64, as far as they fit, and a power of ten, both rounded, then
// their quotient or product. A score of 17 digits may so be one unit in the last place
// off, and that decides between ways to cut a word that are as good as each other.
func parseScore(text string) (float64, error) {
	digits, negative := strings.CutPrefix(text, "-")
	mantissa, exponentText, _ := strings.Cut(strings.ReplaceAll(digits, "E", "e"), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent := 0
	if exponentText != "" {
		var err error
		if exponent, err = strconv.Atoi(exponentText); err != nil {
			return 0, fmt.Errorf("score %.40s is out of range", text)
		}
	}
	significand, taken, ok := leadingDigits(0, whole)
	exponent += len(whole) - taken
	if ok {
		significand, taken, _ = leadingDigits(significand, fraction)
		exponent -= taken
	}
	f, err := scaled(float64(significand), exponent)
	if err != nil {
		return 0, fmt.Errorf("score %.40s is %w", text, err)
	}
	if negative {
		f = -f
	}
	return f, nil
}

// leadingDigits appends digits to n until it would overflow, and says how many it took
// and whether those were all.
func leadingDigits(n uint64, digits string) (sum uint64, taken int, all bool) {
	for i := range len(digits) {
		d := uint64(digits[i] - '0')
		if n > (math.MaxUint64-d)/10 {
			return n, i, false
		}
		n = 10*n + d
	}
	return n, len(digits), true
}

// powersOfTen are 1e0 … 1e308, each the float64 nearest to it.
var powersOfTen = sync.OnceValue(func() (powers [309]float64) {
	for n := range powers {
		powers[n], _ = strconv.ParseFloat("1e"+strconv.Itoa(n), 64)
	}
	return powers
})

// scaled is f·10^exponent, in steps that have a power of ten.
func scaled(f float64, exponent int) (float64, error) {
	powers := powersOfTen()
	const last = len(powers) - 1
	for ; exponent < -last && f != 0; exponent += last {
		f /= powers[last]
	}
	switch {
	case f == 0:
	case exponent < 0:
		f /= powers[-exponent]
	case exponent <= last:
		f *= powers[exponent]
	default:
		f = math.Inf(1)
	}
	if math.IsInf(f, 0) {
		return 0, errors.New("out of range")
	}
	return f, nil
}
