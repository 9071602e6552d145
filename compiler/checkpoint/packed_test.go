package checkpoint

import (
	"math"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// checkPacked reads rows of a tensor as numbers, and, if it is a quantised matrix, as
// codes, scales and biases, and holds scale·code + bias against the numbers. It
// returns the numbers and whether there were codes.
func checkPacked(t testing.TB, c Checkpoint, x Tensor, from, to int) (numbers []float32, packed bool) {
	t.Helper()
	_, width := x.rows()
	n := (to - from) * width
	q := c.(Quantised)
	ok := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	raw := make([]byte, 4*n)
	ok(c.ReadRows(raw, ir.F32, x.Name, from, to))
	numbers = make([]float32, n)
	ir.Widen(numbers, ir.F32, raw)
	p, packed := q.Packed(x.Name)
	if !packed {
		return numbers, false
	}
	bytes := make([]byte, n*p.Bits/8)
	ok(q.ReadCodes(bytes, x.Name, from, to))
	codes := make([]uint8, n)
	quant.Unpack(codes, bytes, p.Bits)
	factors := func(read func([]byte, ir.DType, string, int, int) error) []float32 {
		exact, stored := make([]float32, n/p.Group), make([]float32, n/p.Group)
		raw := make([]byte, len(exact)*4)
		ok(read(raw, ir.F32, x.Name, from, to))
		ir.Widen(exact, ir.F32, raw)
		if p.Super != 0 {
			return exact
		}
		raw = raw[:len(stored)*p.Scale.Size()]
		ok(read(raw, p.Scale, x.Name, from, to))
		codecs[sameType[p.Scale]].widen(stored, raw)
		if i := firstDifference(exact, stored); i >= 0 {
			t.Errorf("%s (%s): factor %d is %g, as %s %g", x.Name, x.DType, i, exact[i], p.Scale, stored[i])
		}
		return exact
	}
	scales, biases := factors(q.ReadScales), make([]float32, n/p.Group)
	if p.Centre == 0 {
		biases = factors(q.ReadBiases)
	} else if err := q.ReadBiases(nil, ir.F32, x.Name, 0, 0); err == nil {
		t.Errorf("%s (%s): there are a centre and biases", x.Name, x.DType)
	}
	if p.Super != 0 {
		checkLevels(t, q, x.Name, p, from, to, scales, q.ReadScales, q.ReadSuperScales)
		if p.Centre == 0 {
			checkLevels(t, q, x.Name, p, from, to, biases, q.ReadBiases, q.ReadSuperBiases)
		}
	}
	values := make([]float32, n)
	for i, code := range codes {
		scale, bias := scales[i/p.Group], biases[i/p.Group]
		if values[i] = float32(scale*float32(int(code)-p.Centre)) + bias; math.IsInf(float64(scale), 0) {
			values[i] = numbers[i] // ∞ - ∞, and no number of a model
		}
	}
	if i := firstDifference(values, numbers); i >= 0 {
		t.Errorf("%s (%s): element %d of rows [%d, %d) is %g, from code %d %g", x.Name, x.DType, i, from, to, numbers[i], codes[i], values[i])
	}
	return numbers, true
}

// checkLevels holds the product of bytes and super-groups' numbers against want.
func checkLevels(t testing.TB, q Quantised, name string, p Packed, from, to int, want []float32, fine, super func([]byte, ir.DType, string, int, int) error) {
	t.Helper()
	bytes, raw, supers := make([]byte, len(want)), make([]byte, 2*len(want)/p.Super), make([]float32, len(want)/p.Super)
	d := map[bool]ir.DType{true: ir.UI8, false: ir.I8}[p.Centre == 0]
	if err := fine(bytes, d, name, from, to); err != nil {
		t.Fatal(err)
	}
	if err := super(raw, p.Scale, name, from, to); err != nil {
		t.Fatal(err)
	}
	ir.Widen(supers, ir.F16, raw)
	got := make([]float32, len(want))
	for i, b := range bytes {
		number := float32(b)
		if d == ir.I8 {
			number = float32(int8(b))
		}
		got[i] = number * supers[i/p.Super]
	}
	if i := firstDifference(got, want); i >= 0 {
		t.Errorf("%s: of two levels, factor %d is %g, want %g", name, i, got[i], want[i])
	}
}

// firstDifference is the first place where numbers differ, -1 if nowhere. All NaNs are
// equal, and so are all zeros.
func firstDifference(a, b []float32) int {
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return i
		}
	}
	return -1
}

