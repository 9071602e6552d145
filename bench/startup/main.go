// Command startup measures how long a user waits for the first token, the file in the
// page cache, where that time goes, and how much memory two tokens take. It exits with
// 1 if a bar is missed:
//
//	go run ./bench/startup bin/mlxc-run build/smollm2.tar
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// The bars.
const (
	maxStart  = 250 * time.Millisecond
	maxExtra  = 64 << 20 // of memory, over weights and state
	megabytes = 1e6
)

func main() {
	runs := flag.Int("runs", 10, "how often to start")
	prompt := flag.String("prompt", "The capital of France is", "what to continue")
	flag.Parse()
	if flag.NArg() != 2 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: startup [-runs N] [-prompt TEXT] MLXC-RUN BUNDLE")
		os.Exit(2)
	}
	if err := measure(flag.Arg(0), flag.Arg(1), *prompt, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(1)
	}
}

// errMissed: at least one bar isn't kept.
var errMissed = errors.New("a bar is missed")

func measure(command, path, prompt string, runs int) error {
	limit, err := memoryLimit(path)
	if err != nil {
		return err
	}
	var samples []sample
	for range runs + 1 {
		s, err := start(command, path, prompt)
		if err != nil {
			return err
		}
		samples = append(samples, s)
	}
	samples = samples[1:] // the first one fills the page cache
	first := durations(samples, sample.firstToken)
	peak := int64(0)
	for _, s := range samples {
		peak = max(peak, s.PeakBytes)
	}
	fmt.Printf("start of the process to the first token: %d ms, median of %d (%d to %d); bar %d ms: %s\n",
		median(first).Milliseconds(), runs, first[0].Milliseconds(), first[runs-1].Milliseconds(), maxStart.Milliseconds(), verdict(median(first) <= maxStart))
	for _, phase := range []struct {
		name string
		of   func(sample) time.Duration
	}{
		{"load: bundle, tokenizer, modules, weights", func(s sample) time.Duration { return s.Load }},
		{"prefill of the prompt", func(s sample) time.Duration { return s.FirstToken }},
		{"start and end of the process", func(s sample) time.Duration { return s.firstToken() - s.Load - s.FirstToken }},
		{"then, first decode step", func(s sample) time.Duration { return s.Decode }},
	} {
		fmt.Printf("  %4d ms  %s\n", median(durations(samples, phase.of)).Milliseconds(), phase.name)
	}
	fmt.Printf("peak memory: %.1f MB; bar, weights + state + 64 MiB: %.1f MB: %s\n",
		float64(peak)/megabytes, float64(limit)/megabytes, verdict(peak <= limit))
	if median(first) > maxStart || peak > limit {
		return errMissed
	}
	return nil
}

// sample is one run of the command.
type sample struct {
	runtime.Timings
	wall time.Duration
}

func (s sample) firstToken() time.Duration { return s.wall - s.Decode }

// durations are those of the samples, ascending.
func durations(samples []sample, of func(sample) time.Duration) []time.Duration {
	var d []time.Duration
	for _, s := range samples {
		d = append(d, of(s))
	}
	slices.Sort(d)
	return d
}

func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }

func verdict(ok bool) string {
	if ok {
		return "kept"
	}
	return "MISSED"
}

func memoryLimit(path string) (int64, error) {
	b, err := bundle.Open(path)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	return b.WeightBytes() + b.Manifest.StateBytes() + maxExtra, nil
}

// start runs the command for two tokens: the second one takes a decode step.
func start(command, path, prompt string) (sample, error) {
	cmd := exec.Command(command, "--json", "--ignore-eos", "-n", "2", path, prompt)
	cmd.Stderr = os.Stderr
	begin := time.Now()
	out, err := cmd.Output()
	wall := time.Since(begin)
	if err != nil {
		return sample{}, err
	}
	var r runtime.Result
	err = json.Unmarshal(out, &r)
	return sample{r.Timings, wall}, err
}
