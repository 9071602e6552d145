package compiler

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir/rope"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// fakeSession is a model whose logits after a sequence are a function of its tokens.
// wrong names the graph that it computes wrongly, as a session would choose it.
type fakeSession struct {
	m     *bundle.Manifest
	wrong string
	seqs  map[int][]int32
	calls map[string]int
}

func (s *fakeSession) Slots() int          { return s.m.Model.Slots - 1 }
func (s *fakeSession) Close() error        { return nil }
func (s *fakeSession) Release(slot int)    { delete(s.seqs, slot) }
func (s *fakeSession) called(graph string) { s.calls[graph]++ }

func (s *fakeSession) Open(context.Context) (int, error) {
	for i := range s.Slots() {
		if _, taken := s.seqs[i]; !taken {
			s.seqs[i] = []int32{}
			return i, nil
		}
	}
	return 0, errors.New("no free slot")
}

// logits are those of a graph of a kind and rows: the manifest has one, of some span.
func (s *fakeSession) logits(kind string, rows, slot int) []float32 {
	is := func(g bundle.Graph) bool { return g.Kind == kind && g.Rows == rows }
	graph := s.m.Graphs[slices.IndexFunc(s.m.Graphs, is)].Name
	s.called(graph)
	l := make([]float32, s.m.Model.Vocab)
	h := uint32(1)
	for _, t := range s.seqs[slot] {
		h = h*31 + uint32(t)
	}
	for i := range l {
		l[i] = float32((h>>(i%16))%100) / 10
	}
	if graph == s.wrong {
		l[1] += 3
	}
	return l
}

func (s *fakeSession) Prefill(_ context.Context, slot int, tokens []int32) ([]float32, error) {
	s.seqs[slot] = append(s.seqs[slot], tokens...)
	rows := 16
	for _, r := range []int{64, 256} {
		if len(tokens) > r/2 {
			rows = r
		}
	}
	return s.logits("prefill", rows, slot), nil
}

func (s *fakeSession) Decode(_ context.Context, slots []int, tokens []int32) ([][]float32, error) {
	kind := "decode"
	if len(slots) > 1 {
		kind = "ragged"
	}
	var rows [][]float32
	for i, slot := range slots {
		s.seqs[slot] = append(s.seqs[slot], tokens[i])
		rows = append(rows, s.logits(kind, len(slots), slot))
	}
	return rows, nil
}

func checkedManifest() bundle.Manifest {
	m := bundle.Manifest{
		Model:   bundle.Model{Vocab: 50, Context: 300, Capacity: 320, Slots: 9},
		Plan:    bundle.Plan{Precision: "f32", KV: "f32"},
		Compile: bundle.Compile{Devices: []string{"native"}, Flags: []string{"--O9"}},
	}
	m.Graphs = []bundle.Graph{
		{Name: "prefill_c64", Kind: "prefill", Rows: 64}, {Name: "prefill_c16", Kind: "prefill", Rows: 16}, {Name: "prefill_c256", Kind: "prefill", Rows: 256},
		{Name: "decode", Kind: "decode", Rows: 1}, {Name: "ragged_b4", Kind: "ragged", Rows: 4}, {Name: "ragged_b8", Kind: "ragged", Rows: 8},
		{Name: "decode_s16", Kind: "decode", Rows: 1, Span: 16}, {Name: "decode_s32", Kind: "decode", Rows: 1, Span: 32},
		{Name: "prefill_c16_s32", Kind: "prefill", Rows: 16, Span: 32}, {Name: "prefill_c64_s160", Kind: "prefill", Rows: 64, Span: 160},
		{Name: "ragged_b4_s32", Kind: "ragged", Rows: 4, Span: 32},
	}
	return m
}

// check is the self-check of a bundle's first level.
func check(ctx context.Context, b *bundle.Bundle, open OpenSession) (float64, error) {
	c, err := newChecker(ctx, b, open, func(string) {})
	if err != nil {
		return 0, err
	}
	return c.check(ctx, b.Manifest.Levels()[0])
}

// Whichever graph is wrong, the check names it; nothing wrong, it passes, having
// called every graph.
func TestSelfCheck(t *testing.T) {
	wrongs := []string{""}
	for _, g := range checkedManifest().Graphs {
		wrongs = append(wrongs, g.Name)
	}
	for _, wrong := range wrongs {
		b := &bundle.Bundle{Manifest: checkedManifest()}
		calls := map[string]int{}
		open := func(_ context.Context, b *bundle.Bundle, device, _ string) (Session, error) {
			s := &fakeSession{m: &b.Manifest, seqs: map[int][]int32{}, calls: map[string]int{}}
			if device != reference {
				s.wrong, s.calls = wrong, calls
			}
			return s, nil
		}
		_, err := check(t.Context(), b, open)
		if wrong == "" {
			if err != nil {
				t.Errorf("nothing wrong: %v", err)
			}
			for _, g := range b.Manifest.Graphs {
				if calls[g.Name] == 0 {
					t.Errorf("%s was not called: %v", g.Name, calls)
				}
				delete(calls, g.Name)
			}
			if len(calls) > 0 {
				t.Errorf("unknown graphs were called: %v", calls)
			}
			continue
		}
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) || mismatch.Graph != wrong || mismatch.Difference < 2.9 || !strings.Contains(err.Error(), "--O9") {
			t.Errorf("%s wrong: %v", wrong, err)
		}
	}
}

// A tiny context, a single slot and NaN.
func TestSelfCheckCorners(t *testing.T) {
	m := checkedManifest()
	m.Model.Context, m.Model.Capacity, m.Model.Slots = 1, 16, 2
	open := func(_ context.Context, b *bundle.Bundle, _, _ string) (Session, error) {
		return &fakeSession{m: &b.Manifest, seqs: map[int][]int32{}, calls: map[string]int{}}, nil
	}
	if _, err := check(t.Context(), &bundle.Bundle{Manifest: m}, open); err != nil {
		t.Errorf("context of one: %v", err)
	}
	c := &checker{manifest: &m, checked: map[string]bool{}}
	nan := float32(0)
	nan /= nan
	if err := c.compare("decode", []float32{1, nan}, []float32{1, 2}); err == nil {
		t.Error("NaN passed")
	}
	if err := c.compare("decode", []float32{1, 2.00015}, []float32{1, 2}); err != nil || c.largest < 1e-4 {
		t.Errorf("within tolerance: %v, largest %g", err, c.largest)
	}
}

func TestSteadyLength(t *testing.T) {
	m := checkedManifest()
	m.RoPE = []rope.Params{{Kind: rope.Default}, {Kind: rope.Dynamic, OriginalMaxPosition: 32}}
	if n := steadyLength(&m); n != 32 {
		t.Errorf("got %d, want 32", n)
	}
}

func TestModelName(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for path, want := range map[string]string{"a/b.gguf": "b", "a/b/": "b", ".": filepath.Base(dir), "x/config.json": "x"} {
		if got := modelName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
