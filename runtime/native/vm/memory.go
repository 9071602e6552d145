package vm

import (
	"bytes"
	"fmt"
	"math/bits"
	"unsafe"
)

// Lists and buffers: the instructions on the virtual machine's own objects.

// object returns the object of a type that a register holds.
func object[T Ref](f *frame, register uint16) (T, error) {
	r := f.ref(register)
	if o, ok := r.(T); ok {
		return o, nil
	}
	var zero T
	return zero, typeError(r, zero.TypeName())
}

func typeError(r Ref, want string) error {
	if r == nil {
		return fmt.Errorf("null reference where %s is expected", want)
	}
	return fmt.Errorf("%s where %s is expected", r.TypeName(), want)
}

func listAlloc(f *frame, in *instruction) error {
	f.setRef(in.r[2], &List{})
	return nil
}

// listReserve only checks: lists grow as they are resized.
func listReserve(f *frame, in *instruction) error {
	_, err := object[*List](f, in.r[0])
	return err
}

func listSize(f *frame, in *instruction) error {
	l, err := object[*List](f, in.r[0])
	if err == nil {
		f.cells[in.r[1]] = uint32(len(l.items))
	}
	return err
}

func listResize(f *frame, in *instruction) error {
	l, err := object[*List](f, in.r[0])
	if err != nil {
		return err
	}
	n := f.cells[in.r[1]]
	if err := f.charge(uint64(n) * uint64(unsafe.Sizeof(Value{}))); err != nil {
		return err
	}
	return l.resize(n)
}

// element returns the list element that the first two operands name.
func element(f *frame, in *instruction) (*Value, error) {
	l, err := object[*List](f, in.r[0])
	if err != nil {
		return nil, err
	}
	return l.at(f.cells[in.r[1]])
}

func listGet32(k Kind) func(*frame, *instruction) error {
	return func(f *frame, in *instruction) error {
		e, err := element(f, in)
		if err == nil {
			f.cells[in.r[2]] = uint32(e.as(k).Bits)
		}
		return err
	}
}

func listSet32(k Kind) func(*frame, *instruction) error {
	return func(f *frame, in *instruction) error {
		e, err := element(f, in)
		if err == nil {
			*e = Value{Kind: k, Bits: uint64(f.cells[in.r[2]])}
		}
		return err
	}
}

func listGet64(k Kind) func(*frame, *instruction) error {
	return func(f *frame, in *instruction) error {
		e, err := element(f, in)
		if err == nil {
			f.set64(in.r[2], e.as(k).Bits)
		}
		return err
	}
}

func listSet64(k Kind) func(*frame, *instruction) error {
	return func(f *frame, in *instruction) error {
		e, err := element(f, in)
		if err == nil {
			*e = Value{Kind: k, Bits: f.get64(in.r[2])}
		}
		return err
	}
}

// listGetRef gives null for an element of another type.
func listGetRef(f *frame, in *instruction) error {
	e, err := element(f, in)
	if err != nil {
		return err
	}
	r := e.Ref
	if in.r[3]&moveBit != 0 {
		e.Ref = nil
	}
	if !typeMatches(r, f.types[in.r[2]]) {
		r = nil
	}
	f.setRef(in.r[3], r)
	return nil
}

func listSetRef(f *frame, in *instruction) error {
	e, err := element(f, in)
	if err == nil {
		*e = RefValue(f.take(in.r[2]))
	}
	return err
}

// source and target return n elements of the buffer and offset in two registers.

func source(f *frame, buffer, offset uint16, n uint64, size int) ([]byte, error) {
	b, err := object[*Buffer](f, buffer)
	if err != nil {
		return nil, err
	}
	return b.span(f.get64(offset), n, size)
}

func target(f *frame, buffer, offset uint16, n uint64, size int) ([]byte, error) {
	b, err := object[*Buffer](f, buffer)
	if err != nil {
		return nil, err
	}
	return b.writable(f.get64(offset), n, size)
}

func load32(name string, size int, read func([]byte) uint32) opcode {
	return opcode{name: name, encoding: "rIi", exec: func(f *frame, in *instruction) error {
		b, err := source(f, in.r[0], in.r[1], 1, size)
		if err == nil {
			f.cells[in.r[2]] = read(b)
		}
		return err
	}}
}

func store32(name string, size int, write func([]byte, uint32)) opcode {
	return opcode{name: name, encoding: "rIi", exec: func(f *frame, in *instruction) error {
		b, err := target(f, in.r[0], in.r[1], 1, size)
		if err == nil {
			write(b, f.cells[in.r[2]])
		}
		return err
	}}
}

