package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizers by their names in tokenizer.json.
var normalizers = map[string]func(string) string{
	"NFC": nfc,
}

// maxShortSegment is the number of runes up to which package norm may do a segment:
// beyond 30 combining marks it inserts U+034F (the Stream-Safe Text Process of UAX
// #15, section 13), which HF doesn't. One rune decomposes to four at most.
const maxShortSegment = 7

// nfc returns s, valid UTF-8, in Normalization Form C.
func nfc(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	var b strings.Builder
	done := 0 // s[:done] has been written
	for i := 0; i < len(s); {
		end, runes := segment(s[i:])
		if runes > maxShortSegment {
			b.WriteString(norm.NFC.String(s[done:i]))
			b.WriteString(composeSegment(s[i : i+end]))
			done = i + end
		}
		i += end
	}
	b.WriteString(norm.NFC.String(s[done:]))
	return b.String()
}

// segment returns the size in bytes and runes of the first segment of s: a rune with
// all that follow and may interact with it.
func segment(s string) (size, runes int) {
	for size < len(s) {
		p := norm.NFC.PropertiesString(s[size:])
		if size > 0 && p.BoundaryBefore() {
			break
		}
		size += p.Size()
		runes++
	}
	return size, runes
}

// composeSegment is the definition of NFC (UAX #15, D117): decompose, order the marks,
// compose each with its starter unless something of its class or higher is between.
func composeSegment(s string) string {
	d := decompose(s)
	out := make([]markedRune, 0, len(d))
	starter := -1 // index in out
	for _, c := range d {
		if starter >= 0 {
			last := out[len(out)-1]
			adjacent := len(out)-1 == starter
			if adjacent || last.class != 0 && last.class < c.class {
				if r, ok := composePair(out[starter].r, c.r); ok {
					out[starter].r = r
					continue
				}
			}
		}
		if c.class == 0 {
			starter = len(out)
		}
		out = append(out, c)
	}
	var b strings.Builder
	for _, c := range out {
		b.WriteRune(c.r)
	}
	return b.String()
}

// markedRune is a rune with its canonical combining class.
type markedRune struct {
	r     rune
	class uint8
}

// decompose returns the canonical decomposition with marks in order.
func decompose(s string) []markedRune {
	var d []markedRune
	for _, c := range s {
		// One rune at a time, so that package norm never sees a run of marks.
		for _, r := range norm.NFD.String(string(c)) {
			d = append(d, markedRune{r, norm.NFD.PropertiesString(string(r)).CCC()})
		}
	}
	for i := 0; i < len(d); {
		end := i + 1
		if d[i].class != 0 {
			for end < len(d) && d[end].class != 0 {
				end++
			}
			slices.SortStableFunc(d[i:end], func(a, b markedRune) int { return int(a.class) - int(b.class) })
		}
		i = end
	}
	return d
}

// composePair returns the primary composite of two runes.
func composePair(a, b rune) (rune, bool) {
	s := norm.NFC.String(string([]rune{a, b}))
	r, size := utf8.DecodeRuneInString(s)
	return r, size == len(s)
}
