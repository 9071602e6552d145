package pool

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// DefaultThreads is the number of threads that this process may keep busy: the
// least of the processors that it may run on and the whole processors of its
// control group's quota, at least 1. A spinning thread more than that is worse than
// none: the group is throttled until its next period.
func DefaultThreads() int {
	return threads(runtime.NumCPU(), affinity(), quota(os.DirFS("/")))
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

// quota returns how many processors' time the control groups of this process
// grant, +Inf if they set no limit. Both versions of control groups count, and
// every group from the process's own up to the root of the mount.
func quota(root fs.FS) float64 {
	limit := math.Inf(1)
	for _, m := range cgroupMounts(root) {
		for group := m.group(root); ; group = path.Dir(group) {
			limit = min(limit, m.limit(root, group))
			if len(group) <= len(m.point) || group == "." {
				break
			}
		}
	}
	return limit
}

// cgroupMount is a mounted hierarchy that controls processors. Paths have no
// leading slash, as io/fs wants them.
type cgroupMount struct {
	version int
	root    string // the group that is mounted
	point   string // where
}

// cgroupMounts reads /proc/self/mountinfo: "… root point options … - type source options".
func cgroupMounts(root fs.FS) []cgroupMount {
	data, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return nil
	}
	var mounts []cgroupMount
	for line := range strings.Lines(string(data)) {
		before, after, ok := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(place) < 5 || len(kind) < 3 {
			continue
		}
		m := cgroupMount{root: place[3], point: strings.Trim(place[4], "/")}
		switch {
		case kind[0] == "cgroup2":
			m.version = 2
		case kind[0] == "cgroup" && slices.Contains(strings.Split(kind[2], ","), "cpu"):
			m.version = 1
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// group is the directory of the process's own group: /proc/self/cgroup has lines
// "0::/path" (version 2) and "4:cpu,cpuacct:/path" (version 1).
func (m cgroupMount) group(root fs.FS) string {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return m.point
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 || (m.version == 2) != (fields[1] == "") {
			continue
		}
		if m.version == 1 && !slices.Contains(strings.Split(fields[1], ","), "cpu") {
			continue
		}
		// What is mounted may be a group of its own; the process may be outside of it.
		inside, ok := strings.CutPrefix(fields[2], strings.TrimSuffix(m.root, "/"))
		if !ok || strings.Contains(inside, "..") {
			return m.point
		}
		return path.Join(m.point, inside)
	}
	return m.point
}

// limit reads the quota of one group, in processors.
func (m cgroupMount) limit(root fs.FS, group string) float64 {
	if m.version == 2 {
		fields := strings.Fields(readString(root, path.Join(group, "cpu.max"))) // "200000 100000" or "max 100000"
		if len(fields) == 2 {
			return ratio(fields[0], fields[1])
		}
		return math.Inf(1)
	}
	return ratio(readString(root, path.Join(group, "cpu.cfs_quota_us")), readString(root, path.Join(group, "cpu.cfs_period_us")))
}

// ratio is quota over period; "max", -1 and nonsense mean no limit.
func ratio(quota, period string) float64 {
	q, errQ := strconv.ParseFloat(strings.TrimSpace(quota), 64)
	p, errP := strconv.ParseFloat(strings.TrimSpace(period), 64)
	if errQ != nil || errP != nil || q <= 0 || p <= 0 {
		return math.Inf(1)
	}
	return q / p
}

func readString(root fs.FS, name string) string {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return string(b)
}
