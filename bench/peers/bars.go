package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// bar is what mlxc has to reach in a test, with 1 and with 2 threads.
type bar struct {
	group   string // what -bars=GROUP selects
	model   string // that of a selection
	test    string
	weights string // of mlxc
	kind    *kind
	peers   []string // weights of what it is compared with
	bounds  [2]float64
}

// barThreads are the numbers of threads that a bar's bounds are for.
var barThreads = []int{1, 2}

// kind is how a bar is measured.
type kind struct {
	peers string // engine that it compares with; "": none
	than  string // what it compares with, in words
	test  string // of the peers; "": the bar's own
	unit  string
	most  bool                                                            // the bound is the most that is allowed, not the least
	once  bool                                                            // the number of threads doesn't matter
	value func(r *Report, own *Result, l *Limit, peers []*Result) float64 // NaN: unknown
}

var (
	overLlama = &kind{peers: "llama.cpp", unit: "×", value: overBest}
	overMLXC  = &kind{peers: "mlxc", unit: "×", value: overBest}
	// A batch against the same weights decoding one sequence.
	overSingle = &kind{peers: "mlxc", test: "tg32", unit: "×", value: overBest}

	ofBandwidth = &kind{than: "of the bandwidth limit", unit: "%", value: percentOfLimit}
	ofPeak      = &kind{than: "of the multiply-add limit", unit: "%", value: percentOfLimit}

	seconds = &kind{than: "until the first token", unit: "s", most: true, value: func(_ *Report, own *Result, _ *Limit, _ []*Result) float64 {
		return median(own.Seconds)
	}}
	extraMemory = &kind{than: "peak memory over weights and state", unit: "MiB", most: true, value: func(r *Report, own *Result, _ *Limit, _ []*Result) float64 {
		e := r.emitted(own.Weights)
		return (known(own.Peak) - float64(e.Bytes+e.State)) / mebibyte
	}}
	emitMemory = &kind{than: "memory of mlxc-emit beside mapped files", unit: "GB", most: true, once: true, value: func(r *Report, own *Result, _ *Limit, _ []*Result) float64 {
		return known(r.emitted(own.Weights).Private) / gigabyte
	}}
)

const (
	mebibyte = 1 << 20
	gigabyte = 1e9
)

// known is a number of bytes that isn't known on every system.
func known(bytes int64) float64 {
	if bytes == 0 {
		return math.NaN()
	}
	return float64(bytes)
}

func overBest(_ *Report, own *Result, _ *Limit, peers []*Result) float64 {
	best := 0.0
	for _, p := range peers {
		best = max(best, p.rate())
	}
	return own.rate() / best
}

func percentOfLimit(r *Report, own *Result, l *Limit, _ []*Result) float64 {
	t, _ := testNamed(own.Test)
	if share := r.ofLimit(t, l, own); share > 0 {
		return 100 * share
	}
	return math.NaN()
}

var (
	fourBits   = []string{"q4_1", "q4_0", "q4_k_m"}
	allFormats = append([]string{"q8_0", "f16"}, fourBits...)
)

// bars are those of issue 4, §5, that are a measurement, and that Q4_K_M files, the most
// used ones, decode no slower than with llama.cpp. keep are the demo's own weights, a Q4_1
// file.
var bars = []bar{
	{"decode", demoModel, "tg32", "keep", overLlama, []string{"q4_1"}, [2]float64{1.3, 1.3}},
	{"decode", demoModel, "tg32", "keep", overLlama, fourBits, [2]float64{1.1, 1.1}},
	{"decode", demoModel, "tg32", "keep:q4_k_m", overLlama, []string{"q4_k_m"}, [2]float64{1, 1}},
	{"decode", demoModel, "tg32", "f16", overLlama, []string{"f16"}, [2]float64{1.2, 1.15}},
	{"decode", demoModel, "tg32", "f32", ofBandwidth, nil, [2]float64{85, 85}},
	{"decode", demoModel, "tg32", "f16", ofBandwidth, nil, [2]float64{75, 75}},
	{"inside", demoModel, "tg32", "q4", overMLXC, []string{"q8"}, [2]float64{1, 1}},
	{"inside", demoModel, "tg32", "q8", overMLXC, []string{"f16"}, [2]float64{1, 1}},
	{"inside", demoModel, "tg32", "f16", overMLXC, []string{"f32"}, [2]float64{1, 1}},
	{"prefill", demoModel, "pp128", "keep", overLlama, []string{"q4_1"}, [2]float64{2, 2}},
	{"prefill", demoModel, "pp128", "keep", overLlama, allFormats, [2]float64{0.9, 1.1}},
	{"prefill", demoModel, "pp128", "keep", ofPeak, nil, [2]float64{65, 65}},
	{"prefill", demoModel, "pp512", "keep", overLlama, []string{"q4_1"}, [2]float64{2, 2}},
	{"prefill", demoModel, "pp512", "keep", overLlama, allFormats, [2]float64{0.9, 1.1}},
	{"prefill", demoModel, "pp512", "keep", ofPeak, nil, [2]float64{65, 65}},
	{"depth", demoModel, "tg32@d1900", "keep", overLlama, []string{"q4_1"}, [2]float64{1, 1}},
	{"ragged", demoModel, "ragged_b8×16", "keep", overSingle, []string{"keep"}, [2]float64{2, 2}},
	{"ragged", demoModel, "ragged_b8×16", "q4", overSingle, []string{"q4"}, [2]float64{2, 2}},
	{"ragged", demoModel, "ragged_b8×16", "f16", overSingle, []string{"f16"}, [2]float64{2, 2}},
	{"load", demoModel, "load", "keep", seconds, nil, [2]float64{0.25, 0.25}},
	{"load", demoModel, "load", "keep", extraMemory, nil, [2]float64{64, 64}},
	{"large", "random", "tg16", "q4:64", overLlama, fourBits, [2]float64{1.1, 1.1}},
	{"large", "random", "tg16", "keep:q4_k_m", overLlama, []string{"q4_k_m"}, [2]float64{1, 1}},
	{"large", "random", "tg16", "q4:64", emitMemory, nil, [2]float64{2}},
}

