package validate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// counter is a session over 4 ids whose logits prefer the last id plus one, by 3 over
// the rest; of id 2, whose successor leads by the gap only, over id 0.
type counter struct {
	runtime.Session // what isn't below is not called
	gap             float32
	history         []int32
	next            int32
	open            bool
}

func (c *counter) Capabilities() runtime.Capabilities {
	return runtime.Capabilities{Context: 6, Vocab: 4}
}

func (c *counter) Open(context.Context, sample.Spec) (runtime.Slot, error) {
	c.open, c.history = true, nil
	return 0, nil
}

func (c *counter) Release(runtime.Slot)               { c.open = false }
func (c *counter) Len(runtime.Slot) int               { return len(c.history) }
func (c *counter) Feed(_ runtime.Slot, t int32) error { c.next = t; return nil }

func (c *counter) Prefill(_ context.Context, _ runtime.Slot, ids []int32) (runtime.Step, error) {
	c.history = append(c.history, ids...)
	return c.step(), nil
}

func (c *counter) Decode(ctx context.Context, _ []runtime.Slot) ([]runtime.Step, error) {
	c.history = append(c.history, c.next)
	return []runtime.Step{c.step()}, ctx.Err()
}

func (c *counter) step() runtime.Step {
	last := c.history[len(c.history)-1]
	c.next = (last + 1) % 4
	if last == 3 {
		return runtime.Step{Err: &runtime.NonFiniteError{Position: len(c.history)}}
	}
	return runtime.Step{Token: c.next}
}

func (c *counter) Logits(runtime.Slot) ([]float32, error) {
	v := make([]float32, 4)
	last := c.history[len(c.history)-1]
	v[(last+1)%4] = 3
	if last == 2 {
		v[0] = 3 - c.gap
	}
	return v, nil
}

