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
	F32    Type = 0
	F16    Type = 1
	Q4_0   Type = 2
	Q4_1   Type = 3
	Q5_0   Type = 6
	Q5_1   Type = 7
	Q8_0   Type = 8
	Q2_K   Type = 10
	Q3_K   Type = 11
	Q4_K   Type = 12
	Q5_K   Type = 13
	Q6_K   Type = 14
	IQ4_NL Type = 20
	IQ4_XS Type = 23
	BF16   Type = 30
)

// layout is an element type: blocks of so many elements in so many bytes, and what
// decodes one block, if we can: decode if an element is a number of its own, else
// affine.
type layout struct {
	name            string
	elements, bytes int
	decode          func(src []byte) float32
	affine          *affine
}

var layouts = map[Type]layout{
	F32:  {"F32", 1, 4, f32, nil},
	F16:  {"F16", 1, 2, f16, nil},
	BF16: {"BF16", 1, 2, func(src []byte) float32 { return ir.BF16ToF32(binary.LittleEndian.Uint16(src)) }, nil},
	Q4_0: {"Q4_0", 32, 18, nil, &affine{4, 32, 8, nibblesAt(2), oneScale, nil}},
	Q4_1: {"Q4_1", 32, 20, nil, &affine{4, 32, 0, nibblesAt(4), scaleAndMinimum, nil}},
	Q5_0: {"Q5_0", 32, 22, nil, &affine{8, 32, 16, fiveBitsAt(2), oneScale, nil}},
	Q5_1: {"Q5_1", 32, 24, nil, &affine{8, 32, 0, fiveBitsAt(4), scaleAndMinimum, nil}},
	Q8_0: {"Q8_0", 32, 34, nil, &affine{8, 32, 128, codesQ8_0, oneScale, nil}},
	Q2_K: {"Q2_K", 256, 84, nil, &affine{4, 16, 0, codesQ2_K, nil, levelsQ2_K}},
	Q3_K: {"Q3_K", 256, 110, nil, &affine{4, 16, 4, codesQ3_K, nil, levelsQ3_K}},
	Q4_K: {"Q4_K", 256, 144, nil, &affine{4, 32, 0, codesQ4_K, nil, levelsK}},
	Q5_K: {"Q5_K", 256, 176, nil, &affine{8, 32, 0, codesQ5_K, nil, levelsK}},
	Q6_K: {"Q6_K", 256, 210, nil, &affine{8, 16, 32, codesQ6_K, nil, levelsQ6_K}},

	IQ4_NL: {"IQ4_NL", 32, 18, nil, &affine{8, 32, 128, codesIQ4_NL, oneScale, nil}},
	IQ4_XS: {"IQ4_XS", 256, 136, nil, &affine{8, 32, 128, codesIQ4_XS, nil, levelsIQ4_XS}},

	9: {name: "Q8_1", elements: 32, bytes: 40}, 15: {name: "Q8_K", elements: 256, bytes: 292},
	16: {name: "IQ2_XXS", elements: 256, bytes: 66}, 17: {name: "IQ2_XS", elements: 256, bytes: 74}, 18: {name: "IQ3_XXS", elements: 256, bytes: 98},
	19: {name: "IQ1_S", elements: 256, bytes: 50}, 21: {name: "IQ3_S", elements: 256, bytes: 110},
	22: {name: "IQ2_S", elements: 256, bytes: 82}, 29: {name: "IQ1_M", elements: 256, bytes: 56},
	24: {name: "I8", elements: 1, bytes: 1}, 25: {name: "I16", elements: 1, bytes: 2}, 26: {name: "I32", elements: 1, bytes: 4},
	27: {name: "I64", elements: 1, bytes: 8}, 28: {name: "F64", elements: 1, bytes: 8},
	34: {name: "TQ1_0", elements: 256, bytes: 54}, 35: {name: "TQ2_0", elements: 256, bytes: 66},
	39: {name: "MXFP4", elements: 32, bytes: 17}, 40: {name: "NVFP4", elements: 64, bytes: 36}, 41: {name: "Q1_0", elements: 128, bytes: 18},
}

// String is ggml's name: "Q4_1".
func (t Type) String() string {
	if l, ok := layouts[t]; ok {
		return l.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// Decodable reports whether Decode reads the type.
func (t Type) Decodable() bool { return layouts[t].decode != nil || layouts[t].affine != nil }

// Decodables lists the types that Decode reads, in ggml's order.
func Decodables() []Type {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(layouts)), func(t Type) bool { return !t.Decodable() })
}

// RowBytes is the size of an encoded row of n elements, a multiple of the block.
func (t Type) RowBytes(n int) int { return n / layouts[t].elements * layouts[t].bytes }

// Decode writes the elements of src, whole blocks of a decodable type, to dst.
func Decode(dst []float32, t Type, src []byte) {
	l := layouts[t]
	if l.affine != nil {
		l.decodeAffine(dst, src)
		return
	}
	for i := range dst {
		dst[i] = l.decode(src[i*l.bytes:])
	}
}

func f32(src []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(src)) }
func f16(src []byte) float32 { return ir.F16ToF32(binary.LittleEndian.Uint16(src)) }
