package pool

import "golang.org/x/sys/unix"

// affinity is the number of processors in this process's affinity mask, 0 if unknown.
func affinity() int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return 0
	}
	return set.Count()
}

// yield lets another thread have this processor, if one waits for it.
func yield() { unix.RawSyscallNoError(unix.SYS_SCHED_YIELD, 0, 0, 0) }
