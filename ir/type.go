package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DType is the element type of a tensor.
type DType uint8

// The element types of StableHLO that decoders need.
const (
	Invalid DType = iota
	F32
	F16
	BF16
	I1
	I4
	I8
	I16
	I32
	I64
	UI4
	UI8
	UI16
	UI32
)

// dtypes holds the StableHLO spelling and the width of each element type.
var dtypes = [...]struct {
	name string
	bits int
}{
	Invalid: {"invalid", 0},
	F32:     {"f32", 32}, F16: {"f16", 16}, BF16: {"bf16", 16},
	I1: {"i1", 1}, I4: {"i4", 4}, I8: {"i8", 8}, I16: {"i16", 16}, I32: {"i32", 32}, I64: {"i64", 64},
	UI4: {"ui4", 4}, UI8: {"ui8", 8}, UI16: {"ui16", 16}, UI32: {"ui32", 32},
}

// String is the StableHLO spelling: "f32", "ui8".
func (d DType) String() string { return dtypes[d].name }

// Bits is the width of one element as StableHLO counts it: 1 for i1, 4 for i4.
func (d DType) Bits() int { return dtypes[d].bits }

// Size is the number of bytes that one element takes in a Tensor and in a device
// buffer: sub-byte types take a whole byte.
func (d DType) Size() int { return (dtypes[d].bits + 7) / 8 }

// IsFloat reports whether d is a floating-point type.
func (d DType) IsFloat() bool { return d == F32 || d == F16 || d == BF16 }

// IsUnsigned reports whether d is an unsigned integer type; i1 counts as one.
func (d DType) IsUnsigned() bool { return d == I1 || d >= UI4 }

// ParseDType reads the StableHLO spelling.
func ParseDType(s string) (DType, error) {
	for d := F32; d <= UI32; d++ {
		if dtypes[d].name == s {
			return d, nil
		}
	}
	return Invalid, fmt.Errorf("ir: unknown element type %q", s)
}

// Type is a tensor type with a static shape; a scalar has an empty Shape.
type Type struct {
	DType DType
	Shape []int
}

// T makes a Type: T(F32, 4, 8) is tensor<4x8xf32>, T(I32) a scalar.
func T(d DType, shape ...int) Type { return Type{d, slices.Clone(shape)} }

// Rank is the number of dimensions.
func (t Type) Rank() int { return len(t.Shape) }

// Elements is the number of elements: 1 for a scalar.
func (t Type) Elements() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Bytes is the size of a Tensor of this type.
func (t Type) Bytes() int { return t.Elements() * t.DType.Size() }

// Equal reports whether both types have the same element type and shape.
func (t Type) Equal(o Type) bool { return t.DType == o.DType && slices.Equal(t.Shape, o.Shape) }

// With is the type with the same shape and another element type.
func (t Type) With(d DType) Type { return Type{d, t.Shape} }

// String is the StableHLO spelling: "tensor<4x8xf32>".
func (t Type) String() string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range t.Shape {
		b.WriteString(strconv.Itoa(d))
		b.WriteByte('x')
	}
	b.WriteString(t.DType.String())
	b.WriteByte('>')
	return b.String()
}

// Tensor is a value: constants in a module, arguments and results of ir/eval.
// Data is little-endian, dense, row-major, DType.Size bytes an element (i1 is 0
// or 1 in a byte; i4 is sign-extended and ui4 zero-extended to a byte). In the value
// of a constant it may be a single element, which then stands for all (a splat).
type Tensor struct {
	Type Type
	Data []byte
}
