package half

import (
	"math"
	"math/big"
	"testing"
)

// nearest is the slow oracle: x rounded to p significand bits with the smallest
// normal exponent emin and largest emax, ties to even, by big.Float arithmetic.
func nearest(x float64, p, emin, emax int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	_, e := math.Frexp(x) // x = m·2^e, m in [0.5, 1)
	ulp := math.Ldexp(1, max(e-p, emin-p+1))
	q := new(big.Float).Quo(big.NewFloat(x), big.NewFloat(ulp)) // exact: a power of two
	f, _ := q.Float64()
	r := math.RoundToEven(f) * ulp
	if math.Abs(r) >= math.Ldexp(1, emax+1) {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return math.Copysign(r, x)
}

func TestRoundTripAll(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if f := FromF16(h); !math.IsNaN(float64(f)) && F16(f) != h {
			t.Fatalf("F16(FromF16(%#04x)) = %#04x", h, F16(f))
		} else if math.IsNaN(float64(f)) != (h&0x7c00 == 0x7c00 && h&0x3ff != 0) {
			t.Fatalf("FromF16(%#04x) = %v", h, f)
		}
		if f := FromBF16(h); !math.IsNaN(float64(f)) && BF16(f) != h {
			t.Fatalf("BF16(FromBF16(%#04x)) = %#04x", h, BF16(f))
		}
	}
}

// Every f16 and bf16 value, the midpoints between neighbours, and the floats next
// to those decide every rounding.
func TestRounding(t *testing.T) {
	formats := []struct {
		name          string
		narrow        func(float32) uint16
		widen         func(uint16) float32
		p, emin, emax int
	}{
		{"f16", F16, FromF16, 11, -14, 15},
		{"bf16", BF16, FromBF16, 8, -126, 127},
	}
	for _, f := range formats {
		check := func(x float32) {
			t.Helper()
			want := nearest(float64(x), f.p, f.emin, f.emax)
			if got := float64(f.widen(f.narrow(x))); got != want || math.Signbit(got) != math.Signbit(want) {
				t.Fatalf("%s of %x = %x, want %x", f.name, x, got, want)
			}
		}
		for i := range 1 << 15 {
			lo, hi := f.widen(uint16(i)), f.widen(uint16(i+1))
			if math.IsNaN(float64(hi)) || math.IsNaN(float64(lo)) || math.IsInf(float64(lo), 0) {
				continue
			}
			mid := math.MaxFloat32
			if !math.IsInf(float64(hi), 0) {
				mid = (float64(lo) + float64(hi)) / 2
			} else if f.name == "f16" {
				mid = 65520
			}
			for _, sign := range []float32{1, -1} {
				m := sign * float32(mid)
				for _, x := range []float32{sign * lo, m, math.Nextafter32(m, 0), math.Nextafter32(m, float32(math.Inf(int(sign))))} {
					check(x)
				}
			}
		}
	}
}

func TestNaN(t *testing.T) {
	for _, b := range []uint32{0x7f800001, 0x7fffffff, 0xff800001, 0x7fc00000} {
		f := math.Float32frombits(b)
		if h := F16(f); !math.IsNaN(float64(FromF16(h))) || h>>15 != uint16(b>>31) {
			t.Errorf("F16(%#x) = %#04x", b, h)
		}
		if h := BF16(f); !math.IsNaN(float64(FromBF16(h))) || h>>15 != uint16(b>>31) {
			t.Errorf("BF16(%#x) = %#04x", b, h)
		}
	}
}

// Rounding float64 through OddF32 rounds once; through float32 it rounds twice.
func TestOddF32(t *testing.T) {
	twice := 1 + 0x1p-11 + 0x1p-40 // just above the tie of 1 and 1+2^-10
	if F16(float32(twice)) != 0x3c00 || F16(OddF32(twice)) != 0x3c01 {
		t.Errorf("got %#04x twice, %#04x once", F16(float32(twice)), F16(OddF32(twice)))
	}
	for i := range 1 << 15 {
		for _, eps := range []float64{-0x1p-45, 0, 0x1p-45} {
			lo, hi := float64(FromF16(uint16(i))), float64(FromF16(uint16(i+1)))
			if math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(hi, 0) || math.IsInf(lo, 0) {
				continue
			}
			x := -(lo + hi) / 2 * (1 + eps)
			if got, want := float64(FromF16(F16(OddF32(x)))), nearest(x, 11, -14, 15); got != want {
				t.Fatalf("f16 of %x = %x, want %x", x, got, want)
			}
		}
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), 0, 1e300, -1e300, 1e-300} {
		if got, want := float64(FromBF16(BF16(OddF32(x)))), nearest(x, 8, -126, 127); got != want {
			t.Errorf("bf16 of %v = %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(float64(OddF32(math.NaN()))) {
		t.Error("NaN lost")
	}
}
