package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Machine is where the numbers were taken, and with what.
type Machine struct {
	CPU       string   `json:"cpu"`
	Cores     int      `json:"cores"`
	Features  []string `json:"features"` // what vector code can use
	MemoryMB  int64    `json:"memory_mb"`
	Caches    []string `json:"caches"`
	HugePages string   `json:"huge_pages"`
	Kernel    string   `json:"kernel"`
	Load      string   `json:"load_average"` // before anything was started
	Go        string   `json:"go"`
	Compiler  string   `json:"c_compiler"`
	Commit    string   `json:"mlxc_commit"`
}

// vectorFeatures are the prefixes of the flags in /proc/cpuinfo that say what vector
// code a processor runs.
var vectorFeatures = []string{"avx", "fma", "f16c", "amx", "asimd", "sve", "i8mm", "bf16"}

// describeMachine reads what Linux tells; elsewhere those fields stay empty.
func describeMachine(ctx context.Context) Machine {
	m := Machine{
		CPU: procField("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(),
		HugePages: text("/sys/kernel/mm/transparent_hugepage/enabled"), Kernel: text("/proc/sys/kernel/osrelease"), Load: text("/proc/loadavg"),
		Go: runtime.Version(), Compiler: firstLine(ctx, "c++", "--version"), Commit: firstLine(ctx, "git", "rev-parse", "HEAD"),
	}
	for _, name := range strings.Fields(procField("/proc/cpuinfo", "flags") + " " + procField("/proc/cpuinfo", "Features")) {
		if slices.ContainsFunc(vectorFeatures, func(p string) bool { return strings.HasPrefix(name, p) }) {
			m.Features = append(m.Features, name)
		}
	}
	kb, _ := strconv.ParseInt(strings.TrimSuffix(procField("/proc/meminfo", "MemTotal"), " kB"), 10, 64)
	m.MemoryMB = kb >> 10
	for i := range 4 {
		dir := fmt.Sprintf("/sys/devices/system/cpu/cpu0/cache/index%d/", i)
		if size := text(dir + "size"); size != "" {
			m.Caches = append(m.Caches, fmt.Sprintf("L%s %s %s", text(dir+"level"), strings.ToLower(text(dir+"type")), size))
		}
	}
	if firstLine(ctx, "git", "status", "--porcelain") != "" {
		m.Commit += " and changes"
	}
	return m
}

// procField is the first value of a key in a file of "key : value" lines.
func procField(path, key string) string {
	for line := range strings.Lines(text(path)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func text(path string) string {
	b, _ := os.ReadFile(path)
	return strings.TrimSpace(string(b))
}

func firstLine(ctx context.Context, name string, args ...string) string {
	out, _ := exec.CommandContext(ctx, name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// cpuShare watches how much of the processors goes to anything but this program and
// what it started. Numbers taken beside other work are worth little.
type cpuShare struct {
	start     time.Time
	busy, own time.Duration
}

func startCPUShare() (*cpuShare, error) {
	busy, err := busyTime()
	return &cpuShare{start: time.Now(), busy: busy, own: ownTime()}, err
}

// others is the share since the start: 0 = nobody else, 1 = all processors. -1 where
// the system doesn't tell.
func (c *cpuShare) others() (float64, error) {
	busy, err := busyTime()
	if err != nil || busy < 0 {
		return -1, err
	}
	others := busy - c.busy - (ownTime() - c.own)
	return max(0, others.Seconds()/time.Since(c.start).Seconds()/float64(runtime.NumCPU())), nil
}

// busyTime is the time that all processors have spent on anything, also on other
// guests of the same host ("steal"); -1 where the system doesn't tell.
func busyTime() (time.Duration, error) {
	fields := strings.Fields(text("/proc/stat")) // cpu user nice system idle iowait irq softirq steal …
	if len(fields) < 9 || fields[0] != "cpu" {
		return -1, nil
	}
	var ticks int64
	for i, f := range fields[1:9] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/stat: %w", err)
		}
		if i != 3 && i != 4 { // idle, waiting for disks
			ticks += n
		}
	}
	return time.Duration(ticks) * (time.Second / 100), nil
}

// ownTime is the processor time of this program and of its ended children.
func ownTime() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}
