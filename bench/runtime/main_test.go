package main

import (
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	for _, c := range []struct {
		one, two time.Duration // of native; IREE takes 100 ms
		fails    bool
		lines    []string
	}{
		{105 * time.Millisecond, 100 * time.Millisecond, false, []string{"| native | 1 | 105.000 | 1.050 | ≤ 1.05 | kept |", "| native | 2 | 100.000 | 1.000 | ≤ 1.00 | kept |"}},
		{106 * time.Millisecond, 90 * time.Millisecond, true, []string{"| native | 1 | 106.000 | 1.060 | ≤ 1.05 | MISSED |", "| native | 2 | 90.000 | 0.900 | ≤ 1.00 | kept |"}},
		{90 * time.Millisecond, 101 * time.Millisecond, true, []string{"| native | 2 | 101.000 | 1.010 | ≤ 1.00 | MISSED |"}},
	} {
		contenders := pairs(nil)
		for i, best := range []time.Duration{100 * time.Millisecond, c.one, 100 * time.Millisecond, c.two} {
			contenders[i].best = best
		}
		var b strings.Builder
		if err := report(&b, "b.tar", "decode", contenders); (err != nil) != c.fails {
			t.Errorf("%v, %v: %v", c.one, c.two, err)
		}
		for _, want := range append(c.lines, "| iree local-sync | 1 | 100.000 |  |  |  |") {
			if !strings.Contains(b.String(), want+"\n") {
				t.Errorf("%q isn't in\n%s", want, b.String())
			}
		}
	}
}
