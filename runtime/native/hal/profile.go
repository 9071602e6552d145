package hal

import (
	"time"

	"github.com/mlxc/mlxc/runtime/device"
)

// profiler is the task of an executor that is being profiled: it reads the clock
// at the end of every workgroup.
type profiler struct {
	*Executor
	begin   time.Time
	workers []workerTime
	kernels map[*kernel]*device.KernelProfile
	profile device.Profile
}

// workerTime is what a thread spent in the group in progress.
type workerTime struct {
	last  time.Duration   // end of its last workgroup, 0 before the first
	spent []time.Duration // per dispatch of the group
	_     [64]byte        // keeps workers apart in the caches
}

// StartProfile begins to collect where the time goes. Nothing may run meanwhile.
func (e *Executor) StartProfile() {
	e.profiler = &profiler{Executor: e, begin: time.Now(), workers: make([]workerTime, len(e.workers)), kernels: map[*kernel]*device.KernelProfile{}}
}

// StopProfile ends what StartProfile began and returns what was collected: all but
// the calls of graphs.
func (e *Executor) StopProfile() device.Profile {
	p := e.profiler
	if e.profiler = nil; p == nil {
		return device.Profile{}
	}
	p.profile.Threads = len(e.workers)
	for _, k := range p.kernels {
		p.profile.Kernels = append(p.profile.Kernels, *k)
	}
	return p.profile
}

// clock is the time since the profile began, never 0 again.
func (p *profiler) clock() time.Duration { return time.Since(p.begin) }

// commands times the execution of a command buffer.
func (p *profiler) commands(run func() error) error {
	start := p.clock()
	err := run()
	p.profile.Commands += p.clock() - start
	return err
}

// group runs the workgroups of the group in progress.
func (p *profiler) group(parts, threads int) {
	for i := range p.workers {
		w := &p.workers[i]
		w.last, w.spent = 0, append(w.spent[:0], make([]time.Duration, len(p.dispatches))...)
	}
	start := p.clock()
	p.workers[0].last = start
	p.share(p, parts, threads)
	p.account(p.clock() - start)
}

// Run is the executor's Run, timed. A thread's first workgroup is timed from the
// moment it was taken, the following ones from the end of the one before.
func (p *profiler) Run(worker, part int) {
	w := &p.workers[worker]
	if w.last == 0 {
		w.last = p.clock()
	}
	p.Executor.Run(worker, part)
	now := p.clock()
	w.spent[p.dispatchOf(part)] += now - w.last
	w.last = now
}

// account shares the time of a group out among its dispatches, by what threads
// spent on each.
func (p *profiler) account(wall time.Duration) {
	var busy, busiest time.Duration
	for i := range p.workers {
		var sum time.Duration
		for _, d := range p.workers[i].spent {
			sum += d
		}
		busy, busiest = busy+sum, max(busiest, sum)
	}
	p.profile.Barriers++
	p.profile.ForkJoin += wall - busiest
	p.profile.Uneven += busiest - busy/time.Duration(len(p.workers))
	for i := range p.dispatches {
		d := &p.dispatches[i]
		var spent time.Duration
		for k := range p.workers {
			spent += p.workers[k].spent[i]
		}
		k := p.kernels[d.kernel]
		if k == nil {
			k = &device.KernelProfile{Name: d.kernel.name}
			p.kernels[d.kernel] = k
		}
		k.Runs++
		k.Workgroups += d.end - d.start
		k.Weights += int64(d.weights)
		k.Busy += spent
		k.Wall += time.Duration(float64(wall) * float64(spent) / float64(max(busy, 1)))
	}
}
