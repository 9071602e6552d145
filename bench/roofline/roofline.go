// Package roofline measures the two limits of a machine that inference runs into:
// how fast its cores read memory and how fast they multiply and add.
package roofline

import (
	"sync"
	"time"
)

// passes are made over each measurement, the fastest counts: a limit is what the
// machine can do, and everything else that runs only slows it.
const passes = 5

// Bandwidth is the rate in bytes per second at which threads read memory together,
// each its own part of a buffer that no cache holds.
func Bandwidth(threads int) (float64, error) {
	words, free, err := buffer(bufferBytes)
	if err != nil {
		return 0, err
	}
	defer free()
	share := len(words) / threads
	seconds := fastest(threads, func(i int) { readLines(words[i*share : (i+1)*share]) })
	return float64(share*threads*8) / seconds, nil
}

// bufferBytes is far more than a last-level cache.
const bufferBytes = 512 << 20

// readLines touches every 64-byte line once. One load a line leaves the core nothing
// to do but wait for memory: in a cache the same loop is several times as fast.
//
//go:noinline
func readLines(words []uint64) uint64 {
	var sum uint64
	for len(words) >= 8 {
		sum += words[0]
		words = words[8:]
	}
	return sum
}

// FMAPeak is the rate in float32 operations per second (a multiply-add is two) of
// independent multiply-adds on so many threads, in vectors of at most so many bits (0:
// as wide as the processor has them); 0 where no such loop is written.
func FMAPeak(threads, bits int) float64 {
	best := 0.0
	for _, k := range fmaKernels() {
		if bits > 0 && k.bits > bits {
			continue
		}
		const rounds = 4 << 20
		seconds := fastest(threads, func(int) { k.run(rounds) })
		best = max(best, float64(rounds*k.flops*threads)/seconds)
	}
	return best
}

// fmaKernel runs rounds of multiply-adds on registers.
type fmaKernel struct {
	bits  int // of a vector
	flops int // per round
	run   func(rounds int)
}

// fastest runs f(0), …, f(threads-1) side by side several times and returns the
// seconds of the fastest time.
func fastest(threads int, f func(i int)) float64 {
	var best time.Duration
	for pass := range passes {
		var wg sync.WaitGroup
		start := time.Now()
		for i := range threads {
			wg.Go(func() { f(i) })
		}
		wg.Wait()
		if d := time.Since(start); pass == 0 || d < best {
			best = d
		}
	}
	return best.Seconds()
}
