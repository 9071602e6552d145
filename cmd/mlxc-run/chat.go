package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/conversation"
)

// ChatOptions are the flags of mlxc-run chat.
type ChatOptions struct {
	GenerationOptions
	ConversationOptions
}

func newCmdChat(s cli.IO) *cobra.Command {
	o := &ChatOptions{}
	cmd := &cobra.Command{
		Use:   "chat [flags] BUNDLE",
		Short: "Talk with a model",
		Long: `Talk with a model, turn by turn. The state of what was said is kept: each turn runs
only what is new.

On a terminal a message may be edited with arrows and Emacs' control keys, and earlier
ones come back with the arrow up; Alt-Enter, or """ around it, makes a message of several
lines, and pasted text is one message. Ctrl-C ends an answer, and what was said stays; at
the prompt it clears the line. Ctrl-D ends the chat.

Elsewhere each line of standard input is a message (or several, in """), answers go to
standard output and all else to standard error, and the first error ends it.

Lines that begin with / are commands:
` + commandHelp() + `  //TEXT          says /TEXT

Answers are greedy unless --temp is above 0, and end at one of the model's stop ids, a
--stop text, --max-tokens or the end of the context. A conversation that doesn't fit into
the context is refused before the turn; nothing is ever cut from it.

--json prints one object an answer: conversation_tokens, of which reused_tokens were not
run again and prompt_tokens were, and what mlxc-run --json has.`,
		Example: `  mlxc-run chat smollm2.tar
  mlxc-run chat smollm2.tar --system "Answer in one sentence." --temp 0.7
  mlxc-run chat smollm2.tar --messages saved.json < questions.txt > answers.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle = args[0]
			if o.Messages == "-" {
				return errors.New("--messages is standard input, where the questions come from: give a file")
			}
			if err := errors.Join(o.GenerationOptions.check(), o.ConversationOptions.check()); err != nil {
				return err
			}
			return runChat(cmd.Context(), s, o)
		},
	}
	o.GenerationOptions.addFlags(cmd, 0)
	o.ConversationOptions.addFlags(cmd)
	return cmd
}

func runChat(ctx context.Context, s cli.IO, o *ChatOptions) error {
	start := time.Now()
	b, err := o.bundle(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	tok, err := runtime.Tokenizer(b)
	if err != nil {
		return err
	}
	render, err := o.renderer(b, tok)
	if err != nil {
		return err
	}
	messages, err := o.messages(s.In)
	if err != nil {
		return err
	}
	if err := answered(messages); err != nil {
		return fmt.Errorf("--messages: %w", err)
	}
	request := o.request(b, o.verbose(s))
	session, err := o.open(ctx, b, runtime.Options{FinishCalls: true}, o.verbose(s))
	if err != nil {
		return err
	}
	defer session.Close()
	c := conversation.New(conversation.Config{Session: session, Render: render, Request: request,
		Decoder: func() runtime.Decoder { return tok.NewDecoder(true) }})
	defer c.Close()
	c.Replace(messages)
	t := &talk{conversation: c, options: o, io: s, lines: newLines(ctx, s), loaded: time.Since(start)}
	if t.lines.terminal() {
		t.say("%s, context %d tokens. /help lists commands, Ctrl-D ends.", cli.Printable(b.Manifest.Model.Name), c.Context())
	}
	return t.run(ctx)
}

// answered refuses a conversation that ends with a question: the next message would be
// a second one.
func answered(messages []chat.Message) error {
	if n := len(messages); n > 0 && messages[n-1].Role == conversation.RoleUser {
		return fmt.Errorf("message %d, the last one, is the user's and has no answer: take it out and ask it here, or have it answered by mlxc-run --chat --messages", n-1)
	}
	return nil
}

// talk is a chat with a person or a pipe.
type talk struct {
	conversation *conversation.Conversation
	options      *ChatOptions
	io           cli.IO
	lines        *lines
	loaded       time.Duration      // how long it took
	last         *conversation.Turn // the last one that wasn't undone
}

// errEnd ends the chat without an error.
var errEnd = errors.New("end of the chat")

// run talks until the input ends or the user ends it.
func (t *talk) run(ctx context.Context) error {
	for ctx.Err() == nil {
		message, err := t.lines.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = t.handle(ctx, message)
		}
		switch {
		case errors.Is(err, errEnd):
			return nil
		case err != nil && t.lines.terminal() && errors.As(err, &refusal{}):
			t.say("%s", cli.Printable(err.Error()))
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// refusal is an error after which a chat goes on: nothing has changed.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func refuse(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// handle does what a line asks for.
func (t *talk) handle(ctx context.Context, message string) error {
	name, argument, isCommand := command(message)
	if isCommand {
		return t.command(name, argument)
	}
	return t.turn(ctx, name)
}

// turn is a question and its answer.
func (t *talk) turn(ctx context.Context, question string) error {
	ctx, stop := t.interruptible(ctx)
	defer stop()
	prompt, err := t.conversation.Prepare(ctx, question)
	var full *runtime.ContextError
	switch {
	case errors.As(err, &full):
		return refuse("with this message the conversation has %d tokens, %d more than the context of %d: make it shorter, begin anew with /reset, or emit the bundle with a larger --context",
			full.Add, full.Add-full.Context, full.Context)
	case err != nil && ctx.Err() != nil:
		t.end(&conversation.Turn{Undone: true})
		return nil
	case err != nil:
		return refusal{err}
	}
	t.warn(prompt)
	turn, err := t.conversation.Answer(ctx, prompt, t.print)
	turn.Timings.Load, turn.Timings.PeakBytes = t.loaded, runtime.PeakMemory()
	if err != nil {
		if turn.Text != "" {
			t.print("\n")
		}
		return err
	}
	if !turn.Undone {
		t.last = &turn
	}
	t.end(&turn)
	return nil
}

// interruptible lets Ctrl-C at a terminal end an answer alone.
func (t *talk) interruptible(ctx context.Context) (context.Context, func()) {
	if !t.lines.terminal() {
		return ctx, func() {}
	}
	return cli.Interruptible(ctx)
}

// warn says before a turn that the answer may not fit.
func (t *talk) warn(p conversation.Prompt) {
	context := t.conversation.Context()
	room, wanted := context-p.Rendered()+1, t.options.MaxTokens
	switch {
	case wanted > room:
		t.say("[%d of %d tokens of the context are taken: the answer may have %d, --max-tokens is %d]", p.Rendered(), context, room, wanted)
	case wanted == 0 && room < context/8:
		t.say("[%d of %d tokens of the context are taken: the answer may have %d]", p.Rendered(), context, room)
	}
}

// print writes a piece of an answer.
func (t *talk) print(text string) error {
	if t.options.JSON {
		return nil
	}
	_, err := io.WriteString(t.io.Text(), text)
	return err
}

// end closes an answer, and says if it isn't whole.
func (t *talk) end(turn *conversation.Turn) {
	switch {
	case turn.Undone:
	case t.options.JSON:
		printJSON(t.io.Out, turn) // Main reports what can't be written
	default:
		t.print("\n")
	}
	switch {
	case turn.Undone:
		t.say("[stopped before the answer began: what you said is left out]")
	case turn.FinishReason == runtime.FinishCancelled:
		t.say("[stopped]")
	case turn.FinishReason == runtime.FinishLength && len(turn.Tokens) == t.options.MaxTokens:
		t.say("[cut off: --max-tokens is %d]", t.options.MaxTokens)
	case turn.FinishReason == runtime.FinishLength:
		t.say("[cut off: the context of %d tokens is full]", t.conversation.Context())
	}
	if t.options.Verbose && !turn.Undone {
		t.say("%s", describe(turn))
	}
}

// describe is a turn in numbers.
func describe(t *conversation.Turn) string {
	return fmt.Sprintf("%d tokens: %d reused, %d run in %.1f ms (%.1f tok/s); answer of %d tokens in %.1f ms (%.1f tok/s)",
		t.Rendered, t.Reused, t.PromptTokens, ms(t.Timings.FirstToken), t.PrefillRate(), len(t.Tokens), ms(t.Timings.Decode), t.DecodeRate())
}

// say tells the user something.
func (t *talk) say(format string, args ...any) { fmt.Fprintf(t.io.Err, format+"\n", args...) }
