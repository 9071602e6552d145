package lower_test

import (
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower"
)

// oracleOptions hold both prompts with their continuations in one chunk of 64.
func oracleOptions(t testing.TB) lower.Options {
	return lower.Options{Context: 64, Slots: 5, Graphs: kinds(t, "prefill_c16", "prefill_c64", "decode", "ragged_b4")}
}

// oracleCases are the unquantised llama cases; one of them for -short, which is
// what -race runs.
func oracleCases(t testing.TB) []oracle.Case {
	var cases []oracle.Case
	for _, name := range oracle.Names(t) {
		if strings.HasPrefix(name, "llama") && !strings.Contains(name, "_q") && name != "llama_mixed" {
			cases = append(cases, oracle.Load(t, name))
		}
	}
	if len(cases) < 7 {
		t.Fatalf("only %d llama cases", len(cases))
	}
	if testing.Short() {
		return cases[:1]
	}
	return cases
}

// TestOracle compares with HF: prefill in one chunk, then decode, teacher-forced.
func TestOracle(t *testing.T) {
	for _, c := range oracleCases(t) {
		for _, a := range []accuracy{
			{"f32", "f32", c.Tolerance, 0},
			{"f32", "f16", 0.05, 0.05},
			{"f16", "f16", 0.05, 0.05},
			{"bf16", "f16", 8 * 0.05, 8 * 0.05}, // three bits fewer
		} {
			a.compare(t, c)
		}
	}
}

// TestQuantisedOracle: quantised checkpoints, dequantised, compare with HF on the
// dequantised weights as float ones do.
func TestQuantisedOracle(t *testing.T) {
	for _, name := range oracle.QuantisedNames(t) {
		c := oracle.LoadQuantised(t, name)
		accuracy{"f32", "f32", c.Tolerance, 0}.compare(t, c)
		if testing.Short() {
			return
		}
	}
}

// accuracy is what a plan is held to.
type accuracy struct {
	precision, kv string
	tolerance     float64 // of logits
	gap           float64 // of the logits, below which another token may win
}

func (a accuracy) compare(t *testing.T, c oracle.Case) {
	t.Helper()
	m := load(t, c.Checkpoint, plan(t, a.precision, a.kv), oracleOptions(t))
	for slot, run := range c.Runs {
		worst, misses := 0.0, 0
		check := func(step int, token int32, logits []float32) {
			worst = max(worst, distance(logits, run.Logits[step]))
			if token == run.Tokens[step] {
				return
			}
			misses++
			if g := gap(run.Logits[step]); g >= a.gap {
				t.Errorf("%s %s %s kv %s: step %d: token %d, HF has %d with a lead of %g", c.Name, run.Name, a.precision, a.kv, step, token, run.Tokens[step], g)
			}
		}
		token, logits := m.prefill(slot, run.Prompt, 64)
		check(0, token, logits)
		for i := 1; i < len(run.Logits); i++ {
			token, logits = m.decode(slot, len(run.Prompt)+i-1, run.Tokens[i-1])
			check(i, token, logits)
		}
		if worst > a.tolerance {
			t.Errorf("%s %s %s kv %s: logits differ by %g, tolerance %g", c.Name, run.Name, a.precision, a.kv, worst, a.tolerance)
		}
		t.Logf("%-20s %-5s %-4s kv %s: logits within %.1e, %d of %d tokens differ", c.Name, run.Name, a.precision, a.kv, worst, misses, len(run.Tokens))
	}
}

// TestChunks: a prompt in chunks gives the logits of one chunk.
func TestChunks(t *testing.T) {
	for _, c := range oracleCases(t) {
		if c.LengthDependent {
			continue
		}
		m := load(t, c.Checkpoint, plan(t, "f32", ""), oracleOptions(t))
		for slot, run := range c.Runs {
			_, whole := m.prefill(slot, run.Prompt, 64)
			_, chunked := m.prefill(2+slot, run.Prompt, 16)
			if d := distance(whole, chunked); d > 1e-4 {
				t.Errorf("%s %s: chunks of 16 differ from one of 64 by %g", c.Name, run.Name, d)
			}
		}
	}
}

// TestRagged: rows of a batch, at their own positions, give the tokens of single
// decoding; idle rows on the spare slot disturb nobody.
func TestRagged(t *testing.T) {
	batch := lower.GraphKind{Kind: lower.Ragged, Rows: 4}
	for i, c := range oracleCases(t) {
		precisions := []string{"f32"}
		if i == 0 {
			precisions = []string{"f32", "f16", "bf16"}
		}
		for _, precision := range precisions {
			m := load(t, c.Checkpoint, plan(t, precision, ""), oracleOptions(t))
			const spare = 4
			for i, run := range c.Runs { // slots 0, 1 for batches, 2, 3 for single decoding
				m.prefill(i, run.Prompt, 64)
				m.prefill(2+i, run.Prompt, 64)
			}
			idle := row{slot: spare, position: 0, length: 1}
			for step := 1; step < len(c.Runs[0].Logits); step++ {
				rows := []row{idle, idle, idle, idle}
				var want []int32
				var logits [][]float32
				for i, run := range c.Runs {
					p := len(run.Prompt) + step - 1
					rows[2*i+step%2] = row{i, p, p + 1, run.Tokens[step-1]}
					token, l := m.decode(2+i, p, run.Tokens[step-1])
					want, logits = append(want, token), append(logits, l)
				}
				got, batched := m.run(batch, rows...)
				for i := range c.Runs {
					at := 2*i + step%2
					if d := distance(batched[at], logits[i]); got[at] != want[i] || d > 1e-4 {
						t.Errorf("%s %s %s step %d: token %d in a batch, %d alone; logits differ by %g", c.Name, c.Runs[i].Name, precision, step, got[at], want[i], d)
					}
				}
			}
		}
	}
}

// TestCacheEdge: a state of 40 positions, chunks of 16, a prompt of 37: the third chunk
// reaches beyond position 40 and must not be moved back over good keys.
func TestCacheEdge(t *testing.T) {
	c := oracle.Load(t, "llama")
	prompt := c.Runs[1].Prompt
	tight := load(t, c.Dir, plan(t, "f32", ""), lower.Options{Context: 40, Slots: 2, Graphs: kinds(t, "prefill_c16", "decode")})
	roomy := load(t, c.Dir, plan(t, "f32", ""), lower.Options{Context: 128, Slots: 2, Graphs: kinds(t, "prefill_c16", "decode")})
	if tight.Capacity < 39+16 {
		t.Errorf("capacity %d: a chunk of 16 does not fit at position 39", tight.Capacity)
	}
	for _, n := range []int{37, 39, 40} {
		_, a := tight.prefill(0, prompt[:n], 16)
		token, b := roomy.prefill(0, prompt[:n], 16)
		for position := n; ; position++ {
			if d := distance(a, b); d > 1e-5 {
				t.Errorf("prompt of %d, position %d: logits differ by %g from those with room", n, position-1, d)
			}
			if position == 40 {
				break
			}
			_, a = tight.decode(0, position, token)
			token, b = roomy.decode(0, position, token)
		}
	}
}
