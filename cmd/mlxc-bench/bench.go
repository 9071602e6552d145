package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/measure"
)

// Options are the flags of mlxc-bench.
type Options struct {
	Bundles []string // checkpoints, if there are precisions
	Prompt  []int
	Gen     []int
	Depth   []int
	Batch   []int
	Widest  bool // also generate in the widest batch of the bundle
	Threads []int
	Reps    int
	Output  string
	Device  string
	Profile bool

	Precisions []string
	CPUs       []string
	Context    int
	CacheDir   string
}

// NewCmdBench is mlxc-bench; runF replaces the work in tests of the flags.
func NewCmdBench(s cli.IO, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Prompt: []int{512}, Gen: []int{128}, Depth: []int{0}, Batch: []int{1}, Threads: []int{0}}
	if runF == nil {
		runF = func(ctx context.Context, o *Options) error { return run(ctx, s, o) }
	}
	cmd := &cobra.Command{
		Use:   "mlxc-bench [flags] BUNDLE...\n  mlxc-bench --precision LIST [flags] CHECKPOINT...",
		Short: "Measure tokens per second of bundles",
		Long: `Measure prompt processing (pp) and token generation (tg) of bundles, with
llama-bench's vocabulary. Each row runs once to warm up and then -r times; t/s is
mean ± standard deviation. Tokenising and sampling are not timed, stop ids don't end
a row. GB/s is weight bytes read per second of token generation.

A LIST is numbers and ranges: 1,2,4 or 1-4 or 1-9+2 or 1-8*2. Every combination
runs. -o json, jsonl and csv have llama-bench's field names (n_batch is the number
of sequences at once), benchstat prints a line a repetition for benchstat old new.

--precision f32,q4 takes checkpoints, as mlxc-emit does (hf:ORG/NAME included), emits
each in each precision, without the self-check, into the cache, and prints a line for
each with a column for each test: weights, the bytes that a generated token reads
(weights, and keys and values halfway through the row), and, without --batch, also the
widest batch of the bundle.

--profile prints where the time of each row goes instead: kernels, what is between
them, threads that wait (-o md or json).

Every flag has an environment variable: MLXC_N_PROMPT for --n-prompt; that of --output
is MLXC_FORMAT.`,
		Example: `  mlxc-bench build/smollm2.tar -p 128 -n 64 -t 1,2
  mlxc-bench a.tar b.tar -o benchstat > new.txt
  mlxc-bench --precision f32,f16,q8,q4 ./SmolLM2-135M-Instruct`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no bundle given; usage: mlxc-bench [flags] BUNDLE… (see --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundles = args
			o.Widest = o.Precisions != nil && !cmd.Flags().Changed("batch")
			if err := o.check(); err != nil {
				return err
			}
			return runF(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.VarP(&list{values: &o.Prompt}, "n-prompt", "p", "prompt lengths `LIST`; 0: no pp row")
	f.VarP(&list{values: &o.Gen}, "n-gen", "n", "generation lengths `LIST`; 0: no tg row")
	f.VarP(&list{values: &o.Depth}, "n-depth", "d", "tokens `LIST` that the sequence already holds")
	f.VarP(&list{values: &o.Batch}, "batch", "b", "sequences `LIST` at once")
	f.VarP(&list{values: &o.Threads}, "threads", "t", "worker threads `LIST`; 0: what affinity mask and CPU quota allow")
	f.IntVarP(&o.Reps, "repetitions", "r", 5, "repetitions `N` of each row")
	f.StringVarP(&o.Output, "output", "o", "md", "print as `FORMAT`: "+strings.Join(formatNames(), ", "))
	cli.NameEnv(f, "output", "MLXC_FORMAT") // MLXC_OUTPUT is mlxc-emit's file
	f.StringVar(&o.Device, "device", "", "run on device `NAME`: "+strings.Join(runtime.DeviceNames(), ", ")+" (default: the bundle's first)")
	cli.CompleteFlag(cmd, "device", runtime.DeviceNames()...)
	cli.CompleteFlag(cmd, "output", formatNames()...)
	f.StringSliceVar(&o.Precisions, "precision", nil, "emit checkpoints with each of `LIST`: keep, f32, f16, bf16, q8, q4, q4:GROUP or recipe:NAME, a recipe of mlxc-emit --quant-recipe")
	cli.CompleteFlag(cmd, "precision", "keep", "f32", "f16", "bf16", "q8", "q4")
	f.StringSliceVar(&o.CPUs, "cpu", nil, "run the code for the most demanding of these CPU `LEVELS` that this processor can run, and emit it with --precision (default: of all that a bundle has; host with --precision)")
	f.IntVar(&o.Context, "context", 0, "`TOKENS` of a sequence in what --precision emits (default: the model's maximum, at most 2048)")
	f.StringVar(&o.CacheDir, "cache-dir", "", "keep what --precision emits and compiles in `DIR` (default: the user's cache folder)")
	f.BoolVar(&o.Profile, "profile", false, "print the time of each kernel and between kernels instead of rates")
	return cmd
}

// check looks at the flags alone.
func (o *Options) check() error {
	if o.Reps < 1 {
		return fmt.Errorf("--repetitions is %d: give 1 or more", o.Reps)
	}
	if _, ok := formats[o.Output]; !ok {
		return fmt.Errorf("--output is %q: it must be one of %s", o.Output, strings.Join(formatNames(), ", "))
	}
	if _, ok := profileFormats[o.Output]; o.Profile && !ok {
		return fmt.Errorf("--profile prints as md or json, --output is %q", o.Output)
	}
	if slices.Contains(o.Batch, 0) {
		return errors.New("--batch holds 0: give 1 or more")
	}
	if n := slices.Max(o.Threads); n > runtime.MaxThreads {
		return fmt.Errorf("--threads holds %d: give at most %d, or 0 for the default", n, runtime.MaxThreads)
	}
	if o.Context < 0 {
		return fmt.Errorf("--context is %d: give a number of tokens", o.Context)
	}
	if o.Context > 0 && o.Precisions == nil {
		return errors.New("--context is for what --precision emits; a bundle has its own")
	}
	if len(o.tests()) == 0 {
		return errors.New("nothing to measure: --n-prompt and --n-gen are both 0")
	}
	return nil
}

// tests are all combinations, pp before tg as llama-bench prints them.
func (o *Options) tests() []measure.Test {
	var tests []measure.Test
	for _, batch := range o.Batch {
		for _, depth := range o.Depth {
			for _, p := range o.Prompt {
				if p > 0 {
					tests = append(tests, measure.Test{Prompt: p, Depth: depth, Batch: batch})
				}
			}
			for _, n := range o.Gen {
				if n > 0 {
					tests = append(tests, measure.Test{Gen: n, Depth: depth, Batch: batch})
				}
			}
		}
	}
	return tests
}

func run(ctx context.Context, s cli.IO, o *Options) error {
	if o.Precisions != nil {
		var err error
		if o.Bundles, err = emitAll(ctx, s, o); err != nil {
			return err
		}
	}
	if o.Profile {
		return benchAll(ctx, o, profileFormats[o.Output](s.Out), profileTest)
	}
	p := formats[o.Output](s.Out)
	if o.Precisions != nil && o.Output == "md" {
		p = &precisionTable{w: s.Out}
	}
	return benchAll(ctx, o, p, rateTest)
}

// subject is what is measured.
type subject struct {
	bundle  *bundle.Bundle
	device  string
	threads int
	session runtime.Session
}

// tester measures one test of a subject.
type tester[T any] func(ctx context.Context, x *subject, t measure.Test, reps int) (T, error)

// benchAll prints results as they come; after an error those that there are.
func benchAll[T any](ctx context.Context, o *Options, p printer[T], test tester[T]) error {
	for _, path := range o.Bundles {
		if err := benchBundle(ctx, o, path, p, test); err != nil {
			return errors.Join(err, p.end())
		}
	}
	return p.end()
}

func benchBundle[T any](ctx context.Context, o *Options, path string, p printer[T], test tester[T]) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s is a directory: give bundles, or checkpoints with --precision", path)
	}
	b, err := bundle.Open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	backend, err := runtime.BackendFor(o.Device, b)
	if err != nil {
		return err
	}
	for _, threads := range o.Threads {
		if threads == 0 {
			threads = runtime.DefaultThreads()
		}
		session, err := backend.Open(ctx, b, runtime.Options{CPUs: o.CPUs, Threads: threads})
		if err != nil {
			return err
		}
		err = benchSession(ctx, o, &subject{b, backend.Name(), threads, session}, p, test)
		session.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// benchSession runs every test, after a look at all of them.
func benchSession[T any](ctx context.Context, o *Options, x *subject, p printer[T], test tester[T]) error {
	tests := o.tests()
	if widths := x.session.Capabilities().BatchWidths; o.Widest && len(widths) > 1 {
		for _, t := range tests {
			if t.Gen > 0 {
				t.Batch = widths[len(widths)-1]
				tests = append(tests, t)
			}
		}
	}
	for _, t := range tests {
		if err := t.Check(x.session.Capabilities()); err != nil {
			return fmt.Errorf("%s: %w", x.bundle.Path, err)
		}
	}
	for _, t := range tests {
		r, err := test(ctx, x, t, o.Reps)
		if err != nil {
			return fmt.Errorf("%s: %w", x.bundle.Path, err)
		}
		if err := p.row(r); err != nil {
			return err
		}
	}
	return nil
}

// Row is one result under llama-bench's field names, and mlxc's own.
type Row struct {
	BuildCommit string    `json:"build_commit"`
	CPUInfo     string    `json:"cpu_info"`
	GPUInfo     string    `json:"gpu_info"`
	Backends    string    `json:"backends"`
	Filename    string    `json:"model_filename"`
	ModelType   string    `json:"model_type"`
	ModelSize   int64     `json:"model_size"`
	ModelParams int64     `json:"model_n_params"`
	Batch       int       `json:"n_batch"`
	Threads     int       `json:"n_threads"`
	Prompt      int       `json:"n_prompt"`
	Gen         int       `json:"n_gen"`
	Depth       int       `json:"n_depth"`
	TestTime    string    `json:"test_time"`
	AvgNS       int64     `json:"avg_ns"`
	StddevNS    int64     `json:"stddev_ns"`
	AvgTS       float64   `json:"avg_ts"`
	StddevTS    float64   `json:"stddev_ts"`
	SamplesNS   []int64   `json:"samples_ns"`
	SamplesTS   []float64 `json:"samples_ts"`
	Test        string    `json:"test"`
	Device      string    `json:"device"`
	Target      string    `json:"target"`
	Level       string    `json:"cpu_level"` // whose code ran
	Precision   string    `json:"precision"`
	Compiler    string    `json:"iree_version"`
	Digest      string    `json:"bundle_sha256"`
	GBPerSecond float64   `json:"gb_per_s"` // weight bytes read; 0 for pp

	// BytesPerToken are the bytes of weights, and of state at the mean depth, that a
	// generated token reads; 0 for pp.
	BytesPerToken float64 `json:"bytes_per_token"`
}

// model is the type without the precision.
func (r *Row) model() string { return strings.TrimSuffix(r.ModelType, " "+r.Precision) }

// rateTest is the tester of rows.
func rateTest(ctx context.Context, x *subject, t measure.Test, reps int) (Row, error) {
	s, err := measure.Run(ctx, x.session, t, reps)
	if err != nil {
		return Row{}, err
	}
	return newRow(x, t, s), nil
}

func newRow(x *subject, t measure.Test, s measure.Samples) Row {
	b, m := x.bundle, &x.bundle.Manifest
	r := Row{
		BuildCommit: buildCommit(), CPUInfo: cpuInfo(), Backends: "mlxc-" + x.device,
		Filename: b.Path, ModelType: m.Model.ModelType + " " + m.Plan.Precision, ModelSize: b.WeightBytes(), ModelParams: m.Model.Parameters,
		Batch: t.Batch, Threads: x.threads, Prompt: t.Prompt, Gen: t.Gen, Depth: t.Depth,
		TestTime:  time.Now().UTC().Format(time.RFC3339),
		SamplesNS: s.Nanoseconds(), SamplesTS: s.Rates(t.Tokens()), Test: t.Name(),
		Device: x.device, Target: m.Compile.Target, Level: x.session.Capabilities().CPU, Precision: m.Plan.Precision, Compiler: m.Compile.Compiler, Digest: b.Digest(),
	}
	avg, stddev := measure.MeanStddev(r.SamplesNS)
	r.AvgNS, r.StddevNS = int64(avg), int64(stddev)
	r.AvgTS, r.StddevTS = measure.MeanStddev(r.SamplesTS)
	if t.Gen > 0 {
		r.GBPerSecond = float64(r.ModelSize) * float64(t.Gen) / avg
		position := float64(m.StateBytes()) / float64(m.Model.Slots*m.Model.Capacity)
		r.BytesPerToken = float64(r.ModelSize)/float64(t.Batch) + position*(float64(t.Depth)+float64(t.Gen)/2)
	}
	return r
}
