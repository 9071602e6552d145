package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// memory is where weights are besides the mapped file.
type memory struct {
	loading  sync.Mutex
	resident atomic.Pointer[resident] // nil while weights are used where they're mapped
}

// resident is the weights in memory of their own.
type resident struct {
	mapping []byte
	weights [][]byte
}

const (
	hugePage = 2 << 20
	// weightAlignment is what devices need; weights lie close together so that they
	// don't all begin at the same place of a page, which caches dislike.
	weightAlignment = 64
	readSize        = 8 << 20 // between two looks at the context
)

// LoadWeights reads the weights into memory of huge pages, if the system grants them;
// Weight returns that memory from then on, until Close. It takes as much memory as the
// weights have, which the system can't take back as it can the pages of a mapped file.
// Without room in the address space it does nothing.
func (b *Bundle) LoadWeights(ctx context.Context) error {
	b.memory.loading.Lock()
	defer b.memory.loading.Unlock()
	if b.memory.resident.Load() != nil || len(b.Manifest.Weights) == 0 {
		return nil
	}
	r, err := mapResident(b.spans[len(b.spans)-len(b.Manifest.Weights):])
	if err != nil {
		return nil
	}
	if err := b.readWeights(ctx, r); err != nil {
		return errors.Join(err, unix.Munmap(r.mapping))
	}
	_ = unix.Mprotect(r.mapping, unix.PROT_READ)
	b.memory.resident.Store(r)
	return nil
}

// mapResident makes room for the payloads of the spans.
func mapResident(spans []span) (*resident, error) {
	size := 0
	for _, s := range spans {
		size += int(roundUp(s.size, weightAlignment))
	}
	mapping, err := unix.Mmap(-1, 0, size+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(mapping)))
	arena := mapping[roundUp(int64(start), hugePage)-int64(start):]
	adviseHuge(arena)
	r := &resident{mapping: mapping}
	for _, s := range spans {
		r.weights = append(r.weights, arena[:s.size:s.size])
		arena = arena[roundUp(s.size, weightAlignment):]
	}
	return r, nil
}

// readWeights fills the memory from the file, on several processors: most of the time
// goes into zeroing pages and copying.
func (b *Bundle) readWeights(ctx context.Context, r *resident) error {
	b.dropMapped()
	first := len(b.spans) - len(r.weights)
	var next atomic.Int64
	var readers sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), 8))
	for k := range errs {
		readers.Go(func() {
			for errs[k] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(r.weights) {
					return
				}
				errs[k] = b.readPayload(ctx, first+i, r.weights[i])
			}
		})
	}
	readers.Wait()
	return errors.Join(errs...)
}

func (b *Bundle) readPayload(ctx context.Context, i int, to []byte) error {
	for at := b.spans[i].off; len(to) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := b.file.ReadAt(to[:min(len(to), readSize)], at)
		if err != nil {
			return fmt.Errorf("bundle: %s: entry %s: %w", b.Path, b.Manifest.Entries[i].Name, err)
		}
		to, at = to[n:], at+int64(n)
	}
	return nil
}

// dropMapped unmaps the pages that checking the weights' headers has touched: each
// brought some of its neighbours along, and they'd count as memory of this process.
func (b *Bundle) dropMapped() {
	page := int64(os.Getpagesize())
	first := b.spans[len(b.spans)-len(b.Manifest.Weights)].off / page * page
	_ = unix.Madvise(b.data[first:], unix.MADV_DONTNEED)
}
