package compiler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/ir/rope"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// Session is what the self-check needs of a bundle that is being run.
type Session interface {
	// Open takes a slot for an empty sequence.
	Open(ctx context.Context) (slot int, err error)
	// Prefill appends tokens to the sequence and returns the logits after the last.
	Prefill(ctx context.Context, slot int, tokens []int32) ([]float32, error)
	// Decode appends one token to each sequence, in one call of the graph for that
	// many, and returns the logits of each.
	Decode(ctx context.Context, slots []int, tokens []int32) ([][]float32, error)
	// Release gives a slot back.
	Release(slot int)
	// Slots is how many sequences may be open.
	Slots() int
	Close() error
}

// OpenSession runs a bundle on a device; the command wires it to package runtime.
// cpu is the CPU level whose code is to run, "" for a device that runs none.
type OpenSession func(ctx context.Context, b *bundle.Bundle, device, cpu string) (Session, error)

// reference is the device that evaluates the graphs' text.
const reference = "reference"

// The prompt and the number of decode steps that are compared.
const (
	checkPrompt = 7
	checkSteps  = 3
)

// tolerances are the largest differences that count as equal, relative to the largest
// logit, by the type of keys and values. Both sides read the same stored weights and
// compute in f32, under every precision: what differs is the order of f32 sums, and
// with 16-bit state the rounding of keys and values that lie on an edge, each then off
// by 2⁻¹¹. Measured: with f32 state 2e-6 (SmolLM2, 30 layers) to 7e-6 (every GGUF type, of
// which K types have the largest biases to cancel), with f16 state 1.5e-4 to 4e-4 (SmolLM2
// in f32, f16, keep, q4, q8). The tolerances are more than ten times that; a miscompiled
// graph is off by the size of the logits themselves.
var tolerances = map[string]float64{"f32": 1e-4, "f16": 5e-3}

// MismatchError is a compiled graph whose logits are not those of its text.
type MismatchError struct {
	Graph, Which     string  // Which: " for x86-64-v3", of code for several levels
	Difference, Over float64 // the largest difference and what is tolerated
	Flags            []string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("compiler: self-check%s: graph %s: logits differ from the reference evaluator's by %.3g (tolerated: %.3g): iree-compile made wrong code with flags %s; try other flags after --, another --cpu, or --no-self-check to keep the bundle all the same",
		e.Which, e.Graph, e.Difference, e.Over, strings.Join(e.Flags, " "))
}

// checker runs a bundle's compiled graphs against the evaluator: a short prompt
// and a few decode steps through the smallest prefill graph, decode, and every ragged
// graph with all of its rows; each larger prefill graph, filled, against the smallest
// one, which the evaluator has then vouched for. A session chooses the shortest span,
// so that those of each span are run on their own.
type checker struct {
	bundle    *bundle.Bundle
	open      OpenSession
	progress  func(step string)
	tokens    []int32     // the prompt and the steps' tokens, greedy by the evaluator
	reference [][]float32 // logits after the prompt and after each step

	// Of the CPU level that is being checked:
	level   bundle.Level
	which   string          // " for x86-64-v3", if there are others
	checked map[string]bool // graphs
	largest float64

	// Of the graphs that are being checked:
	manifest *bundle.Manifest
	got      Session
	slot     int // of the device, holding the prompt
}

// newChecker computes what is right.
func newChecker(ctx context.Context, b *bundle.Bundle, open OpenSession, progress func(step string)) (*checker, error) {
	c := &checker{bundle: b, open: open, progress: progress}
	return c, c.step(ctx, "reference", c.refer)
}

// check compares the code for a CPU level and returns the largest difference.
func (c *checker) check(ctx context.Context, l bundle.Level) (largest float64, err error) {
	c.level, c.which, c.checked, c.largest = l, "", map[string]bool{}, 0
	if c.bundle.Manifest.Compile.Fleet != nil {
		c.which = " for " + l.CPU
	}
	all := c.bundle.Manifest.Graphs
	defer func() { c.bundle.Manifest.Graphs = all }()
	for _, span := range spans(all) {
		step := "all positions"
		if span > 0 {
			step = fmt.Sprintf("positions below %d", span)
		}
		c.bundle.Manifest.Graphs = ofSpan(all, span)
		if err := c.step(ctx, step, c.graphs); err != nil {
			return 0, err
		}
	}
	return c.largest, nil
}

