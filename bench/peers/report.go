package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/bench/roofline"
)

// Report is what a run found, as it is written to bench/results.
type Report struct {
	Started  string    `json:"started"`
	Command  string    `json:"command"` // flags of bench/peers
	Level    string    `json:"level"`   // of instructions
	Machine  Machine   `json:"machine"`
	Model    Model     `json:"model"`
	OtherCPU []float64 `json:"other_cpu"` // share of the processors that others used, per round; -1 = unknown
	Limits   []*Limit  `json:"limits"`
	Emitted  []Emitted `json:"emitted"` // mlxc's bundles
	Results  []*Result `json:"results"`
	Skipped  []Skip    `json:"skipped"`

	vectorBits int // that the multiply-add limit is measured with, 0: any
}

// Limit is what the machine can do with so many threads, per round.
type Limit struct {
	Threads   int       `json:"threads"`
	Bandwidth []float64 `json:"bandwidth_bytes_per_s"`
	FMA       []float64 `json:"fma_flop_per_s"` // float32; 0 = not measured on this processor
}

// Result is a test of a contender.
type Result struct {
	Engine  string    `json:"engine"`
	Version string    `json:"version,omitempty"`
	Weights string    `json:"weights"`
	Bytes   int64     `json:"weight_bytes,omitempty"`
	Params  int64     `json:"params,omitempty"`
	Threads int       `json:"threads"`
	Test    string    `json:"test"`
	Tokens  int       `json:"tokens"`               // of a repetition
	Seconds []float64 `json:"seconds"`              // of each repetition
	Peak    int64     `json:"peak_bytes,omitempty"` // resident, the most of all repetitions
}

// Skip says why something wasn't measured; empty fields mean all.
type Skip struct {
	Engine  string `json:"engine"`
	Weights string `json:"weights,omitempty"`
	Test    string `json:"test,omitempty"`
	Threads int    `json:"threads,omitempty"`
	Reason  string `json:"reason"`
}

func (r *Report) measureLimits(threads int) error {
	bandwidth, err := roofline.Bandwidth(threads)
	if err != nil {
		return err
	}
	l := r.limit(threads)
	if l == nil {
		l = &Limit{Threads: threads}
		r.Limits = append(r.Limits, l)
	}
	l.Bandwidth = append(l.Bandwidth, bandwidth)
	l.FMA = append(l.FMA, roofline.FMAPeak(threads, r.vectorBits))
	return nil
}

func (r *Report) limit(threads int) *Limit {
	for _, l := range r.Limits {
		if l.Threads == threads {
			return l
		}
	}
	return nil
}

func (r *Report) add(c *contender, t test, threads int, s sample) {
	res := r.find(c.Engine, c.Weights, t.Name, threads)
	if res == nil {
		res = &Result{Engine: c.Engine, Weights: c.Weights, Threads: threads, Test: t.Name, Tokens: t.Tokens(), Version: s.Version, Bytes: s.Bytes, Params: s.Params}
		r.Results = append(r.Results, res)
	}
	res.Seconds = append(res.Seconds, s.Time.Seconds())
	res.Peak = max(res.Peak, s.Peak)
}

func (r *Report) find(engine, weights, test string, threads int) *Result {
	for _, res := range r.Results {
		if res.Engine == engine && res.Weights == weights && res.Test == test && res.Threads == threads {
			return res
		}
	}
	return nil
}

// emitted is what is known of a bundle.
func (r *Report) emitted(weights string) Emitted {
	for _, e := range r.Emitted {
		if e.Weights == weights {
			return e
		}
	}
	return Emitted{}
}

func (r *Report) skip(engine, weights, test string, threads int, err error) {
	r.Skipped = append(r.Skipped, Skip{Engine: engine, Weights: weights, Test: test, Threads: threads, Reason: err.Error()})
}

func (r *Report) failed(c *contender, t test, threads int) bool {
	return slices.ContainsFunc(r.Skipped, func(s Skip) bool {
		return s.Engine == c.Engine && s.Weights == c.Weights && s.Test == t.Name && s.Threads == threads
	})
}

