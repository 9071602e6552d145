package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// valueType is the type of a metadata value in the file.
type valueType uint32

const (
	typeBool   valueType = 7
	typeString valueType = 8
	typeArray  valueType = 9
)

// scalars reads the types of fixed width, by valueType: one value or n.
var scalars = map[valueType]struct {
	size uint64
	one  func(*reader) any
	many func(*reader, int) any
}{
	0:  {1, one[uint8], many[uint8]},
	1:  {1, one[int8], many[int8]},
	2:  {2, one[uint16], many[uint16]},
	3:  {2, one[int16], many[int16]},
	4:  {4, one[uint32], many[uint32]},
	5:  {4, one[int32], many[int32]},
	6:  {4, one[float32], many[float32]},
	10: {8, one[uint64], many[uint64]},
	11: {8, one[int64], many[int64]},
	12: {8, one[float64], many[float64]},
}

var errEnd = errors.New("truncated: the file ends in it; download it again")

// reader reads from data at pos; after the first error it yields zeros.
type reader struct {
	data []byte
	pos  int
	err  error
}

func (r *reader) left() uint64 { return uint64(len(r.data) - r.pos) }

// take is the next n bytes, nil if they aren't there.
func (r *reader) take(n uint64) []byte {
	if r.err != nil || n > r.left() {
		r.fail(errEnd)
		return nil
	}
	r.pos += int(n)
	return r.data[r.pos-int(n) : r.pos]
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

type number interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64
}

// read reads one little-endian number.
func read[T number](r *reader) (v T) {
	if b := r.take(uint64(binary.Size(v))); b != nil {
		r.decode(b, &v)
	}
	return v
}

func one[T number](r *reader) any { return read[T](r) }

func many[T number](r *reader, n int) any {
	list := make([]T, n)
	r.decode(r.take(uint64(binary.Size(list))), list)
	return list
}

// decode fills v, which is as long as b.
func (r *reader) decode(b []byte, v any) {
	if _, err := binary.Decode(b, binary.LittleEndian, v); err != nil {
		r.fail(err)
	}
}

// text reads a string of at most limit bytes.
func (r *reader) text(limit uint64) string {
	n := read[uint64](r)
	if r.err == nil && n > limit {
		r.fail(fmt.Errorf("a string of %d bytes, at most %d are allowed", n, limit))
	}
	b := r.take(n)
	if !utf8.Valid(b) {
		r.fail(fmt.Errorf("the string %.40q is not UTF-8", b))
	}
	return string(b)
}

func (r *reader) boolean() bool {
	b := read[uint8](r)
	if b > 1 {
		r.fail(fmt.Errorf("%d is not a boolean", b))
	}
	return b == 1
}

// value reads a metadata value; depth counts the arrays around it.
func (r *reader) value(kind valueType, depth int) any {
	if s, ok := scalars[kind]; ok {
		return s.one(r)
	}
	switch kind {
	case typeBool:
		return r.boolean()
	case typeString:
		return r.text(math.MaxInt64)
	case typeArray:
		return r.array(depth + 1)
	}
	r.fail(fmt.Errorf("unknown value type %d", kind))
	return nil
}

// array reads an array at the given depth. Its length is checked against the bytes
// that are left before anything is allocated.
func (r *reader) array(depth int) any {
	kind, n := valueType(read[uint32](r)), read[uint64](r)
	size := uint64(1) // the fewest bytes of an element
	scalar, isScalar := scalars[kind]
	switch {
	case isScalar:
		size = scalar.size
	case kind == typeString:
		size = 8
	case kind == typeArray:
		size = 12
	}
	switch {
	case r.err != nil:
		return nil
	case depth > maxDepth:
		r.fail(fmt.Errorf("arrays nested more than %d deep", maxDepth))
		return nil
	case n > r.left()/size:
		r.fail(fmt.Errorf("truncated: an array of %d elements, the %d bytes left hold at most %d", n, r.left(), r.left()/size))
		return nil
	case isScalar:
		return scalar.many(r, int(n))
	case kind == typeString:
		return list(r, n, func() string { return r.text(math.MaxInt64) })
	case kind == typeBool:
		return list(r, n, r.boolean)
	case kind == typeArray:
		return list(r, n, func() any { return r.array(depth + 1) })
	}
	r.fail(fmt.Errorf("unknown value type %d of an array", kind))
	return nil
}

// list reads n elements, or up to the first error.
func list[T any](r *reader, n uint64, read func() T) []T {
	all := make([]T, n)
	for i := range all {
		if all[i] = read(); r.err != nil {
			return nil
		}
	}
	return all
}
