package runtime

import "github.com/mlxc/mlxc/runtime/native/pool"

// MaxThreads is the largest Options.Threads.
const MaxThreads = 1024

// DefaultThreads is the number of worker threads of a device that is told none: the
// affinity mask and the CPU quota, in whole cores, at least 1.
func DefaultThreads() int { return min(pool.DefaultThreads(), MaxThreads) }
