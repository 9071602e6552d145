package eval

import (
	"unsafe"

	"github.com/mlxc/mlxc/ir"
)

// buffer is memory that arrays look into. References are counted by the one
// goroutine that runs the steps of a Call; kernels only read and write data.
type buffer struct {
	data  []byte
	refs  int
	owned bool // may be written while nothing else refers to it; false for constants and arguments that were not donated
	pool  *pool
}

func (b *buffer) retain() { b.refs++ }

func (b *buffer) release() {
	if b.refs--; b.refs == 0 && b.pool != nil {
		b.pool.put(b)
	}
}

// exclusive reports whether the holder of the only reference may write.
func (b *buffer) exclusive() bool { return b.owned && b.refs == 1 }

// pool keeps the dead buffers of one Call, by size.
type pool struct {
	free map[int][]*buffer
}

func (p *pool) get(bytes int) *buffer {
	words := max(1, (bytes+7)/8)
	if l := p.free[words]; len(l) > 0 {
		b := l[len(l)-1]
		p.free[words] = l[:len(l)-1]
		b.refs, b.data = 1, b.data[:bytes]
		return b
	}
	mem := make([]uint64, words) // words, so that every element type is aligned
	data := unsafe.Slice((*byte)(unsafe.Pointer(&mem[0])), words*8)
	return &buffer{data: data[:bytes], refs: 1, owned: true, pool: p}
}

func (p *pool) put(b *buffer) {
	words := max(1, (len(b.data)+7)/8)
	p.free[words] = append(p.free[words], b)
}

// elements sees the bytes of a buffer as elements of the machine's own type.
func elements[T any](data []byte) []T {
	var e T
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&data[0])), len(data)/int(unsafe.Sizeof(e)))
}

// aligned is data itself, or a copy if an element of type d may not lie at its
// address (weights mapped from a file can start anywhere).
func aligned(d ir.DType, data []byte) []byte {
	if len(data) == 0 || uintptr(unsafe.Pointer(&data[0]))%uintptr(d.Size()) == 0 {
		return data
	}
	b := (&pool{}).get(len(data))
	copy(b.data, data)
	return b.data
}

// overlap reports whether two slices share memory.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}
