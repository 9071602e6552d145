package lower_test

import (
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower"
)

// TestSpans: as long as its positions are below its span, a graph computes what the
// graph that reads all of the state computes, and leaves the same state.
func TestSpans(t *testing.T) {
	c := oracle.Load(t, "llama_rope_llama3")
	run := c.Runs[0]
	for _, p := range []lower.Plan{
		plan(t, "f32", "f32"), plan(t, "f16", "f16"),
		{Name: "tiled", Precision: "f32", KV: "f32", Weights: tiledWeights{}, State: tiledState{}},
	} {
		names := []string{"prefill_c16", "decode", "ragged_b4"}
		spans := []string{"prefill_c16_s32", "decode_s32", "ragged_b4_s32"}
		m := load(t, c.Dir, p, lower.Options{Context: 64, Slots: 5, Graphs: kinds(t, append(names, spans...)...)})
		whole, cut := kinds(t, names...), kinds(t, spans...)
		same := func(kind int, wholeRows, cutRows []row) {
			t.Helper()
			tokens, want := m.run(whole[kind], wholeRows...)
			cutTokens, got := m.run(cut[kind], cutRows...)
			for i := range want {
				if d := distance(got[i], want[i]); d > 1e-6 || tokens[i] != cutTokens[i] {
					t.Errorf("plan %s, state %s: %s at position %d: logits differ by %g, tokens %d and %d from those of %s",
						p.Name, p.KV, cut[kind], cutRows[i].position, d, cutTokens[i], tokens[i], whole[kind])
				}
			}
		}
		// Slot 0 and slot 1 hold the same sequence, up to the last position of the span.
		at := func(slot, from, to int) []row {
			var rows []row
			for i := from; i < to; i++ {
				rows = append(rows, row{slot, i, 64, run.Prompt[i%len(run.Prompt)]})
			}
			return rows
		}
		same(0, at(0, 0, 16), at(1, 0, 16))
		same(0, at(0, 16, 30), at(1, 16, 30))
		same(1, at(0, 30, 31), at(1, 30, 31))
		same(1, at(0, 31, 32), at(1, 31, 32))
		idle := row{slot: 4, length: 1}
		last, first := at(0, 31, 32)[0], row{2, 0, 1, 3}
		same(2, []row{last, idle, first, idle}, []row{at(1, 31, 32)[0], idle, first, idle})
		// What a span leaves in the state, a graph of all of it goes on from.
		_, want := m.run(whole[1], at(0, 32, 33)...)
		_, got := m.run(whole[1], at(1, 32, 33)...)
		if d := distance(got[0], want[0]); d > 1e-6 {
			t.Errorf("plan %s, state %s: beyond the span: logits differ by %g", p.Name, p.KV, d)
		}
	}
}
