package native

import (
	"testing"
	"testing/fstest"
)

func TestMemoryForWeights(t *testing.T) {
	const (
		meminfo = "MemTotal:       24684096 kB\nMemFree:        23249292 kB\nMemAvailable:   24029200 kB\n"
		mounted = "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	)
	for _, c := range []struct {
		name      string
		files     fstest.MapFS
		huge      bool
		available float64
	}{
		{"nothing known", fstest.MapFS{}, false, 0},
		{"asked for", fstest.MapFS{"sys/kernel/mm/transparent_hugepage/enabled": {Data: []byte("always [madvise] never\n")}, "proc/meminfo": {Data: []byte(meminfo)}}, true, 24029200 << 10},
		{"always", fstest.MapFS{"sys/kernel/mm/transparent_hugepage/enabled": {Data: []byte("[always] madvise never\n")}}, true, 0},
		{"never", fstest.MapFS{"sys/kernel/mm/transparent_hugepage/enabled": {Data: []byte("always madvise [never]\n")}}, false, 0},
		{"a container's limit", fstest.MapFS{"proc/meminfo": {Data: []byte(meminfo)}, "proc/self/mountinfo": {Data: []byte(mounted)},
			"proc/self/cgroup": {Data: []byte("0::/\n")}, "sys/fs/cgroup/memory.max": {Data: []byte("500000000\n")}}, false, 500000000},
	} {
		if huge, available := hugePages(c.files), availableMemory(c.files); huge != c.huge || available != c.available {
			t.Errorf("%s: huge pages %v, %.0f bytes; want %v, %.0f", c.name, huge, available, c.huge, c.available)
		}
	}
}
