package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/sample"
)

// recorder is a session that writes down what it is asked for.
type recorder struct {
	runtime.Session // what isn't below is not called
	log             []string
	open            int
	broken          string // the call whose step fails
	rewind          bool
}

func (r *recorder) Capabilities() runtime.Capabilities {
	return runtime.Capabilities{Slots: 4, Context: 64, Vocab: 10, Rewind: r.rewind}
}

func (r *recorder) Open(context.Context, sample.Spec) (runtime.Slot, error) {
	r.open++
	return runtime.Slot(r.open - 1), nil
}

func (r *recorder) Release(runtime.Slot) { r.open-- }

func (r *recorder) Feed(s runtime.Slot, token int32) error {
	r.log = append(r.log, fmt.Sprintf("feed %d", s))
	return nil
}

func (r *recorder) Truncate(s runtime.Slot, n int) error {
	r.log = append(r.log, fmt.Sprintf("truncate %d to %d", s, n))
	return nil
}

func (r *recorder) Prefill(_ context.Context, s runtime.Slot, ids []int32) (runtime.Step, error) {
	if i := slices.IndexFunc(ids, func(id int32) bool { return id < 0 || id >= 10 }); i >= 0 {
		return runtime.Step{}, fmt.Errorf("id %d", ids[i])
	}
	r.log = append(r.log, fmt.Sprintf("prefill %d of %d", s, len(ids)))
	return r.step("prefill"), nil
}

func (r *recorder) Decode(ctx context.Context, slots []runtime.Slot) ([]runtime.Step, error) {
	r.log = append(r.log, fmt.Sprintf("decode %v", slots))
	steps := make([]runtime.Step, len(slots))
	steps[len(steps)-1] = r.step("decode")
	return steps, ctx.Err()
}

func (r *recorder) step(call string) runtime.Step {
	if r.broken == call {
		return runtime.Step{Err: &runtime.NonFiniteError{Position: 1}}
	}
	return runtime.Step{}
}

// One repetition to warm up and one that counts do the same, the second one with the
// same sequences if they can be cut back.
func TestRun(t *testing.T) {
	for _, tc := range []struct {
		test Test
		name string
		// What begins a repetition: with new sequences, or with old ones.
		fresh, again []string
		work         []string
	}{
		{Test{Prompt: 5, Batch: 1}, "pp5", []string{"feed 0"}, []string{"truncate 0 to 0", "feed 0"}, []string{"prefill 0 of 5"}},
		{Test{Gen: 2, Batch: 1}, "tg2", []string{"feed 0"}, []string{"truncate 0 to 0", "feed 0"}, []string{"decode [0]", "decode [0]"}},
		{Test{Prompt: 5, Depth: 7, Batch: 1}, "pp5 @ d7", []string{"prefill 0 of 7", "feed 0"}, []string{"truncate 0 to 7", "feed 0"}, []string{"prefill 0 of 5"}},
		{Test{Gen: 1, Depth: 7, Batch: 2}, "tg1 @ d7 × b2", []string{"prefill 0 of 7", "feed 0", "prefill 1 of 7", "feed 1"},
			[]string{"truncate 0 to 7", "feed 0", "truncate 1 to 7", "feed 1"}, []string{"decode [0 1]"}},
		{Test{Prompt: 3, Batch: 2}, "pp3 × b2", []string{"feed 0", "feed 1"}, []string{"truncate 0 to 0", "feed 0", "truncate 1 to 0", "feed 1"},
			[]string{"prefill 0 of 3", "prefill 1 of 3"}},
	} {
		for _, rewind := range []bool{false, true} {
			r := &recorder{rewind: rewind}
			samples, err := Run(t.Context(), r, tc.test, 1)
			if err != nil || len(samples) != 1 || r.open != 0 || tc.test.Name() != tc.name {
				t.Errorf("%s: %v, %d samples, %d slots left open, want 1 and 0", tc.test.Name(), err, len(samples), r.open)
			}
			second := tc.fresh
			if rewind {
				second = tc.again
			}
			if d := cmp.Diff(slices.Concat(tc.fresh, tc.work, second, tc.work), r.log); d != "" {
				t.Errorf("%s, rewind %v (-want +got):\n%s", tc.name, rewind, d)
			}
		}
	}
}

func TestRunFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var nonFinite *runtime.NonFiniteError
	for _, tc := range []struct {
		name   string
		ctx    context.Context
		test   Test
		broken string
		is     func(error) bool
	}{
		{"depth", t.Context(), Test{Gen: 1, Depth: 2, Batch: 1}, "prefill", func(err error) bool { return errors.As(err, &nonFinite) }},
		{"prompt", t.Context(), Test{Prompt: 1, Batch: 1}, "prefill", func(err error) bool { return errors.As(err, &nonFinite) }},
		{"decode", t.Context(), Test{Gen: 1, Batch: 3}, "decode", func(err error) bool { return errors.As(err, &nonFinite) }},
		{"cancelled", cancelled, Test{Gen: 1, Batch: 1}, "", func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"context", t.Context(), Test{Prompt: 33, Depth: 32, Batch: 1}, "", func(err error) bool { return err != nil }},
		{"slots", t.Context(), Test{Prompt: 1, Batch: 5}, "", func(err error) bool { return err != nil }},
		{"no slot", t.Context(), Test{Prompt: 1}, "", func(err error) bool { return err != nil }},
	} {
		r := &recorder{broken: tc.broken}
		if samples, err := Run(tc.ctx, r, tc.test, 2); !tc.is(err) || samples != nil || r.open != 0 {
			t.Errorf("%s: %v, %v, %d slots left open", tc.name, samples, err, r.open)
		}
	}
	if err := (Test{Prompt: 32, Depth: 32, Batch: 4}).Check((&recorder{}).Capabilities()); err != nil {
		t.Errorf("the whole context in every slot: %v", err)
	}
}

func TestStatistics(t *testing.T) {
	// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, 32/7 = 4.5714
	if m, s := MeanStddev([]float64{2, 4, 4, 4, 5, 5, 7, 9}); m != 5 || math.Abs(s-math.Sqrt(32.0/7)) > 1e-12 {
		t.Errorf("mean %g, deviation %g", m, s)
	}
	if m, s := MeanStddev([]int64{3}); m != 3 || s != 0 {
		t.Errorf("one value: mean %g, deviation %g", m, s)
	}
	samples := Samples{500e6, 250e6}
	if ns, ts := samples.Nanoseconds(), samples.Rates(100); !slices.Equal(ns, []int64{500e6, 250e6}) || !slices.Equal(ts, []float64{200, 400}) {
		t.Errorf("%v, %v", ns, ts)
	}
}
