package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/scripted"
	"github.com/mlxc/mlxc/lower"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"mlxc-bench": main})
}

// shared is a directory for what tests read only.
var shared string

// tests runs the tests with a shared directory.
type tests struct{ *testing.M }

func (m tests) Run() int {
	var err error
	if shared, err = os.MkdirTemp("", "mlxc-bench"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(shared)
	return m.M.Run()
}

// scriptedBundle is the path of a bundle with room for 4 sequences of 128 tokens,
// which is emitted once.
func scriptedBundle(t testing.TB) string {
	t.Helper()
	path := filepath.Join(shared, "scripted.tar")
	if _, err := os.Stat(path); err != nil {
		scripted.Model{Next: scripted.Chain(314, 7042, 30)}.Bundle(t, compiler.Options{
			Context: 128, Output: path,
			Graphs: []lower.GraphKind{{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Decode, Rows: 1}, {Kind: lower.Ragged, Rows: 4}},
		})
	}
	return path
}

// call runs the command in this process; it must succeed.
func call(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	s := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}
	cmd := NewCmdBench(s, nil)
	cmd.SetArgs(args)
	if code := cli.Main(cmd, s); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	return out.String()
}

func TestScripts(t *testing.T) {
	path := scriptedBundle(t)
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: func(e *testscript.Env) error { e.Setenv("BUNDLE", path); return nil },
	})
}

// llamaBench are the field names of llama-bench -o json that mlxc-bench shares.
var llamaBench = []string{
	"build_commit", "cpu_info", "gpu_info", "backends", "model_filename", "model_type", "model_size", "model_n_params",
	"n_batch", "n_threads", "n_prompt", "n_gen", "n_depth", "test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts",
}

// own are those that it adds.
var own = []string{"test", "device", "target", "cpu_level", "precision", "iree_version", "bundle_sha256", "gb_per_s", "bytes_per_token"}

