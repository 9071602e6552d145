package vm

import (
	"fmt"
	"math"
	"strings"
)

// Ref is what a reference register holds: a *Buffer, a *List or an object of a
// Library. nil is the null reference.
type Ref interface {
	// TypeName is the type as modules spell it: "!vm.buffer".
	TypeName() string
}

// Names of the virtual machine's own reference types.
const (
	bufferType = "!vm.buffer"
	listType   = "!vm.list"
	opaqueType = "!vm.opaque"
)

// canonicalType drops what doesn't matter at run time: all lists are one type.
func canonicalType(name string) string {
	if strings.HasPrefix(name, listType) {
		return listType
	}
	return name
}

// typeMatches says whether a reference may stand where a type is asked for.
func typeMatches(r Ref, want string) bool {
	return r == nil || want == opaqueType || r.TypeName() == want
}

// Buffer is bytes that bytecode reads and, unless they are constants, writes.
type Buffer struct {
	Bytes    []byte
	Constant bool
}

// TypeName is "!vm.buffer".
func (*Buffer) TypeName() string { return bufferType }

// span returns n elements of the given size, counted from the element offset on.
func (b *Buffer) span(offset, n uint64, size int) ([]byte, error) {
	total := uint64(len(b.Bytes)) / uint64(size)
	if offset > total || n > total-offset {
		return nil, fmt.Errorf("%d elements of %d bytes at %d in a buffer of %d bytes", n, size, offset, len(b.Bytes))
	}
	return b.Bytes[offset*uint64(size) : (offset+n)*uint64(size)], nil
}

// writable is span for a buffer that will be written.
func (b *Buffer) writable(offset, n uint64, size int) ([]byte, error) {
	if b.Constant {
		return nil, fmt.Errorf("buffer of %d bytes is a constant and can't be written", len(b.Bytes))
	}
	return b.span(offset, n, size)
}

// Kind is a letter of a calling convention.
type Kind byte

// The kinds of values.
const (
	I32       Kind = 'i'
	I64       Kind = 'I'
	F32       Kind = 'f'
	F64       Kind = 'F'
	Reference Kind = 'r'
)

// Value is an argument, a result or an element of a List. The bits of a narrow
// value are its zero-extended pattern.
type Value struct {
	Kind Kind
	Bits uint64
	Ref  Ref
}

// RefValue wraps a reference.
func RefValue(r Ref) Value { return Value{Kind: Reference, Ref: r} }

// Int wraps a 64-bit integer.
func Int(v int64) Value { return Value{Kind: I64, Bits: uint64(v)} }

// as converts within integers and within floats as IREE's lists do; any other
// pair gives zero.
func (v Value) as(k Kind) Value {
	w := Value{Kind: k}
	switch {
	case v.Kind == k:
		return v
	case v.Kind == I32 && k == I64:
		w.Bits = uint64(int64(int32(v.Bits)))
	case v.Kind == I64 && k == I32:
		w.Bits = uint64(uint32(v.Bits))
	case v.Kind == F32 && k == F64:
		w.Bits = math.Float64bits(float64(math.Float32frombits(uint32(v.Bits))))
	case v.Kind == F64 && k == F32:
		w.Bits = uint64(math.Float32bits(float32(math.Float64frombits(v.Bits))))
	}
	return w
}

// List is a sequence of values that can grow.
type List struct{ items []Value }

// NewList makes a list of references.
func NewList(refs ...Ref) *List {
	l := &List{}
	for _, r := range refs {
		l.items = append(l.items, RefValue(r))
	}
	return l
}

// At returns element i, which must be there.
func (l *List) At(i int) Value { return l.items[i] }

// TypeName is "!vm.list".
func (*List) TypeName() string { return listType }

// at returns the element of an index.
func (l *List) at(index uint32) (*Value, error) {
	if uint64(index) >= uint64(len(l.items)) {
		return nil, fmt.Errorf("index %d in a list of %d", index, len(l.items))
	}
	return &l.items[index], nil
}

// maxList is the number of elements that a list may have.
const maxList = 1 << 20

func (l *List) resize(n uint32) error {
	if n > maxList {
		return fmt.Errorf("list of %d elements: at most %d are supported", n, maxList)
	}
	for uint32(len(l.items)) < n {
		l.items = append(l.items, Value{})
	}
	clear(l.items[n:])
	l.items = l.items[:n]
	return nil
}
