package conversation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/sample"
)

// fakeSession has one sequence, whose next token is the next of answer; it records what
// is run.
type fakeSession struct {
	runtime.Session
	context  int
	rewind   bool
	answer   []int32
	fail     error
	cancel   func() // called by the second step, if not nil
	open     bool
	opened   int
	seq      []int32
	prefills [][]int32
	steps    int
	next     int32
}

func (f *fakeSession) Capabilities() runtime.Capabilities {
	return runtime.Capabilities{Slots: 1, Context: f.context, Rewind: f.rewind}
}

func (f *fakeSession) Open(context.Context, sample.Spec) (runtime.Slot, error) {
	if f.open {
		return 0, runtime.ErrNoSlot
	}
	f.open, f.seq = true, nil
	f.opened++
	return 0, nil
}

func (f *fakeSession) Release(runtime.Slot) { f.open = false }

func (f *fakeSession) Len(runtime.Slot) int { return len(f.seq) }

func (f *fakeSession) Truncate(_ runtime.Slot, n int) error {
	if n > len(f.seq) || n < len(f.seq) && !f.rewind {
		return fmt.Errorf("truncate %d to %d", len(f.seq), n)
	}
	f.seq = f.seq[:n]
	return nil
}

func (f *fakeSession) step() runtime.Step {
	if f.steps++; f.steps == 2 && f.cancel != nil {
		f.cancel()
	}
	next := int32(stop)
	if len(f.answer) > 0 {
		next, f.answer = f.answer[0], f.answer[1:]
	}
	return runtime.Step{Token: next, Err: f.fail}
}

func (f *fakeSession) Prefill(ctx context.Context, _ runtime.Slot, ids []int32) (runtime.Step, error) {
	if len(ids) == 0 {
		return runtime.Step{}, errors.New("prefill of nothing")
	}
	if err := ctx.Err(); err != nil {
		return runtime.Step{}, err
	}
	f.prefills = append(f.prefills, slices.Clone(ids))
	f.seq = append(f.seq, ids...)
	s := f.step()
	f.next = s.Token
	return s, nil
}

func (f *fakeSession) Decode(ctx context.Context, _ []runtime.Slot) ([]runtime.Step, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.seq = append(f.seq, f.next)
	s := f.step()
	f.next = s.Token
	return []runtime.Step{s}, nil
}

// stop ends an answer.
const stop = 2

// letters spells token 'a' as "a".
type letters struct{}

func (letters) Push(id int32) string { return string(rune(id)) }
func (letters) Flush() string        { return "" }

// plain renders "(role content)" for each message, the role as its first letter, and "(a"
// for the answer; a closing parenthesis is what the model says to stop.
func plain(_ context.Context, messages []chat.Message) ([]int32, error) {
	var text strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&text, "(%c%s)", m.Role[0], m.Content)
	}
	return tokens(text.String() + "(a"), nil
}

func tokens(s string) []int32 {
	var ids []int32
	for _, r := range s {
		if r == ')' {
			r = stop
		}
		ids = append(ids, r)
	}
	return ids
}

func text(ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		if id == stop {
			id = ')'
		}
		b.WriteRune(id)
	}
	return b.String()
}

func newFake(context int) *fakeSession { return &fakeSession{context: context, rewind: true} }

func with(s *fakeSession, render func(context.Context, []chat.Message) ([]int32, error)) *Conversation {
	return New(Config{Session: s, Render: render, Decoder: func() runtime.Decoder { return letters{} },
		Request: runtime.Request{Stop: []int32{stop}}})
}

// ask is one turn in which the model says answer.
func ask(t *testing.T, c *Conversation, question, answer string) Turn {
	t.Helper()
	s := c.config.Session.(*fakeSession)
	s.answer = tokens(answer)
	p, err := c.Prepare(t.Context(), question)
	if err != nil {
		t.Fatalf("%q: %v", question, err)
	}
	said := ""
	turn, err := c.Answer(t.Context(), p, func(s string) error { said += s; return nil })
	if err != nil || said != turn.Text {
		t.Fatalf("%q: %v; said %q, text %q", question, err, said, turn.Text)
	}
	return turn
}

// said are messages of (role, content).
func said(pairs ...string) []chat.Message {
	var all []chat.Message
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, chat.Message{Role: pairs[i], Content: pairs[i+1]})
	}
	return all
}

func same(a, b []chat.Message) bool {
	return slices.EqualFunc(a, b, func(a, b chat.Message) bool { return a.Role == b.Role && a.Content == b.Content })
}

