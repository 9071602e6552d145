package cmd_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
	"github.com/mlxc/mlxc/runtime/validate"
)

// TestOracleCases: every unquantised llama case, in f32, on both devices: all tokens
// exact, logits within the case's tolerance.
func TestOracleCases(t *testing.T) {
	for _, name := range oracle.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := oracle.Load(t, name)
			b := emit(t, c.Dir, "--precision", "f32", "--no-tokenizer", "--context", "128", "--graphs", "prefill_c16,decode,ragged_b4")
			for _, device := range runtime.DeviceNames() {
				var report validate.Report
				unmarshal(t, must(t, "mlxc-run", "validate", "--json", "--device", device, b, filepath.Join(c.Dir, "oracle.safetensors")), &report)
				t.Logf("%-9s %d steps, %d misses, %d near ties, largest logit error %.2g (tolerance %g)",
					device, report.Steps, len(report.Misses), report.NearTies, report.MaxError, c.Tolerance)
				if report.Steps != 34 || len(report.Misses) > 0 || !report.Compared || report.MaxError > c.Tolerance {
					t.Errorf("%s: %+v", device, report)
				}
			}
		})
	}
}

// TestQuantisedCases: MLX and GGUF checkpoints, dequantised to f32, and with their codes
// kept, f32 state, on native: all tokens exact, logits within the case's tolerance. HF
// computed with the dequantised weights. Those that are kept hold MLX's 4 bits beside a
// float matrix, every width with every group size, the other modes, and every GGUF type,
// some of them in the mixtures that llama.cpp makes of a file.
func TestQuantisedCases(t *testing.T) {
	cases := [][2]string{{"keep", "llama_mixed"}, {"keep", "llama_widths"}, {"keep", "llama_modes"}, {"keep", "llama_gguf"},
		{"keep", "llama_q4_k_m"}, {"keep", "llama_q4_k_m_tied"}, {"keep", "llama_q2_k"}, {"keep", "llama_iq4_xs"}}
	for _, name := range oracle.QuantisedNames(t) {
		cases = append(cases, [2]string{"f32", name})
	}
	for _, precisionAndName := range cases {
		precision, name := precisionAndName[0], precisionAndName[1]
		t.Run(precision+" "+name, func(t *testing.T) {
			t.Parallel()
			c := oracle.LoadQuantised(t, name)
			b := emit(t, c.Checkpoint, "--precision", precision, "--kv", "f32", "--no-tokenizer", "--context", "128", "--graphs", "prefill_c16,decode")
			var report validate.Report
			unmarshal(t, must(t, "mlxc-run", "validate", "--json", b, filepath.Join(c.Dir, "oracle.safetensors")), &report)
			t.Logf("%d steps, %d misses, largest logit error %.2g (tolerance %g)", report.Steps, len(report.Misses), report.MaxError, c.Tolerance)
			if report.Steps != 34 || len(report.Misses) > 0 || !report.Compared || report.MaxError > c.Tolerance {
				t.Errorf("%+v", report)
			}
		})
	}
}

// TestChunksAndBatches: a long prompt in chunks gives the logits of one chunk, and
// rows of a ragged batch the tokens of single sequences.
func TestChunksAndBatches(t *testing.T) {
	for _, name := range oracle.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := oracle.Load(t, name)
			prompt := c.Runs[1].Prompt
			chunked := emit(t, c.Dir, "--precision", "f32", "--no-tokenizer", "--context", "128", "--graphs", "prefill_c16,decode,ragged_b4")
			whole := emit(t, c.Dir, "--precision", "f32", "--no-tokenizer", "--context", "128", "--graphs", "prefill_c64,decode")
			for _, device := range runtime.DeviceNames() {
				a, b := openSession(t, chunked, device), openSession(t, whole, device)
				la, lb := prefillLogits(t, a, prompt), prefillLogits(t, b, prompt)
				if d := maxDiff(la, lb); !c.LengthDependent && d > 1e-4 {
					t.Errorf("%s: three chunks and one differ by %g", device, d)
				}
				batch(t, device, a, c.Runs)
			}
		})
	}
}

