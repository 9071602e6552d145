package quant

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// random is splitmix64.
func random(seed uint64, n int) []uint64 {
	r := make([]uint64, n)
	for i := range r {
		z := seed + uint64(i+1)*0x9E3779B97F4A7C15
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		r[i] = z ^ z>>31
	}
	return r
}

// bell is about normal, within ±2.
func bell(r uint64) float32 {
	return float32(int32(r&0xffff+r>>16&0xffff+r>>32&0xffff+r>>48)-131070) * 0x1p-16
}

// bitsOf has a random sign and fraction, and an exponent field in [first, first+count).
func bitsOf(first, count uint64) func(r uint64) float32 {
	return func(r uint64) float32 {
		return math.Float32frombits(uint32(r>>32)&0x807fffff | uint32(r&0xffff%count+first)<<23)
	}
}

func when(condition bool, a, b float32) float32 {
	if condition {
		return a
	}
	return b
}

// kinds are those of testdata/make_quant.py.
var kinds = map[string]func(r uint64) float32{
	"bell":     bell,
	"weights":  func(r uint64) float32 { return bell(r) * 0x1p-6 },
	"positive": func(r uint64) float32 { return abs(bell(r)) },
	"negative": func(r uint64) float32 { return -abs(bell(r)) },
	"offset":   func(r uint64) float32 { return float32(bell(r)*0x1p-10) + 1 },
	"outlier":  func(r uint64) float32 { return when(r%32 == 0, bell(r)*64, bell(r)*0x1p-6) },
	"integers": func(r uint64) float32 { return float32(r>>8%17) - 8 },
	"signs":    func(r uint64) float32 { return when(r%2 == 0, 1, -1) },
	"zeros":    func(r uint64) float32 { return when(r%2 == 0, 0, float32(math.Copysign(0, -1))) },
	"constant": bell, // of the first number of each 32
	"sparse":   func(r uint64) float32 { return when(r%64 == 0, bell(r), 0) },
	"tiny":     func(r uint64) float32 { return bell(r) * 0x1p-24 },
	"denormal": bitsOf(0, 1),
	"small":    bitsOf(0, 16),
	"wide":     bitsOf(110, 30),
	"large":    bitsOf(140, 3),
	"huge":     bitsOf(253, 2),
	"any":      bitsOf(0, 255),
}

// A float type: how f32 is written as it.
var dtypes = map[string]func(b []byte, x float32) []byte{
	"f32":  func(b []byte, x float32) []byte { return binary.LittleEndian.AppendUint32(b, math.Float32bits(x)) },
	"f16":  func(b []byte, x float32) []byte { return binary.LittleEndian.AppendUint16(b, ir.F32ToF16(x)) },
	"bf16": func(b []byte, x float32) []byte { return binary.LittleEndian.AppendUint16(b, ir.F32ToBF16(x)) },
}

