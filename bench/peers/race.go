package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// BarsReport is what a run of the bars found.
type BarsReport struct {
	Bars    []Outcome `json:"bars"`
	Reports []*Report `json:"reports"` // of each model
}

// race is the bars of one model on the way.
type race struct {
	report     *Report
	contenders []*contender
	bars       []bar // peers that are out of reach leave it
}

// runBars measures what the bars need, and prints them. A missed bar is a result, not
// an error.
func runBars(ctx context.Context, o *options) error {
	races, err := prepareRaces(ctx, o)
	if err != nil {
		return err
	}
	found := &BarsReport{}
	for _, r := range races {
		found.Reports = append(found.Reports, r.report)
	}
	out := o.outputPath(found.Reports[0].Started, "bars")
	start := time.Now()
	for _, r := range races {
		for round := range o.rounds {
			label := fmt.Sprintf("%s, round %d of %d", r.report.Model.Name, round+1, o.rounds)
			if err := measureRound(ctx, r.report, plan(r.bars, r.contenders), barThreads, label); err != nil {
				return err
			}
			if round == 0 {
				r.narrow()
			}
			found.Bars = outcomes(races, o.bars)
			if err := save(out, found); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(os.Stderr, "\r\033[Kmeasured in %s, written: %s\n", time.Since(start).Round(time.Second), out)
	return found.markdown(os.Stdout)
}

// prepareRaces makes the weights and bundles of all models before the clock starts.
func prepareRaces(ctx context.Context, o *options) ([]*race, error) {
	var races []*race
	for _, model := range []string{demoModel, "random"} {
		chosen := selectBars(o.bars, model)
		if len(chosen) == 0 {
			continue
		}
		s := o.selection
		s.model = model
		s.weights, s.graphs = selectionOf(chosen)
		rep, contenders, err := prepare(ctx, s)
		if err != nil {
			return nil, err
		}
		races = append(races, &race{rep, contenders, chosen})
	}
	return races, nil
}

// selectionOf is what the bars need: weights by engine, and for mlxc's the graphs,
// unless a test needs all of them.
func selectionOf(bars []bar) (weights, graphs map[string][]string) {
	weights, graphs = map[string][]string{}, map[string][]string{}
	whole := map[string]bool{}
	add := func(list []string, more ...string) []string {
		for _, m := range more {
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
		return list
	}
	for _, b := range bars {
		for _, n := range b.needs() {
			weights[n.engine] = add(weights[n.engine], n.weights)
			if n.engine != "mlxc" {
				continue
			}
			t, _ := testNamed(n.test)
			whole[n.weights] = whole[n.weights] || t.Graphs == nil
			graphs[n.weights] = add(graphs[n.weights], t.Graphs...)
		}
	}
	maps.DeleteFunc(graphs, func(w string, _ []string) bool { return whole[w] })
	return weights, graphs
}

func selectBars(groups []string, model string) []bar {
	var chosen []bar
	for _, b := range bars {
		if b.model == model && slices.Contains(groups, b.group) {
			chosen = append(chosen, b)
		}
	}
	return chosen
}

// plan is each test with the contenders that some bar needs in it.
func plan(bars []bar, contenders []*contender) []step {
	var steps []step
	for _, b := range bars {
		for _, n := range b.needs() {
			i := slices.IndexFunc(steps, func(s step) bool { return s.test.Name == n.test })
			if i < 0 {
				t, _ := testNamed(n.test)
				steps, i = append(steps, step{test: t}), len(steps)
			}
			for _, c := range contenders {
				if c.Engine == n.engine && c.Weights == n.weights && !slices.Contains(steps[i].contenders, c) {
					steps[i].contenders = append(steps[i].contenders, c)
				}
			}
		}
	}
	return steps
}

// inReach is the share of the best peer's speed below which a peer isn't measured
// again after the first round: it won't be the best.
const inReach = 0.85

// narrow drops the peers that are far behind the best of their bar.
func (r *race) narrow() {
	for i := range r.bars {
		b := &r.bars[i]
		if len(b.peers) < 2 {
			continue
		}
		all := b.peers
		b.peers = slices.DeleteFunc(slices.Clone(all), func(w string) bool {
			return !slices.ContainsFunc(barThreads, func(threads int) bool { return b.near(r.report, all, w, threads) })
		})
	}
}

// near says whether a peer is about as fast as the best one; what failed isn't.
func (b *bar) near(r *Report, all []string, weights string, threads int) bool {
	own, best := r.find(b.kind.peers, weights, b.peerTest(), threads), 0.0
	for _, w := range all {
		if p := r.find(b.kind.peers, w, b.peerTest(), threads); p != nil {
			best = max(best, p.rate())
		}
	}
	return own != nil && own.rate() >= inReach*best
}

func outcomes(races []*race, groups []string) []Outcome {
	var all []Outcome
	for _, r := range races {
		for _, b := range selectBars(groups, r.bars[0].model) {
			all = append(all, b.outcomes(r.report)...)
		}
	}
	return all
}

// markdown prints the bars, and how much of the machine others used.
func (f *BarsReport) markdown(w io.Writer) error {
	var b strings.Builder
	for _, r := range f.Reports {
		r.head(&b)
		r.notMeasured(&b)
		r.outOfReach(&b)
		b.WriteString("\n")
	}
	b.WriteString("| bar | threads | measured | wanted | | |\n| --- | ---: | ---: | ---: | --- | --- |\n")
	met := 0
	for _, o := range f.Bars {
		if o.Met {
			met++
		}
		b.WriteString(o.line())
	}
	fmt.Fprintf(&b, "\n%d of %d bars are met.\n", met, len(f.Bars))
	_, err := io.WriteString(w, b.String())
	return err
}

// outOfReach names what was measured in the first round only.
func (r *Report) outOfReach(b *strings.Builder) {
	var names []string
	for _, res := range r.Results {
		name := strings.Join([]string{res.Engine, res.Weights, res.Test}, " ")
		if len(res.Seconds) == 1 && len(r.OtherCPU) > 1 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(b, "- measured once, far behind the best of their kind: %s\n", strings.Join(names, ", "))
	}
}

func (o *Outcome) line() string {
	threads, verdict, sign := "", "missed", "≥"
	if o.Threads > 0 {
		threads = fmt.Sprint(o.Threads)
	}
	if o.Most {
		sign = "≤"
	}
	value := fmt.Sprintf("%.3g %s", o.Value, o.Unit)
	switch {
	case o.Missing:
		value, verdict = "", "not measured"
	case o.Met:
		verdict = "met"
	}
	return fmt.Sprintf("| %s | %s | %s | %s %g %s | %s | %s |\n", o.Bar, threads, value, sign, o.Bound, o.Unit, verdict, o.Detail)
}
