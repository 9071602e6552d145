package cmd_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/golden/witness"
	"github.com/mlxc/mlxc/runtime/validate"
)

// TestXLA runs SmolLM2's prefill and decode graphs under XLA, with the bundle's own
// weights, in each way of storing them: the tokens are HF's, and the logits differ from
// the evaluator's by at most 1e-4, for one prompt, and from those that IREE compiled by
// at most 1e-5 of the largest logit: its sums have another order. Positions, chunks and
// RoPE are computed in the script.
func TestXLA(t *testing.T) {
	if testing.Short() {
		t.Skip("real weights: the full run covers them")
	}
	greedy, raw := greedyFile(t, "smollm2-greedy.json")
	var file struct {
		Cases []struct {
			IDs    []int32   `json:"prompt_ids"`
			Tokens []int32   `json:"tokens"`
			Gaps   []float64 `json:"top2_gap"`
		} `json:"cases"`
	}
	unmarshal(t, string(raw), &file)
	// XLA is slow with packed weights: the beginning of one prompt will do.
	const few = 16
	file.Cases = file.Cases[:1]
	file.Cases[0].Tokens, file.Cases[0].Gaps = file.Cases[0].Tokens[:few], file.Cases[0].Gaps[:few]
	short := filepath.Join(t.TempDir(), "short.json")
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(short, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		flags  []string
		greedy string
		steps  int
	}{
		{"tiled f32", []string{"--precision", "f32"}, greedy, 240},
		{"dense f32", []string{"--precision", "f32", "--target", filepath.Join("testdata", "dense.toml")}, greedy, 240},
		{"packed 4 bits", []string{"--kv", "f32"}, short, few},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := emit(t, filepath.Join(oracle.Root(), "build", "smollm2"), append(tc.flags, "--context", "256", "--graphs", "prefill_c16,decode", "--no-tokenizer", "--no-self-check")...)
			want := sequences(t, tc.greedy)
			got := continued(t, b, tc.greedy, want)
			equal, largest := 0, 0.0
			for i := range want {
				for k, token := range got[i].Tokens {
					if token == want[i].Tokens[k] {
						equal++
					}
					for _, v := range got[i].Logits[k] {
						largest = max(largest, math.Abs(float64(v)))
					}
				}
			}
			t.Logf("%d of %d tokens are HF's; logits reach %.1f", equal, tc.steps, largest)
			if equal != tc.steps {
				t.Errorf("%d of %d tokens are HF's", equal, tc.steps)
			}
			for _, c := range []struct {
				device    string
				seqs      []validate.Sequence
				tolerance float64
			}{{"reference", got[:1], 1e-4}, {"native", got, 1e-5 * largest}} {
				report, err := validate.Run(t.Context(), openSession(t, b, c.device), c.seqs)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%-9s %d of %d tokens as under XLA, largest logit difference %.2g, allowed %.2g",
					c.device, report.Steps-len(report.Misses), report.Steps, report.MaxError, c.tolerance)
				if len(report.Misses) > 0 || !report.Compared || !(report.MaxError <= c.tolerance) {
					t.Errorf("%s: %+v, want at most %g", c.device, report, c.tolerance)
				}
			}
		})
	}
}

// sequences are the cases of a greedy.json.
func sequences(t *testing.T, path string) []validate.Sequence {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seqs, err := validate.FromGreedy(f)
	if err != nil {
		t.Fatal(err)
	}
	return seqs
}

// continued are the prompts of want as XLA continues them.
func continued(t *testing.T, bundle, greedy string, want []validate.Sequence) []validate.Sequence {
	t.Helper()
	var got []validate.Sequence
	for i, c := range witness.Continue(t, bundle, greedy, len(want)) {
		tokens, logits := numbers(c.Tokens), numbers(c.Logits)
		s := validate.Sequence{Name: want[i].Name, Prompt: want[i].Prompt}
		for _, v := range tokens {
			s.Tokens = append(s.Tokens, int32(v))
		}
		for row := range slices.Chunk(logits, len(logits)/len(tokens)) {
			values := make([]float32, len(row))
			for k, v := range row {
				values[k] = math.Float32frombits(v)
			}
			s.Logits = append(s.Logits, values)
		}
		if len(s.Tokens) != len(want[i].Tokens) || len(s.Logits) != len(s.Tokens) {
			t.Fatalf("%s: %d tokens, %d rows of logits, want %d", s.Name, len(s.Tokens), len(s.Logits), len(want[i].Tokens))
		}
		got = append(got, s)
	}
	return got
}

// numbers are the 32-bit numbers of a file.
func numbers(data []byte) []uint32 {
	v := make([]uint32, len(data)/4)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return v
}
