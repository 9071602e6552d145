package gguf

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// Type is ggml's number of an element type.
type Type uint32

// The element types that Decode reads.
const (
	F32  Type = 0
	F16  Type = 1
	Q4_0 Type = 2
	Q4_1 Type = 3
	Q8_0 Type = 8
	BF16 Type = 30
)

// layouts are ggml's element types: blocks of so many elements in so many bytes,
// and what decodes one block, if we can.
var layouts = map[Type]struct {
	name            string
	elements, bytes int
	decode          func(dst []float32, src []byte)
}{
	F32:  {"F32", 1, 4, func(dst []float32, src []byte) { dst[0] = f32(src) }},
	F16:  {"F16", 1, 2, func(dst []float32, src []byte) { dst[0] = f16(src) }},
	BF16: {"BF16", 1, 2, func(dst []float32, src []byte) { dst[0] = ir.BF16ToF32(binary.LittleEndian.Uint16(src)) }},
	Q4_0: {"Q4_0", 32, 18, decodeQ4_0},
	Q4_1: {"Q4_1", 32, 20, decodeQ4_1},
	Q8_0: {"Q8_0", 32, 34, decodeQ8_0},

	6: {"Q5_0", 32, 22, nil}, 7: {"Q5_1", 32, 24, nil}, 9: {"Q8_1", 32, 40, nil},
	10: {"Q2_K", 256, 84, nil}, 11: {"Q3_K", 256, 110, nil}, 12: {"Q4_K", 256, 144, nil},
	13: {"Q5_K", 256, 176, nil}, 14: {"Q6_K", 256, 210, nil}, 15: {"Q8_K", 256, 292, nil},
	16: {"IQ2_XXS", 256, 66, nil}, 17: {"IQ2_XS", 256, 74, nil}, 18: {"IQ3_XXS", 256, 98, nil},
	19: {"IQ1_S", 256, 50, nil}, 20: {"IQ4_NL", 32, 18, nil}, 21: {"IQ3_S", 256, 110, nil},
	22: {"IQ2_S", 256, 82, nil}, 23: {"IQ4_XS", 256, 136, nil}, 29: {"IQ1_M", 256, 56, nil},
	24: {"I8", 1, 1, nil}, 25: {"I16", 1, 2, nil}, 26: {"I32", 1, 4, nil}, 27: {"I64", 1, 8, nil}, 28: {"F64", 1, 8, nil},
	34: {"TQ1_0", 256, 54, nil}, 35: {"TQ2_0", 256, 66, nil},
	39: {"MXFP4", 32, 17, nil}, 40: {"NVFP4", 64, 36, nil}, 41: {"Q1_0", 128, 18, nil},
}

// String is ggml's name: "Q4_1".
func (t Type) String() string {
	if l, ok := layouts[t]; ok {
		return l.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// Decodable reports whether Decode reads the type.
func (t Type) Decodable() bool { return layouts[t].decode != nil }

// Decodables lists the types that Decode reads, in ggml's order.
func Decodables() []Type {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(layouts)), func(t Type) bool { return !t.Decodable() })
}

// RowBytes is the size of an encoded row of n elements, a multiple of the block.
func (t Type) RowBytes(n int) int { return n / layouts[t].elements * layouts[t].bytes }

// Decode writes the elements of src, whole blocks of a decodable type, to dst.
func Decode(dst []float32, t Type, src []byte) {
	l := layouts[t]
	for ; len(src) > 0; dst, src = dst[l.elements:], src[l.bytes:] {
		l.decode(dst[:l.elements], src[:l.bytes])
	}
}

func f32(src []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(src)) }
func f16(src []byte) float32 { return ir.F16ToF32(binary.LittleEndian.Uint16(src)) }

// decodeQ4_0: f16 scale d, 16 bytes of nibbles, low ones first: x = (q-8)·d.
func decodeQ4_0(dst []float32, src []byte) {
	d := f16(src)
	var values [16]float32
	for q := range values {
		values[q] = d * float32(q-8)
	}
	nibbles(dst, src[2:], &values)
}

// decodeQ4_1: f16 scale d, f16 minimum m, 16 bytes of nibbles: x = q·d + m. The
// product is rounded before the sum, on machines with fused operations too.
func decodeQ4_1(dst []float32, src []byte) {
	d, m := f16(src), f16(src[2:])
	var values [16]float32
	for q := range values {
		values[q] = float32(d*float32(q)) + m
	}
	nibbles(dst, src[4:], &values)
}

// nibbles writes the values of 16 low nibbles, then of the 16 high ones.
func nibbles(dst []float32, src []byte, values *[16]float32) {
	low, high := dst[:16], dst[16:32]
	for i, b := range src[:16] {
		low[i], high[i] = values[b&15], values[b>>4]
	}
}

// decodeQ8_0: f16 scale d, 32 signed bytes: x = q·d.
func decodeQ8_0(dst []float32, src []byte) {
	d := f16(src)
	for i, b := range src[2:34] {
		dst[i] = d * float32(int8(b))
	}
}
