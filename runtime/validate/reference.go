package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/jsonerror"
	"github.com/mlxc/mlxc/runtime/sample"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// Tensors is an oracle.safetensors file as validate needs it.
type Tensors interface {
	// Int32 returns the content of an I32 tensor.
	Int32(name string) ([]int32, error)
	// Rows returns the content of an F32 matrix by rows.
	Rows(name string) ([][]float32, error)
}

// FromTensors reads the two sequences of an oracle case: prompt_short [n],
// tokens_short [s], logits_short [s, vocab], and the same for long.
func FromTensors(t Tensors) ([]Sequence, error) {
	var seqs []Sequence
	for _, name := range []string{"short", "long"} {
		prompt, err := t.Int32("prompt_" + name)
		if err != nil {
			return nil, err
		}
		tokens, err := t.Int32("tokens_" + name)
		if err != nil {
			return nil, err
		}
		logits, err := t.Rows("logits_" + name)
		if err != nil {
			return nil, err
		}
		if len(tokens) == 0 || len(tokens) != len(logits) {
			return nil, fmt.Errorf("validate: tokens_%s has %d rows, logits_%[1]s %[3]d", name, len(tokens), len(logits))
		}
		for i, row := range logits {
			if !finite(row) {
				return nil, fmt.Errorf("validate: row %d of logits_%s holds NaN or Inf", i, name)
			}
		}
		seqs = append(seqs, Sequence{Name: name, Prompt: prompt, Tokens: tokens, Logits: logits})
	}
	return seqs, nil
}

// CaseTolerance is the logit tolerance of an oracle case, by the rule of its
// README: 2e-4 where the case's noise_1e-6 is below 1e-4, else 1e-3. oracleJSON is
// the oracle.json beside the tensors; empty if there is none.
func CaseTolerance(oracleJSON []byte) (float64, error) {
	if len(oracleJSON) == 0 {
		return DefaultTolerance, nil
	}
	var c struct {
		Noise *float64 `json:"noise_1e-6"`
	}
	if err := json.Unmarshal(oracleJSON, &c); err != nil {
		return 0, fmt.Errorf("validate: oracle.json: %w", jsonerror.Plain(err))
	}
	if c.Noise != nil && *c.Noise < 1e-4 {
		return 2e-4, nil
	}
	return DefaultTolerance, nil
}

func finite(row []float32) bool {
	for _, v := range row {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// maxGreedy bounds a greedy.json in bytes.
const maxGreedy = 64 << 20

// FromGreedy reads a greedy.json: {"cases": [{"prompt", "prompt_ids", "tokens", "top2_gap"}]}.
func FromGreedy(r io.Reader) ([]Sequence, error) {
	var file struct {
		Cases []struct {
			Prompt    string    `json:"prompt"`
			PromptIDs []int32   `json:"prompt_ids"`
			Tokens    []int32   `json:"tokens"`
			Gaps      []float64 `json:"top2_gap"`
		} `json:"cases"`
	}
	b, err := io.ReadAll(io.LimitReader(r, maxGreedy+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxGreedy {
		return nil, fmt.Errorf("validate: more than %d bytes", maxGreedy)
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("validate: not a greedy.json: %w", jsonerror.Plain(err))
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf(`validate: not a greedy.json: it has no "cases"`)
	}
	var seqs []Sequence
	for i, c := range file.Cases {
		if len(c.PromptIDs) == 0 || len(c.Tokens) == 0 {
			return nil, fmt.Errorf("validate: case %d lacks prompt_ids or tokens", i)
		}
		if len(c.Gaps) != len(c.Tokens) {
			return nil, fmt.Errorf("validate: case %d has %d tokens and %d values of top2_gap", i, len(c.Tokens), len(c.Gaps))
		}
		if gap := slices.Min(c.Gaps); gap < 0 {
			return nil, fmt.Errorf("validate: case %d: top2_gap %g is negative", i, gap)
		}
		seqs = append(seqs, Sequence{Name: fmt.Sprintf("%q", c.Prompt), Prompt: c.PromptIDs, Tokens: c.Tokens, Gaps: c.Gaps})
	}
	return seqs, nil
}

// builtin are texts of different kinds.
var builtin = []string{
	"The capital of France is",
	"Once upon a time",
	"def fibonacci(n):",
	"1, 1, 2, 3, 5, 8,",
}

// Prompts are a few texts for FromSession to continue.
func Prompts(tok *tokenizer.Tokenizer) []Sequence {
	var seqs []Sequence
	for _, text := range builtin {
		ids := tok.Encode(text, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
		seqs = append(seqs, Sequence{Name: fmt.Sprintf("%q", text), Prompt: ids})
	}
	return seqs
}

// ContinueBy is how many tokens say enough about two bundles.
const ContinueBy = 32

// FromSession lets a session continue the prompts greedily by n tokens each: the
// reference for comparing another bundle with it.
func FromSession(ctx context.Context, s runtime.Session, prompts []Sequence, n int) ([]Sequence, error) {
	var seqs []Sequence
	for _, p := range prompts {
		q, err := continuation(ctx, s, p, n)
		if err != nil {
			return nil, fmt.Errorf("validate: %s: %w", p.Name, err)
		}
		seqs = append(seqs, q)
	}
	return seqs, nil
}

func continuation(ctx context.Context, s runtime.Session, p Sequence, n int) (Sequence, error) {
	slot, err := s.Open(ctx, sample.Spec{})
	if err != nil {
		return Sequence{}, err
	}
	defer s.Release(slot)
	q := Sequence{Name: p.Name, Prompt: p.Prompt}
	step, err := s.Prefill(ctx, slot, p.Prompt)
	for err == nil {
		if step.Err != nil {
			return Sequence{}, step.Err
		}
		logits, lerr := s.Logits(slot)
		if lerr != nil {
			return Sequence{}, lerr
		}
		q.Tokens = append(q.Tokens, step.Token)
		q.Logits = append(q.Logits, append([]float32(nil), logits...))
		if len(q.Tokens) == n || s.Len(slot) == s.Capabilities().Context {
			return q, nil
		}
		var steps []runtime.Step
		if steps, err = s.Decode(ctx, []runtime.Slot{slot}); err == nil {
			step = steps[0]
		}
	}
	return Sequence{}, err
}