// step runs a part of the check under its name.
func (c *checker) step(ctx context.Context, step string, run func(context.Context) error) error {
	c.progress("self-check" + c.which + ": " + step)
	err := run(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e := (*MismatchError)(nil); err != nil && !errors.As(err, &e) {
		return fmt.Errorf("compiler: self-check%s: %s: %w", c.which, step, err)
	}
	return err
}

// spans are those of the graphs, each once.
func spans(graphs []bundle.Graph) []int {
	var list []int
	for _, g := range graphs {
		if !slices.Contains(list, g.Span) {
			list = append(list, g.Span)
		}
	}
	return list
}

// ofSpan is one graph for each kind and number of rows: that of the span, or else that
// of all of the state.
func ofSpan(graphs []bundle.Graph, span int) []bundle.Graph {
	return slices.DeleteFunc(slices.Clone(graphs), func(g bundle.Graph) bool {
		better := func(o bundle.Graph) bool { return o.Kind == g.Kind && o.Rows == g.Rows && o.Span == span }
		return g.Span != span && (g.Span != 0 || slices.ContainsFunc(graphs, better))
	})
}

// graphs compares the bundle's graphs, of which there is one of each kind and size.
func (c *checker) graphs(ctx context.Context) error {
	got, err := c.open(ctx, c.bundle, c.bundle.Manifest.Compile.Devices[0], c.level.CPU)
	if err != nil {
		return err
	}
	defer got.Close()
	c.manifest, c.got = &c.bundle.Manifest, got
	for _, step := range []func(context.Context) error{c.prompt, c.decode, c.ragged, c.chunks} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// testTokens are n ids spread over the vocabulary.
func testTokens(n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((17 + i*7919) % vocab)
	}
	return ids
}

// refer computes the logits that are right: after a short prompt, and after each of a
// few steps.
func (c *checker) refer(ctx context.Context) error {
	want, err := c.open(ctx, c.bundle, reference, "")
	if err != nil {
		return err
	}
	defer want.Close()
	m := &c.bundle.Manifest.Model
	n := min(checkPrompt, m.Context)
	c.tokens = testTokens(n, m.Vocab)
	slot, err := want.Open(ctx)
	if err != nil {
		return err
	}
	logits, err := want.Prefill(ctx, slot, c.tokens)
	if err != nil {
		return err
	}
	c.reference = [][]float32{slices.Clone(logits)}
	for len(c.tokens) < min(n+checkSteps, m.Context) {
		next := argmax(logits)
		c.tokens = append(c.tokens, next)
		rows, err := want.Decode(ctx, []int{slot}, []int32{next})
		if err != nil {
			return err
		}
		logits = rows[0]
		c.reference = append(c.reference, slices.Clone(logits))
	}
	return nil
}

// prompt compares the logits after the short prompt.
func (c *checker) prompt(ctx context.Context) (err error) {
	n := len(c.tokens) - len(c.reference) + 1
	if c.slot, err = c.got.Open(ctx); err != nil {
		return err
	}
	logits, err := c.got.Prefill(ctx, c.slot, c.tokens[:n])
	if err != nil {
		return err
	}
	first := c.ofKind("prefill")
	if len(first) == 0 {
		first = c.ofKind("decode")
	}
	return c.compare(first[0].Name, logits, c.reference[0])
}

// decode compares the logits of each step of one sequence.
func (c *checker) decode(ctx context.Context) error {
	n := len(c.tokens) - len(c.reference) + 1
	for i, token := range c.tokens[n:] {
		logits, err := c.got.Decode(ctx, []int{c.slot}, []int32{token})
		if err != nil {
			return err
		}
		if err := c.compare(c.ofKind("decode")[0].Name, logits[0], c.reference[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// ragged compares every row of the ragged graphs. The rows are sequences of their
// own that stand at different positions of the reference.
func (c *checker) ragged(ctx context.Context) error {
	steps := len(c.reference) - 1
	n := len(c.tokens) - steps
	c.got.Release(c.slot)
	if steps == 0 {
		return nil // the context holds the prompt only
	}
	for _, g := range c.ofKind("ragged") {
		if c.checked[g.Name] {
			continue
		}
		var slots []int
		var tokens []int32
		for i := range min(g.Rows, c.got.Slots()) {
			slot, err := c.got.Open(ctx)
			if err != nil {
				return err
			}
			if _, err := c.got.Prefill(ctx, slot, c.tokens[:n+i%steps]); err != nil {
				return err
			}
			slots, tokens = append(slots, slot), append(tokens, c.tokens[n+i%steps])
		}
		rows, err := c.got.Decode(ctx, slots, tokens)
		if err != nil {
			return err
		}
		for i, logits := range rows {
			if err := c.compare(g.Name, logits, c.reference[1+i%steps]); err != nil {
				return err
			}
			c.got.Release(slots[i])
		}
	}
	return nil
}

// chunks compares each larger prefill graph with the smallest, both filled.
func (c *checker) chunks(ctx context.Context) error {
	ladder := c.ofKind("prefill")
	for _, g := range ladder[min(1, len(ladder)):] {
		n, step := min(g.Rows, steadyLength(c.manifest)), ladder[0].Rows
		if n <= step || g.Rows > c.manifest.Model.Capacity || c.checked[g.Name] || ladder[0].Span > 0 && n > ladder[0].Span {
			continue
		}
		tokens := testTokens(n, c.manifest.Model.Vocab)
		want, err := c.prefill(ctx, tokens, step)
		if err != nil {
			return err
		}
		got, err := c.prefill(ctx, tokens, n)
		if err != nil {
			return err
		}
		if err := c.compare(g.Name, got, want); err != nil {
			return err
		}
	}
	return nil
}

// prefill is the device's logits after tokens, given to it so many at a time.
func (c *checker) prefill(ctx context.Context, tokens []int32, step int) ([]float32, error) {
	slot, err := c.got.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer c.got.Release(slot)
	var logits []float32
	for part := range slices.Chunk(tokens, step) {
		if logits, err = c.got.Prefill(ctx, slot, part); err != nil {
			return nil, err
		}
	}
	return slices.Clone(logits), nil
}

// ofKind lists the graphs of a kind by ascending rows.
func (c *checker) ofKind(kind string) []bundle.Graph {
	list := slices.DeleteFunc(slices.Clone(c.manifest.Graphs), func(g bundle.Graph) bool { return g.Kind != kind })
	slices.SortFunc(list, func(a, b bundle.Graph) int { return a.Rows - b.Rows })
	return list
}

// compare holds a graph's logits against those that are right.
func (c *checker) compare(graph string, got, want []float32) error {
	difference, scale := 0.0, 1.0
	for i, w := range want {
		d := math.Abs(float64(got[i]) - float64(w))
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		difference, scale = max(difference, d), max(scale, math.Abs(float64(w)))
	}
	over := scale * tolerances[c.manifest.Plan.KV]
	if difference > over {
		return &MismatchError{Graph: graph, Which: c.which, Difference: difference, Over: over, Flags: slices.Concat(c.manifest.Compile.Flags, c.level.Flags)}
	}
	c.largest, c.checked[graph] = max(c.largest, difference), true
	return nil
}

// steadyLength is how many tokens a prompt may have so that its angles don't depend
// on how it is split: RoPE kinds that scale with the length do so beyond a limit.
func steadyLength(m *bundle.Manifest) int {
	n := m.Model.Context
	for _, r := range m.RoPE {
		if limit := max(r.OriginalMaxPosition, 1); r.Kind == rope.Dynamic || r.Kind == rope.LongRoPE {
			n = min(n, limit)
		}
	}
	return n
}

func argmax(logits []float32) int32 {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return int32(best)
}
