//go:build !linux

package pool

import "runtime"

// affinity isn't known here.
func affinity() int { return 0 }

// yield lets another goroutine have this thread.
func yield() { runtime.Gosched() }
