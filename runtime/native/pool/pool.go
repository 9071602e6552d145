// Package pool runs the workgroups of dispatches on a fixed set of threads.
//
// A pool is for one caller that submits many short jobs: hundreds of dispatches a
// token, a few microseconds each. So workers spin between jobs for a short time and
// park only after that, jobs aren't queued but replace each other, and the caller
// works too: a job never waits for a worker that the system doesn't run.
package pool

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/mlxc/mlxc/runtime/native/trampoline"
)

// Task is a job of numbered, independent parts.
type Task interface {
	// Run does one part. worker is below the pool's size and names the thread: no
	// two parts run with the same worker at the same time.
	Run(worker, part int)
}

// spinTime is how long a worker, or a caller at the end of a job, polls before it
// parks: longer than the gaps between the dispatches of a token, shorter than
// anybody minds.
const spinTime = 100 * time.Microsecond

// Pool is the caller and size-1 goroutines. Close ends them.
type Pool struct {
	size    int
	task    Task         // of the current job
	parts   int64        // of the current job
	left    atomic.Int64 // parts not yet taken; negative when all are
	done    atomic.Int64 // parts finished
	idle    atomic.Int32 // workers that park or are about to
	wake    chan struct{}
	waiting atomic.Bool // the caller parks or is about to
	joined  chan struct{}
	closed  atomic.Bool
	workers sync.WaitGroup
}

// New starts a pool of that many threads, at least one.
func New(size int) *Pool {
	p := &Pool{size: max(size, 1), joined: make(chan struct{}, 1)}
	p.wake = make(chan struct{}, p.size)
	for w := 1; w < p.size; w++ {
		p.workers.Go(func() { p.work(w) })
	}
	return p
}

// Size is the number of threads.
func (p *Pool) Size() int { return p.size }

// Close ends the workers and waits for them. No Run may be in progress or follow.
func (p *Pool) Close() {
	if p.closed.Swap(true) {
		return
	}
	close(p.wake)
	p.workers.Wait()
}

// Run does all parts of a task and returns when they're finished. One call at a time.
//
// The fields of a job are published by the store to left and may be overwritten
// only after done has reached parts: a worker reads them only between taking a part
// (left) and finishing it (done).
func (p *Pool) Run(task Task, parts int) {
	if parts <= 1 || p.size == 1 {
		for i := range parts {
			task.Run(0, i)
		}
		return
	}
	p.task, p.parts = task, int64(parts)
	p.done.Store(0)
	p.left.Store(int64(parts))
	p.wakeIdle(parts - 1)
	p.take(0)
	p.join()
	p.task = nil
}

// take does parts until none is left, and says whether there was any.
func (p *Pool) take(worker int) bool {
	finished := int64(0)
	for p.left.Load() > 0 {
		part := p.left.Add(-1)
		if part < 0 {
			break
		}
		p.task.Run(worker, int(p.parts-1-part))
		finished++
	}
	if finished == 0 {
		return false
	}
	parts := p.parts
	if p.done.Add(finished) == parts && worker != 0 && p.waiting.CompareAndSwap(true, false) {
		p.joined <- struct{}{}
	}
	return true
}

// join waits until all parts are finished. It may be woken by the straggler of a
// job before, so it looks again.
func (p *Pool) join() {
	finished := func() bool { return p.done.Load() == p.parts }
	for !spin(finished) {
		p.waiting.Store(true)
		if finished() && p.waiting.CompareAndSwap(true, false) {
			return
		}
		<-p.joined
	}
}

// work is a worker's life.
func (p *Pool) work(worker int) {
	available := func() bool { return p.left.Load() > 0 || p.closed.Load() }
	for !p.closed.Load() {
		if p.take(worker) || spin(available) {
			continue
		}
		p.idle.Add(1)
		if !available() {
			<-p.wake
		}
		p.idle.Add(-1)
	}
}

// wakeIdle wakes parked workers, at most n.
func (p *Pool) wakeIdle(n int) {
	for range min(n, int(p.idle.Load())) {
		select {
		case p.wake <- struct{}{}:
		default:
			return
		}
	}
}

// spin polls a condition for a short time and says whether it came true. Where
// processors are contended, whoever spins stands in the way of the thread that it
// waits for: it yields every microsecond or so, which costs nothing elsewhere.
func spin(condition func() bool) bool {
	const polls = 64 // before the clock is read
	for start := time.Now(); time.Since(start) < spinTime; yield() {
		for range polls {
			if condition() {
				return true
			}
			trampoline.Pause()
		}
	}
	return false
}
