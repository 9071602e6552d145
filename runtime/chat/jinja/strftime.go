package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// layouts are the directives of strftime that package time writes, in the C locale.
var layouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'h': "Jan", 'd': "02", 'e': "_2", 'm': "01", 'y': "06", 'Y': "2006",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'j': "002", 'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'X': "15:04:05",
	'D': "01/02/06", 'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'r': "03:04:05 PM",
}

// computed are the directives that package time has no layout for.
var computed = map[byte]func(t time.Time) string{
	'%': func(time.Time) string { return "%" },
	'n': func(time.Time) string { return "\n" },
	't': func(time.Time) string { return "\t" },
	'w': func(t time.Time) string { return strconv.Itoa(int(t.Weekday())) },
	'u': func(t time.Time) string { return strconv.Itoa((int(t.Weekday())+6)%7 + 1) },
	'f': func(t time.Time) string { return fmt.Sprintf("%06d", t.Nanosecond()/1000) },
	'C': func(t time.Time) string { return fmt.Sprintf("%02d", t.Year()/100) },
	'k': func(t time.Time) string { return fmt.Sprintf("%2d", t.Hour()) },
	'l': func(t time.Time) string { return fmt.Sprintf("%2d", (t.Hour()+11)%12+1) },
	's': func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) },
	'U': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-int(t.Weekday()))/7) },
	'W': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-(int(t.Weekday())+6)%7)/7) },
	'G': func(t time.Time) string { y, _ := t.ISOWeek(); return strconv.Itoa(y) },
	'V': func(t time.Time) string { _, w := t.ISOWeek(); return fmt.Sprintf("%02d", w) },
	'z': func(time.Time) string { return "" }, // Python's datetime.now() knows no zone
	'Z': func(time.Time) string { return "" },
}

// strftime is transformers' strftime_now: the time of now in a format of strftime.
func (m *machine) strftime(format Text) Value {
	now := m.now()
	return m.substitute(format, "%", func(b *builder, at int) int {
		at++
		if at == len(format.s) {
			b.plain("%")
			return at
		}
		bare := format.s[at] == '-' // glibc's: without zeros or spaces in front
		if bare {
			at++
		}
		if at == len(format.s) {
			m.fail("strftime_now: the format ends inside a directive")
		}
		if format.s[at] >= utf8.RuneSelf { // no directive
			b.plain("%")
			return at
		}
		s := m.directive(format.s[at], now)
		if bare {
			if s = strings.TrimLeft(s, "0 "); s == "" {
				s = "0"
			}
		}
		b.plain(s)
		return at + 1
	})
}

func (m *machine) directive(c byte, now time.Time) string {
	if layout, ok := layouts[c]; ok {
		return now.Format(layout)
	}
	if f, ok := computed[c]; ok {
		return f(now)
	}
	if strings.IndexByte("_0^#EOgGPhL", c) >= 0 {
		m.fail("strftime_now: the directive %%%c is not supported", c)
	}
	return "%" + string(c) // what isn't one stays as it is
}
