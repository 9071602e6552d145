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
	selection
	bars    []string // groups of bars to measure, in place of what model, weights, tests and threads say
	tests   []test
	threads []int
	rounds  int
	out     string
}

func parseFlags() (*options, error) {
	o := &options{}
	o.weights = map[string][]string{}
	weights := map[string]*string{}
	levelName := flag.String("level", levels[0].Name, "vector instructions of mlxc and llama.cpp: `LEVEL` "+levelNames())
	flag.BoolFunc("bars", "measure only what the bars of mlxc name, in minutes, and print them; -bars=`GROUPS`: "+strings.Join(barGroups(), ","), func(s string) (err error) {
		o.bars, err = parseGroups(s)
		return err
	})
	flag.StringVar(&o.model, "model", demoModel, "weights of this `GGUF`; \"random\": a llama of 1.1B random weights")
	for _, e := range engines {
		weights[e.name] = flag.String(e.flag, e.defaults, "`WEIGHTS` of "+e.name+", as in "+e.example+"; empty: leave it out")
	}
	flag.Func("bundle", "also measure a bundle, as `NAME=PATH` (repeatable)", func(s string) error {
		if !strings.Contains(s, "=") {
			return errors.New("write NAME=PATH")
		}
		o.bundles = append(o.bundles, s)
		return nil
	})
	tests := flag.String("tests", strings.Join(testNames(), ","), "`TESTS` to run")
	threads := flag.String("t", "1,2", "`THREADS`")
	flag.IntVar(&o.rounds, "r", 5, "`ROUNDS`: repetitions of everything")
	flag.IntVar(&o.jobs, "j", 0, "compile on so many processors (default: all)")
	flag.IntVar(&o.context, "context", 2048, "`TOKENS` of mlxc's bundles")
	flag.StringVar(&o.out, "o", "", "write the results to `FILE` (default: bench/results/DATE-MODEL-LEVEL.json)")
	flag.Parse()
	for name, list := range weights {
		o.weights[name] = split(*list)
	}
	var errs [3]error
	o.level, errs[0] = parseLevel(*levelName)
	o.tests, errs[1] = parseTests(*tests)
	o.threads, errs[2] = parseInts(*threads)
	return o, errors.Join(errors.Join(errs[:]...), o.check())
}

// check looks at the flags together.
func (o *options) check() error {
	if flag.NArg() > 0 {
		return fmt.Errorf("argument %q is unexpected: everything is a flag, see -help", flag.Arg(0))
	}
	if o.rounds < 1 {
		return fmt.Errorf("-r is %d: give 1 or more", o.rounds)
	}
	var err error
	flag.Visit(func(f *flag.Flag) {
		if o.bars != nil && !slices.Contains([]string{"bars", "level", "r", "j", "o"}, f.Name) {
			err = fmt.Errorf("-%s: the bars say what is measured: leave it out, or leave -bars out", f.Name)
		}
	})
	return err
}

func main() {
	o, err := parseFlags()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) error {
	if _, err := os.Stat(scripts); err != nil {
		return fmt.Errorf("run this command in the root of the repository: %w", err)
	}
	if o.bars != nil {
		return runBars(ctx, o)
	}
	rep, contenders, err := prepare(ctx, o.selection)
	if err != nil {
		return err
	}
	var plan []step
	for _, t := range o.tests {
		plan = append(plan, step{t, contenders})
	}
	out := o.outputPath(rep.Started, rep.Model.Name)
	for round := range o.rounds {
		if err := measureRound(ctx, rep, plan, o.threads, fmt.Sprintf("round %d of %d", round+1, o.rounds)); err != nil {
			return err
		}
		if err := save(out, rep); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "\r\033[Kwritten: %s\n", out)
	return rep.markdown(os.Stdout)
}

// outputPath is where the results go.
func (o *options) outputPath(started, what string) string {
	if o.out != "" {
		return o.out
	}
	return filepath.Join("bench/results", started[:len("2006-01-02")]+"-"+what+"-"+o.level.Name+".json")
}

// prepare makes what is to be measured, and an empty report of it.
func prepare(ctx context.Context, s selection) (*Report, []*contender, error) {
	rep := &Report{Started: time.Now().UTC().Format(time.RFC3339), Command: strings.Join(os.Args[1:], " "), Level: s.level.Name, Machine: describeMachine(ctx), vectorBits: s.level.Bits}
	contenders, err := setup(ctx, s, rep)
	return rep, contenders, err
}

// step of a round: a test of some contenders.
type step struct {
	test       test
	contenders []*contender
}

// measureRound measures the limits of the machine and every step once, the
// contenders of a step one after the other.
func measureRound(ctx context.Context, rep *Report, plan []step, threads []int, label string) error {
	share, err := startCPUShare()
	if err != nil {
		return err
	}
	for _, n := range threads {
		if err := rep.measureLimits(n); err != nil {
			return err
		}
		for _, p := range plan {
			for _, c := range p.contenders {
				if p.test.Batch > 1 && !c.batched || rep.failed(c, p.test, n) {
					continue
				}
				fmt.Fprintf(os.Stderr, "\r\033[K%s, %d threads: %s, %s", label, n, p.test.Name, c)
				s, err := c.measure(ctx, p.test, n)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					rep.skip(c.Engine, c.Weights, p.test.Name, n, err)
					continue
				}
				rep.add(c, p.test, n, s)
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
		t, ok := testNamed(name)
		if !ok {
			return nil, fmt.Errorf("-tests: %q is unknown: %s", name, strings.Join(testNames(), ", "))
		}
		tests = append(tests, t)
	}
	return tests, nil
}

func parseInts(s string) ([]int, error) {
	var v []int
	for _, field := range strings.Split(s, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-t: %q is not a positive number", field)
		}
		v = append(v, n)
	}
	return v, nil
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
