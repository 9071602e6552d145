package device

import (
	"cmp"
	"slices"
	"time"
)

// Profiler is a Program that can say where the time of its calls goes. Collecting
// that costs time itself; it costs nothing before StartProfile and after StopProfile.
type Profiler interface {
	StartProfile()
	StopProfile() Profile
}

// Profile is where the time of a program's calls went. The parts of Calls are, in
// order of their nesting: Commands within Calls, and the kernels' Wall within Commands.
type Profile struct {
	Threads  int             `json:"threads"`
	Graphs   int             `json:"graph_calls"`
	Calls    time.Duration   `json:"calls_ns"`     // in calls of graphs
	Commands time.Duration   `json:"commands_ns"`  // in command buffers: kernels, copies and what is between them
	Barriers int             `json:"barriers"`     // groups of dispatches that ran side by side
	ForkJoin time.Duration   `json:"fork_join_ns"` // of the groups: beyond the time of their busiest thread
	Uneven   time.Duration   `json:"uneven_ns"`    // of the groups: the busiest thread's time beyond the average thread's
	Kernels  []KernelProfile `json:"kernels"`      // the longest first
}

// KernelProfile is one kernel's part of a Profile.
type KernelProfile struct {
	Name       string        `json:"name"`
	Runs       int           `json:"runs"`
	Workgroups int           `json:"workgroups"`   // of all runs
	Weights    int64         `json:"weight_bytes"` // that all runs are given; a gather reads few of them
	Wall       time.Duration `json:"wall_ns"`      // what others of the same group took at the same time is theirs
	Busy       time.Duration `json:"busy_ns"`      // of all threads together
}

// Sum is the total of what a function says of each kernel.
func (p *Profile) Sum(of func(KernelProfile) time.Duration) time.Duration {
	var sum time.Duration
	for _, k := range p.Kernels {
		sum += of(k)
	}
	return sum
}

// Add merges another profile of the same program.
func (p *Profile) Add(o Profile) {
	p.Threads = o.Threads
	p.Graphs += o.Graphs
	p.Calls += o.Calls
	p.Commands += o.Commands
	p.Barriers += o.Barriers
	p.ForkJoin += o.ForkJoin
	p.Uneven += o.Uneven
	for _, k := range o.Kernels {
		i := slices.IndexFunc(p.Kernels, func(have KernelProfile) bool { return have.Name == k.Name })
		if i < 0 {
			p.Kernels = append(p.Kernels, k)
			continue
		}
		have := &p.Kernels[i]
		have.Runs += k.Runs
		have.Workgroups += k.Workgroups
		have.Weights += k.Weights
		have.Wall += k.Wall
		have.Busy += k.Busy
	}
	slices.SortFunc(p.Kernels, func(a, b KernelProfile) int {
		return cmp.Or(cmp.Compare(b.Wall, a.Wall), cmp.Compare(a.Name, b.Name))
	})
}