func matrix(kind, dtype string, n int, seed uint64) []float32 {
	w := make([]float32, n)
	r := random(seed, n)
	for i := range w {
		if kind == "constant" {
			r[i] = r[i/32*32]
		}
		w[i] = kinds[kind](r[i])
		switch dtype {
		case "f16":
			w[i] = ir.F16ToF32(ir.F32ToF16(min(max(w[i], -65504), 65504)))
		case "bf16":
			w[i] = math.Float32frombits(math.Float32bits(w[i]) & 0xffff0000)
		}
	}
	return w
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// floats are the bytes of x as the type, NaNs made one.
func floats(dtype string, x []float32) (b []byte) {
	for _, v := range x {
		if v != v {
			v = math.Float32frombits(0x7fc00000)
		}
		b = dtypes[dtype](b, v)
	}
	return b
}

// joined is the digest of the digests of several parts.
func joined(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		sum := sha256.Sum256(p)
		h.Write(sum[:8])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestMLX: every matrix of the oracle, quantised with every width, gives the words,
// scales and biases of mlx.core.quantize, and in f32 the numbers of
// mlx.core.dequantize, bit for bit.
func TestMLX(t *testing.T) {
	file, err := os.Open("../../testdata/quant/affine.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	matrices, seen := 0, map[string]int{}
	for scanner := bufio.NewScanner(file); scanner.Scan(); matrices++ {
		f := strings.Split(scanner.Text(), "\t")
		number := func(i int) int {
			n, err := strconv.Atoi(f[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		kind, dtype, n, group := f[0], f[1], number(2)*number(3), number(5)
		seen[kind]++
		w := matrix(kind, dtype, n, uint64(number(4)))
		if digest(floats(dtype, w)) != f[6] {
			t.Fatalf("%v: the matrix is another one", f[:6])
		}
		want := f[7:]
		for _, width := range Widths {
			a := Affine{width, group}
			codes, scales, biases := make([]uint8, n), make([]float32, n/group), make([]float32, n/group)
			a.Quantize(codes, scales, biases, w)
			words := make([]byte, a.RowBytes(n))
			Pack(words, codes, width)
			if got := joined(words, floats(dtype, scales), floats(dtype, biases)); got != want[0] {
				t.Errorf("%v: %s isn't MLX's", f[:6], a)
			}
			want = want[1:]
			if dtype == "f32" {
				back := make([]float32, n)
				a.Dequantize(back, codes, scales, biases)
				if digest(floats("f32", back)) != want[0] {
					t.Errorf("%v: %s dequantised isn't MLX's", f[:6], a)
				}
				want = want[1:]
			}
		}
		if len(want) != 0 {
			t.Fatalf("%v: %d digests too many", f[:6], len(want))
		}
	}
	if matrices < 200 || len(seen) != len(kinds) {
		t.Errorf("%d matrices of %d kinds", matrices, len(seen))
	}
}

// TestModes: every code with every scale is what mlx.core.dequantize makes of it.
func TestModes(t *testing.T) {
	data, err := os.ReadFile("../../testdata/quant/modes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		m, ok := Modes[f[0]]
		if !ok || strconv.Itoa(m.Bits) != f[1] || strconv.Itoa(m.Group) != f[2] {
			t.Errorf("%s: %d bits, groups of %d, want %v", f[0], m.Bits, m.Group, f)
			continue
		}
		width := max(m.Group, 1<<m.Bits)
		var all []float32
		for scale := range uint8(128) {
			codes := make([]uint8, width)
			for i := range codes {
				codes[i] = uint8(i) & (1<<m.Bits - 1)
			}
			w := make([]float32, width)
			m.Dequantize(w, codes, bytes.Repeat([]byte{scale}, width/m.Group))
			all = append(all, w...)
		}
		if digest(floats("f32", all)) != f[3] {
			t.Errorf("%s isn't MLX's", f[0])
		}
	}
	if len(Modes) != 3 {
		t.Errorf("%d modes", len(Modes))
	}
}

// Codes and their bytes, by hand: MLX's layout.
func TestPack(t *testing.T) {
	for _, c := range []struct {
		width int
		codes []uint8
		bytes []byte
	}{
		{2, []uint8{0, 1, 2, 3, 3, 2, 1, 0}, []byte{0b11100100, 0b00011011}},
		{3, []uint8{0, 1, 2, 3, 4, 5, 6, 7}, []byte{0b10001000, 0b11000110, 0b11111010}},
		{4, []uint8{0, 1, 2, 3, 4, 5, 6, 15}, []byte{0x10, 0x32, 0x54, 0xf6}},
		{5, []uint8{31, 0, 1, 0, 0, 0, 0, 16}, []byte{0b00011111, 0b00000100, 0, 0, 0b10000000}},
		{6, []uint8{63, 0, 1, 2, 0, 0, 0, 32}, []byte{0b00111111, 0b00010000, 0b00001000, 0, 0, 0b10000000}},
		{8, []uint8{0, 1, 2, 3, 4, 5, 6, 255}, []byte{0, 1, 2, 3, 4, 5, 6, 255}},
	} {
		got := make([]byte, c.width)
		if Pack(got, c.codes, c.width); !bytes.Equal(got, c.bytes) {
			t.Errorf("%d bits: packed %08b, want %08b", c.width, got, c.bytes)
		}
		codes := make([]uint8, 8)
		if Unpack(codes, c.bytes, c.width); !slices.Equal(codes, c.codes) {
			t.Errorf("%d bits: unpacked %d, want %d", c.width, codes, c.codes)
		}
	}
}

// Codes are the same after widening.
func TestWiden(t *testing.T) {
	for width, want := range map[int]int{2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 8: 8} {
		if to := Widened(width); to != want {
			t.Errorf("%d bits are widened to %d, want %d", width, to, want)
		}
		codes, back := make([]uint8, 256), make([]uint8, 256)
		for i := range codes {
			codes[i] = uint8(rand.IntN(1 << width))
		}
		narrow, wide := make([]byte, 256*width/8), make([]byte, 256*want/8)
		Pack(narrow, codes, width)
		Widen(wide, narrow, width)
		if Unpack(back, wide, want); !slices.Equal(back, codes) {
			t.Errorf("%d bits: other codes after widening", width)
		}
	}
}

func TestCheck(t *testing.T) {
	for a, want := range map[Affine]string{
		{4, 32}: "", {8, 128}: "",
		{7, 32}: "bits 7 (supported: [2 3 4 5 6 8])",
		{4, 16}: "group_size 16 (supported: [32 64 128])",
	} {
		if err := a.Check(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", a, err, want)
		}
	}
}

// FuzzAffine: any finite weights have codes in range, which survive packing, and
// numbers off by no more than half a step.
func FuzzAffine(f *testing.F) {
	f.Add([]byte("\x00\x00\x80\x3f\x00\x00\x80\xbf"), uint8(2))
	f.Add([]byte("\xff\xff\x7f\x7f\x01\x00\x00\x80"), uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		a := Affine{Widths[int(which)%len(Widths)], 32}
		w := make([]float32, 32)
		for i := range w[:min(32, len(data)/4)] {
			x := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
			if w[i] = x; x != x || math.IsInf(float64(x), 0) {
				w[i] = 0
			}
		}
		codes, scale, bias := make([]uint8, 32), make([]float32, 1), make([]float32, 1)
		a.Quantize(codes, scale, bias, w)
		words, back := make([]byte, a.RowBytes(32)), make([]uint8, 32)
		Pack(words, codes, a.Bits)
		if Unpack(back, words, a.Bits); !slices.Equal(back, codes) {
			t.Fatalf("%v packed and unpacked is %v", codes, back)
		}
		values := make([]float32, 32)
		a.Dequantize(values, codes, scale, bias)
		if slices.ContainsFunc(w, func(x float32) bool { return abs(x) > 1e37 }) {
			return // scale·code may be infinite
		}
		for i, x := range w {
			off, step := math.Abs(float64(x)-float64(values[i])), math.Abs(float64(scale[0]))
			if off > step*1.01+1e-6*math.Abs(float64(x)) {
				t.Errorf("%g became %g with scale %g", x, values[i], scale[0])
			}
		}
	})
}

func BenchmarkAffine(b *testing.B) {
	const n = 1 << 16
	w := matrix("weights", "f32", n, 1)
	for _, a := range []Affine{{3, 64}, {4, 32}, {8, 64}} {
		codes, scales, biases := make([]uint8, n), make([]float32, n/a.Group), make([]float32, n/a.Group)
		words, wide := make([]byte, a.RowBytes(n)), make([]byte, n)
		for _, f := range []struct {
			name string
			f    func()
		}{
			{"quantize", func() { a.Quantize(codes, scales, biases, w) }},
			{"pack", func() { Pack(words, codes, a.Bits) }},
			{"unpack", func() { Unpack(codes, words, a.Bits) }},
			{"widen", func() { Widen(wide, words, a.Bits) }},
			{"dequantize", func() { a.Dequantize(w, codes, scales, biases) }},
		} {
			b.Run(a.String()+"/"+f.name, func(b *testing.B) {
				b.SetBytes(4 * n)
				for b.Loop() {
					f.f()
				}
			})
		}
	}
}
