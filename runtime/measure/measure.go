// Package measure times sessions the way llama-bench does: prompt processing (pp)
// and token generation (tg) at a depth, without tokenising and without EOS, several
// repetitions after a warm-up.
package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/sample"
)

// Test is one row: either Prompt or Gen is set.
type Test struct {
	Prompt int // tokens to prefill
	Gen    int // tokens to decode, one at a time
	Depth  int // tokens that the sequence holds before the clock starts
	Batch  int // sequences
}

// Name is llama-bench's: pp512, tg128, tg128 @ d4096; × b4 for a batch.
func (t Test) Name() string {
	name := fmt.Sprintf("pp%d", t.Prompt)
	if t.Gen > 0 {
		name = fmt.Sprintf("tg%d", t.Gen)
	}
	if t.Depth > 0 {
		name += fmt.Sprintf(" @ d%d", t.Depth)
	}
	if t.Batch > 1 {
		name += fmt.Sprintf(" × b%d", t.Batch)
	}
	return name
}

// Tokens is the number of tokens that a repetition processes.
func (t Test) Tokens() int { return (t.Prompt + t.Gen) * t.Batch }

// Check says whether a session can run the test.
func (t Test) Check(c runtime.Capabilities) error {
	if need := t.Depth + t.Prompt + t.Gen; need > c.Context {
		return fmt.Errorf("measure: %s needs %d positions, the bundle's context is %d", t.Name(), need, c.Context)
	}
	if t.Batch < 1 || t.Batch > c.Slots {
		return fmt.Errorf("measure: %s needs %d slots, the bundle has %d", t.Name(), t.Batch, c.Slots)
	}
	return nil
}

// Samples are the durations of the repetitions of a test.
type Samples []time.Duration

// Run times a test: one repetition to warm up, then reps that count.
func Run(ctx context.Context, s runtime.Session, t Test, reps int) (Samples, error) {
	if err := t.Check(s.Capabilities()); err != nil {
		return nil, err
	}
	var samples Samples
	for i := range reps + 1 {
		d, err := once(ctx, s, t)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			samples = append(samples, d)
		}
	}
	return samples, nil
}

func once(ctx context.Context, s runtime.Session, t Test) (time.Duration, error) {
	// The same tokens each time: a benchmark, not a sample.
	random := rand.New(rand.NewPCG(1, 2))
	vocab := s.Capabilities().Vocab
	ids := func(n int) []int32 {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(random.IntN(vocab))
		}
		return v
	}
	var slots []runtime.Slot
	for range t.Batch {
		slot, err := s.Open(ctx, sample.Spec{})
		if err != nil {
			return 0, err
		}
		defer s.Release(slot)
		slots = append(slots, slot)
		depth := t.Depth
		if t.Gen > 0 {
			depth = max(depth, 1) // decode appends to something
		}
		if depth > 0 {
			if _, err := s.Prefill(ctx, slot, ids(depth)); err != nil {
				return 0, err
			}
		}
	}
	prompts := make([][]int32, len(slots))
	for i := range prompts {
		prompts[i] = ids(t.Prompt)
	}
	start := time.Now()
	for i, slot := range slots {
		if t.Prompt > 0 {
			if _, err := s.Prefill(ctx, slot, prompts[i]); err != nil {
				return 0, err
			}
		}
	}
	for range t.Gen {
		if _, err := s.Decode(ctx, slots); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// Rates are tokens per second of each repetition.
func (s Samples) Rates(tokens int) []float64 {
	v := make([]float64, len(s))
	for i, d := range s {
		v[i] = float64(tokens) / d.Seconds()
	}
	return v
}

// Nanoseconds of each repetition.
func (s Samples) Nanoseconds() []float64 {
	v := make([]float64, len(s))
	for i, d := range s {
		v[i] = float64(d.Nanoseconds())
	}
	return v
}

// MeanStddev are the mean and the sample standard deviation, 0 for one value.
func MeanStddev(v []float64) (mean, stddev float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	if len(v) < 2 {
		return mean, 0
	}
	for _, x := range v {
		stddev += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(stddev / float64(len(v)-1))
}
