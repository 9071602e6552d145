package iree

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// JobMemory is what one iree-compile is taken to need, in bytes, for a module of so
// many bytes of text on a machine of so many processors, each of which it uses.
// Measured with 3.13.0 for llvm-cpu on 2 processors, SmolLM2-135M: 142 MB for 17 kB
// of text, 190 MB for 465 kB, 314 MB for 810 kB, 493 MB for 2.2 MB; taken is twice that
// and more, since swapping costs more than a compiler that waits.
func JobMemory(text, processors int) int64 {
	return 384<<20 + int64(processors)*16<<20 + int64(text)<<9
}

// Jobs is how many of n compilers may run at the same time: as many as asked for
// (0: one a processor), but no more than available bytes of memory hold. The note
// says so if memory is what limits.
func Jobs(asked, n int, available, each int64) (jobs int, note string) {
	jobs = asked
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	jobs = min(jobs, max(n, 1))
	if fit := max(1, available/max(each, 1)); int64(jobs) > fit {
		note = fmt.Sprintf("compilers at the same time: %d instead of %d, because each may need %d MB, %d MB are available", fit, jobs, each>>20, available>>20)
		jobs = int(fit)
	}
	return jobs, note
}

// AvailableMemory is how many bytes new processes may use: what the system has left,
// or what the cgroups (v1 or v2) that this process is in leave, if that is less.
// It is math.MaxInt64 where the system doesn't say.
func AvailableMemory() int64 { return availableMemory(os.DirFS("/")) }

func availableMemory(root fs.FS) int64 {
	available := int64(math.MaxInt64)
	if kb, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		available = kb << 10
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for _, v := range cgroupVersions {
			if v.controller == f[1] {
				available = min(available, v.left(root, f[2]))
			}
		}
	}
	return available
}

// cgroupVersion says where a version of cgroups keeps what. Cached file pages, which
// the kernel gives up under pressure, don't count as used.
type cgroupVersion struct {
	controller, mount, limit, usage, cache string
}

var cgroupVersions = []cgroupVersion{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "file"},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"},
}

// left is the least that a group and its parents leave. In a container the path may
// be the host's, of which only the top is mounted.
func (v cgroupVersion) left(root fs.FS, group string) int64 {
	least := int64(math.MaxInt64)
	for g := path.Clean("/" + group); ; g = path.Dir(g) {
		dir := path.Join(v.mount, g)
		limit, ok := number(root, path.Join(dir, v.limit))
		used, ok2 := number(root, path.Join(dir, v.usage))
		if ok && ok2 {
			cached, _ := field(root, path.Join(dir, "memory.stat"), v.cache)
			least = min(least, max(0, limit-max(0, used-cached)))
		}
		if g == "/" {
			return least
		}
	}
}

// number reads a file that holds one number; "max" is not one.
func number(root fs.FS, name string) (int64, bool) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

// field reads the number that follows key at the start of a line.
func field(root fs.FS, name, key string) (int64, bool) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == key {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
