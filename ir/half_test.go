package ir

import (
	"math"
	"testing"
)

// halfFormats are the two 16-bit formats; value computes a bit pattern's value
// from the IEEE 754 definition.
var halfFormats = []struct {
	name       string
	widen      func(uint16) float32
	narrow     func(float32) uint16
	dtype      DType
	expBits    int
	fracBits   int
	quietAfter uint16 // the bit that narrowing a NaN sets
}{
	{"f16", F16ToF32, F32ToF16, F16, 5, 10, 1 << 9},
	{"bf16", BF16ToF32, F32ToBF16, BF16, 8, 7, 1 << 6},
}

// definition is the value of the finite bit pattern h.
func definition(h uint16, expBits, fracBits int) float64 {
	exp := int(h>>fracBits) & (1<<expBits - 1)
	frac := float64(h & (1<<fracBits - 1))
	bias := 1<<(expBits-1) - 1
	v := math.Ldexp(1+frac/float64(int(1)<<fracBits), exp-bias)
	if exp == 0 {
		v = math.Ldexp(frac/float64(int(1)<<fracBits), 1-bias)
	}
	if h>>15 != 0 {
		v = -v
	}
	return v
}

func TestEveryHalfFloat(t *testing.T) {
	for _, f := range halfFormats {
		inf := uint16(1<<f.expBits-1) << f.fracBits
		for i := range 1 << 16 {
			h := uint16(i)
			got := f.widen(h)
			switch mag := h &^ (1 << 15); {
			case mag > inf:
				if !math.IsNaN(float64(got)) {
					t.Fatalf("%s %#04x: %v, want NaN", f.name, h, got)
				}
				if back := f.narrow(got); back != h|f.quietAfter {
					t.Fatalf("%s %#04x: narrows to %#04x, want the quiet NaN", f.name, h, back)
				}
				continue
			case mag == inf:
				if !math.IsInf(float64(got), 1-2*int(h>>15)) {
					t.Fatalf("%s %#04x: %v, want infinity", f.name, h, got)
				}
			default:
				want := definition(h, f.expBits, f.fracBits)
				if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
					t.Fatalf("%s %#04x: %v, want %v", f.name, h, got, want)
				}
			}
			if back := f.narrow(got); back != h {
				t.Fatalf("%s %#04x: narrows to %#04x", f.name, h, back)
			}
		}
	}
}

// Between two neighbours everything below the middle rounds down, the middle to
// the even one, everything above up; the largest finite value has infinity as
// its upper neighbour.
func TestHalfFloatsRoundToNearestEven(t *testing.T) {
	for _, f := range halfFormats {
		inf := uint16(1<<f.expBits-1) << f.fracBits
		for h := uint16(0); h < inf; h++ {
			lo := definition(h, f.expBits, f.fracBits)
			hi := definition(h+1, f.expBits, f.fracBits) // for infinity the next power of two, as rounding takes it
			middle := (lo + hi) / 2
			even := h + h&1
			for _, c := range []struct {
				v    float64
				want uint16
			}{{math.Nextafter(middle, lo), h}, {middle, even}, {math.Nextafter(middle, math.Inf(1)), h + 1}} {
				if bits, _ := elementBits(f.dtype, c.v); bits != uint64(c.want) {
					t.Fatalf("%s: %v gives %#04x, want %#04x", f.name, c.v, bits, c.want)
				}
				if bits, _ := elementBits(f.dtype, -c.v); bits != uint64(c.want|1<<15) {
					t.Fatalf("%s: %v gives %#04x, want %#04x", f.name, -c.v, bits, c.want|1<<15)
				}
				if v := float32(c.v); float64(v) == c.v && f.narrow(v) != c.want {
					t.Fatalf("%s: f32 %v narrows to %#04x, want %#04x", f.name, v, f.narrow(v), c.want)
				}
			}
			if v := math.Nextafter32(float32(middle), float32(hi)); float64(float32(middle)) == middle && f.narrow(v) != h+1 {
				t.Fatalf("%s: f32 %v narrows to %#04x, want %#04x", f.name, v, f.narrow(v), h+1)
			}
		}
	}
}

func TestSplatTensor(t *testing.T) {
	for _, c := range []struct {
		t    Type
		v    float64
		want []byte
	}{
		{T(F32, 2), 1, []byte{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}},
		{T(F32), 0.1, []byte{0xcd, 0xcc, 0xcc, 0x3d}},
		{T(F16), 65520, []byte{0, 0x7c}},
		{T(BF16), -1, []byte{0x80, 0xbf}},
		{T(I1, 3), 1, []byte{1, 1, 1}},
		{T(I4, 2), -8, []byte{0xf8, 0xf8}},
		{T(UI4), 15, []byte{15}},
		{T(I8), -2.9, []byte{0xfe}},
		{T(UI32), 1<<32 - 1, []byte{0xff, 0xff, 0xff, 0xff}},
		{T(I64), -1 << 63, []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
	} {
		if got := SplatTensor(c.t, c.v); string(got.Data) != string(c.want) || !got.Type.Equal(c.t) {
			t.Errorf("%v of %v: % x, want % x", c.t, c.v, got.Data, c.want)
		}
	}
	for _, c := range []struct {
		t Type
		v float64
	}{
		{T(I8), 128}, {T(UI8), -1}, {T(I64), 1 << 63}, {T(I32), math.Inf(1)}, {T(UI4), 16},
		{T(F32, 1<<30), 0}, {T(F32, 0), 0}, {T(Invalid), 0},
	} {
		if _, err := Build(func() *Module { SplatTensor(c.t, c.v); return &Module{} }); err == nil {
			t.Errorf("%v of %v: no error", c.t, c.v)
		}
	}
}
