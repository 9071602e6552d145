// Package runtime executes bundles: sessions of token ids over a device, text
// generation on top of them, and the choice of the backend by name.
package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/sample"
)

// Session is the level at which everything above works: token ids and a sampling
// spec in, token ids out. It owns the state pool. A Session is used by one
// goroutine at a time.
type Session interface {
	// Capabilities says what the session can do; what it can't is refused by name
	// before work starts.
	Capabilities() Capabilities
	// Open takes a free slot for a new, empty sequence. ErrNoSlot if all are taken.
	Open(ctx context.Context, spec sample.Spec) (Slot, error)
	// Prefill appends ids to the sequence and samples the token that follows them. A
	// token that was sampled but not yet fed is forgotten. A *ContextError says that
	// the ids don't fit; the sequence is then unchanged.
	Prefill(ctx context.Context, s Slot, ids []int32) (Step, error)
	// Decode appends to each sequence the token that it sampled last (or that Feed
	// set) and samples the next. The slots are distinct.
	Decode(ctx context.Context, slots []Slot) ([]Step, error)
	// Feed replaces the sampled token that the next Decode appends.
	Feed(s Slot, token int32) error
	// Logits are those that the slot's last step sampled from. They stay valid until
	// the session's next step.
	Logits(s Slot) ([]float32, error)
	// Len is the number of tokens that the sequence's state holds.
	Len(s Slot) int
	// Fork opens a slot with a copy of the sequence.
	Fork(ctx context.Context, s Slot) (Slot, error)
	// Truncate cuts the sequence back to its first n tokens.
	Truncate(s Slot, n int) error
	// Release frees the slot.
	Release(s Slot)
	// Close frees everything; the bundle stays open.
	Close() error
}

// Profiler is a Session that can say where the time of its device's calls goes.
type Profiler interface {
	// Profile does the work and says where its time went. ErrNoProfile if the device
	// can't tell; the work isn't done then.
	Profile(work func() error) (device.Profile, error)
}

// Slot names a sequence of a session.
type Slot int

// Step is the outcome of one step of one sequence.
type Step struct {
	Token int32 // sampled, not yet part of the sequence
	// Err is set instead of Token when this sequence has failed and others of the
	// batch have not: a *NonFiniteError.
	Err error
}

// Capabilities of a session.
type Capabilities struct {
	Slots       int   // sequences at once
	Context     int   // tokens of a sequence
	BatchWidths []int // widths that Decode runs in one call, ascending; 1 is always there
	Vocab       int
	CPU         string // level whose code runs; "" if it isn't made for one

	Paged, Speculative, Multimodal bool
	Logprobs                       bool // Logits works
	DeviceSampling                 bool // non-greedy sampling happens on the device
	Rewind                         bool // Truncate works
}

// ErrNoSlot: every slot of the session is taken.
var ErrNoSlot = errors.New("runtime: no free slot")

// ErrNoProfile: the device doesn't say where its time goes.
var ErrNoProfile = errors.New("runtime: this device can't be profiled; the device native can")

// ErrBroken: a device call failed half-way and the state went with it.
var ErrBroken = errors.New("runtime: session lost its state in a failed call; open a new one")

// ContextError says that tokens don't fit into the context.
type ContextError struct{ Have, Add, Context int }

func (e *ContextError) Error() string {
	where := "are"
	if e.Have > 0 {
		where = fmt.Sprintf("after the %d already there are", e.Have)
	}
	return fmt.Sprintf("runtime: %d tokens %s %d more than the context of %d; shorten the prompt, or emit the bundle with a larger --context",
		e.Add, where, e.Have+e.Add-e.Context, e.Context)
}

// NonFiniteError says that the logits after Position tokens of a sequence hold NaN or
// Inf: a broken weight, or overflow. There is no next token.
type NonFiniteError struct{ Position int }

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("runtime: non-finite logits at step %d, after that many tokens: a weight is NaN or Inf, or f16 overflows; check the file with `mlxc-run verify`, or emit with --precision f32", e.Position)
}

// HostCPU is what mlxc-emit --cpu calls the processor at hand.
const HostCPU = "host"

// Options of opening a session.
type Options struct {
	Threads int      // at most MaxThreads; 0 = the device's default
	CPUs    []string // CPU levels of the bundle of which the best that the processor can run is run; nil, or HostCPU among them = any
	// FinishCalls lets a device call that has begun run to its end although the context
	// has ended, so that the state outlives it: a call that is cut off takes the state of
	// all sequences along (ErrBroken). A step then ends a chunk later.
	FinishCalls bool
}

// Backend opens sessions on bundles; --device names it.
type Backend interface {
	Name() string
	Open(ctx context.Context, b *bundle.Bundle, o Options) (Session, error)
}