// TestPrefixes: what is run in the turn after "hi", "yo", by what the next rendering has
// in common with what was read.
func TestPrefixes(t *testing.T) {
	for _, tc := range []struct {
		name      string
		render    func(context.Context, []chat.Message) ([]int32, error)
		between   func(*Conversation)
		runs      string // of the second turn, question "so"
		reused    int
		noRewind  bool
		reopened  bool
		firstTurn string // what the model says in the first turn, if not "yo)"
	}{
		{name: "append: the stop token and what follows", runs: ")(uso)(a", reused: 9},
		{name: "append, state that can't be cut back", noRewind: true, runs: ")(uso)(a", reused: 9},
		{name: "the answer was spelled in other tokens", firstTurn: "YO)",
			render: func(ctx context.Context, m []chat.Message) ([]int32, error) {
				ids, err := plain(ctx, m)
				return tokens(strings.ToLower(text(ids))), err
			}, runs: "yo)(uso)(a", reused: 7},
		{name: "a system message comes", between: func(c *Conversation) { c.SetSystem("be") }, runs: "sbe)(uhi)(ayo)(uso)(a", reused: 1},
		{name: "and the state can't be cut back", between: func(c *Conversation) { c.SetSystem("be") }, noRewind: true, reopened: true, runs: "(sbe)(uhi)(ayo)(uso)(a"},
		{name: "reset", between: (*Conversation).Reset, runs: "so)(a", reused: 2},
		{name: "identical: the last token is run again",
			between: func(c *Conversation) { c.Replace(nil) },
			render:  func(context.Context, []chat.Message) ([]int32, error) { return tokens("(uhi)(a"), nil },
			runs:    "a", reused: 6},
		{name: "identical, state that can't be cut back", noRewind: true, reopened: true,
			render: func(context.Context, []chat.Message) ([]int32, error) { return tokens("(uhi)(a"), nil },
			runs:   "(uhi)(a"},
		{name: "shorter, one token", between: (*Conversation).Reset,
			render: func(ctx context.Context, m []chat.Message) ([]int32, error) {
				if m[0].Content == "so" {
					return tokens("("), nil
				}
				return plain(ctx, m)
			}, runs: "("},
		{name: "history is rewritten: what was thought is left out", firstTurn: "[hm]yo)",
			render: func(ctx context.Context, m []chat.Message) ([]int32, error) {
				m = slices.Clone(m)
				for i := range m {
					if _, said, ok := strings.Cut(m[i].Content, "]"); ok {
						m[i].Content = said
					}
				}
				return plain(ctx, m)
			}, runs: "yo)(uso)(a", reused: 7},
		{name: "loaded from elsewhere", between: func(c *Conversation) {
			c.Replace(said("user", "ho", "assistant", "yo"))
		}, runs: "o)(ayo)(uso)(a", reused: 3},
	} {
		s := newFake(100)
		s.rewind = !tc.noRewind
		if tc.render == nil {
			tc.render = plain
		}
		if tc.firstTurn == "" {
			tc.firstTurn = "yo)"
		}
		c := with(s, tc.render)
		first := ask(t, c, "hi", tc.firstTurn)
		if got := text(s.prefills[0]); first.Reused != 0 || got != "(uhi)(a" || first.PromptTokens != 7 {
			t.Errorf("%s: the first turn runs %q, reuses %d", tc.name, got, first.Reused)
		}
		if c.Changed() {
			t.Errorf("%s: changed after a turn", tc.name)
		}
		if tc.between != nil {
			tc.between(c)
		}
		if c.Changed() != (tc.between != nil) {
			t.Errorf("%s: changed %v", tc.name, c.Changed())
		}
		second := ask(t, c, "so", "ok)")
		runs := text(s.prefills[1])
		if runs != tc.runs || second.Reused != tc.reused || second.PromptTokens != len(tc.runs) || second.Rendered != second.Reused+second.PromptTokens {
			t.Errorf("%s: runs %q, %+v; want %q, %d reused", tc.name, runs, second, tc.runs, tc.reused)
		}
		if reopened := s.opened == 2; reopened != tc.reopened {
			t.Errorf("%s: %d slots were opened", tc.name, s.opened)
		}
		if got := text(s.seq); c.Held() != len(s.seq) || !strings.HasSuffix(got, tc.runs+"ok") {
			t.Errorf("%s: %d tokens held of %q", tc.name, c.Held(), got)
		}
		if c.Close(); s.open {
			t.Errorf("%s: the slot stays open", tc.name)
		}
	}
}

