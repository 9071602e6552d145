package reference

import "golang.org/x/sys/unix"

// machineMemory is the bytes of memory that the machine has.
func machineMemory() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return assumedMemory
	}
	return int(info.Totalram) * int(info.Unit)
}
