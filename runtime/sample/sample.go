// Package sample chooses the next token from logits.
//
// The rules, in this order: softmax of logits/temperature, tokens sorted by descending
// probability (of equal ones the lowest id first), top-k, top-p (the shortest prefix
// whose renormalised mass reaches p), min-p (tokens of at least p times the best one's
// probability), one draw. The best token passes every filter.
package sample

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Spec says how tokens are chosen. Its zero value is greedy.
type Spec struct {
	Temperature float64 // 0: the best token, else ≥ 0
	TopK        int     // 0 or -1: all
	TopP        float64 // 0 … 1; 1: all, 0: the best token
	MinP        float64 // 0 … 1; 0: all
	Seed        int64   // ≥ 0; -1: a random one
}

// Greedy reports whether the best token is always chosen, so that a graph that
// returns it is enough.
func (s Spec) Greedy() bool { return s.Temperature == 0 }

// FieldError is a field of a Spec out of its range.
type FieldError struct {
	Field string // as requests and flags spell it: "top_p"
	Value any
	Range string // what is supported
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("sample: %s is %v: it must be %s", e.Field, e.Value, e.Range)
}

// Validate returns a *FieldError for the first field out of range.
func (s Spec) Validate() error {
	for _, f := range []struct {
		name     string
		value    any
		ok       bool
		allowing string
	}{
		{"temperature", s.Temperature, s.Temperature >= 0 && s.Temperature <= math.MaxFloat64, "a number ≥ 0"},
		{"top_k", s.TopK, s.TopK >= -1, "≥ 0 (0 or -1: off)"},
		{"top_p", s.TopP, s.TopP >= 0 && s.TopP <= 1, "from 0 to 1 (1: off)"},
		{"min_p", s.MinP, s.MinP >= 0 && s.MinP <= 1, "from 0 to 1 (0: off)"},
		{"seed", s.Seed, s.Seed >= -1, "≥ 0, or -1 for a random one"},
	} {
		if !f.ok {
			return &FieldError{f.name, f.value, f.allowing}
		}
	}
	return nil
}

// ErrNonFinite says that logits hold NaN or an infinity: the model or its weights are
// broken, and no token means anything.
var ErrNonFinite = errors.New("non-finite logits")

// Sampler draws the tokens of one sequence. Equal seeds and logits give equal tokens.
// It allocates nothing once it has seen the vocabulary's size.
type Sampler struct {
	spec  Spec
	rng   splitMix
	order order
}

// New returns the sampler of a valid Spec.
func New(spec Spec) (*Sampler, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.Seed == -1 {
		spec.Seed = rand.Int64()
	}
	return &Sampler{spec: spec, rng: splitMix(spec.Seed)}, nil
}

// Spec returns what the sampler does, with the seed that it drew if none was given.
func (s *Sampler) Spec() Spec { return s.spec }

// Sample returns the next token. logits[id] is the logit of id; it isn't changed.
func (s *Sampler) Sample(logits []float32) (int32, error) {
	best, err := argmax(logits)
	if err != nil || s.spec.Greedy() {
		return best, err
	}
	s.order.start(logits, logits[best], s.spec.Temperature)
	return s.draw(s.rng.uniform()), nil
}

// argmax returns the lowest id of the largest logit.
func argmax(logits []float32) (int32, error) {
	if len(logits) == 0 {
		return 0, errors.New("sample: no logits")
	}
	best := 0
	for id, l := range logits {
		if l-l != 0 { // NaN and infinities
			return 0, fmt.Errorf("sample: %w: token %d has %v", ErrNonFinite, id, l)
		}
		if l > logits[best] {
			best = id
		}
	}
	return int32(best), nil
}

// draw applies the filters and takes the token at u (0 ≤ u < 1) of what is left: the
// first n tokens of the order, which weigh mass together.
func (s *Sampler) draw(u float64) int32 {
	n, mass := len(s.order.logits), 0.0
	switch k := s.spec.TopK; {
	case k > 0 && k < n:
		n, mass = s.prefix(k, func(_, _ float64) bool { return true })
	case s.spec.TopP < 1 || s.spec.MinP == 0: // else min-p weighs what is left
		mass = s.order.total()
	}
	if s.spec.TopP < 1 {
		n, mass = s.prefix(n, func(before, _ float64) bool { return before < s.spec.TopP*mass })
	}
	if s.spec.MinP > 0 {
		n, mass = s.prefix(n, func(_, weight float64) bool { return weight >= s.spec.MinP })
	}
	token, sum := s.order.at(0).id, 0.0
	for i := range n {
		t := s.order.at(i)
		if t.weight == 0 {
			break // rounding in mass: never a token without probability
		}
		token = t.id
		if sum += t.weight; sum > u*mass {
			break
		}
	}
	return token
}

// prefix returns size and weight of the longest prefix of n tokens in which each one
// passes, given the weight of those before it and its own. The best token always does.
func (s *Sampler) prefix(n int, passes func(before, weight float64) bool) (int, float64) {
	sum := s.order.at(0).weight
	for i := 1; i < n; i++ {
		w := s.order.at(i).weight
		if !passes(sum, w) {
			return i, sum
		}
		sum += w
	}
	return n, sum
}

// splitMix is the generator SplitMix64 (Steele, Lea, Flood 2014; its state is the seed).
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// uniform returns a multiple of 2⁻²⁴ in [0, 1).
func (s *splitMix) uniform() float64 { return float64(s.next()>>40) / (1 << 24) }
