// Package validate compares what a session computes with reference numbers:
// teacher-forced, so that one differing token doesn't hide the rest.
package validate

import (
	"context"
	"fmt"
	"math"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// Sequence is a prompt with its reference continuation.
type Sequence struct {
	Name   string
	Prompt []int32
	Tokens []int32
	// Logits[i] are the reference logits that Tokens[i] is the argmax of; nil if only
	// Gaps are known.
	Logits [][]float32
	// Gaps[i] is the distance between the reference's two best logits at step i, if
	// Logits is nil.
	Gaps []float64
}

// Miss is a step at which the argmax is not the reference's token.
type Miss struct {
	Sequence string  `json:"sequence"`
	Step     int     `json:"step"`
	Want     int32   `json:"want"`
	Got      int32   `json:"got"`
	Gap      float64 `json:"gap"` // the reference's top-2 gap there
}

// Report is the outcome of a comparison.
type Report struct {
	Sequences int     `json:"sequences"`
	Steps     int     `json:"steps"`
	Misses    []Miss  `json:"misses"`
	MaxError  float64 `json:"max_abs_logit_error"` // 0 if no logits were compared
	Compared  bool    `json:"logits_compared"`
	NearTies  int     `json:"near_ties"` // steps whose reference gap is below 0.01
}

// nearTie is the top-2 gap below which a step is reported as a near tie.
const nearTie = 0.01

// Bounds say what a report must keep to pass.
type Bounds struct {
	Tolerance float64 // of |logit − reference|
	MissGap   float64 // a miss passes if the reference's gap is below it
}

// DefaultTolerance is the logit tolerance where nothing says a smaller one.
const DefaultTolerance = 1e-3

// BoundsFor are the bounds for the bundles that take part in a comparison. In f32 no
// token may be missed. Weights or state of fewer bits move the logits, so that the
// tokens decide: they may be missed where the reference's gap is below 0.05.
func BoundsFor(tolerance float64, plans ...bundle.Plan) Bounds {
	for _, p := range plans {
		if p.Precision != "f32" || p.KV != "f32" {
			return Bounds{Tolerance: math.Inf(1), MissGap: 0.05}
		}
	}
	return Bounds{Tolerance: tolerance}
}

// Check returns an error that says what is out of bounds.
func (r *Report) Check(b Bounds) error {
	for _, m := range r.Misses {
		if !(m.Gap < b.MissGap) {
			return fmt.Errorf("validate: %s step %d: token %d, reference has %d with a top-2 gap of %.5f (allowed: below %g)",
				m.Sequence, m.Step, m.Got, m.Want, m.Gap, b.MissGap)
		}
	}
	if r.Compared && !(r.MaxError <= b.Tolerance) {
		return fmt.Errorf("validate: largest logit error %.3g exceeds the tolerance of %g", r.MaxError, b.Tolerance)
	}
	return nil
}

// Run feeds each sequence's prompt, then the reference's tokens one by one, and
// compares every step.
func Run(ctx context.Context, s runtime.Session, seqs []Sequence) (*Report, error) {
	r := &Report{Misses: []Miss{}}
	for _, q := range seqs {
		if err := r.sequence(ctx, s, q); err != nil {
			return nil, fmt.Errorf("validate: %s: %w", q.Name, err)
		}
	}
	return r, nil
}

func (r *Report) sequence(ctx context.Context, s runtime.Session, q Sequence) error {
	slot, err := s.Open(ctx, sample.Spec{})
	if err != nil {
		return err
	}
	defer s.Release(slot)
	r.Sequences++
	step, err := s.Prefill(ctx, slot, q.Prompt)
	if err != nil {
		return err
	}
	for i, want := range q.Tokens {
		if step.Err != nil {
			return step.Err
		}
		logits, err := s.Logits(slot)
		if err != nil {
			return err
		}
		if err := r.step(q, i, step.Token, logits); err != nil {
			return err
		}
		if i == len(q.Tokens)-1 {
			break
		}
		if err := s.Feed(slot, want); err != nil {
			return err
		}
		steps, err := s.Decode(ctx, []runtime.Slot{slot})
		if err != nil {
			return err
		}
		step = steps[0]
	}
	return nil
}

func (r *Report) step(q Sequence, i int, got int32, logits []float32) error {
	r.Steps++
	var gap float64
	if q.Logits != nil {
		if len(q.Logits[i]) != len(logits) {
			return fmt.Errorf("step %d: reference has %d logits, the bundle %d", i, len(q.Logits[i]), len(logits))
		}
		r.Compared = true
		r.MaxError = max(r.MaxError, maxDiff(q.Logits[i], logits))
		gap = topGap(q.Logits[i])
	} else {
		gap = q.Gaps[i]
	}
	if gap < nearTie {
		r.NearTies++
	}
	if got != q.Tokens[i] {
		r.Misses = append(r.Misses, Miss{q.Name, i, q.Tokens[i], got, gap})
	}
	return nil
}

func maxDiff(a, b []float32) float64 {
	m := 0.0
	for i := range a {
		m = max(m, math.Abs(float64(a[i])-float64(b[i])))
	}
	return m
}

// topGap is the distance between the two largest values.
func topGap(v []float32) float64 {
	first, second := math.Inf(-1), math.Inf(-1)
	for _, x := range v {
		switch f := float64(x); {
		case f > first:
			first, second = f, first
		case f > second:
			second = f
		}
	}
	return first - second
}
