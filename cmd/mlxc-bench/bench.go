package main

import (
	"context"
	"fmt"
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
	Bundles []string
	Prompt  []int
	Gen     []int
	Depth   []int
	Batch   []int
	Threads []int
	Reps    int
	Output  string
	Device  string
}

// NewCmdBench is mlxc-bench; runF replaces the work in tests of the flags.
func NewCmdBench(s cli.IO, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "mlxc-bench [flags] BUNDLE…",
		Short: "Measure tokens per second of bundles",
		Long: `Measure prompt processing (pp) and token generation (tg) of bundles, with
llama-bench's vocabulary: tokenising is not timed, EOS doesn't end a row, each row
runs once to warm up and then -r times. Lists are written 1,2,4; every combination
runs. GB/s is weight bytes read per second of token generation.`,
		Example: `  mlxc-bench build/smollm2.tar -p 128 -n 64 -t 1,2
  mlxc-bench a.tar b.tar -o benchstat > new.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundles = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.IntSliceVarP(&o.Prompt, "n-prompt", "p", []int{512}, "prompt lengths; 0 = no pp row")
	f.IntSliceVarP(&o.Gen, "n-gen", "n", []int{128}, "generation lengths; 0 = no tg row")
	f.IntSliceVarP(&o.Depth, "n-depth", "d", []int{0}, "tokens already in the sequence")
	f.IntSliceVarP(&o.Batch, "batch", "b", []int{1}, "sequences at once")
	f.IntSliceVarP(&o.Threads, "threads", "t", []int{0}, "worker threads; 0 = the default")
	f.IntVarP(&o.Reps, "repetitions", "r", 5, "repetitions of each row")
	f.StringVarP(&o.Output, "output", "o", "md", "format: "+strings.Join(formatNames(), ", "))
	f.StringVar(&o.Device, "device", "", "what runs the graphs: "+strings.Join(runtime.DeviceNames(), ", ")+" (default: the bundle's own)")
	return cmd
}

func (o *Options) check() error {
	if o.Reps < 1 {
		return fmt.Errorf("--repetitions is %d: give 1 or more", o.Reps)
	}
	if _, ok := formats[o.Output]; !ok {
		return fmt.Errorf("--output %q is unknown: %s", o.Output, strings.Join(formatNames(), ", "))
	}
	for _, list := range []struct {
		flag string
		v    []int
		min  int
	}{{"n-prompt", o.Prompt, 0}, {"n-gen", o.Gen, 0}, {"n-depth", o.Depth, 0}, {"batch", o.Batch, 1}, {"threads", o.Threads, 0}} {
		if i := slices.IndexFunc(list.v, func(n int) bool { return n < list.min }); i >= 0 {
			return fmt.Errorf("--%s holds %d: give numbers of at least %d", list.flag, list.v[i], list.min)
		}
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
	if err := o.check(); err != nil {
		return err
	}
	p := formats[o.Output](s.Out)
	for _, path := range o.Bundles {
		if err := benchBundle(ctx, o, path, p); err != nil {
			return err
		}
	}
	return p.end()
}

func benchBundle(ctx context.Context, o *Options, path string, p printer) error {
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
		s, err := backend.Open(ctx, b, runtime.Options{Threads: threads})
		if err != nil {
			return err
		}
		for _, t := range o.tests() {
			samples, err := measure.Run(ctx, s, t, o.Reps)
			if err == nil {
				err = p.row(newRow(b, backend.Name(), threads, t, samples))
			}
			if err != nil {
				s.Close()
				return err
			}
		}
		if err := s.Close(); err != nil {
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
	AvgNS       float64   `json:"avg_ns"`
	StddevNS    float64   `json:"stddev_ns"`
	AvgTS       float64   `json:"avg_ts"`
	StddevTS    float64   `json:"stddev_ts"`
	SamplesNS   []float64 `json:"samples_ns"`
	SamplesTS   []float64 `json:"samples_ts"`
	Test        string    `json:"test"`
	Device      string    `json:"device"`
	Target      string    `json:"target"`
	Precision   string    `json:"precision"`
	Compiler    string    `json:"iree_version"`
	Digest      string    `json:"bundle_sha256"`
	GBPerSecond float64   `json:"gb_per_s"` // weight bytes read; 0 for pp
}

func newRow(b *bundle.Bundle, device string, threads int, t measure.Test, s measure.Samples) Row {
	m := &b.Manifest
	r := Row{
		BuildCommit: buildCommit(), CPUInfo: cpuInfo(), Backends: "mlxc-" + device,
		Filename: b.Path, ModelType: m.Model.ModelType + " " + m.Plan.Precision, ModelSize: b.WeightBytes(), ModelParams: m.Model.Parameters,
		Batch: t.Batch, Threads: threads, Prompt: t.Prompt, Gen: t.Gen, Depth: t.Depth,
		TestTime:  time.Now().UTC().Format(time.RFC3339),
		SamplesNS: s.Nanoseconds(), SamplesTS: s.Rates(t.Tokens()), Test: t.Name(),
		Device: device, Target: m.Compile.Target, Precision: m.Plan.Precision, Compiler: m.Compile.Compiler, Digest: b.Digest(),
	}
	r.AvgNS, r.StddevNS = measure.MeanStddev(r.SamplesNS)
	r.AvgTS, r.StddevTS = measure.MeanStddev(r.SamplesTS)
	if t.Gen > 0 {
		r.GBPerSecond = float64(r.ModelSize) * float64(t.Gen) / r.AvgNS
	}
	return r
}
