//go:build !linux

package runtime

// PeakMemory is the largest resident set that the process has had, in bytes; 0:
// this system doesn't tell.
func PeakMemory() int64 { return 0 }
