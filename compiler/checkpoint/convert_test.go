package checkpoint

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// The 8-bit floats, at the values that the OCP specification (MX v1.0, tables 1
// to 3) singles out.
func TestSmallFloats(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		dtype string
		bits  byte
		want  float32
	}{
		{"F8_E4M3", 0x00, 0}, {"F8_E4M3", 0x01, 0x1p-9}, {"F8_E4M3", 0x07, 0.875 * 0x1p-6}, {"F8_E4M3", 0x08, 0x1p-6},
		{"F8_E4M3", 0x38, 1}, {"F8_E4M3", 0x39, 1.125}, {"F8_E4M3", 0xbc, -1.5}, {"F8_E4M3", 0x7e, 448}, {"F8_E4M3", 0x7f, nan}, {"F8_E4M3", 0xff, nan},
		{"F8_E5M2", 0x01, 0x1p-16}, {"F8_E5M2", 0x04, 0x1p-14}, {"F8_E5M2", 0x3c, 1}, {"F8_E5M2", 0xbe, -1.5}, {"F8_E5M2", 0x7b, 57344}, {"F8_E5M2", 0x7c, inf}, {"F8_E5M2", 0x7d, nan},
		{"F8_E8M0", 0, 0x1p-127}, {"F8_E8M0", 127, 1}, {"F8_E8M0", 130, 8}, {"F8_E8M0", 254, 0x1p127}, {"F8_E8M0", 255, nan},
	} {
		var got [1]float32
		codecs[c.dtype].widen(got[:], []byte{c.bits})
		if got[0] != c.want && (got[0] == got[0] || c.want == c.want) {
			t.Errorf("%s %#02x = %v, want %v", c.dtype, c.bits, got[0], c.want)
		}
	}
	if !math.Signbit(float64(quant.E4M3(0x80))) {
		t.Error("-0 lost its sign")
	}
}

// Every stored type to every wanted type, more elements than a chunk, element by
// element; equal types are copied bit for bit.
func TestConvert(t *testing.T) {
	const n = chunk + 5
	for stored, c := range codecs {
		src := make([]byte, n*c.size)
		for i := range src {
			src[i] = byte(i*i>>3 ^ i*37)
		}
		for d, same := range sameType {
			dst := make([]byte, n*d.Size())
			convert(dst, d, src, stored)
			for i := range n {
				var wide [1]float32
				c.widen(wide[:], src[i*c.size:])
				x := wide[0]
				if stored == "F64" && d != ir.F32 {
					x = ir.RoundToOdd(math.Float64frombits(binary.LittleEndian.Uint64(src[i*8:])))
				}
				var got, want uint32
				switch d {
				case ir.F32:
					got, want = binary.LittleEndian.Uint32(dst[i*4:]), math.Float32bits(x)
				case ir.F16:
					got, want = uint32(binary.LittleEndian.Uint16(dst[i*2:])), uint32(ir.F32ToF16(x))
				case ir.BF16:
					got, want = uint32(binary.LittleEndian.Uint16(dst[i*2:])), uint32(ir.F32ToBF16(x))
				}
				if same == stored {
					want = got // a NaN's payload need not survive the wide path
					if string(dst) != string(src) {
						t.Fatalf("%s to %s changes bits", stored, d)
					}
				}
				if got != want {
					t.Fatalf("%s to %s, element %d: %#x, want %#x", stored, d, i, got, want)
				}
			}
		}
	}
}

// The type that is said to hold a stored type's numbers does, and no narrower one.
func TestNumberIsExact(t *testing.T) {
	const n = 1 << 16
	holds := func(d ir.DType, values []float32) bool {
		raw, back := make([]byte, n*d.Size()), make([]float32, n)
		ir.Narrow(raw, d, values)
		codecs[sameType[d]].widen(back, raw)
		return firstDifference(values, back) < 0
	}
	for stored, c := range codecs {
		src := make([]byte, n*c.size)
		for i := range n { // every number of 8 and 16 bits
			at := src[i*c.size:]
			at[c.size-1] = byte(i)
			if c.size > 1 {
				at[c.size-2] = byte(i >> 8)
			}
			if c.size > 2 {
				at[0] = 1
			}
		}
		values := make([]float32, n)
		c.widen(values, src)
		if stored == "F64" {
			ir.Narrow(src, ir.F32, values) // beyond f32 is beyond what is promised
			ir.Widen(values, ir.F32, src)
		}
		if !holds(c.number, values) {
			t.Errorf("%s: %s doesn't hold its numbers", stored, c.number)
		}
		if c.number == ir.F32 && (holds(ir.F16, values) || holds(ir.BF16, values)) {
			t.Errorf("%s: 16 bits hold its numbers", stored)
		}
	}
}

// F64 is rounded once, where the way through float32 rounds twice: ties of the
// 16-bit types, moved by less than float32 can see. big.Float is the oracle.
func TestF64RoundsOnce(t *testing.T) {
	for _, c := range []struct {
		d         ir.DType
		narrow    func(float32) uint16
		widen     func(uint16) float32
		precision uint
	}{
		{ir.F16, ir.F32ToF16, ir.F16ToF32, 11},
		{ir.BF16, ir.F32ToBF16, ir.BF16ToF32, 8},
	} {
		twice := 0
		for h := uint16(0x0400); h < 0x7b00; h += 5 { // normal numbers of both types
			tie := (float64(c.widen(h)) + float64(c.widen(h+1))) / 2
			for _, x := range []float64{tie * (1 - 0x1p-45), tie, -tie, tie * (1 + 0x1p-45)} {
				want, _ := new(big.Float).SetPrec(c.precision).SetMode(big.ToNearestEven).SetFloat64(x).Float32()
				var src [8]byte
				var dst [2]byte
				binary.LittleEndian.PutUint64(src[:], math.Float64bits(x))
				convert(dst[:], c.d, src[:], "F64")
				if got := c.widen(binary.LittleEndian.Uint16(dst[:])); got != want {
					t.Fatalf("%s of %x = %x, want %x", c.d, x, got, want)
				}
				if c.widen(c.narrow(float32(x))) != want {
					twice++
				}
			}
		}
		if twice == 0 {
			t.Errorf("%s: no case shows double rounding", c.d)
		}
	}
	for _, x := range []float64{math.Inf(1), 1e300, -1e300, 0, 1e-300} {
		if got := float64(ir.BF16ToF32(ir.F32ToBF16(ir.RoundToOdd(x)))); got != map[bool]float64{true: math.Inf(int(math.Copysign(1, x))), false: 0}[math.Abs(x) > 1] {
			t.Errorf("bf16 of %v = %v", x, got)
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	src := make([]byte, 1<<20)
	for i := range src {
		src[i] = byte(i * 31)
	}
	for _, stored := range []string{"F32", "F16", "BF16", "F64", "F8_E4M3"} {
		for d := range sameType {
			dst := make([]byte, len(src)/codecs[stored].size*d.Size())
			b.Run(stored+"_"+d.String(), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					convert(dst, d, src, stored)
				}
			})
		}
	}
}
