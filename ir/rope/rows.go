package rope

import (
	"fmt"
	"math"
)

// Table computes the rows of one RoPE. It is safe for concurrent use.
type Table struct {
	params    Params
	exponents []float32
	short     []float32 // inverse frequencies
	long      []float32 // longrope: those beyond OriginalMaxPosition
	amplitude float32
}

// New prepares the frequencies of p.
func New(p Params) (*Table, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	t := &Table{params: p, exponents: p.exponents(), amplitude: float32(p.amplitude())}
	switch p.Kind {
	case Default, Dynamic:
		t.short = p.plain(nil)
	case Linear:
		t.short = p.linear()
	case Llama3:
		t.short = p.llama3()
	case Yarn:
		t.short = p.yarn()
	case LongRoPE:
		t.short, t.long = p.plain(p.ShortFactor), p.plain(p.LongFactor)
	}
	return t, nil
}

// Width is the number of entries of a row, Dim/2.
func (t *Table) Width() int { return len(t.short) }

// Fill computes the rows of the positions into cos and sin, both
// [len(positions), Width()], without allocating. Length is the number of tokens of
// the sequence, these included. The kinds dynamic and longrope depend on it: like
// HF, which rotates a whole prompt by its length and never returns to cached keys,
// a caller that prefills in chunks gives the whole prompt's length for every chunk,
// and then position+1 for each decoded token.
func (t *Table) Fill(cos, sin []float32, positions []int, length int) error {
	width := t.Width()
	if n := len(positions) * width; len(cos) != n || len(sin) != n {
		return fmt.Errorf("rope: rows: cos has %d and sin %d entries, %d positions of %d need %d", len(cos), len(sin), len(positions), width, n)
	}
	for _, position := range positions {
		if position < 0 || position >= length {
			return fmt.Errorf("rope: rows: position %d is outside a sequence of %d", position, length)
		}
	}
	base := float32(0)
	if t.stretched(length) {
		base = t.params.dynamicBase(length)
	}
	for i := range width {
		f := t.frequency(i, length, base)
		for row, position := range positions {
			angle := float64(float32(position) * f)
			at := row*width + i
			cos[at] = float32(math.Cos(angle)) * t.amplitude
			sin[at] = float32(math.Sin(angle)) * t.amplitude
		}
	}
	return nil
}

// stretched says whether the dynamic kind applies to the length.
func (t *Table) stretched(length int) bool {
	return t.params.Kind == Dynamic && length > t.params.MaxPosition
}

// frequency is the inverse frequency of entry i at a length; base is dynamicBase.
func (t *Table) frequency(i, length int, base float32) float32 {
	switch {
	case t.stretched(length):
		return 1 / power(base, t.exponents, i)
	case t.long != nil && length > t.params.OriginalMaxPosition:
		return t.long[i]
	}
	return t.short[i]
}

// Rows is New and Fill in one: cos and sin, [len(positions), Dim/2] each.
func Rows(p Params, positions []int, length int) (cos, sin []float32, err error) {
	t, err := New(p)
	if err != nil {
		return nil, nil, err
	}
	cos = make([]float32, len(positions)*t.Width())
	sin = make([]float32, len(positions)*t.Width())
	return cos, sin, t.Fill(cos, sin, positions, length)
}
