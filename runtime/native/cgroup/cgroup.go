// Package cgroup reads what the control groups of this process grant it. Both versions
// of control groups count, and every group from the process's own up to the root of
// the mount.
package cgroup

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// resource is something that groups limit.
type resource struct {
	controller string                                        // of version 1
	limits     [3]func(root fs.FS, directory string) float64 // by version
}

var (
	processors = resource{"cpu", [3]func(fs.FS, string) float64{
		1: func(root fs.FS, dir string) float64 {
			return ratio(readString(root, path.Join(dir, "cpu.cfs_quota_us")), readString(root, path.Join(dir, "cpu.cfs_period_us")))
		},
		2: func(root fs.FS, dir string) float64 { // "200000 100000" or "max 100000"
			quota, period, _ := strings.Cut(readString(root, path.Join(dir, "cpu.max")), " ")
			return ratio(quota, period)
		},
	}}
	memory = resource{"memory", [3]func(fs.FS, string) float64{
		1: func(root fs.FS, dir string) float64 {
			return ratio(readString(root, path.Join(dir, "memory.limit_in_bytes")), "1")
		},
		2: func(root fs.FS, dir string) float64 { // "1073741824" or "max"
			return ratio(readString(root, path.Join(dir, "memory.max")), "1")
		},
	}}
)

// Processors is how many processors' time the groups grant, +Inf if they set no limit.
// root is the file system's.
func Processors(root fs.FS) float64 { return processors.limit(root) }

// Memory is how many bytes the groups grant, +Inf if they set no limit.
func Memory(root fs.FS) float64 { return memory.limit(root) }

func (r resource) limit(root fs.FS) float64 {
	limit := math.Inf(1)
	for _, m := range r.mounts(root) {
		for group := r.group(m, root); ; group = path.Dir(group) {
			limit = min(limit, r.limits[m.version](root, group))
			if len(group) <= len(m.point) || group == "." {
				break
			}
		}
	}
	return limit
}

// mount is a mounted hierarchy that controls the resource. Paths have no leading
// slash, as io/fs wants them.
type mount struct {
	version int
	root    string // the group that is mounted
	point   string // where
}

// mounts reads /proc/self/mountinfo: "… root point options … - type source options".
func (r resource) mounts(root fs.FS) []mount {
	data, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return nil
	}
	var mounts []mount
	for line := range strings.Lines(string(data)) {
		before, after, ok := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(place) < 5 || len(kind) < 3 {
			continue
		}
		m := mount{root: place[3], point: strings.Trim(place[4], "/")}
		switch {
		case kind[0] == "cgroup2":
			m.version = 2
		case kind[0] == "cgroup" && slices.Contains(strings.Split(kind[2], ","), r.controller):
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
func (r resource) group(m mount, root fs.FS) string {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return m.point
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 || (m.version == 2) != (fields[1] == "") {
			continue
		}
		if m.version == 1 && !slices.Contains(strings.Split(fields[1], ","), r.controller) {
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

// ratio is limit over unit; "max", -1 and nonsense mean no limit.
func ratio(limit, unit string) float64 {
	l, errL := strconv.ParseFloat(strings.TrimSpace(limit), 64)
	u, errU := strconv.ParseFloat(strings.TrimSpace(unit), 64)
	if errL != nil || errU != nil || l <= 0 || u <= 0 {
		return math.Inf(1)
	}
	return l / u
}

func readString(root fs.FS, name string) string {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return string(b)
}
