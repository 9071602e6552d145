// Package pages hands out memory in whole pages, outside the Go heap: it doesn't
// count towards garbage collection, untouched pages cost nothing, and its
// protection can be changed.
package pages

import "unsafe"

// Protection of pages.
type Protection int

// The protections; no page may be written and executed.
const (
	None Protection = iota
	Read
	ReadWrite
	ReadExecute
)

// Size of a page that every supported processor can protect.
const Size = 4096

// Round returns n rounded up to whole pages.
func Round(n uint64) uint64 { return (n + Size - 1) &^ (Size - 1) }

// Address of the first byte of b, which must not be on a goroutine's stack; 0 for
// an empty slice.
func Address(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}