// TestHowTurnsEnd: what the conversation is after a turn that ended early.
func TestHowTurnsEnd(t *testing.T) {
	broken := errors.New("device lost")
	for _, tc := range []struct {
		name      string
		change    func(*fakeSession, *Conversation, context.CancelFunc)
		messages  []chat.Message
		reason    string
		undone    bool
		err       error
		nextRuns  string // of the next question, "so"
		nextReuse int
	}{
		{name: "interrupted while it answers", change: func(s *fakeSession, _ *Conversation, cancel context.CancelFunc) { s.cancel = cancel },
			messages: said("user", "hi", "assistant", "on"), reason: "cancelled", nextRuns: "n)(uso)(a", nextReuse: 8},
		{name: "interrupted before the first token", change: func(_ *fakeSession, _ *Conversation, cancel context.CancelFunc) { cancel() },
			reason: "cancelled", undone: true, nextRuns: "(uso)(a"},
		{name: "as many tokens as are wanted", change: func(_ *fakeSession, c *Conversation, _ context.CancelFunc) { c.config.Request.MaxTokens = 3 },
			messages: said("user", "hi", "assistant", "one"), reason: "length", nextRuns: "e)(uso)(a", nextReuse: 9},
		{name: "a stop text", change: func(_ *fakeSession, c *Conversation, _ context.CancelFunc) {
			c.config.Request.StopStrings = []string{"e "}
		}, messages: said("user", "hi", "assistant", "on"), reason: "stop", nextRuns: ")(uso)(a", nextReuse: 9},
		{name: "an error", change: func(s *fakeSession, _ *Conversation, _ context.CancelFunc) { s.fail = broken },
			reason: "error", undone: true, err: broken, nextRuns: "(uso)(a"},
		{name: "no text at all", change: func(s *fakeSession, _ *Conversation, _ context.CancelFunc) { s.answer = nil },
			messages: said("user", "hi", "assistant", ""), reason: "stop", nextRuns: ")(uso)(a", nextReuse: 7},
	} {
		s := newFake(100)
		c := with(s, plain)
		ctx, cancel := context.WithCancel(t.Context())
		p, err := c.Prepare(ctx, "hi")
		if err != nil {
			t.Fatal(err)
		}
		s.answer = tokens("one two)")
		tc.change(s, c, cancel)
		turn, err := c.Answer(ctx, p, func(string) error { return nil })
		if !errors.Is(err, tc.err) || turn.FinishReason != tc.reason || turn.Undone != tc.undone {
			t.Errorf("%s: %+v, %v", tc.name, turn, err)
		}
		if !same(c.Messages(), tc.messages) {
			t.Errorf("%s: messages %v, want %v", tc.name, c.Messages(), tc.messages)
		}
		if held := text(s.seq); s.open && c.Held() != len(s.seq) {
			t.Errorf("%s: %d tokens held of %q", tc.name, c.Held(), held)
		}
		s.fail, s.cancel, c.config.Request.MaxTokens, s.prefills = nil, nil, 0, nil
		next := ask(t, c, "so", "ok)")
		want := []Total{{2, 7 + len(tc.nextRuns), tc.nextReuse, len(turn.Tokens) + 2}, {1, len(tc.nextRuns), tc.nextReuse, 2}}
		if tc.undone {
			want = want[1:]
		}
		if got := text(s.prefills[0]); got != tc.nextRuns || next.Reused != tc.nextReuse || c.Total() != want[0] {
			t.Errorf("%s: then runs %q, reuses %d, in total %+v; want %q, %d, %+v", tc.name, got, next.Reused, c.Total(), tc.nextRuns, tc.nextReuse, want[0])
		}
		cancel()
	}
}

// TestContextIsFull: a question that doesn't fit is refused with all numbers, before
// anything is run; an answer ends with the context.
func TestContextIsFull(t *testing.T) {
	s := newFake(12)
	c := with(s, plain)
	_, err := c.Prepare(t.Context(), "12345678") // (u12345678)(a
	var full *runtime.ContextError
	if !errors.As(err, &full) || *full != (runtime.ContextError{Add: 13, Context: 12}) || s.opened > 0 || len(c.Messages()) > 0 {
		t.Errorf("%v, messages %v", err, c.Messages())
	}
	if turn := ask(t, c, "1234567", "abc"); turn.Text != "a" || turn.FinishReason != "length" || c.Held() != 12 {
		t.Errorf("a full context: %+v", turn)
	}
	if _, err := c.Prepare(t.Context(), "x"); !errors.As(err, &full) || len(c.Messages()) != 2 {
		t.Errorf("then: %v, messages %v", err, c.Messages())
	}
	c.Reset()
	if turn := ask(t, c, "12345", "abc"); turn.Text != "abc" || turn.Reused != 2+5 {
		t.Errorf("after a reset: %+v", turn)
	}
}

func TestRenderFails(t *testing.T) {
	no := errors.New("no system messages")
	for _, err := range []error{no, nil} {
		c := with(newFake(9), func(context.Context, []chat.Message) ([]int32, error) { return nil, err })
		if _, got := c.Prepare(t.Context(), "x"); got == nil || err != nil && !errors.Is(got, err) || len(c.Messages()) > 0 {
			t.Errorf("%v for %v, messages %v", got, err, c.Messages())
		}
	}
}

func TestSystem(t *testing.T) {
	c := with(newFake(9), plain)
	if c.Replace(nil); c.Changed() {
		t.Error("nothing was said, and that is changed")
	}
	before := said("user", "a", "assistant", "b")
	c.Replace(before)
	for _, text := range []string{"one", "two", "", "three"} {
		c.SetSystem(text)
		want := before
		if text != "" {
			want = append(said("system", text), before...)
		}
		if c.System() != text || !same(c.Messages(), want) {
			t.Errorf("system %q: %v", c.System(), c.Messages())
		}
	}
	if c.Reset(); c.System() != "three" || len(c.Messages()) != 1 {
		t.Errorf("after a reset: %v", c.Messages())
	}
}