// Every quantised matrix of the small GGUF files has codes, in HF's row order, that
// give its numbers; which are those of the Python gguf package, TestGGUFValues.
func TestGGUFPacked(t *testing.T) {
	want := map[string]Packed{
		"Q4_0":   {Bits: 4, Group: 32, Centre: 8},
		"Q4_1":   {Bits: 4, Group: 32},
		"Q5_0":   {Bits: 8, Group: 32, Centre: 16},
		"Q5_1":   {Bits: 8, Group: 32},
		"Q8_0":   {Bits: 8, Group: 32, Centre: 128},
		"Q2_K":   {Bits: 4, Group: 16, Super: 16},
		"Q3_K":   {Bits: 4, Group: 16, Super: 16, Centre: 4},
		"Q4_K":   {Bits: 4, Group: 32, Super: 8},
		"Q5_K":   {Bits: 8, Group: 32, Super: 8},
		"Q6_K":   {Bits: 8, Group: 16, Super: 16, Centre: 32},
		"IQ4_NL": {Bits: 8, Group: 32, Centre: 128},
		"IQ4_XS": {Bits: 8, Group: 32, Super: 8, Centre: 128},
	}
	seen := map[string]bool{}
	for _, name := range []string{"tiny", "tied", "blocks", "few"} {
		c := open(t, "testdata/"+name+".gguf")
		for _, x := range c.Tensors() {
			rows, _ := x.rows()
			for _, r := range [][2]int{{0, rows}, {1, rows - 1}, {rows / 2, rows/2 + 1}} {
				if _, packed := checkPacked(t, c, x, r[0], r[1]); packed != strings.Contains(x.DType, "Q") {
					t.Errorf("%s is %s; packed: %v", x.Name, x.DType, packed)
				}
			}
			if p, ok := c.(Quantised).Packed(x.Name); ok {
				seen[x.DType] = true
				w := want[x.DType]
				w.Scale = ir.F16
				if p != w {
					t.Errorf("%s, %s: %+v, want %+v", x.Name, x.DType, p, w)
				}
			}
		}
	}
	for dtype := range want {
		if !seen[dtype] {
			t.Errorf("no matrix is %s", dtype)
		}
	}
}

// Requests for parts that can't be met.
func TestPackedRequests(t *testing.T) {
	c := open(t, "testdata/tiny.gguf").(Quantised)
	const q, norm = "model.layers.0.self_attn.q_proj.weight", "model.norm.weight" // [32, 32] Q4_1; [32] F32
	read := map[string]func(n int, name string, from, to int) error{
		"codes": func(n int, name string, from, to int) error { return c.ReadCodes(make([]byte, n), name, from, to) },
		"scales": func(n int, name string, from, to int) error {
			return c.ReadScales(make([]byte, n), ir.F16, name, from, to)
		},
		"biases": func(n int, name string, from, to int) error {
			return c.ReadBiases(make([]byte, n), ir.F32, name, from, to)
		},
		"as ui8": func(n int, name string, from, to int) error {
			return c.ReadScales(make([]byte, n), ir.UI8, name, from, to)
		},
		"as i32": func(n int, name string, from, to int) error {
			return c.ReadBiases(make([]byte, n), ir.I32, name, from, to)
		},
	}
	for _, r := range []struct {
		part     string
		n        int
		name     string
		from, to int
		want     string // "": no error
	}{
		{"codes", 3 * 16, q, 2, 5, ""},
		{"scales", 3 * 2, q, 2, 5, ""},
		{"biases", 3 * 4, q, 2, 5, ""},
		{"codes", 0, q, 5, 5, ""},
		{"codes", 16, q, 32, 33, "rows [32, 33) of 32"},
		{"scales", 2, q, -1, 0, "rows [-1, 0) of 32"},
		{"codes", 15, q, 0, 1, "rows [0, 1) take 16 bytes as codes, not 15"},
		{"biases", 2, q, 0, 1, "rows [0, 1) take 4 bytes as f32, not 2"},
		{"as ui8", 2, q, 0, 1, "can't be converted to ui8"},
		{"as i32", 2, q, 0, 1, "can't be converted to i32"},
		{"codes", 16, norm, 0, 1, "tensor model.norm.weight: F32 is not quantised"},
		{"scales", 16, "x", 0, 1, "tensor x: not in the checkpoint"},
	} {
		err := read[r.part](r.n, r.name, r.from, r.to)
		if (err == nil) != (r.want == "") || err != nil && !strings.Contains(err.Error(), r.want) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if p, ok := c.Packed(norm); ok {
		t.Errorf("a norm is packed: %+v", p)
	}
	if err := c.(Checkpoint).Close(); err != nil {
		t.Fatal(err)
	}
	if err := read["codes"](16, q, 0, 1); err == nil || !strings.Contains(err.Error(), "the checkpoint is closed") {
		t.Errorf("closed: %v", err)
	}
	if p, ok := c.Packed(q); ok {
		t.Errorf("closed: %+v", p)
	}
}
