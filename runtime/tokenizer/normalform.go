package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalForm is one of Unicode's normalization forms (UAX #15).
type normalForm struct {
	form      norm.Form
	decompose norm.Form // NFD or NFKD
	compose   bool
}

var (
	nfc  = normalForm{norm.NFC, norm.NFD, true}
	nfd  = normalForm{norm.NFD, norm.NFD, false}
	nfkc = normalForm{norm.NFKC, norm.NFKD, true}
	nfkd = normalForm{norm.NFKD, norm.NFKD, false}
)

// maxShortSegment is the number of runes up to which package norm may do a segment:
// beyond 30 combining marks it inserts U+034F (the Stream-Safe Text Process of UAX
// #15, section 13), which HF doesn't. One rune decomposes to four at most, or to
// eighteen by compatibility, of which at most the last few are marks.
const maxShortSegment = 7

// text returns s, valid UTF-8, in the normal form.
func (f normalForm) text(s string) string {
	if f.form.IsNormalString(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		end, size := f.inert(s)
		f.write(&b, s[:end])
		b.WriteString(s[end : end+size])
		s = s[end+size:]
	}
	return b.String()
}

// normalized are the runes that have a decomposition or a combining class in HF's
// version of Unicode, which is an older one than ours.
var normalized = inSet("hf:normalized")

// inert returns the place and size of the first rune of s that only our version of
// Unicode normalizes, len(s) and 0 if there is none.
func (f normalForm) inert(s string) (at, size int) {
	for i, r := range s {
		if r < utf8.RuneSelf {
			continue
		}
		p := f.form.PropertiesString(s[i:])
		if (p.CCC() != 0 || p.Decomposition() != nil) && !normalized(r) {
			return i, utf8.RuneLen(r)
		}
	}
	return len(s), 0
}

// write appends the normal form of s.
func (f normalForm) write(b *strings.Builder, s string) {
	done := 0 // s[:done] has been written
	for i := 0; i < len(s); {
		end, runes := f.segment(s[i:])
		if runes > maxShortSegment {
			b.WriteString(f.form.String(s[done:i]))
			f.writeSegment(b, s[i:i+end])
			done = i + end
		}
		i += end
	}
	b.WriteString(f.form.String(s[done:]))
}

// segment returns the size in bytes and runes of the first segment of s: a rune with
// all that follow and may interact with it.
func (f normalForm) segment(s string) (size, runes int) {
	for size < len(s) {
		p := f.form.PropertiesString(s[size:])
		if size > 0 && p.BoundaryBefore() {
			break
		}
		size += p.Size()
		runes++
	}
	return size, runes
}

// writeSegment normalizes by definition (UAX #15, D117): decompose, order the marks,
// compose each with its starter unless something of its class or higher is between.
func (f normalForm) writeSegment(b *strings.Builder, s string) {
	runes := f.decomposed(s)
	if f.compose {
		runes = composed(runes)
	}
	for _, c := range runes {
		b.WriteRune(c.r)
	}
}

func composed(d []markedRune) []markedRune {
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
	return out
}

// markedRune is a rune with its canonical combining class.
type markedRune struct {
	r     rune
	class uint8
}

// decomposed returns the decomposition with marks in order.
func (f normalForm) decomposed(s string) []markedRune {
	var d []markedRune
	for _, c := range s {
		// One rune at a time, so that package norm never sees a run of marks.
		for _, r := range f.decompose.String(string(c)) {
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
