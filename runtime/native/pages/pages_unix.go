//go:build unix

package pages

import (
	"fmt"

	"golang.org/x/sys/unix"
)

var protections = [...]int{
	None:        unix.PROT_NONE,
	Read:        unix.PROT_READ,
	ReadWrite:   unix.PROT_READ | unix.PROT_WRITE,
	ReadExecute: unix.PROT_READ | unix.PROT_EXEC,
}

// Map returns n zero bytes that can be read and written.
func Map(n int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, n, protections[ReadWrite], unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("pages: mapping %d bytes: %w", n, err)
	}
	return b, nil
}

// Unmap gives back what Map returned.
func Unmap(b []byte) error { return unix.Munmap(b) }

// Protect changes the protection of b, which must be whole pages of a mapping.
func Protect(b []byte, p Protection) error {
	if err := unix.Mprotect(b, protections[p]); err != nil {
		return fmt.Errorf("pages: protecting %d bytes: %w", len(b), err)
	}
	return nil
}
