package hal

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

const (
	// smallBuffer is the size up to which buffers live on the Go heap, where the
	// garbage collector reclaims a token's results; larger ones are mapped.
	smallBuffer = 1 << 20
	// collectAfter is how many bytes are mapped between two garbage collections at
	// most: the collector doesn't see mappings, and they go when their buffers do.
	collectAfter = 256 << 20
	// maxPooled is the number of transients that wait for reuse: a few for each graph
	// of a bundle.
	maxPooled = 32
	// maxBuffer is the size of a buffer that is plausible at all.
	maxBuffer = 1 << 46
)

// Allocator hands out device memory. One goroutine at a time uses it.
type Allocator struct {
	pool           []*storage // transients given back, oldest first
	sinceCollect   uint64     // bytes mapped since the last forced collection
	mapped         *atomic.Int64
	largest        uint64 // size of a buffer
	collectGarbage func() // runtime.GC
}

// NewAllocator makes an allocator.
func NewAllocator() *Allocator {
	return &Allocator{mapped: new(atomic.Int64), largest: maxBuffer, collectGarbage: runtime.GC}
}

// TypeName is "!hal.allocator".
func (*Allocator) TypeName() string { return "!hal.allocator" }

// Mapped is the number of bytes in mappings that buffers keep alive.
func (a *Allocator) Mapped() int64 { return a.mapped.Load() }

// Allocate returns a buffer of zeros. Pages of a large one that nothing touches
// take no memory.
func (a *Allocator) Allocate(size uint64) (*Buffer, error) {
	s, err := a.newStorage(size)
	if err != nil {
		return nil, err
	}
	return &Buffer{bytes: s.bytes, storage: s}, nil
}

// Transient returns a buffer with any content, for one call. Release makes its
// memory available to the next.
func (a *Allocator) Transient(size uint64) (*Buffer, error) {
	best := -1
	for i, s := range a.pool {
		if n := uint64(len(s.bytes)); n >= size && n <= 2*size+pages.Size && (best < 0 || n < uint64(len(a.pool[best].bytes))) {
			best = i
		}
	}
	if best < 0 {
		b, err := a.Allocate(size)
		if err == nil {
			b.storage.transient, b.storage.lent = true, b
		}
		return b, err
	}
	s := a.pool[best]
	a.pool = slices.Delete(a.pool, best, best+1)
	s.pooled = false
	s.lent = &Buffer{bytes: s.bytes[:size:size], storage: s}
	return s.lent, nil
}

// Retake takes a transient again that an earlier run of the same commands had; ok
// says whether it's free: it waits for reuse, or those commands never gave it back
// nor to a caller.
func (a *Allocator) Retake(b *Buffer) (ok bool) {
	s := b.storage
	if !s.pooled {
		return s.lent == b && s.holders == 0
	}
	i := slices.Index(a.pool, s)
	a.pool = slices.Delete(a.pool, i, i+1)
	s.pooled, s.lent = false, b
	return true
}

// Hold keeps a buffer that is given to a caller from reuse until as many calls of Drop.
func (a *Allocator) Hold(b *Buffer) { b.storage.holders++ }

// Drop takes back one Hold, the last of which releases the buffer.
func (a *Allocator) Drop(b *Buffer) {
	if b.storage.holders--; b.storage.holders == 0 {
		a.Release(b)
	}
}

// Release gives the memory of a transient back for reuse and ignores any other
// buffer. What bytecode does with the buffer afterwards is its own business: the
// memory stays mapped.
func (a *Allocator) Release(b *Buffer) {
	if b.storage.pooled || !b.storage.transient {
		return
	}
	b.storage.pooled = true
	if len(a.pool) == maxPooled {
		a.pool[0].pooled = false
		a.pool = slices.Delete(a.pool, 0, 1)
	}
	a.pool = append(a.pool, b.storage)
}

func (a *Allocator) newStorage(size uint64) (*storage, error) {
	if size > a.largest {
		return nil, fmt.Errorf("hal: buffer of %d bytes: at most %d are supported", size, a.largest)
	}
	if size <= smallBuffer {
		b := make([]byte, size+Alignment)
		skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % Alignment
		return &storage{bytes: b[skip : uint64(skip)+size : uint64(skip)+size]}, nil
	}
	return a.mapStorage(size)
}

func (a *Allocator) mapStorage(size uint64) (*storage, error) {
	n := pages.Round(size)
	if a.sinceCollect += n; a.sinceCollect > collectAfter {
		a.sinceCollect = n
		a.collectGarbage()
	}
	m, err := pages.Map(int(n))
	if err != nil {
		return nil, err
	}
	mapped := a.mapped
	mapped.Add(int64(n))
	s := &storage{bytes: m[:size:size]}
	runtime.AddCleanup(s, func(m []byte) {
		mapped.Add(-int64(len(m)))
		_ = pages.Unmap(m)
	}, m)
	return s, nil
}
