// Command runtime measures the device "native" against IREE's own runtime: one graph
// of a bundle, the same module and weights, rounds of both in turn. It prints the
// best round of each and the ratios, and exits with 1 if one is above its bar.
//
//	go run ./bench/runtime [-graph decode] [-rounds 7] [-time 0.5s] BUNDLE
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native"
)

func main() {
	graph := flag.String("graph", "decode", "graph of the bundle to call")
	rounds := flag.Int("rounds", 7, "rounds; the best one counts")
	perRound := flag.Duration("time", 500*time.Millisecond, "time of a round")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *graph, *rounds, *perRound); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// contender is one runtime with a number of threads. Those of IREE are each followed
// by the native one that is held against it.
type contender struct {
	name    string
	threads int
	bar     float64 // the most that its time may be, in times of the one before it; 0: none
	measure func(time.Duration) (time.Duration, error)
	best    time.Duration
}

func run(path, name string, rounds int, perRound time.Duration) error {
	b, err := bundle.Open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	g, err := graphOf(b, name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mlxc-bench-runtime-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command, err := ireeCommand(b, g, dir)
	if err != nil {
		return err
	}
	contenders := pairs(command)
	for _, c := range contenders {
		if c.measure == nil {
			if c.measure, err = nativeRound(b, g, c.threads); err != nil {
				return err
			}
		}
	}
	if err := race(contenders, rounds, perRound); err != nil {
		return err
	}
	return report(os.Stdout, filepath.Base(path), name, contenders)
}

// pairs are the contenders; the native ones have no round yet.
func pairs(command []string) []*contender {
	return []*contender{
		{name: "iree local-sync", threads: 1, measure: ireeRound(command, "--device=local-sync")},
		{name: "native", threads: 1, bar: 1.05},
		{name: "iree local-task", threads: 2, measure: ireeRound(command, "--device=local-task", "--task_topology_group_count=2")},
		{name: "native", threads: 2, bar: 1},
	}
}

func graphOf(b *bundle.Bundle, name string) (*bundle.Graph, error) {
	var names []string
	for i := range b.Manifest.Graphs {
		if g := &b.Manifest.Graphs[i]; g.Name == name {
			return g, nil
		}
		names = append(names, b.Manifest.Graphs[i].Name)
	}
	return nil, fmt.Errorf("%s has no graph %q, it has %s", b.Path, name, strings.Join(names, ", "))
}

// race gives every contender one round in turn, so that all see the same machine.
func race(contenders []*contender, rounds int, perRound time.Duration) error {
	for round := range rounds {
		for _, c := range contenders {
			d, err := c.measure(perRound)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if c.best == 0 || d < c.best {
				c.best = d
			}
		}
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round+1, rounds)
	}
	fmt.Fprintln(os.Stderr)
	return nil
}

// report prints the table. The error says that a bar was missed.
func report(w io.Writer, bundle, graph string, contenders []*contender) error {
	fmt.Fprintf(w, "%s, graph %s\n\n| runtime | threads | ms a call | native / iree | bar | |\n| --- | ---: | ---: | ---: | ---: | --- |\n", bundle, graph)
	missed := 0
	for i, c := range contenders {
		ratio, bar, verdict := "", "", ""
		if c.bar > 0 {
			r := float64(c.best) / float64(contenders[i-1].best)
			ratio, bar, verdict = fmt.Sprintf("%.3f", r), fmt.Sprintf("≤ %.2f", c.bar), "kept"
			if r > c.bar {
				missed++
				verdict = "MISSED"
			}
		}
		fmt.Fprintf(w, "| %s | %d | %.3f | %s | %s | %s |\n", c.name, c.threads, float64(c.best)/1e6, ratio, bar, verdict)
	}
	if missed > 0 {
		return fmt.Errorf("%d bars are missed", missed)
	}
	return nil
}

// nativeRound loads the bundle and returns a round of calls.
func nativeRound(b *bundle.Bundle, g *bundle.Graph, threads int) (func(time.Duration) (time.Duration, error), error) {
	ctx := context.Background()
	p, err := native.Device{}.Load(ctx, b, device.Options{Threads: threads, CPUs: []string{b.Manifest.Levels()[0].CPU}})
	if err != nil {
		return nil, err
	}
	args := make([]device.Buffer, len(g.Args))
	for i, a := range g.Args {
		t, err := typeOf(a)
		if err != nil {
			return nil, err
		}
		if a.Role == "weight" {
			args[i], err = p.Upload(t, b.Weight(a.Index))
		} else {
			args[i], err = p.Alloc(t)
		}
		if err != nil {
			return nil, err
		}
	}
	call := func() error {
		results, err := p.Call(ctx, g.Name, args)
		if err != nil {
			return err
		}
		return passState(g, results, args)
	}
	return func(d time.Duration) (time.Duration, error) { return average(d, call) }, nil
}

