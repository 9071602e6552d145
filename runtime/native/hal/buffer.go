package hal

import (
	"errors"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

// Alignment of the start of every storage: kernels use aligned vector moves.
const Alignment = 64

// Buffer is a range of device memory.
type Buffer struct {
	bytes    []byte
	storage  *storage // what keeps the bytes mapped
	constant bool     // not to be written by transfers
}

// storage is one allocation. The memory outlives every buffer in it.
type storage struct {
	bytes     []byte
	owner     any     // what must stay reachable as long as the bytes are used
	transient bool    // may be pooled
	pooled    bool    // is
	holders   int     // callers that may still read it
	lent      *Buffer // the last one that a transient's memory was handed out as
}

// TypeName is "!hal.buffer".
func (*Buffer) TypeName() string { return "!hal.buffer" }

// Wrap makes a constant buffer of memory that somebody else owns, which must begin
// at a multiple of Alignment. owner stays reachable as long as the buffer does.
func Wrap(bytes []byte, owner any) (*Buffer, error) {
	if a := pages.Address(bytes); a%Alignment != 0 {
		return nil, fmt.Errorf("hal: memory at %#x isn't aligned to %d bytes", a, Alignment)
	}
	return &Buffer{bytes: bytes, storage: &storage{bytes: bytes, owner: owner}, constant: true}, nil
}

// Bytes of the buffer.
func (b *Buffer) Bytes() []byte { return b.bytes }

// Constant says whether transfers into the buffer are refused.
func (b *Buffer) Constant() bool { return b.constant }

// SharesMemory says whether two buffers are the same range of the same memory.
func (b *Buffer) SharesMemory(o *Buffer) bool {
	return len(b.bytes) == len(o.bytes) && pages.Address(b.bytes) == pages.Address(o.bytes)
}

var errConstant = errors.New("transfer into a constant buffer")

// wholeBuffer as a length means the rest.
const wholeBuffer = ^uint64(0)

// span returns a range of the buffer. It is the one place that checks ranges:
// kernels check none.
func (b *Buffer) span(offset, length uint64) ([]byte, error) {
	size := uint64(len(b.bytes))
	if length == wholeBuffer && offset <= size {
		length = size - offset
	}
	if offset > size || length > size-offset {
		return nil, fmt.Errorf("range of %d bytes at %d in a buffer of %d bytes", length, offset, size)
	}
	return b.bytes[offset : offset+length : offset+length], nil
}

// writable is span for a transfer's target.
func (b *Buffer) writable(offset, length uint64) ([]byte, error) {
	if b.constant {
		return nil, errConstant
	}
	return b.span(offset, length)
}

// subspan is a buffer that is a range of this one.
func (b *Buffer) subspan(offset, length uint64) (*Buffer, error) {
	if offset == 0 && length == uint64(len(b.bytes)) {
		return b, nil
	}
	bytes, err := b.span(offset, length)
	if err != nil {
		return nil, err
	}
	return &Buffer{bytes, b.storage, b.constant}, nil
}
