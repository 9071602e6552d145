package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// madeUp is a report of numbers that are easy to follow.
func madeUp(t *testing.T) *Report {
	t.Helper()
	r := &Report{
		Started: "2026-01-02T03:04:05Z", Level: "avx2", Machine: Machine{CPU: "made up", Cores: 2, Commit: "0123456789abcdef"},
		Model: Model{Name: "demo", Source: "x/demo.Q4_1.gguf", MatrixParams: 100e6}, OtherCPU: []float64{0.01},
		Limits: []*Limit{{Threads: 1, Bandwidth: []float64{9e9, 10e9, 50e9}, FMA: []float64{100e9}}},
	}
	const params = 100e6
	for _, c := range []struct {
		engine, weights string
		bytes           int64
		seconds         map[string][]float64 // by test
	}{
		{"llama.cpp", "q4_1", 62e6, map[string][]float64{"tg64": {2, 1, 64}, "pp128": {1, 1, 1}, "load": {0.3, 0.2, 0.4}}},
		{"llama.cpp", "q4_0", 56e6, map[string][]float64{"tg64": {1, 1, 1}, "pp128": {0.5, 0.5, 0.5}}},
		{"llama.cpp", "f16", 200e6, map[string][]float64{"tg64": {4, 4, 4}, "pp128": {0.25, 0.25, 0.25}}},
		{"mlxc", "keep", 62e6, map[string][]float64{"tg64": {0.5, 0.5, 0.5}, "pp128": {0.5, 0.5, 0.5}, "ragged_b8": {2, 2, 2}, "load": {0.1, 0.1, 0.1}}},
		{"mlxc", "keep:q4_0", 56e6, map[string][]float64{"tg64": {0.8, 0.8, 0.8}}},
		{"mlxc", "f16", 200e6, map[string][]float64{"tg64": {2, 2, 2}}},
	} {
		for name, seconds := range c.seconds {
			tests, err := parseTests(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range seconds {
				sample := sample{Time: time.Duration(s * 1e9), Bytes: c.bytes, Params: params, Peak: 300e6}
				if name == "load" {
					sample.Bytes, sample.Params = 0, 0 // mlxc-run doesn't tell
				}
				r.add(&contender{Engine: c.engine, Weights: c.weights}, tests[0], 1, sample)
			}
		}
	}
	return r
}

func TestTable(t *testing.T) {
	r := madeUp(t)
	r.skip("mlxc", "q8", "", 0, errors.New("precision unknown"))
	var b strings.Builder
	if err := r.markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"demo, 2026-01-02T03:04:05Z; instructions: avx2; 2 × made up (), mlxc 0123456789ab",
		"- threads 1: read 10.0 GB/s, compute 100.0 GFLOP/s in float32",
		// 64 tokens in the median of 2 s; 62 MB × 32/s of 10 GB/s.
		"| tg64 | 1 | llama.cpp | q4_1 | 32.0 tok/s | 1.0 – 64.0 | 20 % |  |  |  |  |",
		// 128/s: 4 × the same file, 2 × q4_0, which is also the best of all.
		"| tg64 | 1 | mlxc | keep | 128.0 tok/s | 128.0 – 128.0 | 79 % | 4.00 | 2.00 | 2.00 |  |",
		// 80/s, 1.25 × llama.cpp on the file that mlxc reads.
		"| tg64 | 1 | mlxc | keep:q4_0 | 80.0 tok/s | 80.0 – 80.0 | 45 % | 1.25 | 1.25 | 1.25 |  |",
		"| tg64 | 1 | mlxc | f16 | 32.0 tok/s | 32.0 – 32.0 | 64 % |  | 2.00 | 0.50 |  |",
		// 256/s × 2 × 100 M of 100 GFLOP/s; llama.cpp's best is f16.
		"| pp128 | 1 | mlxc | keep | 256.0 tok/s | 256.0 – 256.0 | 51 % | 2.00 | 1.00 | 0.50 |  |",
		"| ragged_b8 | 1 | mlxc | keep | 256.0 tok/s | 256.0 – 256.0 |  |  |  |  | 2.00 × tg64 |",
		"| load | 1 | mlxc | keep | 100 ms | 100 – 100 |  | 3.00 | 3.00 | 3.00 | peak 300 MB |",
		"- mlxc q8: precision unknown",
	} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "under load") {
		t.Errorf("the report warns of a load that there wasn't:\n%s", b.String())
	}
}

func TestLoadIsStated(t *testing.T) {
	r := madeUp(t)
	r.OtherCPU = []float64{0, 0.4}
	var b strings.Builder
	if err := r.markdown(&b); err != nil {
		t.Fatal(err)
	}
	if want := "**Taken under load: other processes used up to 40 % of the processors."; !strings.Contains(b.String(), want) {
		t.Errorf("the report doesn't say %q:\n%s", want, b.String())
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1}, 5}, {[]float64{100, 2, 1}, 2}} {
		if got := median(tt.v); got != tt.want {
			t.Errorf("median(%v) = %v, want %v", tt.v, got, tt.want)
		}
	}
}

// The sizes are those of SmolLM2-135M in llama.cpp's formats and mlxc's.
func TestClass(t *testing.T) {
	for _, tt := range []struct {
		weights string
		bytes   int64
		want    int
	}{
		{"q4_1", 96.5e6, 4}, {"q4_0", 89.9e6, 4}, {"q4_k_m", 103.7e6, 4}, {"q4:64", 75.7e6, 4},
		{"q8_0", 143e6, 8}, {"q8:32", 151.3e6, 8}, {"f16", 269.1e6, 16}, {"f32", 538.1e6, 32},
	} {
		if got := (&Result{Bytes: tt.bytes, Params: 134515008}).class(); got != tt.want {
			t.Errorf("%s: class %d, want %d", tt.weights, got, tt.want)
		}
	}
}

func TestReadRows(t *testing.T) {
	s, err := readRows([]byte(`[{"samples_ns": [2e9], "model_size": 7, "model_n_params": 8, "iree_version": "3.13"}]`))
	if want := (sample{Time: 2 * time.Second, Bytes: 7, Params: 8, Version: "IREE 3.13"}); err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	for _, bad := range []string{``, `{}`, `[]`, `[{"samples_ns": []}]`, `[{"samples_ns": [1, 2]}]`} {
		if _, err := readRows([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a row", bad)
		}
	}
}

func TestReadRun(t *testing.T) {
	s, err := readRun([]byte(`{"timings": {"load_ns": 1000, "ttft_ns": 500, "peak_memory_bytes": 9}}`))
	if want := (sample{Time: 1500, Peak: 9}); err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
}

// A busy loop of this process is its own, not others'.
func TestCPUShare(t *testing.T) {
	share, err := startCPUShare()
	if err != nil {
		t.Fatal(err)
	}
	before := ownTime()
	for ownTime()-before < 50*time.Millisecond {
	}
	if got, err := share.others(); err != nil || math.IsNaN(got) || got > 1.1 {
		t.Errorf("others used %v of the processors (%v)", got, err)
	}
}
