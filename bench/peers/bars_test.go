package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The bars of the table name tests that there are, and have something to compare.
func TestBarsAreSound(t *testing.T) {
	for _, b := range bars {
		for _, n := range b.needs() {
			if _, ok := testNamed(n.test); !ok || n.engine == "" {
				t.Errorf("%s needs %+v, which there isn't", b, n)
			}
		}
		if b.bounds[0] == 0 || b.bounds[1] == 0 && !b.kind.once || (len(b.peers) > 0) != (b.kind.peers != "") {
			t.Errorf("%s: bounds %v, peers %v of %q", b, b.bounds, b.peers, b.kind.peers)
		}
	}
}

// barred is a report of rates in tokens per second, the same with 1 and 2 threads.
func barred(t *testing.T, rates map[need]float64) *Report {
	t.Helper()
	r := &Report{Model: Model{MatrixParams: 100e6}, OtherCPU: []float64{0, 0}, Emitted: []Emitted{{Weights: "keep", Bytes: 60 << 20, State: 40 << 20, Private: 1.5e9}}}
	for _, threads := range barThreads {
		r.Limits = append(r.Limits, &Limit{Threads: threads, Bandwidth: []float64{10e9}, FMA: []float64{100e9}})
		for n, rate := range rates {
			test, ok := testNamed(n.test)
			if !ok {
				t.Fatalf("no test %q", n.test)
			}
			s := sample{Time: time.Duration(float64(test.Tokens()) / rate * 1e9), Bytes: 62.5e6, Params: 100e6, Peak: 150 << 20}
			r.add(&contender{Engine: n.engine, Weights: n.weights}, test, threads, s)
		}
	}
	return r
}

func TestOutcomes(t *testing.T) {
	r := barred(t, map[need]float64{
		{"mlxc", "keep", "tg32"}: 120, {"llama.cpp", "q4_1", "tg32"}: 100, {"llama.cpp", "q4_0", "tg32"}: 125,
		{"mlxc", "q4", "tg32"}: 100, {"mlxc", "keep", "ragged_b8×16"}: 360, {"mlxc", "keep", "pp128"}: 300, {"mlxc", "keep", "load"}: 8,
	})
	for _, tt := range []struct {
		bar  bar
		want []string
	}{
		{bar{"", "", "tg32", "keep", overLlama, []string{"q4_1"}, [2]float64{1.2, 1.3}}, []string{
			"| tg32 keep ÷ llama.cpp q4_1 | 1 | 1.2 × | ≥ 1.2 × | met | 120.0 / 100.0 tok/s (q4_1) |",
			"| tg32 keep ÷ llama.cpp q4_1 | 2 | 1.2 × | ≥ 1.3 × | missed | 120.0 / 100.0 tok/s (q4_1) |"}},
		{bar{"", "", "tg32", "keep", overLlama, []string{"q4_1", "q4_0", "q4_k_m"}, [2]float64{0, 1}}, []string{
			"| tg32 keep ÷ llama.cpp, best of q4_1 q4_0 q4_k_m | 2 | 0.96 × | ≥ 1 × | missed | 120.0 / 125.0 tok/s (q4_0) |"}},
		{bar{"", "", "tg32", "keep", overMLXC, []string{"q4"}, [2]float64{1}}, []string{
			"| tg32 keep ÷ mlxc q4 | 1 | 1.2 × | ≥ 1 × | met | 120.0 / 100.0 tok/s (q4) |"}},
		// 120/s × 62.5 MB of 10 GB/s; 300/s × 2 × 100 M of 100 GFLOP/s.
		{bar{"", "", "tg32", "keep", ofBandwidth, nil, [2]float64{75}}, []string{
			"| tg32 keep: of the bandwidth limit | 1 | 75 % | ≥ 75 % | met |  |"}},
		{bar{"", "", "pp128", "keep", ofPeak, nil, [2]float64{65}}, []string{
			"| pp128 keep: of the multiply-add limit | 1 | 60 % | ≥ 65 % | missed |  |"}},
		{bar{"", "", "ragged_b8×16", "keep", overSingle, []string{"keep"}, [2]float64{2}}, []string{
			"| ragged_b8×16 keep ÷ tg32 | 1 | 3 × | ≥ 2 × | met | 360.0 / 120.0 tok/s (keep) |"}},
		{bar{"", "", "load", "keep", seconds, nil, [2]float64{0.1}}, []string{
			"| load keep: until the first token | 1 | 0.125 s | ≤ 0.1 s | missed |  |"}},
		{bar{"", "", "load", "keep", extraMemory, nil, [2]float64{64}}, []string{
			"| load keep: peak memory over weights and state | 1 | 50 MiB | ≤ 64 MiB | met |  |"}},
		{bar{"", "random", "load", "keep", emitMemory, nil, [2]float64{2}}, []string{
			"| 1.1B load keep: memory of mlxc-emit beside mapped files |  | 1.5 GB | ≤ 2 GB | met |  |"}},
		{bar{"", "", "pp512", "keep", overLlama, []string{"q4_1"}, [2]float64{2}}, []string{
			"| pp512 keep ÷ llama.cpp q4_1 | 1 |  | ≥ 2 × | not measured |  |"}},
	} {
		var got []string
		for _, o := range tt.bar.outcomes(r) {
			got = append(got, strings.TrimSuffix(o.line(), "\n"))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.bar, d)
		}
	}
}

