// Package conversation talks with a model turn by turn. Each turn renders the whole
// conversation, as the model's template writes it, and runs only the tokens beyond those
// whose state the session still has.
package conversation

import (
	"context"
	"errors"
	"slices"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/chat"
)

// Config is what a conversation works with.
type Config struct {
	Session runtime.Session
	// Render returns the tokens of a conversation as the model reads it, up to where the
	// assistant's next message begins: at least one.
	Render func(context.Context, []chat.Message) ([]int32, error)
	// Decoder returns a new decoder of generated tokens.
	Decoder func() runtime.Decoder
	// Request says how an answer is sampled and what ends it; its prompt isn't used.
	Request runtime.Request
}

// Conversation is what was said, and a slot of the session that has read it. It is used
// by one goroutine, and nobody else may use that slot.
type Conversation struct {
	config   Config
	messages []chat.Message
	total    Total

	open bool // there is a slot
	slot runtime.Slot
	held []int32 // the slot's sequence

	changed bool // the messages, since it was made
}

// Turn is one question and its answer. Result.PromptTokens are those that had to be run.
type Turn struct {
	runtime.Result
	Rendered int `json:"conversation_tokens"` // tokens of the conversation with the question
	Reused   int `json:"reused_tokens"`       // of those, tokens whose state was there from earlier turns
	// Undone: nothing was answered, so that the question isn't part of the conversation.
	Undone bool `json:"-"`
}

// Total are sums over the turns that were not undone.
type Total struct{ Turns, Prefilled, Reused, Answered int }

// New returns an empty conversation.
func New(c Config) *Conversation { return &Conversation{config: c} }

// Close frees the slot; the session stays open.
func (c *Conversation) Close() {
	if c.open {
		c.config.Session.Release(c.slot)
	}
	c.open, c.held = false, nil
}

// Messages are what was said; they may not be changed.
func (c *Conversation) Messages() []chat.Message { return c.messages }

// Total says what was computed so far.
func (c *Conversation) Total() Total { return c.total }

// Held is the number of tokens whose state there is.
func (c *Conversation) Held() int { return len(c.held) }

// Changed reports whether what was said has been changed since that state was made: the next
// turn keeps what still fits of it, and no more is known before.
func (c *Conversation) Changed() bool { return c.changed && len(c.messages)+len(c.held) > 0 }

// Context is the number of tokens that there is room for.
func (c *Conversation) Context() int { return c.config.Session.Capabilities().Context }

// System is the conversation's system message, "" if there is none.
func (c *Conversation) System() string { return system(c.messages) }

// SetSystem replaces the system message; "" removes it. The next turn runs everything
// after it again.
func (c *Conversation) SetSystem(text string) { c.Replace(WithSystem(c.messages, text)) }

// Replace sets what was said. The state is kept as far as it fits.
func (c *Conversation) Replace(messages []chat.Message) {
	c.messages, c.changed = slices.Clone(messages), true
}

// Reset forgets all but the system message.
func (c *Conversation) Reset() { c.Replace(WithSystem(nil, c.System())) }

// Prompt is a question that is ready to be answered.
type Prompt struct {
	messages []chat.Message
	ids      []int32
}

// Rendered is the number of tokens of the conversation with the question.
func (p Prompt) Rendered() int { return len(p.ids) }

// Prepare renders the conversation with a question. A *runtime.ContextError says that it
// doesn't fit into the context; the conversation is as it was.
func (c *Conversation) Prepare(ctx context.Context, question string) (Prompt, error) {
	messages := append(slices.Clone(c.messages), chat.Message{Role: RoleUser, Content: question})
	ids, err := c.config.Render(ctx, messages)
	if err != nil {
		return Prompt{}, err
	}
	if len(ids) == 0 {
		return Prompt{}, errors.New("conversation: the chat template renders no tokens at all")
	}
	if room := c.Context(); len(ids) > room {
		return Prompt{}, &runtime.ContextError{Add: len(ids), Context: room}
	}
	return Prompt{messages, ids}, nil
}

// Answer lets the model answer what Prepare has prepared last; emit gets the text as it
// appears. When ctx ends, what was said until then is kept, and there is no error. After
// an error the turn is undone.
func (c *Conversation) Answer(ctx context.Context, p Prompt, emit func(string) error) (Turn, error) {
	t := Turn{Rendered: len(p.ids), Undone: true}
	// One token at least is run: the logits of the last one are needed.
	reused, err := c.rewind(ctx, min(common(c.held, p.ids), len(p.ids)-1))
	if err != nil {
		return t, err
	}
	t.Reused = reused
	q := c.config.Request
	q.Prompt = p.ids[reused:]
	t.Result, err = runtime.Continue(ctx, c.config.Session, c.slot, c.config.Decoder(), q, emit)
	if err != nil {
		c.Close() // its state may hold anything
		return t, err
	}
	c.held, c.changed = append(slices.Clone(p.ids), t.Tokens...)[:c.config.Session.Len(c.slot)], true
	if t.FinishReason == runtime.FinishCancelled && len(t.Tokens) == 0 {
		return t, nil
	}
	t.Undone, c.changed = false, false
	c.messages = append(p.messages, chat.Message{Role: RoleAssistant, Content: t.Text})
	c.total.Turns++
	c.total.Prefilled += t.PromptTokens
	c.total.Reused += t.Reused
	c.total.Answered += len(t.Tokens)
	return t, nil
}

// rewind makes the slot's sequence the first n tokens of what it holds, or, where the
// state can't be cut back, an empty one. It returns how many it has.
func (c *Conversation) rewind(ctx context.Context, n int) (int, error) {
	s := c.config.Session
	if c.open && n < len(c.held) && !s.Capabilities().Rewind {
		c.Close()
	}
	if !c.open {
		slot, err := s.Open(ctx, c.config.Request.Sample)
		if err != nil {
			return 0, err
		}
		c.slot, c.open, c.held = slot, true, nil
		return 0, nil
	}
	if err := s.Truncate(c.slot, n); err != nil {
		return 0, err
	}
	c.held = c.held[:n]
	return n, nil
}

// common is the length of the longest common prefix.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
