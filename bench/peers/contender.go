package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// test is a case that every contender runs, in llama-bench's terms.
type test struct {
	Name   string
	Prompt int  // tokens to prefill
	Gen    int  // tokens to decode, one at a time
	Depth  int  // tokens in the sequence before the clock starts
	Batch  int  // sequences decoded at once
	Load   bool // loading is timed too, up to the first token after the prompt
	// Graphs are those of mlxc that the test can do with; nil: all of a bundle.
	Graphs []string
}

// Tokens that the time of the test is for.
func (t test) Tokens() int {
	if t.Load {
		return 1
	}
	return (t.Prompt + t.Gen) * t.Batch
}

// allTests are those of a comparison.
var allTests = []test{
	{Name: "tg64", Gen: 64, Batch: 1},
	{Name: "pp128", Prompt: 128, Batch: 1},
	{Name: "pp512", Prompt: 512, Batch: 1},
	{Name: "tg64@d1900", Gen: 64, Depth: 1900, Batch: 1},
	{Name: "ragged_b8", Gen: 64, Batch: 8},
	{Name: "load", Prompt: 8, Batch: 1, Load: true},
}

// shortTests take the place of those that only repeat a step, where time is short.
var shortTests = []test{
	{Name: "tg32", Gen: 32, Batch: 1, Graphs: []string{"decode_s256", "decode"}},
	{Name: "tg16", Gen: 16, Batch: 1, Graphs: []string{"decode_s256", "decode"}},
	{Name: "tg32@d1900", Gen: 32, Depth: 1900, Batch: 1},
	{Name: "ragged_b8×16", Gen: 16, Batch: 8, Graphs: []string{"decode", "ragged_b8_s256", "ragged_b8"}},
}

func testNames() []string {
	var names []string
	for _, t := range allTests {
		names = append(names, t.Name)
	}
	return names
}

func testNamed(name string) (test, bool) {
	all := slices.Concat(allTests, shortTests)
	i := slices.IndexFunc(all, func(t test) bool { return t.Name == name })
	if i < 0 {
		return test{}, false
	}
	return all[i], true
}

// contender is an engine with weights.
type contender struct {
	Engine  string
	Weights string
	batched bool // can decode several sequences at once
	// command is the process that runs a test once, after a warm-up.
	command func(t test, threads int) []string
	// read gets the sample out of what the process prints.
	read func(t test, stdout []byte) (sample, error)
}

func (c *contender) String() string { return c.Engine + " " + c.Weights }

// sample is one run of a test.
type sample struct {
	Time    time.Duration
	Bytes   int64  // of the weights
	Params  int64  // number of weights
	Version string // of the engine
	Peak    int64  // resident bytes of the process, 0 where it doesn't tell
}

// measure runs a test once, in a process of its own.
func (c *contender) measure(ctx context.Context, t test, threads int) (sample, error) {
	args := c.command(t, threads)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return sample{}, fmt.Errorf("%w: %s", err, lastLine(stderr.Bytes()))
	}
	s, err := c.read(t, stdout.Bytes())
	if err == nil && s.Time <= 0 {
		err = fmt.Errorf("%s printed no time", args[0])
	}
	return s, err
}

// lastLine is what a program that failed said last.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// mlxcContender measures a bundle with mlxc-bench, its loading with mlxc-run.
func mlxcContender(weights, bundle string) *contender {
	return &contender{
		Engine: "mlxc", Weights: weights, batched: true,
		command: func(t test, threads int) []string {
			if t.Load {
				prompt := strings.TrimSuffix(strings.Repeat("100,", t.Prompt), ",")
				return []string{binaries + "/mlxc-run", bundle, "-t", strconv.Itoa(threads), "-n", "1", "--ignore-eos", "--json", "--prompt-ids", prompt}
			}
			args := []string{binaries + "/mlxc-bench", bundle, "-o", "json", "-r", "1"}
			return append(args, flags(t, threads, "-b", t.Batch)...)
		},
		read: func(t test, out []byte) (sample, error) {
			if t.Load {
				return readRun(out)
			}
			return readRows(out)
		},
	}
}

// pythonContender measures a model with a script of engines/ in an environment.
func pythonContender(e engine, environment, weights, model string) *contender {
	return &contender{
		Engine: e.name, Weights: weights,
		command: func(t test, threads int) []string {
			args := []string{python(environment), scripts + "/" + e.script + ".py", model, "--weights", weights}
			if t.Load {
				args = append(args, "--load")
			}
			return append(args, flags(t, threads)...)
		},
		read: func(_ test, out []byte) (sample, error) { return readRows(out) },
	}
}

// flags are those of llama-bench that all engines take; more are pairs of a flag and
// its number.
func flags(t test, threads int, more ...any) []string {
	var args []string
	for pair := range slices.Chunk(append([]any{"-p", t.Prompt, "-n", t.Gen, "-d", t.Depth, "-t", threads}, more...), 2) {
		args = append(args, fmt.Sprint(pair[0]), fmt.Sprint(pair[1]))
	}
	return args
}

// readRows reads the JSON that mlxc-bench and the scripts print: one row, one sample.
func readRows(out []byte) (sample, error) {
	var rows []struct {
		Samples  []float64 `json:"samples_ns"`
		Size     int64     `json:"model_size"`
		Params   int64     `json:"model_n_params"`
		Version  string    `json:"version"`
		Peak     int64     `json:"peak_bytes"`
		Compiler string    `json:"iree_version"`
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		return sample{}, fmt.Errorf("reading the row: %w", err)
	}
	if len(rows) != 1 || len(rows[0].Samples) != 1 {
		return sample{}, fmt.Errorf("%d rows, one with one sample is expected", len(rows))
	}
	r := rows[0]
	s := sample{Time: time.Duration(r.Samples[0]), Bytes: r.Size, Params: r.Params, Version: r.Version, Peak: r.Peak}
	if r.Compiler != "" {
		s.Version = "IREE " + r.Compiler
	}
	return s, nil
}

// readRun reads what mlxc-run --json prints.
func readRun(out []byte) (sample, error) {
	var r struct {
		Timings struct {
			Load       time.Duration `json:"load_ns"`
			FirstToken time.Duration `json:"ttft_ns"`
			Peak       int64         `json:"peak_memory_bytes"`
		} `json:"timings"`
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return sample{}, fmt.Errorf("reading the timings: %w", err)
	}
	return sample{Time: r.Timings.Load + r.Timings.FirstToken, Peak: r.Timings.Peak}, nil
}
