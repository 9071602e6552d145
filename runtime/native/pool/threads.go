package pool

import (
	"math"
	"os"
	"runtime"

	"github.com/mlxc/mlxc/runtime/native/cgroup"
)

// DefaultThreads is the number of threads that this process may keep busy: the
// least of the processors that it may run on and the whole processors of its
// control group's quota, at least 1. A spinning thread more than that is worse than
// none: the group is throttled until its next period.
func DefaultThreads() int {
	return threads(runtime.NumCPU(), affinity(), cgroup.Processors(os.DirFS("/")))
}

// threads combines the limits; affinity 0 and an infinite quota mean none.
func threads(processors, affinity int, quota float64) int {
	n := processors
	if affinity > 0 {
		n = min(n, affinity)
	}
	if quota < float64(n) {
		n = int(math.Floor(quota))
	}
	return max(n, 1)
}
