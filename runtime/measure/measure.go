// Package measure times sessions the way llama-bench does: prompt processing (pp)
// and token generation (tg) at a depth, without tokenising and without EOS, several
// repetitions after a warm-up.
package measure

import (
	"context"
	"errors"
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
		return fmt.Errorf("measure: %s needs %d positions, the bundle's context is %d: choose shorter ones, or emit the bundle with a larger --context", t.Name(), need, c.Context)
	}
	if t.Batch < 1 || t.Batch > c.Slots {
		return fmt.Errorf("measure: %s needs %d sequences at once, the bundle has slots for %d", t.Name(), t.Batch, c.Slots)
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
		var d time.Duration
		err := once(ctx, s, t, func(work func() error) error {
			begin := time.Now()
			err := work()
			d = time.Since(begin)
			return err
		})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			samples = append(samples, d)
		}
	}
	return samples, nil
}

// once does one repetition, its work within clock. Its tokens are the same each time.
func once(ctx context.Context, s runtime.Session, t Test, clock func(work func() error) error) error {
	random := rand.New(rand.NewPCG(1, 2))
	ids := func(n int) []int32 {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(random.IntN(s.Capabilities().Vocab))
		}
		return v
	}
	var slots []runtime.Slot
	var prompts [][]int32
	for range t.Batch {
		slot, err := s.Open(ctx, sample.Spec{})
		if err != nil {
			return err
		}
		defer s.Release(slot)
		if err := start(ctx, s, slot, ids(t.Depth), ids(1)[0]); err != nil {
			return err
		}
		slots, prompts = append(slots, slot), append(prompts, ids(t.Prompt))
	}
	return clock(func() error { return work(ctx, s, t, slots, prompts) })
}

// start brings a sequence to its depth; next is what Decode appends to an empty one.
func start(ctx context.Context, s runtime.Session, slot runtime.Slot, depth []int32, next int32) error {
	if len(depth) == 0 {
		return s.Feed(slot, next)
	}
	step, err := s.Prefill(ctx, slot, depth)
	return errors.Join(err, step.Err)
}

// work is what the clock measures.
func work(ctx context.Context, s runtime.Session, t Test, slots []runtime.Slot, prompts [][]int32) error {
	if t.Prompt > 0 {
		for i, slot := range slots {
			step, err := s.Prefill(ctx, slot, prompts[i])
			if err := errors.Join(err, step.Err); err != nil {
				return err
			}
		}
	}
	for range t.Gen {
		steps, err := s.Decode(ctx, slots)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if step.Err != nil {
				return step.Err
			}
		}
	}
	return nil
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
func (s Samples) Nanoseconds() []int64 {
	v := make([]int64, len(s))
	for i, d := range s {
		v[i] = d.Nanoseconds()
	}
	return v
}

// MeanStddev are the mean and the sample standard deviation, 0 for one value.
func MeanStddev[T int64 | float64](values []T) (mean, stddev float64) {
	v := make([]float64, len(values))
	for i, x := range values {
		v[i] = float64(x)
		mean += v[i] / float64(len(v))
	}
	if len(v) < 2 {
		return mean, 0
	}
	for _, x := range v {
		stddev += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(stddev / float64(len(v)-1))
}