// batch decodes four sequences of different lengths together and compares each with
// itself alone.
func batch(t *testing.T, device string, s runtime.Session, runs []oracle.Run) {
	t.Helper()
	prompts := [][]int32{runs[0].Prompt, runs[1].Prompt, runs[0].Prompt[:3], runs[1].Prompt[:21]}
	const steps = 12
	var alone [][]int32
	for _, p := range prompts {
		seqs, err := validate.FromSession(t.Context(), s, []validate.Sequence{{Prompt: p}}, steps)
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, seqs[0].Tokens)
	}
	for n := 2; n <= len(prompts); n++ {
		together := make([][]int32, n)
		var slots []runtime.Slot
		for i := range n {
			slot, step := prefill(t, s, prompts[i])
			slots = append(slots, slot)
			together[i] = append(together[i], step.Token)
		}
		for range steps - 1 {
			out, err := s.Decode(t.Context(), slots)
			if err != nil {
				t.Fatal(err)
			}
			for i := range out {
				together[i] = append(together[i], out[i].Token)
			}
		}
		for i, slot := range slots {
			s.Release(slot)
			if !slices.Equal(together[i], alone[i]) {
				t.Errorf("%s: row %d of %d: %v, alone %v", device, i, n, together[i], alone[i])
			}
		}
	}
}

// TestCacheEdge is field case B3: prompts that end at the capacity give what a
// larger cache gives, and a full context ends generation.
func TestCacheEdge(t *testing.T) {
	c := oracle.Load(t, "llama")
	graphs := []string{"--precision", "f32", "--no-tokenizer", "--graphs", "prefill_c16,decode"}
	small := emit(t, c.Dir, append(graphs, "--context", "40")...)
	large := emit(t, c.Dir, append(graphs, "--context", "64")...)
	for _, device := range runtime.DeviceNames() {
		a, b := openSession(t, small, device), openSession(t, large, device)
		for _, n := range []int{33, 37, 39, 40} {
			prompt := c.Runs[1].Prompt[:n]
			if d := maxDiff(prefillLogits(t, a, prompt), prefillLogits(t, b, prompt)); d > 1e-5 {
				t.Errorf("%s: prompt of %d: logits differ by %g", device, n, d)
			}
		}
	}
	long := ids(c.Runs[1].Prompt)
	for _, tc := range []struct {
		prompt string
		n      int
	}{
		{ids(c.Runs[1].Prompt[:39]), 2}, // S−1: one position is free, so two tokens come
		{long, 1},                       // S: its one next token
	} {
		var r runtime.Result
		unmarshal(t, must(t, "mlxc-run", "--json", "-n", "5", "--ignore-eos", "--prompt-ids", tc.prompt, small), &r)
		if len(r.Tokens) != tc.n || r.FinishReason != "length" {
			t.Errorf("%d tokens, finished %s; want %d, length", len(r.Tokens), r.FinishReason, tc.n)
		}
	}
	r := command(t, "mlxc-run", "--prompt-ids", long+",1", small)
	if r.code == 0 || !strings.Contains(r.stderr, "41 tokens") || !strings.Contains(r.stderr, "context of 40") || r.stdout != "" {
		t.Errorf("a prompt beyond the context: exit code %d, %q", r.code, r.stderr)
	}
}

func openSession(t *testing.T, path, device string) runtime.Session {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := runtime.BackendFor(device, b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := backend.Open(t.Context(), b, runtime.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); b.Close() })
	return s
}

func prefill(t *testing.T, s runtime.Session, prompt []int32) (runtime.Slot, runtime.Step) {
	t.Helper()
	slot, err := s.Open(t.Context(), sample.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	step, err := s.Prefill(t.Context(), slot, prompt)
	if err == nil {
		err = step.Err
	}
	if err != nil {
		t.Fatal(err)
	}
	return slot, step
}

// prefillLogits are the logits after a prompt in a slot of its own.
func prefillLogits(t *testing.T, s runtime.Session, prompt []int32) []float32 {
	t.Helper()
	slot, _ := prefill(t, s, prompt)
	defer s.Release(slot)
	logits, err := s.Logits(slot)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(logits)
}

func maxDiff(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	m := 0.0
	for i := range a {
		m = max(m, math.Abs(float64(a[i])-float64(b[i])))
	}
	return m
}

// ids is the --prompt-ids spelling.
func ids(v []int32) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]")
}
