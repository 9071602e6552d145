package pool

import (
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mlxc/mlxc/runtime/native/trampoline"
)

// count marks the parts that ran, and checks that no worker runs two at once.
type count struct {
	ran     []atomic.Int32
	busy    []atomic.Bool
	t       *testing.T
	perPart time.Duration
}

func (c *count) Run(worker, part int) {
	if c.busy[worker].Swap(true) {
		c.t.Errorf("worker %d runs two parts at once", worker)
	}
	for start := time.Now(); time.Since(start) < c.perPart; {
	}
	c.ran[part].Add(1)
	c.busy[worker].Store(false)
}

func run(t *testing.T, p *Pool, parts int, perPart time.Duration) {
	t.Helper()
	c := &count{make([]atomic.Int32, parts), make([]atomic.Bool, p.Size()), t, perPart}
	p.Run(c, parts)
	for i := range c.ran {
		if n := c.ran[i].Load(); n != 1 {
			t.Fatalf("part %d of %d ran %d times when Run returned", i, parts, n)
		}
	}
}

func TestEveryPartRunsOnce(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 8} {
		p := New(size)
		for _, parts := range []int{0, 1, 2, 3, 7, 64, 1000} {
			run(t, p, parts, 0)
		}
		p.Close()
	}
}

// Thousands of jobs in a row, with pauses in which workers park and parts long
// enough for the caller to park.
func TestManyJobs(t *testing.T) {
	p := New(4)
	defer p.Close()
	for i := range 3000 {
		run(t, p, 1+i%9, 0)
	}
	for i := range 20 {
		time.Sleep(3 * spinTime)
		run(t, p, 2+i%5, 2*spinTime)
	}
}

// More threads than processors must cost time only.
func TestOversubscribed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := New(6)
	defer p.Close()
	for range 200 {
		run(t, p, 12, time.Microsecond)
	}
}

func TestCloseEndsTheGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	p := New(5)
	run(t, p, 20, 0)
	p.Close()
	p.Close()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

// busy is a part that takes some time.
type busy struct{ turns int }

func (b busy) Run(int, int) {
	for range b.turns {
		trampoline.Pause()
	}
}

// BenchmarkForkJoin compares a job on two threads with the same on one: overhead is
// what two take beyond half the time.
func BenchmarkForkJoin(b *testing.B) {
	for _, turns := range []int{0, 20, 200} {
		for _, parts := range []int{2, 8} {
			var alone float64
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("turns=%d/parts=%d/threads=%d", turns, parts, threads), func(b *testing.B) {
					p := New(threads)
					defer p.Close()
					best := time.Duration(math.MaxInt64) // of batches: other processes may use the processors
					const batch = 50
					for b.Loop() {
						start := time.Now()
						for range batch {
							p.Run(busy{turns}, parts)
						}
						best = min(best, time.Since(start))
					}
					each := float64(best.Nanoseconds()) / batch
					b.ReportMetric(each, "best-ns")
					if threads == 1 {
						alone = each
					} else {
						b.ReportMetric(each-alone/2, "overhead-ns")
					}
				})
			}
		}
	}
}
