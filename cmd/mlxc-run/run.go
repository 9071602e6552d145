package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// maxPrompt bounds a prompt read from standard input.
const maxPrompt = 64 << 20

// RunOptions are the flags of mlxc-run itself.
type RunOptions struct {
	DeviceOptions
	Bundle    string
	Prompt    string
	PromptIDs string
	MaxTokens int
	Sample    sample.Spec
	Stop      []string
	IgnoreEOS bool
	Verify    bool
	JSON      bool
	Verbose   bool
}

// DeviceOptions are the flags of every sub-command that runs a bundle.
type DeviceOptions struct {
	Device  string
	Threads int
}

func (o *DeviceOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Device, "device", "", "what runs the graphs: "+strings.Join(runtime.DeviceNames(), ", ")+" (default: the bundle's own)")
	f.IntVarP(&o.Threads, "threads", "t", 0, "worker threads (default: affinity mask and CPU quota, whole cores)")
}

// NewCmdRun is mlxc-run; runF replaces the work in tests of the flags.
func NewCmdRun(s cli.IO, runF func(context.Context, *RunOptions) error) *cobra.Command {
	o := &RunOptions{}
	cmd := &cobra.Command{
		Use:   "mlxc-run [flags] BUNDLE [PROMPT]",
		Short: "Continue a prompt with a bundle",
		Long: `Continue a prompt with a bundle made by mlxc-emit.

The text goes to standard output, timings to standard error. PROMPT "-" is read
from standard input. Greedy unless --temp is above 0. Every flag has an
environment variable: --top-k is MLXC_TOP_K.`,
		Example: `  mlxc-run smollm2.tar "The capital of France is"
  mlxc-run smollm2.tar -n 64 --temp 0.8 --top-p 0.95 --seed 1 - < prompt.txt
  mlxc-run inspect smollm2.tar`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle = args[0]
			if (len(args) == 2) == cmd.Flags().Changed("prompt-ids") {
				return fmt.Errorf("give either a PROMPT or --prompt-ids (see --help)")
			}
			if len(args) == 2 {
				o.Prompt = args[1]
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), s, o)
		},
	}
	o.addFlags(cmd)
	f := cmd.Flags()
	f.IntVarP(&o.MaxTokens, "max-tokens", "n", 256, "generate at most this many tokens; 0 = up to the context")
	f.Float64Var(&o.Sample.Temperature, "temp", 0, "sampling temperature; 0 = greedy")
	f.IntVar(&o.Sample.TopK, "top-k", 0, "sample from the k best tokens; 0 = off")
	f.Float64Var(&o.Sample.TopP, "top-p", 1, "sample from the smallest set of this probability mass; 1 = off")
	f.Float64Var(&o.Sample.MinP, "min-p", 0, "drop tokens below this share of the best one's probability; 0 = off")
	f.Int64Var(&o.Sample.Seed, "seed", -1, "random seed; -1 = a new one each time")
	f.StringArrayVar(&o.Stop, "stop", nil, "end at this text, which is not printed (repeatable)")
	f.StringVar(&o.PromptIDs, "prompt-ids", "", "the prompt as token ids: 1,2,3")
	f.BoolVar(&o.IgnoreEOS, "ignore-eos", false, "go on after a stop id")
	f.BoolVar(&o.Verify, "verify", false, "check every digest of the bundle, the weights' too, before running")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object instead of the text")
	f.BoolVarP(&o.Verbose, "verbose", "v", false, "say what is loaded and how it runs")
	cmd.AddCommand(newCmdInspect(s), newCmdVerify(s), newCmdTokenize(s), newCmdValidate(s))
	return cmd
}

func run(ctx context.Context, s cli.IO, o *RunOptions) error {
	if err := o.Sample.Validate(); err != nil {
		return err
	}
	if o.Sample.Seed == -1 {
		o.Sample.Seed = rand.Int64()
	}
	if o.MaxTokens < 0 {
		return fmt.Errorf("--max-tokens is %d: give a positive number, or 0 for as many as the context holds", o.MaxTokens)
	}
	start := time.Now()
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return err
	}
	defer b.Close()
	if o.Verify {
		if err := b.Verify(ctx); err != nil {
			return err
		}
	}
	q, decoder, err := o.request(s, b)
	if err != nil {
		return err
	}
	session, err := open(ctx, s, b, o.DeviceOptions, o.Verbose)
	if err != nil {
		return err
	}
	defer session.Close()
	load := time.Since(start)

	emit := func(text string) error { _, err := io.WriteString(s.Out, text); return err }
	if o.JSON {
		emit = func(string) error { return nil }
	}
	if o.Verbose && !q.Sample.Greedy() {
		fmt.Fprintf(s.Err, "seed %d\n", q.Sample.Seed)
	}
	r, err := runtime.Generate(ctx, session, decoder, q, emit)
	r.Timings.Load = load
	r.Timings.PeakBytes = peakMemory()
	if err != nil {
		return err
	}
	if o.JSON {
		return printJSON(s.Out, r)
	}
	fmt.Fprintln(s.Out)
	printTimings(s.Err, &r)
	return nil
}

