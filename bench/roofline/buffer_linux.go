package roofline

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// buffer is memory on huge pages where the system grants them, every page touched.
func buffer(size int) (words []uint64, free func(), err error) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, fmt.Errorf("roofline: mapping a buffer of %d bytes: %w", size, err)
	}
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // a kernel without them gives small pages
	words = unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), size/8)
	for i := range words {
		words[i] = uint64(i)
	}
	return words, func() { _ = unix.Munmap(b) }, nil
}
