//go:build !unix

package pages

import "errors"

var errUnsupported = errors.New("pages: mapping memory isn't supported on this system; use --device reference")

// Map isn't supported here.
func Map(n int) ([]byte, error) { return nil, errUnsupported }

// Unmap isn't supported here.
func Unmap(b []byte) error { return errUnsupported }

// Protect isn't supported here.
func Protect(b []byte, p Protection) error { return errUnsupported }
