package runtime

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mlxc/mlxc/runtime/sample"
	"github.com/mlxc/mlxc/runtime/stop"
)

// Request asks for the continuation of a prompt.
type Request struct {
	Prompt    []int32
	MaxTokens int // at most this many tokens; 0 = up to the context
	// Stop ids end generation and are not part of the text.
	Stop        []int32
	StopStrings []string
	Sample      sample.Spec
}

// Why a generation ended.
const (
	FinishStop      = "stop"      // at a stop id or a stop string
	FinishLength    = "length"    // at MaxTokens or at the end of the context
	FinishCancelled = "cancelled" // the caller's context ended
	FinishError     = "error"
)

// Result is what was generated. On an error it holds what there was until then. Its
// JSON form is what `mlxc-run --json` prints: fields may be added, never changed.
type Result struct {
	PromptTokens int     `json:"prompt_tokens"`
	Tokens       []int32 `json:"tokens"` // generated ids, without the stop id
	Text         string  `json:"text"`   // up to a stop string; special tokens have no text
	FinishReason string  `json:"finish_reason"`
	Timings      Timings `json:"timings"`
	CPU          string  `json:"cpu,omitempty"` // level whose code ran
}

// Timings of a generation.
type Timings struct {
	Load       time.Duration `json:"load_ns"`
	FirstToken time.Duration `json:"ttft_ns"`   // from the start of prefill to the first token
	Decode     time.Duration `json:"decode_ns"` // from the first token to the last
	Steps      int           `json:"decode_steps"`
	PeakBytes  int64         `json:"peak_memory_bytes"` // of the process; 0 where the system doesn't tell
}

// PrefillRate is prompt tokens per second.
func (r *Result) PrefillRate() float64 { return rate(r.PromptTokens, r.Timings.FirstToken) }

// DecodeRate is decode steps per second.
func (r *Result) DecodeRate() float64 { return rate(r.Timings.Steps, r.Timings.Decode) }

func rate(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// Decoder turns token ids into text piece by piece, never splitting a character.
type Decoder interface {
	Push(id int32) string
	Flush() string
}

// Generate continues the prompt in a slot of its own, which it opens for q.Sample and
// releases; see Continue.
func Generate(ctx context.Context, s Session, d Decoder, q Request, emit func(string) error) (Result, error) {
	slot, err := s.Open(ctx, q.Sample)
	if err != nil {
		return Result{PromptTokens: len(q.Prompt), Tokens: []int32{}, FinishReason: FinishError}, err
	}
	defer s.Release(slot)
	return Continue(ctx, s, slot, d, q, emit)
}

// Continue appends the prompt to the slot's sequence and goes on from there, as the slot
// samples, handing text to emit as it appears. When ctx ends it stops with FinishReason
// FinishCancelled and no error; an error of emit or of a step is returned.
//
// The sequence then holds the first s.Len(slot) tokens of what it held before, the
// prompt and the result's tokens: often all but the last, which no step has followed.
func Continue(ctx context.Context, s Session, slot Slot, d Decoder, q Request, emit func(string) error) (Result, error) {
	g := generation{stop: stop.New(q.StopStrings), decoder: d, emit: emit,
		result: Result{PromptTokens: len(q.Prompt), Tokens: []int32{}, CPU: s.Capabilities().CPU}}
	err := g.run(ctx, s, slot, q)
	switch {
	case err == nil:
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		g.result.FinishReason, err = FinishCancelled, nil
	default:
		g.result.FinishReason = FinishError
	}
	if ferr := g.flush(); err == nil {
		err = ferr
	}
	return g.result, err
}

// generation is the state of one Continue call.
type generation struct {
	stop    *stop.Matcher
	decoder Decoder
	emit    func(string) error
	result  Result
}

func (g *generation) run(ctx context.Context, s Session, slot Slot, q Request) error {
	start := time.Now()
	step, err := s.Prefill(ctx, slot, q.Prompt)
	if err != nil {
		return err
	}
	first := time.Now()
	g.result.Timings.FirstToken = first.Sub(start)
	for {
		if step.Err != nil {
			return step.Err
		}
		done, err := g.take(step.Token, q)
		if err != nil || done {
			return err
		}
		if s.Len(slot) == s.Capabilities().Context || len(g.result.Tokens) == q.MaxTokens {
			g.result.FinishReason = FinishLength
			return nil
		}
		steps, err := s.Decode(ctx, []Slot{slot})
		if err != nil {
			return err
		}
		step = steps[0]
		g.result.Timings.Steps++
		g.result.Timings.Decode = time.Since(first)
	}
}

// take accepts a sampled token and reports whether generation ends with it.
func (g *generation) take(token int32, q Request) (done bool, err error) {
	if slices.Contains(q.Stop, token) {
		g.result.FinishReason = FinishStop
		return true, nil
	}
	g.result.Tokens = append(g.result.Tokens, token)
	text, stopped := g.stop.Push(g.decoder.Push(token))
	if stopped {
		g.result.FinishReason = FinishStop
	}
	return stopped, g.write(text)
}

// flush emits what decoder and stop matcher held back.
func (g *generation) flush() error {
	text, stopped := g.stop.Push(g.decoder.Flush())
	if stopped {
		g.result.FinishReason = FinishStop
	}
	if err := g.write(text); err != nil || stopped {
		return err
	}
	text, stopped = g.stop.Flush()
	if stopped {
		g.result.FinishReason = FinishStop
	}
	return g.write(text)
}

func (g *generation) write(text string) error {
	if text == "" {
		return nil
	}
	g.result.Text += text
	return g.emit(text)
}