func bufferLoad64(f *frame, in *instruction) error {
	b, err := source(f, in.r[0], in.r[1], 1, 8)
	if err == nil {
		f.set64(in.r[2], le.Uint64(b))
	}
	return err
}

func bufferStore64(f *frame, in *instruction) error {
	b, err := target(f, in.r[0], in.r[1], 1, 8)
	if err == nil {
		le.PutUint64(b, f.get64(in.r[2]))
	}
	return err
}

func fill32(name string, size int) opcode {
	return opcode{name: name, encoding: "rIIi", exec: func(f *frame, in *instruction) error {
		return fill(f, in, uint64(f.cells[in.r[3]]), size)
	}}
}

func bufferFill64(f *frame, in *instruction) error { return fill(f, in, f.get64(in.r[3]), 8) }

func fill(f *frame, in *instruction, pattern uint64, size int) error {
	b, err := target(f, in.r[0], in.r[1], f.get64(in.r[2]), size)
	if err != nil {
		return err
	}
	Fill(b, pattern, size)
	return nil
}

// Fill repeats the low size bytes of the pattern over b.
func Fill(b []byte, pattern uint64, size int) {
	var p [8]byte
	le.PutUint64(p[:], pattern)
	for n := copy(b, p[:size]); n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// alignment of the buffers that bytecode allocates: what a device buffer needs.
const alignment = 64

// newBuffer allocates zeros.
func (f *frame) newBuffer(n uint64) (*Buffer, error) {
	if err := f.charge(n); err != nil {
		return nil, err
	}
	b := make([]byte, n+alignment)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (alignment - 1)
	return &Buffer{Bytes: b[skip : uint64(skip)+n : uint64(skip)+n]}, nil
}

func bufferAlloc(f *frame, in *instruction) error {
	b, err := f.newBuffer(f.get64(in.r[0]))
	if err == nil {
		f.setRef(in.r[2], b)
	}
	return err
}

func bufferClone(f *frame, in *instruction) error {
	n := f.get64(in.r[2])
	from, err := source(f, in.r[0], in.r[1], n, 1)
	if err != nil {
		return err
	}
	b, err := f.newBuffer(n)
	if err != nil {
		return err
	}
	copy(b.Bytes, from)
	f.setRef(in.r[4], b)
	return nil
}

func bufferLength(f *frame, in *instruction) error {
	b, err := object[*Buffer](f, in.r[0])
	if err == nil {
		f.set64(in.r[1], uint64(len(b.Bytes)))
	}
	return err
}

func bufferCopy(f *frame, in *instruction) error {
	n := f.get64(in.r[4])
	from, err := source(f, in.r[0], in.r[1], n, 1)
	if err != nil {
		return err
	}
	to, err := target(f, in.r[2], in.r[3], n, 1)
	copy(to, from)
	return err
}

func bufferCompare(f *frame, in *instruction) error {
	n := f.get64(in.r[4])
	a, err := source(f, in.r[0], in.r[1], n, 1)
	if err != nil {
		return err
	}
	b, err := source(f, in.r[2], in.r[3], n, 1)
	if err == nil {
		f.cells[in.r[5]] = flag(bytes.Equal(a, b))
	}
	return err
}

func bufferHash(f *frame, in *instruction) error {
	b, err := source(f, in.r[0], in.r[1], f.get64(in.r[2]), 1)
	if err == nil {
		f.set64(in.r[3], sipHash(b))
	}
	return err
}

// sipHash is SipHash-2-4 (Aumasson, Bernstein 2012) under the key 00 01 … 0f, as
// IREE's vm.buffer.hash.
func sipHash(b []byte) uint64 {
	const k0, k1 = 0x0706050403020100, 0x0f0e0d0c0b0a0908
	v0, v1, v2, v3 := uint64(0x736f6d6570736575^k0), uint64(0x646f72616e646f6d^k1), uint64(0x6c7967656e657261^k0), uint64(0x7465646279746573^k1)
	rounds := func(n int) {
		for range n {
			v0, v2 = v0+v1, v2+v3
			v1, v3 = bits.RotateLeft64(v1, 13)^v0, bits.RotateLeft64(v3, 16)^v2
			v0, v2 = bits.RotateLeft64(v0, 32)+v3, v2+v1
			v3, v1 = bits.RotateLeft64(v3, 21)^v0, bits.RotateLeft64(v1, 17)^v2
			v2 = bits.RotateLeft64(v2, 32)
		}
	}
	word := func(m uint64) {
		v3 ^= m
		rounds(2)
		v0 ^= m
	}
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		word(le.Uint64(b))
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	word(last)
	v2 ^= 0xff
	rounds(4)
	return v0 ^ v1 ^ v2 ^ v3
}