func typeOf(a bundle.Arg) (ir.Type, error) {
	d, err := ir.ParseDType(a.DType)
	return ir.T(d, a.Shape...), err
}

// passState puts the state results where the next call takes them and releases the others.
func passState(g *bundle.Graph, results, args []device.Buffer) error {
	for i, r := range g.Results {
		if r.Role != "state" {
			results[i].Release()
			continue
		}
		for k, a := range g.Args {
			if a.Role == "state" && a.Index == r.Index {
				args[k] = results[i]
			}
		}
	}
	return nil
}

// average calls repeatedly for a while, after one call to warm up.
func average(d time.Duration, call func() error) (time.Duration, error) {
	if err := call(); err != nil {
		return 0, err
	}
	start := time.Now()
	for n := 1; ; n++ {
		if err := call(); err != nil {
			return 0, err
		}
		if elapsed := time.Since(start); elapsed >= d {
			return elapsed / time.Duration(n), nil
		}
	}
}

// ireeCommand writes the module and weights to dir and returns the command line of
// iree-benchmark-module that takes them; inputs other than weights are zeros.
func ireeCommand(b *bundle.Bundle, g *bundle.Graph, dir string) ([]string, error) {
	tool, err := iree.Find("iree-benchmark-module", "")
	if err != nil {
		return nil, err
	}
	modules, err := b.Modules(context.Background(), b.Manifest.Levels()[0])
	if err != nil {
		return nil, err
	}
	module := filepath.Join(dir, g.Name+".vmfb")
	if err := os.WriteFile(module, modules[g.Module], 0o600); err != nil {
		return nil, err
	}
	var flags strings.Builder // weights make the command line too long
	for _, a := range g.Args {
		spec := a.DType
		for i := len(a.Shape) - 1; i >= 0; i-- {
			spec = fmt.Sprintf("%dx%s", a.Shape[i], spec)
		}
		value := "0"
		if a.Role == "weight" {
			file := filepath.Join(dir, fmt.Sprintf("weight%d.bin", a.Index))
			if err := os.WriteFile(file, b.Weight(a.Index), 0o600); err != nil {
				return nil, err
			}
			value = "@" + file
		}
		fmt.Fprintf(&flags, "--input=%s=%s\n", spec, value)
	}
	flagfile := filepath.Join(dir, "inputs.txt")
	if err := os.WriteFile(flagfile, []byte(flags.String()), 0o600); err != nil {
		return nil, err
	}
	return []string{tool, "--module=" + module, "--function=" + g.Name, "--flagfile=" + flagfile, "--benchmark_format=json"}, nil
}

// ireeRound returns a round of iree-benchmark-module with more flags.
func ireeRound(command []string, flags ...string) func(time.Duration) (time.Duration, error) {
	return func(d time.Duration) (time.Duration, error) {
		args := append(append([]string{}, command[1:]...), flags...)
		args = append(args, fmt.Sprintf("--benchmark_min_time=%gs", d.Seconds()))
		out, err := exec.Command(command[0], args...).Output()
		if err != nil {
			if exit, ok := err.(*exec.ExitError); ok {
				return 0, fmt.Errorf("%w: %s", err, exit.Stderr)
			}
			return 0, err
		}
		return parseBenchmark(out)
	}
}

// parseBenchmark reads the time of a call from the JSON of Google Benchmark.
func parseBenchmark(out []byte) (time.Duration, error) {
	var result struct {
		Benchmarks []struct {
			RealTime float64 `json:"real_time"`
			TimeUnit string  `json:"time_unit"`
		} `json:"benchmarks"`
	}
	if err := json.Unmarshal(out, &result); err != nil {
		return 0, err
	}
	if len(result.Benchmarks) == 0 {
		return 0, fmt.Errorf("iree-benchmark-module measured nothing")
	}
	r := result.Benchmarks[0]
	return time.ParseDuration(fmt.Sprintf("%f%s", r.RealTime, r.TimeUnit))
}
