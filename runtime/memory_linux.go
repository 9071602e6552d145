package runtime

import (
	"fmt"
	"os"
	"strings"
)

// PeakMemory is the largest resident set that the process has had, in bytes, mapped
// files included; 0 where the system doesn't tell. (getrusage would count what the
// parent had in memory when it started this process.)
func PeakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			return kB << 10
		}
	}
	return 0
}