// save writes a report as JSON, whole or not at all.
func save(path string, report any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	b, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", append(b, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// rate is the median in tokens per second.
func (r *Result) rate() float64 { return float64(r.Tokens) / median(r.Seconds) }

// class is the width of the weights that r competes in: 4, 8, 16 or 32 bits. Formats
// spend some more on scales, and on an embedding of more bits.
func (r *Result) class() int {
	if r.Params == 0 {
		return 0
	}
	bits := float64(r.Bytes*8) / float64(r.Params)
	for _, c := range []int{4, 8, 16} {
		if bits < float64(c)*1.75 {
			return c
		}
	}
	return 32
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

const loaded = 0.05 // share of the processors from which on the report warns

// markdown prints the table: medians, and for mlxc the ratios to llama.cpp.
func (r *Report) markdown(w io.Writer) error {
	var b strings.Builder
	r.head(&b)
	b.WriteString("\n| test | threads | engine | weights | median | least – most | of the limit | × same file | × best of its bits | × best | |\n")
	b.WriteString("| --- | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	for _, t := range slices.Concat(allTests, shortTests) {
		for _, l := range r.Limits {
			for _, res := range r.Results {
				if res.Test == t.Name && res.Threads == l.Threads {
					b.WriteString(r.line(t, l, res))
				}
			}
		}
	}
	r.notMeasured(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) notMeasured(b *strings.Builder) {
	for i, s := range r.Skipped {
		if i == 0 {
			b.WriteString("\nNot measured:\n")
		}
		what := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", s.Engine, s.Weights, s.Test)), " ")
		fmt.Fprintf(b, "- %s: %s\n", what, s.Reason)
	}
}

// head says where the numbers were taken, and whether they are worth anything.
func (r *Report) head(b *strings.Builder) {
	m := &r.Machine
	fmt.Fprintf(b, "%s, %s; instructions: %s; %d × %s (%s), mlxc %.12s\n\n", r.Model.Name, r.Started, r.Level, m.Cores, m.CPU, strings.Join(m.Caches, ", "), m.Commit)
	if busiest := slices.Max(append([]float64{0}, r.OtherCPU...)); busiest > loaded {
		fmt.Fprintf(b, "**Taken under load: other processes used up to %.0f %% of the processors. Take the numbers again on a quiet machine.**\n\n", busiest*100)
	}
	for _, l := range r.Limits {
		fmt.Fprintf(b, "- threads %d: read %.1f GB/s, compute %.1f GFLOP/s in float32\n", l.Threads, median(l.Bandwidth)/1e9, median(l.FMA)/1e9)
	}
}

func (r *Report) line(t test, l *Limit, res *Result) string {
	unit, value := "tok/s", func(seconds float64) string { return fmt.Sprintf("%.1f", float64(res.Tokens)/seconds) }
	if t.Load {
		unit, value = "ms", func(seconds float64) string { return fmt.Sprintf("%.0f", seconds*1e3) }
	}
	fastest, slowest := value(slices.Min(res.Seconds)), value(slices.Max(res.Seconds))
	least, most := slowest, fastest
	if t.Load {
		least, most = fastest, slowest
	}
	limit := ""
	if share := r.ofLimit(t, l, res); share > 0 {
		limit = fmt.Sprintf("%.0f %%", share*100)
	}
	same, class, best := r.ratios(res)
	return fmt.Sprintf("| %s | %d | %s | %s | %s %s | %s – %s | %s | %s | %s | %s | %s |\n", t.Name, res.Threads, res.Engine, res.Weights,
		value(median(res.Seconds)), unit, least, most, limit, ratio(same), ratio(class), ratio(best), r.note(t, res))
}

// ofLimit is the share of what the machine could do: decoding reads all weights for
// a token, a prompt multiplies each token with the matrices. Attention isn't counted,
// so the share is a little too low; tests where it or the batch matters have none.
func (r *Report) ofLimit(t test, l *Limit, res *Result) float64 {
	switch {
	case t.Load || t.Depth > 0 || t.Batch > 1:
		return 0
	case t.Gen > 0 && median(l.Bandwidth) > 0:
		return res.rate() * float64(res.Bytes) / median(l.Bandwidth)
	case t.Prompt > 0 && median(l.FMA) > 0:
		return res.rate() * 2 * float64(r.Model.MatrixParams) / median(l.FMA)
	}
	return 0
}

// ratios of mlxc's speed to llama.cpp's: on the file that both read as it is (0 if
// this is not that file), in the best format of as many bits, in the best of all.
func (r *Report) ratios(res *Result) (same, class, best float64) {
	if res.Engine != "mlxc" {
		return 0, 0, 0
	}
	classBest, anyBest := 0.0, 0.0
	bits := r.weightsOf(res).class()
	for _, peer := range r.Results {
		if peer.Engine != "llama.cpp" || peer.Test != res.Test || peer.Threads != res.Threads {
			continue
		}
		anyBest = max(anyBest, peer.rate())
		if r.weightsOf(peer).class() == bits {
			classBest = max(classBest, peer.rate())
		}
		if keptFormat(res.Weights) == peer.Weights || res.Weights == "keep" && strings.HasSuffix(strings.ToLower(r.Model.Source), peer.Weights+".gguf") {
			same = res.rate() / peer.rate()
		}
	}
	return same, over(res.rate(), classBest), over(res.rate(), anyBest)
}

// weightsOf is a result of the same contender that knows its weights: what measures
// loading doesn't tell their size.
func (r *Report) weightsOf(res *Result) *Result {
	for _, other := range r.Results {
		if other.Engine == res.Engine && other.Weights == res.Weights && other.Params > 0 {
			return other
		}
	}
	return res
}

// note is what a test is about besides its speed.
func (r *Report) note(t test, res *Result) string {
	if t.Load && res.Peak > 0 {
		return fmt.Sprintf("peak %d MB", res.Peak/1e6)
	}
	if single := r.find(res.Engine, res.Weights, "tg64", res.Threads); t.Batch > 1 && single != nil {
		return fmt.Sprintf("%.2f × tg64", res.rate()/single.rate())
	}
	return ""
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func ratio(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}