// request turns the flags into a request, and says what decodes its outcome. The
// prompt is tokenised as HF does it, control words included.
func (o *RunOptions) request(s cli.IO, b *bundle.Bundle) (runtime.Request, runtime.Decoder, error) {
	q := runtime.Request{MaxTokens: o.MaxTokens, StopStrings: o.Stop, Sample: o.Sample}
	if !o.IgnoreEOS {
		for _, stop := range b.Manifest.Stop {
			q.Stop = append(q.Stop, int32(stop.ID))
		}
	}
	tok, err := loadTokenizer(b)
	if errors.Is(err, fs.ErrNotExist) && o.PromptIDs != "" && len(o.Stop) == 0 {
		q.Prompt, err = parseIDs(o.PromptIDs)
		return q, noText{}, err
	}
	if err != nil {
		return q, nil, err
	}
	if o.PromptIDs != "" {
		q.Prompt, err = parseIDs(o.PromptIDs)
	} else {
		q.Prompt, err = o.encodePrompt(s, tok)
	}
	return q, tok.NewDecoder(true), err
}

// encodePrompt reads the prompt, from standard input if it is "-", and tokenises it.
func (o *RunOptions) encodePrompt(s cli.IO, tok *tokenizer.Tokenizer) ([]int32, error) {
	text := o.Prompt
	if text == "-" {
		in, err := io.ReadAll(io.LimitReader(s.In, maxPrompt+1))
		if err != nil {
			return nil, fmt.Errorf("prompt from standard input: %w", err)
		}
		if len(in) > maxPrompt {
			return nil, fmt.Errorf("prompt from standard input: more than %d bytes", maxPrompt)
		}
		text = string(in)
	}
	ids := tok.Encode(text, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
	if len(ids) == 0 {
		return nil, errors.New("the prompt is empty and this model's tokenizer adds no start token: give some text")
	}
	return ids, nil
}

// noText decodes the tokens of a bundle without a tokenizer: --json shows the ids.
type noText struct{}

func (noText) Push(int32) string { return "" }
func (noText) Flush() string     { return "" }

func parseIDs(s string) ([]int32, error) {
	var ids []int32
	for _, field := range strings.Split(s, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("--prompt-ids: %q is not a token id; write them as 1,2,3", field)
		}
		ids = append(ids, int32(id))
	}
	return ids, nil
}

// loadTokenizer is the bundle's tokenizer; an error wrapping fs.ErrNotExist if it
// was emitted without one.
func loadTokenizer(b *bundle.Bundle) (*tokenizer.Tokenizer, error) {
	blob, err := b.Entry("tokenizer.bin")
	if err != nil {
		return nil, fmt.Errorf("%s has no tokenizer: give --prompt-ids and no --stop (%w)", b.Path, err)
	}
	return tokenizer.Load(blob)
}

// open opens a session on the device that the flags or the bundle name.
func open(ctx context.Context, s cli.IO, b *bundle.Bundle, o DeviceOptions, verbose bool) (runtime.Session, error) {
	if o.Threads < 0 {
		return nil, fmt.Errorf("--threads is %d: give a positive number, or 0 for the default", o.Threads)
	}
	backend, err := runtime.BackendFor(o.Device, b)
	if err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads == 0 {
		threads = runtime.DefaultThreads()
	}
	if verbose {
		m := b.Manifest
		fmt.Fprintf(s.Err, "%s: %s, %s %s, state %s, context %d, target %s\ndevice %s, %d threads\n", b.Path,
			m.Model.Name, m.Plan.Name, m.Plan.Precision, m.Plan.KV, m.Model.Context, m.Compile.Target, backend.Name(), threads)
	}
	return backend.Open(ctx, b, runtime.Options{Threads: threads})
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

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
