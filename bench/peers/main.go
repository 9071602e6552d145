// Command peers measures mlxc side by side with other engines: the same weights, the
// same cases, one repetition of everything in turn. It builds what it needs.
//
//	go run ./bench/peers [flags]     from the root of the repository; see bench/README.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	model   string
	weights map[string]*string // per engine, the weights to measure
	bundles []string           // name=path
	tests   string
	threads string
	rounds  int
	jobs    int
	context int
	out     string
}

func parseFlags() *options {
	o := &options{weights: map[string]*string{}}
	flag.StringVar(&o.model, "model", demoModel, "weights of this `GGUF`; \"random\": a llama of 1.1B random weights")
	for _, e := range engines {
		o.weights[e.name] = flag.String(e.flag, e.defaults, "`WEIGHTS` of "+e.name+", as in "+e.example+"; empty: leave it out")
	}
	flag.Func("bundle", "also measure a bundle, as `NAME=PATH` (repeatable)", func(s string) error {
		if !strings.Contains(s, "=") {
			return errors.New("write NAME=PATH")
		}
		o.bundles = append(o.bundles, s)
		return nil
	})
	flag.StringVar(&o.tests, "tests", strings.Join(testNames(), ","), "`TESTS` to run")
	flag.StringVar(&o.threads, "t", "1,2", "`THREADS`")
	flag.IntVar(&o.rounds, "r", 5, "`ROUNDS`: repetitions of everything")
	flag.IntVar(&o.jobs, "j", 0, "compile on so many processors (default: all)")
	flag.IntVar(&o.context, "context", 2048, "`TOKENS` of mlxc's bundles")
	flag.StringVar(&o.out, "o", "", "write the results to `FILE` (default: bench/results/DATE-MODEL.json)")
	flag.Parse()
	return o
}

func main() {
	o := parseFlags()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("argument %q is unexpected: everything is a flag, see -help", flag.Arg(0))
	}
	if _, err := os.Stat(scripts); err != nil {
		return fmt.Errorf("run this command in the root of the repository: %w", err)
	}
	tests, err := parseTests(o.tests)
	if err != nil {
		return err
	}
	threads, err := parseInts(o.threads)
	if err != nil {
		return fmt.Errorf("-t: %w", err)
	}
	if o.rounds < 1 {
		return fmt.Errorf("-r is %d: give 1 or more", o.rounds)
	}
	rep := &Report{Started: time.Now().UTC().Format(time.RFC3339), Command: strings.Join(os.Args[1:], " "), Machine: describeMachine(ctx)}
	contenders, err := setup(ctx, o, rep)
	if err != nil {
		return err
	}
	if o.out == "" {
		o.out = filepath.Join("bench/results", rep.Started[:len("2006-01-02")]+"-"+rep.Model.Name+".json")
	}
	for round := range o.rounds {
		if err := measureRound(ctx, rep, contenders, tests, threads, fmt.Sprintf("round %d of %d", round+1, o.rounds)); err != nil {
			return err
		}
		if err := rep.save(o.out); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "\r\033[Kwritten: %s\n", o.out)
	return rep.markdown(os.Stdout)
}

// measureRound measures the limits of the machine and every case once, the
// contenders of a case one after the other.
func measureRound(ctx context.Context, rep *Report, contenders []*contender, tests []test, threads []int, label string) error {
	share, err := startCPUShare()
	if err != nil {
		return err
	}
	for _, n := range threads {
		if err := rep.measureLimits(n); err != nil {
			return err
		}
		for _, t := range tests {
			for _, c := range contenders {
				if t.Batch > 1 && !c.batched || rep.failed(c, t, n) {
					continue
				}
				fmt.Fprintf(os.Stderr, "\r\033[K%s, %d threads: %s, %s", label, n, t.Name, c)
				s, err := c.measure(ctx, t, n)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					rep.skip(c.Engine, c.Weights, t.Name, n, err)
					continue
				}
				rep.add(c, t, n, s)
			}
		}
	}
	others, err := share.others()
	rep.OtherCPU = append(rep.OtherCPU, others)
	return err
}

func parseTests(s string) ([]test, error) {
	var tests []test
	for _, name := range strings.Split(s, ",") {
		i := slices.IndexFunc(allTests, func(t test) bool { return t.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-tests: %q is unknown: %s", name, strings.Join(testNames(), ", "))
		}
		tests = append(tests, allTests[i])
	}
	return tests, nil
}

func parseInts(s string) ([]int, error) {
	var v []int
	for _, field := range strings.Split(s, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a positive number", field)
		}
		v = append(v, n)
	}
	return v, nil
}