// TestJSON: every combination is a row, under llama-bench's names, and its numbers
// follow from its samples.
func TestJSON(t *testing.T) {
	path := scriptedBundle(t)
	text := call(t, path, "-o", "json", "-p", "4,40", "-n", "3", "-d", "0,16", "-b", "1,3", "-t", "1-2", "-r", "3")
	var fields []map[string]any
	var rows []Row
	for _, v := range []any{&fields, &rows} {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for name := range fields[0] {
		names = append(names, name)
	}
	want := slices.Concat(llamaBench, own)
	slices.Sort(names)
	slices.Sort(want)
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("field names (-want +got):\n%s", d)
	}
	var tests []string
	for _, r := range rows {
		tests = append(tests, fmt.Sprintf("t%d %s", r.Threads, r.Test))
		checkRow(t, path, r)
	}
	var wantTests []string
	for _, threads := range []string{"t1", "t2"} {
		for _, batch := range []string{"", " × b3"} {
			for _, depth := range []string{"", " @ d16"} {
				for _, test := range []string{"pp4", "pp40", "tg3"} {
					wantTests = append(wantTests, threads+" "+test+depth+batch)
				}
			}
		}
	}
	if d := cmp.Diff(wantTests, tests); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

func checkRow(t *testing.T, path string, r Row) {
	t.Helper()
	if r.Filename != path || r.ModelType != "llama f32" || r.ModelSize < 25e6 || r.ModelParams < 6e6 || r.CPUInfo == "" || r.BuildCommit == "" ||
		r.Device != "native" || r.Backends != "mlxc-native" || r.Target != "llvm-cpu" || r.Precision != "f32" ||
		!strings.HasPrefix(r.Compiler, "3.13.0") || len(r.Digest) != 64 || len(r.SamplesNS) != 3 || len(r.SamplesTS) != 3 {
		t.Errorf("%+v", r)
	}
	if when, err := time.Parse(time.RFC3339, r.TestTime); err != nil || time.Since(when) > time.Hour {
		t.Errorf("test_time %s: %v", r.TestTime, err)
	}
	tokens := float64((r.Prompt + r.Gen) * r.Batch)
	ns, ts := 0.0, 0.0
	for i := range r.SamplesNS {
		ns += float64(r.SamplesNS[i]) / 3
		ts += r.SamplesTS[i] / 3
		if want := tokens * 1e9 / float64(r.SamplesNS[i]); !near(r.SamplesTS[i], want) {
			t.Errorf("%s: sample of %d ns has %g t/s, want %g", r.Test, r.SamplesNS[i], r.SamplesTS[i], want)
		}
	}
	bytes := 0.0
	if r.Gen > 0 {
		bytes = float64(r.ModelSize) * float64(r.Gen) / ns
	}
	if r.AvgNS != int64(ns) || !near(r.AvgTS, ts) || !near(r.GBPerSecond, bytes) || r.StddevNS < 0 || r.StddevTS < 0 {
		t.Errorf("%s: avg_ns %d, avg_ts %g, gb_per_s %g; want %g, %g, %g", r.Test, r.AvgNS, r.AvgTS, r.GBPerSecond, ns, ts, bytes)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// TestJSONLines and TestCSV: the same fields, a row a line.
func TestJSONLines(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(call(t, scriptedBundle(t), "-o", "jsonl", "-p", "4", "-n", "2", "-r", "2")), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	for i, want := range []string{"pp4", "tg2"} {
		var r Row
		if err := json.Unmarshal([]byte(lines[i]), &r); err != nil || r.Test != want || len(r.SamplesNS) != 2 {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

func TestCSV(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(call(t, scriptedBundle(t), "-o", "csv", "-p", "4", "-n", "2", "-r", "2"))).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("%v, %d records", err, len(records))
	}
	if d := cmp.Diff(slices.Concat(llamaBench, own), records[0]); d != "" {
		t.Errorf("columns (-want +got):\n%s", d)
	}
	column := func(record int, name string) string { return records[record][slices.Index(records[0], name)] }
	for i, want := range []string{"pp4", "tg2"} {
		samples := strings.Fields(column(i+1, "samples_ns"))
		if column(i+1, "test") != want || len(samples) != 2 || column(i+1, "n_batch") != "1" {
			t.Errorf("%q", records[i+1])
		}
		a, _ := strconv.Atoi(samples[0])
		b, _ := strconv.Atoi(samples[1])
		if avg := column(i+1, "avg_ns"); avg != strconv.Itoa((a+b)/2) {
			t.Errorf("avg_ns %s of %v", avg, samples)
		}
	}
}

// TestMarkdown: a table whose rows have as many cells as its head.
func TestMarkdown(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(call(t, scriptedBundle(t), "-p", "4", "-n", "2", "-r", "2", "-t", "2")), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, pattern := range []string{
		`^\| model \| size \| params \| device \| target \| threads \| test \| t/s \| GB/s \|$`,
		`^\|( -{3}:? \|){9}$`,
		`^\| llama f32 \| 25\.3 MB \| 6\.3 M \| native \| llvm-cpu \| 2 \| pp4 \| \d+\.\d\d ± \d+\.\d\d \|  \|$`,
		`^\| llama f32 \| 25\.3 MB \| 6\.3 M \| native \| llvm-cpu \| 2 \| tg2 \| \d+\.\d\d ± \d+\.\d\d \| \d+\.\d \|$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(lines[i]) {
			t.Errorf("line %d: %s does not match %s", i+1, lines[i], pattern)
		}
	}
}

// benchmarkLine is the Go benchmark format: a name without blanks, iterations, then
// pairs of value and unit.
var benchmarkLine = regexp.MustCompile(`^BenchmarkModel(/[a-z]+=[^/ ]+){4} 1( [0-9.]+ \S+)+$`)

// TestBenchstat: a line a repetition; old and new can be compared, so that nothing in
// the names or the head depends on the run.
func TestBenchstat(t *testing.T) {
	spaced := filepath.Join(t.TempDir(), "my model.tar")
	b, err := os.ReadFile(scriptedBundle(t))
	if err == nil {
		err = os.WriteFile(spaced, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	args := []string{spaced, "-o", "benchstat", "-p", "4", "-n", "2", "-d", "8", "-b", "2", "-r", "2", "-t", "1"}
	var names []string
	for line := range strings.Lines(call(t, args...)) {
		line = strings.TrimSuffix(line, "\n")
		if name, _, found := strings.Cut(line, ": "); found && slices.Contains([]string{"goos", "goarch", "cpu"}, name) {
			continue
		}
		if !benchmarkLine.MatchString(line) {
			t.Fatalf("%q is no benchmark line", line)
		}
		fields := strings.Fields(line)
		names = append(names, fields[0])
		ns, _ := strconv.ParseFloat(fields[2], 64)
		rate, _ := strconv.ParseFloat(fields[4], 64)
		if fields[3] != "ns/token" || fields[5] != "token/sec" || math.Abs(ns*rate/1e9-1) > 1e-3 {
			t.Errorf("%q: the two values contradict each other", line)
		}
	}
	want := "BenchmarkModel/name=my_model/device=native/threads=1/test="
	if d := cmp.Diff([]string{want + "pp4@d8×b2", want + "pp4@d8×b2", want + "tg2@d8×b2", want + "tg2@d8×b2"}, names); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

func TestList(t *testing.T) {
	for text, want := range map[string][]int{
		"1": {1}, "4,2,2": {4, 2, 2}, " 1, 2": {1, 2}, "1-4": {1, 2, 3, 4}, "1-9+4": {1, 5, 9}, "1-10+4": {1, 5, 9},
		"1-9*2": {1, 2, 4, 8}, "3-3": {3}, "0,512-1024+256": {0, 512, 768, 1024},
	} {
		got := []int{77}
		if err := (&list{values: &got}).Set(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "x", "1,", "-1", "1-", "4-1", "1-4+0", "1-4*1", "0-4*2", "1+2", "1-2-3", "1-4/2", "1-99999", "9999999999", "1-4+x"} {
		got := []int{77}
		if err := (&list{values: &got}).Set(bad); err == nil || !slices.Equal(got, []int{77}) {
			t.Errorf("%q: %v, %v; want an error and no change", bad, got, err)
		}
	}
	l := &list{values: &[]int{77}}
	for _, text := range []string{"1", "2-3"} {
		if err := l.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if l.String() != "1,2,3" {
		t.Errorf("given twice: %s", l)
	}
}
