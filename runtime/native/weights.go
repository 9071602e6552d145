package native

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native/cgroup"
)

// Weights are read once a token, front to back: in the small pages of a mapped file
// the processor spends a tenth of the time and more on finding pages. So they are read
// into memory of huge pages at load (see RATIONALE.md for the numbers), unless that
// memory is not to be had.

// otherMemory is what a process needs besides weights and state.
const otherMemory = 64 << 20

// placeWeights reads the weights into memory of huge pages where that pays.
func placeWeights(ctx context.Context, b *bundle.Bundle) error {
	root := os.DirFS("/")
	need := b.WeightBytes() + b.Manifest.StateBytes() + otherMemory
	if !hugePages(root) || float64(need) > availableMemory(root) {
		return nil
	}
	return b.LoadWeights(ctx)
}

// hugePages says whether the system gives huge pages to who asks for them; the file
// reads "always [madvise] never".
func hugePages(root fs.FS) bool {
	setting, err := fs.ReadFile(root, "sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && !strings.Contains(string(setting), "[never]")
}

// availableMemory is how many bytes the process may take without others being
// swapped out, 0 if the system doesn't tell.
func availableMemory(root fs.FS) float64 {
	info, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(info)) {
		var kB float64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %f kB", &kB); n == 1 {
			return min(1024*kB, cgroup.Memory(root))
		}
	}
	return 0
}
