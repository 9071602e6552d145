package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/conversation"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// maxPrompt bounds a prompt read from standard input.
const maxPrompt = 64 << 20

// RunOptions are the flags of mlxc-run itself.
type RunOptions struct {
	GenerationOptions
	ConversationOptions
	Chat      bool
	Prompt    string  // "-": standard input
	PromptIDs []int32 // in place of Prompt, if not nil
}

// NewCmdRun is mlxc-run; runF replaces the work in tests of the flags.
func NewCmdRun(s cli.IO, runF func(context.Context, *RunOptions) error) *cobra.Command {
	o := &RunOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *RunOptions) error { return run(ctx, s, o) }
	}
	var ids string
	cmd := &cobra.Command{
		Use:   "mlxc-run [flags] BUNDLE [PROMPT]",
		Short: "Continue a prompt with a bundle",
		Long: `Continue a prompt with a bundle made by mlxc-emit.

The text goes to standard output, to a terminal without control characters; all else
goes to standard error. The prompt is PROMPT, or standard input if that is "-", or
--prompt-ids; control words such as <|im_end|> in it count as such. Greedy unless
--temp is above 0.

With --chat, PROMPT is what a user says, after --system and --messages, and the
model's chat template makes the prompt of it; control words in what was said are text
like any other, unless --special-in-content is given. See also: mlxc-run chat.

Generation ends at one of the model's stop ids, a --stop text, --max-tokens or the
end of the context. Ctrl-C ends it, too: timings are printed, the exit code is 130
(143 after SIGTERM).

--json prints one object: prompt_tokens (a number), tokens (the generated ids, the
stop id left out), text, finish_reason (stop, length or cancelled) and timings:
load_ns, ttft_ns (time to first token), decode_ns, decode_steps, peak_memory_bytes;
and cpu, the CPU level whose code ran.

Every flag has an environment variable: MLXC_TOP_K for --top-k. Those of --system,
--messages, --template-kwargs and --special-in-content count with --chat alone.`,
		Example: `  mlxc-run smollm2.tar "The capital of France is"
  mlxc-run smollm2.tar -n 64 --temp 0.8 --top-p 0.95 --seed 1 - < prompt.txt
  mlxc-run smollm2.tar --chat --system "Answer in one word." "What is the capital of France?"
  mlxc-run smollm2.tar --prompt-ids 504,3575,282 --json
  mlxc-run inspect smollm2.tar`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("no bundle given: mlxc-run [flags] BUNDLE [PROMPT]")
			case len(args) > 2:
				return fmt.Errorf("%d arguments given: a bundle and one prompt, in quotes", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle = args[0]
			if len(args) == 2 {
				o.Prompt = args[1]
			}
			byIDs := o.settle(len(args) == 2, cmd.Flags())
			if err := o.checkPrompt(len(args) == 2, byIDs, cmd.Flags()); err != nil {
				return err
			}
			if byIDs {
				var err error
				if o.PromptIDs, err = parseIDs(ids); err != nil {
					return err
				}
			}
			err := o.GenerationOptions.check()
			if o.Chat {
				err = errors.Join(err, o.ConversationOptions.check())
			}
			if err != nil {
				return err
			}
			return runF(cmd.Context(), o)
		},
	}
	o.GenerationOptions.addFlags(cmd, 256)
	o.ConversationOptions.addFlags(cmd)
	cmd.Flags().BoolVar(&o.Chat, "chat", false, "PROMPT is what a user says: the model's chat template writes it")
	cmd.Flags().StringVar(&ids, "prompt-ids", "", "the prompt as token `IDS`: 1,2,3")
	cmd.AddCommand(newCmdChat(s), newCmdInspect(s), newCmdVerify(s), newCmdTokenize(s), newCmdRender(s), newCmdValidate(s))
	return cmd
}

// settle reports whether the prompt are the ids of --prompt-ids; text: there is a PROMPT.
// What the command line says of the prompt counts more than what the environment says.
func (o *RunOptions) settle(text bool, flags *pflag.FlagSet) (byIDs bool) {
	givenIDs, givenChat := cli.Given(flags, "prompt-ids"), cli.Given(flags, "chat")
	if givenIDs && !givenChat {
		o.Chat = false
	}
	return givenIDs || flags.Changed("prompt-ids") && !text && !(givenChat && o.Chat)
}

// checkPrompt looks at where the prompt comes from.
func (o *RunOptions) checkPrompt(text, byIDs bool, flags *pflag.FlagSet) error {
	switch {
	case !o.Chat && o.given(flags) != "":
		return fmt.Errorf("--%s is for chats: give --chat, too", o.given(flags))
	case byIDs && o.Chat:
		return errors.New("both --chat and --prompt-ids are given: ids are a prompt as it is")
	case byIDs && text:
		return errors.New("both a PROMPT and --prompt-ids are given: give one of them")
	case o.Chat && o.Prompt == "-" && o.Messages == "-":
		return errors.New("both the PROMPT and --messages are standard input: give a file")
	case byIDs || text || o.Chat && o.Messages != "":
		return nil
	case o.Chat:
		return errors.New(`no question: give a PROMPT ("-" reads standard input) or --messages; mlxc-run chat is for more than one`)
	}
	return errors.New(`no prompt: give a PROMPT ("-" reads standard input) or --prompt-ids`)
}

