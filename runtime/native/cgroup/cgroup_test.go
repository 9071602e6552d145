package cgroup

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestProcessors(t *testing.T) {
	const (
		v2     = "29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
		v2part = "29 23 0:26 /docker/abc /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n"
		v1     = "33 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n34 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		v1part = "33 30 0:29 /docker/abc /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"no control groups", map[string]string{}, math.Inf(1)},
		{"v2, two of sixteen processors", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/cpu.max": "200000 100000\n"}, 2},
		{"v2, 7.65 processors", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/cpu.max": "765000 100000\n"}, 7.65},
		{"v2, no limit", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/cpu.max": "max 100000\n"}, math.Inf(1)},
		{"v2, the limit is an ancestor's", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/a/b/c\n",
			"sys/fs/cgroup/a/cpu.max": "150000 100000\n", "sys/fs/cgroup/a/b/c/cpu.max": "400000 100000\n"}, 1.5},
		{"v2, in a namespace", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n"}, 0.5},
		{"v2, the container's group is mounted", map[string]string{
			"proc/self/mountinfo": v2part, "proc/self/cgroup": "0::/docker/abc/inner\n",
			"sys/fs/cgroup/cpu.max": "300000 100000\n", "sys/fs/cgroup/inner/cpu.max": "max 100000\n"}, 3},
		{"v2, outside of what is mounted", map[string]string{
			"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/../other\n", "sys/fs/cgroup/cpu.max": "100000 100000\n"}, 1},
		{"v1", map[string]string{
			"proc/self/mountinfo": v1, "proc/self/cgroup": "5:memory:/m\n4:cpu,cpuacct:/box\n",
			"sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "250000\n", "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n"}, 2.5},
		{"v1, no limit", map[string]string{
			"proc/self/mountinfo": v1, "proc/self/cgroup": "4:cpu,cpuacct:/box\n",
			"sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n"}, math.Inf(1)},
		{"v1, the container's group is mounted", map[string]string{
			"proc/self/mountinfo": v1part, "proc/self/cgroup": "4:cpu:/docker/abc\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, 0.5},
		{"both versions mounted", map[string]string{
			"proc/self/mountinfo": v1 + v2, "proc/self/cgroup": "4:cpu,cpuacct:/box\n0::/box\n",
			"sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "400000\n", "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/box/cpu.max": "max 100000\n"}, 4},
		{"nonsense", map[string]string{
			"proc/self/mountinfo": v2 + "x - \n", "proc/self/cgroup": "0\n::\n0::/box\n", "sys/fs/cgroup/box/cpu.max": "many few\n"}, math.Inf(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, content := range c.files {
				root[name] = &fstest.MapFile{Data: []byte(content)}
			}
			if got := Processors(root); got != c.want {
				t.Errorf("Processors = %v, want %v", got, c.want)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  float64
	}{
		{"no control groups", fstest.MapFS{}, math.Inf(1)},
		{"v2", fstest.MapFS{
			"proc/self/mountinfo":          {Data: []byte("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")},
			"proc/self/cgroup":             {Data: []byte("0::/a/b\n")},
			"sys/fs/cgroup/a/memory.max":   {Data: []byte("1073741824\n")},
			"sys/fs/cgroup/a/b/memory.max": {Data: []byte("max\n")}}, 1 << 30},
		{"v1, not the group of the processors", fstest.MapFS{
			"proc/self/mountinfo":                            {Data: []byte("33 30 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n34 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")},
			"proc/self/cgroup":                               {Data: []byte("5:memory:/m\n4:cpu:/box\n")},
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes":   {Data: []byte("536870912\n")},
			"sys/fs/cgroup/memory/box/memory.limit_in_bytes": {Data: []byte("1\n")}}, 512 << 20},
	} {
		if got := Memory(c.files); got != c.want {
			t.Errorf("%s: Memory = %v, want %v", c.name, got, c.want)
		}
	}
}