func TestRun(t *testing.T) {
	exact := [][]float32{{0, 3, 0, 0}, {0, 0, 3, 0}, {2.995, 0, 0, 3}}
	off := [][]float32{{0, 3, 0, 0}, {0.25, 0, 3, 0}, {2.995, 0, 0, 3.125}}
	for _, tc := range []struct {
		name string
		seq  Sequence
		want Report
	}{
		{"equal", Sequence{Prompt: []int32{0}, Tokens: []int32{1, 2, 3}, Logits: exact},
			Report{Sequences: 1, Steps: 3, Misses: []Miss{}, Compared: true, NearTies: 1}},
		{"logits differ", Sequence{Prompt: []int32{0}, Tokens: []int32{1, 2, 3}, Logits: off},
			Report{Sequences: 1, Steps: 3, Misses: []Miss{}, Compared: true, MaxError: 0.25}},
		{"tokens only", Sequence{Prompt: []int32{0}, Tokens: []int32{1, 2}, Gaps: []float64{1, 0.009}},
			Report{Sequences: 1, Steps: 2, Misses: []Miss{}, NearTies: 1}},
		// The reference's token is fed after a miss: what follows it is compared with 0's successor.
		{"a miss hides nothing", Sequence{Name: "x", Prompt: []int32{0}, Tokens: []int32{0, 1, 2}, Gaps: []float64{0.02, 1, 1}},
			Report{Sequences: 1, Steps: 3, Misses: []Miss{{"x", 0, 0, 1, 0.02}}}},
	} {
		c := &counter{gap: 0.005}
		got, err := Run(t.Context(), c, []Sequence{tc.seq})
		if err != nil || c.open {
			t.Fatalf("%s: %v, slot open: %v", tc.name, err, c.open)
		}
		if d := cmp.Diff(&tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

func TestRunFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name string
		ctx  context.Context
		seq  Sequence
		want string
	}{
		{"not finite", t.Context(), Sequence{Prompt: []int32{2}, Tokens: []int32{3, 0}, Gaps: []float64{1, 1}}, "non-finite logits at step 2"},
		{"other vocabulary", t.Context(), Sequence{Prompt: []int32{0}, Tokens: []int32{1}, Logits: [][]float32{{1, 2}}}, "step 0: reference has 2 logits, the bundle 4"},
		{"cancelled", cancelled, Sequence{Prompt: []int32{0}, Tokens: []int32{1, 2}, Gaps: []float64{1, 1}}, "context canceled"},
	} {
		c := &counter{}
		tc.seq.Name = "the text"
		if _, err := Run(tc.ctx, c, []Sequence{tc.seq}); err == nil || !strings.HasPrefix(err.Error(), "validate: the text: ") || !strings.Contains(err.Error(), tc.want) || c.open {
			t.Errorf("%s: %v, slot open: %v; want %q", tc.name, err, c.open, tc.want)
		}
	}
}

// A session's own continuation passes as the reference, up to the end of the context.
func TestFromSession(t *testing.T) {
	c := &counter{}
	seqs, err := FromSession(t.Context(), c, []Sequence{{Name: "a", Prompt: []int32{0}}, {Name: "b", Prompt: []int32{3, 2, 0, 0, 0}}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(seqs[0].Tokens, seqs[1].Tokens), "[1 2 3] [1 2]"; got != want {
		t.Errorf("tokens %s, want %s", got, want)
	}
	r, err := Run(t.Context(), c, seqs)
	if err != nil || len(r.Misses) > 0 || r.MaxError != 0 || r.Steps != 5 {
		t.Errorf("%+v, %v", r, err)
	}
	var nonFinite *runtime.NonFiniteError
	if _, err := FromSession(t.Context(), c, []Sequence{{Name: "a", Prompt: []int32{2}}}, 3); !errors.As(err, &nonFinite) || c.open {
		t.Errorf("a reference that fails: %v", err)
	}
}

func TestBounds(t *testing.T) {
	f32, f16, kv16 := bundle.Plan{Precision: "f32", KV: "f32"}, bundle.Plan{Precision: "f16", KV: "f16"}, bundle.Plan{Precision: "f32", KV: "f16"}
	strict, loose := Bounds{Tolerance: 1e-3}, Bounds{Tolerance: math.Inf(1), MissGap: 0.05}
	for _, tc := range []struct {
		plans []bundle.Plan
		want  Bounds
	}{
		{[]bundle.Plan{f32}, strict}, {[]bundle.Plan{f32, f32}, strict},
		{[]bundle.Plan{f16}, loose}, {[]bundle.Plan{kv16}, loose}, {[]bundle.Plan{f32, f16}, loose},
	} {
		if got := BoundsFor(1e-3, tc.plans...); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.plans, got, tc.want)
		}
	}
	for _, tc := range []struct {
		name   string
		report Report
		bounds Bounds
		ok     bool
	}{
		{"equal", Report{Compared: true, MaxError: 1e-3}, strict, true},
		{"logits off", Report{Compared: true, MaxError: 1.1e-3}, strict, false},
		{"logits not compared", Report{MaxError: 9}, strict, true},
		{"logits not a number", Report{Compared: true, MaxError: math.NaN()}, loose, false},
		{"a tie missed in f32", Report{Misses: []Miss{{Gap: 0}}}, strict, false},
		{"a tie missed in f16", Report{Misses: []Miss{{Gap: 0.0499}}}, loose, true},
		{"more than a tie", Report{Misses: []Miss{{Gap: 0.0499}, {Gap: 0.05}}}, loose, false},
	} {
		if err := tc.report.Check(tc.bounds); (err == nil) != tc.ok {
			t.Errorf("%s: %v, want success: %v", tc.name, err, tc.ok)
		}
	}
}

// tensors is an oracle file in memory.
type tensors struct {
	ids  map[string][]int32
	rows map[string][][]float32
}

func (t tensors) Int32(name string) ([]int32, error) {
	if v, ok := t.ids[name]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("no %s", name)
}

func (t tensors) Rows(name string) ([][]float32, error) {
	if v, ok := t.rows[name]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("no %s", name)
}

func TestFromTensors(t *testing.T) {
	file := func() tensors {
		return tensors{
			ids:  map[string][]int32{"prompt_short": {1}, "tokens_short": {2}, "prompt_long": {3, 4}, "tokens_long": {5, 6}},
			rows: map[string][][]float32{"logits_short": {{1, 2}}, "logits_long": {{3, 4}, {5, 6}}},
		}
	}
	got, err := FromTensors(file())
	want := []Sequence{
		{Name: "short", Prompt: []int32{1}, Tokens: []int32{2}, Logits: [][]float32{{1, 2}}},
		{Name: "long", Prompt: []int32{3, 4}, Tokens: []int32{5, 6}, Logits: [][]float32{{3, 4}, {5, 6}}},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	for want, damage := range map[string]func(tensors){
		"no prompt_long":                 func(f tensors) { delete(f.ids, "prompt_long") },
		"no tokens_short":                func(f tensors) { delete(f.ids, "tokens_short") },
		"no logits_long":                 func(f tensors) { delete(f.rows, "logits_long") },
		"tokens_long has 1 rows":         func(f tensors) { f.ids["tokens_long"] = []int32{5} },
		"tokens_short has 0 rows":        func(f tensors) { f.ids["tokens_short"], f.rows["logits_short"] = nil, nil },
		"row 1 of logits_long holds NaN": func(f tensors) { f.rows["logits_long"][1][0] = float32(math.Inf(-1)) },
	} {
		f := file()
		damage(f)
		if _, err := FromTensors(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestCaseTolerance(t *testing.T) {
	for text, want := range map[string]float64{
		"": 1e-3, "{}": 1e-3, `{"noise_1e-6": 1e-4}`: 1e-3, `{"noise_1e-6": 0.9e-4}`: 2e-4, `{"noise_1e-6": 0}`: 2e-4, `{"noise_1e-6": null}`: 1e-3,
	} {
		if got, err := CaseTolerance([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %g, %v; want %g", text, got, err, want)
		}
	}
	if _, err := CaseTolerance([]byte(`{"noise_1e-6": "x"}`)); err == nil {
		t.Error("a noise that isn't a number: no error")
	}
}

func TestFromGreedy(t *testing.T) {
	got, err := FromGreedy(strings.NewReader(`{"model": "m", "cases": [{"prompt": "a\"b", "prompt_ids": [1, 2], "tokens": [3], "top2_gap": [0.5]}]}`))
	want := []Sequence{{Name: `"a\"b"`, Prompt: []int32{1, 2}, Tokens: []int32{3}, Gaps: []float64{0.5}}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	for text, want := range map[string]string{
		"":                "not a greedy.json",
		"[]":              "not a greedy.json",
		"{}":              `no "cases"`,
		`{"cases": [{}]}`: "case 0 lacks prompt_ids or tokens",
		`{"cases": [{"prompt_ids": [1], "tokens": [2], "top2_gap": [1]}, {"prompt_ids": [1], "tokens": [2, 3], "top2_gap": [1]}]}`: "case 1 has 2 tokens and 1 values of top2_gap",
		`{"cases": [{"prompt_ids": [1], "tokens": [2], "top2_gap": [-1]}]}`:                                                        "case 0: top2_gap -1",
		`{"cases": [{"prompt_ids": [1e10], "tokens": [2], "top2_gap": [1]}]}`:                                                      "not a greedy.json",
	} {
		if _, err := FromGreedy(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzFromGreedy(f *testing.F) {
	f.Add(`{"cases": [{"prompt": "a", "prompt_ids": [1, 2], "tokens": [3], "top2_gap": [0.5]}]}`)
	f.Add(`{"cases": [{"tokens": null}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		seqs, err := FromGreedy(strings.NewReader(text))
		for _, q := range seqs {
			if err != nil || len(q.Prompt) == 0 || len(q.Tokens) == 0 || len(q.Gaps) != len(q.Tokens) || slices.Min(q.Gaps) < 0 {
				t.Errorf("%+v, %v", q, err)
			}
		}
	})
}
