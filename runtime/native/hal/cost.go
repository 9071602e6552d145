package hal

import "time"

// Waking the other threads and waiting for them costs microseconds, and one that the
// system has put aside holds everybody up. So a group of dispatches that is short is
// run by the calling thread alone.

// DefaultAlone is how long a group may take to be run by the calling thread alone.
const DefaultAlone = 4 * time.Microsecond

// costSamples is how many runs of a kernel are timed, alone, before the best of them
// tells what it costs: the first ones wait for memory.
const costSamples = 3

// longRun is a time of one run that needs no second look.
const longRun = 250 * time.Microsecond

// RunAlone sets how long a group may take to be run by the calling thread alone. With
// 0 all threads share every group, and kernels aren't timed.
func (e *Executor) RunAlone(d time.Duration) { e.alone = d }

// cost is what is known of the time that a kernel takes.
type cost struct {
	samples int
	best    time.Duration // of a workgroup, times costScale
}

// costScale keeps fractions of a nanosecond.
const costScale = 1 << 10

// add takes the time of a run into account.
func (c *cost) add(d time.Duration, workgroups int) {
	each := d * costScale / time.Duration(workgroups)
	if c.samples == 0 || each < c.best {
		c.best = each
	}
	if c.samples++; d > longRun {
		c.samples = costSamples
	}
}

// short says whether the group in progress takes no longer than may be run alone;
// known is false if not all of its kernels have been timed often enough.
func (e *Executor) short() (short, known bool) {
	if e.alone == 0 {
		return false, true
	}
	var total time.Duration
	for i := range e.dispatches {
		d := &e.dispatches[i]
		if d.start == d.end {
			continue
		}
		if d.kernel.cost.samples < costSamples {
			return false, false
		}
		total += d.kernel.cost.best * time.Duration(d.end-d.start)
	}
	return total <= e.alone*costScale, true
}

// sample runs the group in progress on the calling thread and times its dispatches.
func (e *Executor) sample() {
	for i := range e.dispatches {
		d := &e.dispatches[i]
		if d.start == d.end {
			continue
		}
		begin := time.Now()
		for part := d.start; part < d.end; part++ {
			e.Run(0, part)
		}
		d.kernel.cost.add(time.Since(begin), d.end-d.start)
	}
}
