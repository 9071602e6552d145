package bundle

import "golang.org/x/sys/unix"

// adviseHuge asks for huge pages; without them the memory works as well.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
