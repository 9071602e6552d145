// Command startup measures what a user waits for and how much memory it takes, from
// the start of the process to the first decode step, the file in the page cache:
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
	var walls []time.Duration
	var peak int64
	var last runtime.Timings
	for range runs + 1 {
		wall, r, err := start(command, path, prompt)
		if err != nil {
			return err
		}
		walls, peak, last = append(walls, wall), max(peak, r.Timings.PeakBytes), r.Timings
	}
	walls = walls[1:] // the first one fills the page cache
	slices.Sort(walls)
	median := walls[len(walls)/2]
	fmt.Printf("start to the end of the first decode step: %d ms, median of %d (%d to %d); bar %d ms: %s\n",
		median.Milliseconds(), runs, walls[0].Milliseconds(), walls[runs-1].Milliseconds(), maxStart.Milliseconds(), verdict(median <= maxStart))
	fmt.Printf("  of the last one: load %d ms, prefill %d ms, decode %d ms\n",
		last.Load.Milliseconds(), last.FirstToken.Milliseconds(), last.Decode.Milliseconds())
	fmt.Printf("peak memory: %.1f MB; bar, weights + state + 64 MiB: %.1f MB: %s\n",
		float64(peak)/megabytes, float64(limit)/megabytes, verdict(peak <= limit))
	if median > maxStart || peak > limit {
		return errMissed
	}
	return nil
}

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
func start(command, path, prompt string) (time.Duration, runtime.Result, error) {
	var r runtime.Result
	cmd := exec.Command(command, "--json", "--ignore-eos", "-n", "2", path, prompt)
	cmd.Stderr = os.Stderr
	begin := time.Now()
	out, err := cmd.Output()
	wall := time.Since(begin)
	if err != nil {
		return 0, r, err
	}
	return wall, r, json.Unmarshal(out, &r)
}
