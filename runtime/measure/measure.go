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
	err := repeat(ctx, s, t, reps+1, func(work func() error) error {
		begin := time.Now()
		err := work()
		samples = append(samples, time.Since(begin))
		return err
	})
	if err != nil {
		return nil, err
	}
	return samples[1:], nil
}

// repeat does a test n times, each time its work within clock.
func repeat(ctx context.Context, s runtime.Session, t Test, n int, clock func(work func() error) error) error {
	q := &sequences{session: s, test: t}
	defer q.release()
	for range n {
		if err := q.begin(ctx); err != nil {
			return err
		}
		if err := clock(func() error { return q.work(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// sequences are those of a test. Their tokens are the same in each repetition.
type sequences struct {
	session runtime.Session
	test    Test
	slots   []runtime.Slot
	next    []int32   // what Decode appends first
	prompts [][]int32 // what is prefilled after the depth
}

func (q *sequences) release() {
	for _, slot := range q.slots {
		q.session.Release(slot)
	}
	q.slots, q.next, q.prompts = nil, nil, nil
}

// begin brings the sequences to their depth: cut back to it after a repetition, if the
// session can do that, else new ones.
func (q *sequences) begin(ctx context.Context) error {
	if len(q.slots) > 0 && q.session.Capabilities().Rewind {
		for i, slot := range q.slots {
			if err := q.session.Truncate(slot, q.test.Depth); err != nil {
				return err
			}
			if err := q.session.Feed(slot, q.next[i]); err != nil {
				return err
			}
		}
		return nil
	}
	q.release()
	random := rand.New(rand.NewPCG(1, 2))
	ids := func(n int) []int32 {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(random.IntN(q.session.Capabilities().Vocab))
		}
		return v
	}
	for range q.test.Batch {
		if err := q.open(ctx, ids(q.test.Depth), ids(1)[0]); err != nil {
			return err
		}
		q.prompts = append(q.prompts, ids(q.test.Prompt))
	}
	return nil
}

// open adds a sequence with the tokens of its depth; next is what Decode appends.
func (q *sequences) open(ctx context.Context, depth []int32, next int32) error {
	slot, err := q.session.Open(ctx, sample.Spec{})
	if err != nil {
		return err
	}
	q.slots, q.next = append(q.slots, slot), append(q.next, next)
	if len(depth) > 0 {
		step, err := q.session.Prefill(ctx, slot, depth)
		if err := errors.Join(err, step.Err); err != nil {
			return err
		}
	}
	return q.session.Feed(slot, next)
}

// work is what the clock measures.
func (q *sequences) work(ctx context.Context) error {
	if q.test.Prompt > 0 {
		for i, slot := range q.slots {
			step, err := q.session.Prefill(ctx, slot, q.prompts[i])
			if err := errors.Join(err, step.Err); err != nil {
				return err
			}
		}
	}
	for range q.test.Gen {
		steps, err := q.session.Decode(ctx, q.slots)
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
