package eval

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mlxc/mlxc/ir"
)

// machine is the state of one Call.
type machine struct {
	ctx     context.Context
	program *Program
	pool    pool
}

// alloc is a new dense array with undefined content.
func (m *machine) alloc(t ir.Type) *array {
	return &array{Type: t, buf: m.pool.get(t.Bytes()), stride: contiguous(t.Shape)}
}

// grainTime is how much work, in nanoseconds, is done between two looks at the
// context, and how much is worth a goroutine.
const grainTime = 200_000

// parallel divides units of work of about cost nanoseconds each among the CPUs. Each
// goroutine has a worker of its own, which does the units [lo, hi). What a unit
// computes must not depend on the division. Work stops early when the context ends:
// the caller of the step finds that out.
func (m *machine) parallel(units int, cost float64, newWorker func() func(lo, hi int)) {
	if units == 0 {
		return
	}
	grain := max(1, int(grainTime/max(cost, 1)))
	var claimed atomic.Int64
	work := func() {
		do := newWorker()
		for m.ctx.Err() == nil {
			hi := int(claimed.Add(int64(grain)))
			if hi-grain >= units {
				return
			}
			do(hi-grain, min(hi, units))
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (units+grain-1)/grain) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
