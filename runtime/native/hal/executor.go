package hal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/pool"
	"github.com/mlxc/mlxc/runtime/native/trampoline"
)

// Executor runs command buffers. Devices may share one; one goroutine at a time
// uses it.
type Executor struct {
	pool     *pool.Pool
	workers  []worker
	alone    time.Duration
	profiler *profiler // nil unless profiled

	// The group in progress.
	dispatches []dispatch
	states     []dispatchState
	failure    atomic.Pointer[kernelError]
}

// worker is what one thread of the pool needs to run kernels.
type worker struct {
	stack       *trampoline.Stack
	state       workgroupState
	localMemory []byte
	_           [64]byte // keeps workers apart in the caches
}

// kernelError is a status that a kernel returned.
type kernelError struct {
	kernel string
	status int32
}

func (e *kernelError) Error() string {
	return fmt.Sprintf("hal: kernel %q failed with status %d", e.kernel, e.status)
}

// NewExecutor starts an executor with that many threads.
func NewExecutor(threads int) (*Executor, error) {
	e := &Executor{workers: make([]worker, max(threads, 1)), alone: DefaultAlone}
	for i := range e.workers {
		s, err := trampoline.NewStack()
		if err != nil {
			return nil, errors.Join(err, e.closeStacks())
		}
		e.workers[i].stack = s
	}
	e.pool = pool.New(threads)
	return e, nil
}

// Threads is the number of threads.
func (e *Executor) Threads() int { return len(e.workers) }

// Close ends the threads. Nothing may run or follow.
func (e *Executor) Close() error {
	e.pool.Close()
	return e.closeStacks()
}

func (e *Executor) closeStacks() error {
	var errs []error
	for i := range e.workers {
		if s := e.workers[i].stack; s != nil {
			errs = append(errs, s.Close())
			e.workers[i].stack = nil
		}
	}
	return errors.Join(errs...)
}

// reserve gives every worker as much local memory as a kernel wants.
func (e *Executor) reserve(n int) {
	for i := range e.workers {
		if w := &e.workers[i]; len(w.localMemory) < n {
			w.localMemory = make([]byte, n+Alignment)
			skip := -pages.Address(w.localMemory) % Alignment
			w.localMemory = w.localMemory[skip : int(skip)+n]
		}
	}
}

// execute runs a finalized command buffer with a table of slots.
func (e *Executor) execute(ctx context.Context, cb *CommandBuffer, table []Buffer) error {
	if !cb.finalized {
		return errOpen
	}
	if cb.spent {
		return errSpent
	}
	if e.profiler != nil {
		return e.profiler.commands(func() error { return e.runCommands(ctx, cb, table) })
	}
	return e.runCommands(ctx, cb, table)
}

func (e *Executor) runCommands(ctx context.Context, cb *CommandBuffer, table []Buffer) error {
	if err := cb.bind(table); err != nil {
		return err
	}
	for i := range cb.groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.runGroup(cb, cb.groups[i], cb.end(i), table); err != nil {
			return err
		}
	}
	runtime.KeepAlive(cb)
	runtime.KeepAlive(table)
	return nil
}

func (e *Executor) runGroup(cb *CommandBuffer, from, to group, table []Buffer) error {
	for i := from.transfer; i < to.transfer; i++ {
		if err := cb.transfers[i].run(table); err != nil {
			return err
		}
	}
	if from.dispatch == to.dispatch {
		return nil
	}
	e.dispatches, e.states = cb.dispatches[from.dispatch:to.dispatch], cb.states[from.dispatch:to.dispatch]
	last := &e.dispatches[len(e.dispatches)-1]
	if last.counts != nil {
		if err := last.readCounts(&e.states[0], table); err != nil {
			return err
		}
	}
	e.launch(last.end)
	e.dispatches, e.states = nil, nil
	if failure := e.failure.Load(); failure != nil {
		e.failure.Store(nil)
		return failure
	}
	return nil
}

// launch runs all workgroups of the group in progress.
func (e *Executor) launch(workgroups int) {
	threads := len(e.workers)
	if threads > 1 && workgroups > 1 {
		short, known := e.short()
		if !known && e.profiler == nil {
			e.sample()
			return
		}
		if short {
			threads = 1
		}
	}
	if e.profiler != nil {
		e.profiler.group(workgroups, threads)
		return
	}
	e.share(e, workgroups, threads)
}

// share runs the parts of a task on the calling thread or on all of them.
func (e *Executor) share(task pool.Task, parts, threads int) {
	if threads > 1 {
		e.pool.Run(task, parts)
		return
	}
	for i := range parts {
		task.Run(0, i)
	}
}

// Run calls the kernel of one workgroup of the group in progress.
func (e *Executor) Run(workerIndex, part int) {
	i := e.dispatchOf(part)
	d, s, w := &e.dispatches[i], &e.states[i], &e.workers[workerIndex]
	w.state.place(part-d.start, s)
	w.state.processor = uint32(workerIndex)
	w.state.localMemory, w.state.localSize = pages.Address(w.localMemory), uint32(d.kernel.localMemory)
	status := w.stack.Call(d.kernel.entry, uintptr(unsafe.Pointer(d.kernel.executable.env)), uintptr(unsafe.Pointer(s)), uintptr(unsafe.Pointer(&w.state)))
	if int32(status) != 0 {
		e.failure.CompareAndSwap(nil, &kernelError{d.kernel.name, int32(status)})
	}
}

// dispatchOf is the index of the dispatch of a workgroup of the group in progress.
func (e *Executor) dispatchOf(part int) int {
	i := 0
	for part >= e.dispatches[i].end {
		i++
	}
	return i
}

// place sets the coordinates of workgroup n of a dispatch, x fastest.
func (w *workgroupState) place(n int, s *dispatchState) {
	if s.countY == 1 && s.countZ == 1 {
		w.x, w.y, w.z = uint32(n), 0, 0
		return
	}
	row := uint32(n) / s.countX
	w.x, w.y, w.z = uint32(n)-row*s.countX, row%s.countY, uint16(row/s.countY)
}

// readCounts takes the numbers of workgroups from a buffer.
func (d *dispatch) readCounts(s *dispatchState, table []Buffer) error {
	b, err := d.counts.read(table)
	if err != nil {
		return fmt.Errorf("kernel %q: workgroup counts: %w", d.kernel.name, err)
	}
	n := [3]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	if d.end, err = workgroupCount(n); err != nil {
		return fmt.Errorf("kernel %q: %w", d.kernel.name, err)
	}
	s.countX, s.countY, s.countZ = n[0], n[1], uint16(n[2])
	return nil
}

func (t *transfer) run(table []Buffer) error {
	target, err := t.target.write(table)
	if err != nil {
		return fmt.Errorf("transfer target: %w", err)
	}
	var source []byte
	if t.source != nil {
		if source, err = t.source.read(table); err != nil {
			return fmt.Errorf("transfer source: %w", err)
		}
	}
	t.write(target, source)
	return nil
}