// parseIDs reads ids as --prompt-ids has them.
func parseIDs(s string) ([]int32, error) {
	var ids []int32
	for field := range strings.SplitSeq(s, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("--prompt-ids: %q is not a token id; write them as 1,2,3", field)
		}
		ids = append(ids, int32(id))
	}
	return ids, nil
}

func run(ctx context.Context, s cli.IO, o *RunOptions) error {
	start := time.Now()
	b, err := o.bundle(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	q, decoder, err := o.request(ctx, s, b)
	if err != nil {
		return err
	}
	session, err := o.open(ctx, b, runtime.Options{}, o.verbose(s))
	if err != nil {
		return err
	}
	defer session.Close()
	load := time.Since(start)

	out := s.Text()
	if o.JSON {
		out = io.Discard
	}
	r, err := runtime.Generate(ctx, session, decoder, q, func(text string) error { _, err := io.WriteString(out, text); return err })
	r.Timings.Load, r.Timings.PeakBytes = load, runtime.PeakMemory()
	if err != nil {
		if r.Text != "" {
			fmt.Fprintln(out)
		}
		return err
	}
	if o.JSON {
		err = printJSON(s.Out, r)
	} else {
		fmt.Fprintln(out)
		printTimings(s.Err, &r)
	}
	if r.FinishReason == runtime.FinishCancelled {
		return cli.ErrReported
	}
	return err
}

// request turns the flags into a request, and says what decodes its outcome.
func (o *RunOptions) request(ctx context.Context, s cli.IO, b *bundle.Bundle) (runtime.Request, runtime.Decoder, error) {
	q := o.GenerationOptions.request(b, o.verbose(s))
	q.Prompt = o.PromptIDs
	tok, err := runtime.Tokenizer(b)
	if errors.Is(err, runtime.ErrNoTokenizer) {
		if q.Prompt != nil && q.StopStrings == nil {
			return q, noText{}, nil
		}
		return q, nil, fmt.Errorf("%w; give --prompt-ids and no --stop", err)
	}
	if err != nil {
		return q, nil, err
	}
	switch stdin := cli.Input(ctx, s.In); {
	case o.Chat:
		q.Prompt, err = o.renderPrompt(ctx, stdin, b, tok)
	case q.Prompt == nil:
		q.Prompt, err = o.encodePrompt(stdin, tok)
	}
	return q, tok.NewDecoder(true), err
}

// renderPrompt lets the chat template write what was said.
func (o *RunOptions) renderPrompt(ctx context.Context, stdin io.Reader, b *bundle.Bundle, tok *tokenizer.Tokenizer) ([]int32, error) {
	render, err := o.renderer(b, tok)
	if err != nil {
		return nil, err
	}
	messages, err := o.messages(stdin)
	if err != nil {
		return nil, err
	}
	if o.Prompt != "" || o.Messages == "" {
		text, err := o.text(stdin)
		if err != nil {
			return nil, err
		}
		if o.Prompt == "-" {
			text = strings.TrimSuffix(text, "\n") // echo's
		}
		messages = append(messages, chat.Message{Role: conversation.RoleUser, Content: text})
	}
	return render(ctx, messages)
}

// encodePrompt tokenises the prompt as HF does.
func (o *RunOptions) encodePrompt(stdin io.Reader, tok *tokenizer.Tokenizer) ([]int32, error) {
	text, err := o.text(stdin)
	if err != nil {
		return nil, err
	}
	ids := tok.Encode(text, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
	if len(ids) == 0 {
		return nil, errors.New("the prompt is empty and this model's tokenizer adds no start token: give some text")
	}
	return ids, nil
}

// text is the prompt, which is standard input if it is "-".
func (o *RunOptions) text(stdin io.Reader) (string, error) {
	if o.Prompt != "-" {
		return o.Prompt, nil
	}
	in, err := io.ReadAll(io.LimitReader(stdin, maxPrompt+1))
	if err != nil {
		return "", fmt.Errorf("prompt from standard input: %w", err)
	}
	if len(in) > maxPrompt {
		return "", fmt.Errorf("prompt from standard input: more than %d bytes", maxPrompt)
	}
	return string(in), nil
}

// noText decodes the tokens of a bundle without a tokenizer: --json shows the ids.
type noText struct{}

func (noText) Push(int32) string { return "" }
func (noText) Flush() string     { return "" }

func printTimings(w io.Writer, r *runtime.Result) {
	t := r.Timings
	fmt.Fprintf(w, "\nload     %8.1f ms\nprefill  %8.1f ms  %d tokens, %.1f tok/s (time to first token)\ndecode   %8.1f ms  %d tokens, %.1f tok/s\n",
		ms(t.Load), ms(t.FirstToken), r.PromptTokens, r.PrefillRate(), ms(t.Decode), t.Steps, r.DecodeRate())
	if t.PeakBytes > 0 {
		fmt.Fprintf(w, "memory   %8.1f MB  peak\n", float64(t.PeakBytes)/1e6)
	}
	fmt.Fprintf(w, "finished: %s\n", r.FinishReason)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