// After a round only peers that can be the best stay, and those that a bar of their
// own names.
func TestNarrow(t *testing.T) {
	rates := map[need]float64{{"mlxc", "keep", "tg32"}: 1}
	var contenders []*contender
	for w, rate := range map[string]float64{"q4_1": 10, "q4_0": 100, "q4_k_m": 86} {
		rates[need{"llama.cpp", w, "tg32"}] = rate
		contenders = append(contenders, &contender{Engine: "llama.cpp", Weights: w})
	}
	same := bar{"", "", "tg32", "keep", overLlama, []string{"q4_1"}, [2]float64{1, 1}}
	best := bar{"", "", "tg32", "keep", overLlama, fourBits, [2]float64{1, 1}}
	for _, tt := range []struct {
		bars   []bar
		before string
		after  string
	}{
		{[]bar{best}, "q4_0 q4_1 q4_k_m", "q4_0 q4_k_m"},
		{[]bar{same, best}, "q4_0 q4_1 q4_k_m", "q4_0 q4_1 q4_k_m"},
		{[]bar{same}, "q4_1", "q4_1"},
	} {
		r := &race{report: barred(t, rates), contenders: contenders, bars: tt.bars}
		if got := planned(r); got != tt.before {
			t.Errorf("%v: %s in the first round, want %s", tt.bars, got, tt.before)
		}
		if r.narrow(); planned(r) != tt.after {
			t.Errorf("%v: %s in the second round, want %s", tt.bars, planned(r), tt.after)
		}
	}
}

// planned are the peers of the only step, sorted.
func planned(r *race) string {
	var names []string
	for _, s := range plan(r.bars, r.contenders) {
		for _, c := range s.contenders {
			names = append(names, c.Weights)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Bundles hold only the graphs that their bars run.
func TestSelectionOf(t *testing.T) {
	one := [2]float64{1, 1}
	weights, graphs := selectionOf([]bar{
		{"", "", "tg32", "keep", overLlama, []string{"q4_1", "q4_0"}, one},
		{"", "", "pp128", "keep", overLlama, []string{"q4_1"}, one},
		{"", "", "tg32", "q4", overMLXC, []string{"q8"}, one},
		{"", "", "ragged_b8×16", "q4", overSingle, []string{"q4"}, one},
	})
	if d := cmp.Diff(map[string][]string{"mlxc": {"keep", "q4", "q8"}, "llama.cpp": {"q4_1", "q4_0"}}, weights); d != "" {
		t.Errorf("weights (-want +got):\n%s", d)
	}
	want := map[string][]string{"q4": {"decode_s256", "decode", "ragged_b8_s256", "ragged_b8"}, "q8": {"decode_s256", "decode"}}
	if d := cmp.Diff(want, graphs); d != "" {
		t.Errorf("graphs (-want +got):\n%s", d)
	}
}

func TestParseGroups(t *testing.T) {
	if got, err := parseGroups("true"); err != nil || !slices.Equal(got, barGroups()) {
		t.Errorf("-bars selects %v, %v", got, err)
	}
	if got, err := parseGroups("decode,load"); err != nil || !slices.Equal(got, []string{"decode", "load"}) {
		t.Errorf("-bars=decode,load selects %v, %v", got, err)
	}
	if _, err := parseGroups("decode,speed"); err == nil || !strings.Contains(err.Error(), `"speed" is unknown: decode, inside`) {
		t.Errorf("-bars=decode,speed: %v", err)
	}
}

// TestWatchMemory starts this test again, as a process that allocates and has a child
// that allocates more.
func TestWatchMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Logf("this system doesn't tell: %v", err)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestHold")
	cmd.Env = append(os.Environ(), "HOLD=64,256")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := watchMemory(cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	w.stop()
	for _, tt := range []struct {
		what string
		got  int64
		mb   int64
	}{{"peak", w.peak, 64}, {"private", w.private, 64}, {"child", w.child, 256}} {
		if mb := tt.got >> 20; mb < tt.mb || mb > tt.mb+100 {
			t.Errorf("%s: %d MB, want %d and what Go needs", tt.what, mb, tt.mb)
		}
	}
}

// TestHold is the process of TestWatchMemory: it holds the first number of megabytes
// while a child holds the others.
func TestHold(t *testing.T) {
	mine, others, more := strings.Cut(os.Getenv("HOLD"), ",")
	if mine == "" {
		return
	}
	var mb int
	if _, err := fmt.Sscan(mine, &mb); err != nil {
		t.Fatal(err)
	}
	// Not of the heap, of which the race detector keeps four times as much.
	held, err := syscall.Mmap(-1, 0, mb<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(held); i += os.Getpagesize() {
		held[i] = 1
	}
	if more {
		cmd := exec.Command(os.Args[0], "-test.run=TestHold")
		cmd.Env = append(os.Environ(), "HOLD="+others)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(10 * watchEvery)
	if err := syscall.Munmap(held); err != nil {
		t.Fatal(err)
	}
}
