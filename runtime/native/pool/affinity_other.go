//go:build !linux

package pool

// affinity isn't known here.
func affinity() int { return 0 }