func barGroups() []string {
	var names []string
	for _, b := range bars {
		if !slices.Contains(names, b.group) {
			names = append(names, b.group)
		}
	}
	return names
}

// parseGroups reads the value of -bars; "true" stands for all of them.
func parseGroups(s string) ([]string, error) {
	if s == "true" {
		return barGroups(), nil
	}
	groups := strings.Split(s, ",")
	for _, g := range groups {
		if !slices.Contains(barGroups(), g) {
			return nil, fmt.Errorf("%q is unknown: %s", g, strings.Join(barGroups(), ", "))
		}
	}
	return groups, nil
}

// need is a test of a contender.
type need struct{ engine, weights, test string }

// needs are what a bar has to see measured, mlxc's own number first.
func (b bar) needs() []need {
	all := []need{{"mlxc", b.weights, b.test}}
	for _, w := range b.peers {
		all = append(all, need{b.kind.peers, w, b.peerTest()})
	}
	return all
}

func (b bar) peerTest() string {
	if b.kind.test != "" {
		return b.kind.test
	}
	return b.test
}

// Outcome is a bar with what was measured.
type Outcome struct {
	Bar     string  `json:"bar"`
	Threads int     `json:"threads,omitempty"`
	Missing bool    `json:"missing,omitempty"` // the number: it couldn't be measured
	Value   float64 `json:"value"`
	Bound   float64 `json:"bound"`
	Unit    string  `json:"unit"`
	Most    bool    `json:"at_most,omitempty"`
	Met     bool    `json:"met"`
	Detail  string  `json:"detail,omitempty"` // the numbers that a ratio is of
}

// outcomes of a bar, one for each number of threads that it has a bound for.
func (b bar) outcomes(r *Report) []Outcome {
	var all []Outcome
	for i, threads := range barThreads {
		if b.bounds[i] == 0 {
			continue
		}
		o := Outcome{Bar: b.String(), Threads: threads, Bound: b.bounds[i], Unit: b.kind.unit, Most: b.kind.most}
		if b.kind.once {
			o.Threads = 0
		}
		o.Value, o.Detail = b.measured(r, threads)
		if o.Missing = math.IsNaN(o.Value); o.Missing {
			o.Value = 0
		} else if o.Met = o.Value >= o.Bound; b.kind.most {
			o.Met = o.Value <= o.Bound
		}
		all = append(all, o)
	}
	return all
}

// measured is NaN while a number is missing.
func (b bar) measured(r *Report, threads int) (value float64, detail string) {
	own, limit := r.find("mlxc", b.weights, b.test, threads), r.limit(threads)
	if own == nil || limit == nil {
		return math.NaN(), ""
	}
	var peers []*Result
	for _, w := range b.peers {
		if p := r.find(b.kind.peers, w, b.peerTest(), threads); p != nil {
			peers = append(peers, p)
		}
	}
	if len(b.peers) > 0 {
		if len(peers) == 0 {
			return math.NaN(), ""
		}
		best := slices.MaxFunc(peers, func(a, b *Result) int { return cmp.Compare(a.rate(), b.rate()) })
		detail = fmt.Sprintf("%.1f / %.1f tok/s (%s)", own.rate(), best.rate(), best.Weights)
	}
	return b.kind.value(r, own, limit, peers), detail
}

func (b bar) String() string {
	text := b.test + " " + b.weights
	if b.model == "random" {
		text = "1.1B " + text
	}
	switch {
	case b.kind.than != "":
		return text + ": " + b.kind.than
	case b.kind == overSingle:
		return text + " ÷ " + b.kind.test
	case len(b.peers) > 1:
		return fmt.Sprintf("%s ÷ %s, best of %s", text, b.kind.peers, strings.Join(b.peers, " "))
	}
	return fmt.Sprintf("%s ÷ %s %s", text, b.kind.peers, b.peers[0])
}
