package compiler

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// nothing is told what isn't looked at.
func nothing(broken) error { return nil }

// brokenScales is a quantised matrix of 3 rows of 64 codes, whose row 1 has a scale that
// is Inf in group 1.
type brokenScales struct{ kept }

func (brokenScales) ReadScales(dst []byte, _ ir.DType, _ string, from, to int) error {
	all := []byte{0, 0x3c, 0, 0x3c, 0, 0x3c, 0, 0x7c, 0, 0x3c, 0, 0x3c} // f16: 1 1, 1 Inf, 1 1
	copy(dst, all[4*from:4*to])
	return nil
}

// TestBrokenNumbers: what isn't finite is remarked by tensor and place, also if it is so
// for want of range.
func TestBrokenNumbers(t *testing.T) {
	inf, nan := float32(math.Inf(-1)), float32(math.NaN())
	c := memory{"m": {[]int{2, 3}, []float32{1, 2, 3, 4, nan, inf}}, "v": {[]int{4}, []float32{1, 2, inf, 4}}, "large": {[]int{1, 2}, []float32{1, 1e6}}, "fine": {[]int{2}, []float32{0, 3e38}}}
	const end = ": what it reaches are no numbers, which ends a generation"
	for _, x := range []struct {
		tensor string
		shape  []int
		d      ir.DType
		part   lower.Part
		from   rowReader
		want   string
	}{
		{"m", []int{2, 3}, ir.F32, lower.Numbers, c, "[tensor m: row 1, number 1 is NaN or Inf as f32" + end + "]"},
		{"m", []int{2, 3}, ir.F16, lower.Numbers, c, "[tensor m: row 1, number 1 is NaN or Inf as f16" + end + "]"},
		{"v", []int{4}, ir.F16, lower.Numbers, c, "[tensor v: number 2 is NaN or Inf as f16" + end + "]"},
		{"large", []int{1, 2}, ir.F16, lower.Numbers, c, "[tensor large: row 0, number 1 is NaN or Inf as f16" + end + "]"},
		{"large", []int{1, 2}, ir.F32, lower.Numbers, c, "[]"},
		{"fine", []int{2}, ir.F32, lower.Numbers, c, "[]"},
		{"w", []int{3, 64}, ir.F16, lower.Scales, brokenScales{}, "[tensor w: row 1, the scale of group 1 is NaN or Inf as f16" + end + "]"},
	} {
		w := lower.Weight{Name: x.tensor, Type: ir.T(x.d, x.shape...), Recipe: lower.Recipe{Sources: []lower.Source{{Tensor: x.tensor, Shape: x.shape}}, Part: x.part, Format: lower.Format{Bits: 4, Group: 32, DType: ir.F16}}}
		var found []string
		if err := pack(t.Context(), x.from, w, &bytes.Buffer{}, func(b broken) error { found = append(found, b.String()); return nil }); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(found); got != x.want {
			t.Errorf("%s as %s: %s, want %s", x.tensor, x.d, got, x.want)
		}
	}
}

func TestNonFinite(t *testing.T) {
	for _, x := range []struct {
		d    ir.DType
		data []byte
		want int
	}{
		{ir.F32, []byte{0, 0, 0x7f, 0x7f, 0, 0, 0x80, 0xff}, 1}, // the largest, -Inf
		{ir.F32, []byte{1, 0, 0x80, 0x7f}, 0},                   // NaN
		{ir.F32, []byte{0xff, 0xff, 0x7f, 0xff}, -1},
		{ir.F16, []byte{0xff, 0x7b, 0xff, 0xfb, 0, 0x7e}, 2},
		{ir.F16, []byte{0xff, 0x7b, 0xff, 0xfb}, -1},
		{ir.BF16, []byte{0x7f, 0x7f, 0x80, 0x7f}, 1},
		{ir.BF16, []byte{0xff, 0x7b, 0x00, 0x7c}, -1}, // Inf as f16, not as bf16
		{ir.F16, nil, -1},
		{ir.F16, append(bytes.Repeat([]byte{0xff, 0x7b}, 6), 0, 0xfc), 6}, // in the second eight bytes
		{ir.F32, append(bytes.Repeat([]byte{0xff, 0xff, 0x7f, 0xff}, 4), 0, 0, 0xc0, 0x7f), 4},
	} {
		if got := nonFinite(x.d, x.data); got != x.want {
			t.Errorf("%s %x: %d, want %d", x.d, x.data, got, x.want)
		}
	}
}

// TestNonFiniteBits: all numbers of 16 bits.
func TestNonFiniteBits(t *testing.T) {
	for d, widen := range map[ir.DType]func(uint16) float32{ir.F16: ir.F16ToF32, ir.BF16: ir.BF16ToF32} {
		for v := range 1 << 16 {
			x := float64(widen(uint16(v)))
			got := nonFinite(d, []byte{0, 0, byte(v), byte(v >> 8), 0, 0}) == 1
			if want := math.IsNaN(x) || math.IsInf(x, 0); got != want {
				t.Fatalf("%s %#x: %v, want %v", d, v, got, want)
			}
		}
	}
}

// notesOf remembers remarks.
type notesOf struct {
	silent
	notes *[]string
}

func (n notesOf) Note(text string) { *n.notes = append(*n.notes, text) }

func TestNoteBroken(t *testing.T) {
	var notes []string
	noteBroken(notesOf{notes: &notes}, []string{"", "a", "b", "", "c", "d", "e", "f"})
	if want := []string{"a", "b", "c", "d", "2 more weights hold NaN or Inf"}; !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}
