package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/tokenizer"
	"github.com/mlxc/mlxc/runtime/validate"
)

// missGap is the reference top-2 gap below which a bundle that stores weights or
// state in less than f32 may choose another token.
const missGap = 0.05

// againstPrompts are continued when --against is given without an oracle.
var againstPrompts = []string{
	"The capital of France is",
	"Once upon a time",
	"def fibonacci(n):",
	"1, 1, 2, 3, 5, 8,",
}

// againstTokens is how far each prompt is continued by the other bundle.
const againstTokens = 32

type validateOptions struct {
	DeviceOptions
	Bundle  string
	Oracle  string
	Against string
	JSON    bool
}

func newCmdValidate(s cli.IO) *cobra.Command {
	o := &validateOptions{}
	cmd := &cobra.Command{
		Use:   "validate BUNDLE [ORACLE.safetensors|greedy.json]",
		Short: "Compare a bundle with reference numbers, or with another bundle",
		Long: `Feed the reference's tokens step by step and compare every step: the greedy
token, and the logits where the reference has them.

ORACLE.safetensors holds prompt_short, tokens_short, logits_short and the same for
long; the tolerance is 2e-4 where the oracle.json beside it has noise_1e-6 below
1e-4, else 1e-3. greedy.json holds prompts, tokens and top-2 gaps. A bundle in f32
must miss no token; others may miss where the gap is below 0.05. With --against
the other bundle's greedy continuations are the reference.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle = args[0]
			if len(args) == 2 {
				o.Oracle = args[1]
			}
			if o.Oracle == "" && o.Against == "" {
				return errors.New("nothing to compare with: give an oracle file or --against BUNDLE")
			}
			return runValidate(cmd.Context(), s, o)
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.Against, "against", "", "another bundle, whose greedy continuations are the reference")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the report as JSON")
	return cmd
}

func runValidate(ctx context.Context, s cli.IO, o *validateOptions) error {
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return err
	}
	defer b.Close()
	seqs, tolerance, err := references(ctx, s, o, b)
	if err != nil {
		return err
	}
	session, err := open(ctx, s, b, o.DeviceOptions, false)
	if err != nil {
		return err
	}
	defer session.Close()
	report, err := validate.Run(ctx, session, seqs)
	if err != nil {
		return err
	}
	bounds := validate.Bounds{Tolerance: tolerance, MissGap: missGap}
	if p := b.Manifest.Plan; p.Precision == "f32" && p.KV == "f32" {
		bounds.MissGap = 0
	} else {
		bounds.Tolerance = math.Inf(1) // rounded weights move the logits; the tokens decide
	}
	if o.JSON {
		err = printJSON(s.Out, report)
	} else {
		printReport(s.Out, report, bounds)
	}
	if err != nil {
		return err
	}
	return report.Check(bounds)
}

// references are what the bundle is compared with, and the logit tolerance.
func references(ctx context.Context, s cli.IO, o *validateOptions, b *bundle.Bundle) ([]validate.Sequence, float64, error) {
	var seqs []validate.Sequence
	tolerance := 1e-3
	var err error
	if o.Oracle != "" {
		if seqs, tolerance, err = readOracle(o.Oracle); err != nil {
			return nil, 0, err
		}
	}
	if o.Against == "" {
		return seqs, tolerance, nil
	}
	if seqs == nil {
		if seqs, err = promptsOf(b); err != nil {
			return nil, 0, err
		}
	}
	other, err := bundle.Open(o.Against)
	if err != nil {
		return nil, 0, err
	}
	defer other.Close()
	session, err := open(ctx, s, other, o.DeviceOptions, false)
	if err != nil {
		return nil, 0, err
	}
	defer session.Close()
	seqs, err = validate.FromSession(ctx, session, seqs, againstTokens)
	return seqs, tolerance, err
}

// readOracle reads an oracle file by its suffix.
func readOracle(path string) ([]validate.Sequence, float64, error) {
	if strings.HasSuffix(path, ".json") {
		f, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		defer f.Close()
		seqs, err := validate.FromGreedy(f)
		return seqs, 0, err
	}
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	seqs, err := validate.FromTensors(oracleFile{f})
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	meta, err := os.ReadFile(filepath.Join(filepath.Dir(path), "oracle.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	tolerance, err := validate.CaseTolerance(meta)
	return seqs, tolerance, err
}

func promptsOf(b *bundle.Bundle) ([]validate.Sequence, error) {
	tok, err := loadTokenizer(b)
	if err != nil {
		return nil, err
	}
	var seqs []validate.Sequence
	for _, p := range againstPrompts {
		ids := tok.Encode(p, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
		seqs = append(seqs, validate.Sequence{Name: fmt.Sprintf("%q", p), Prompt: ids})
	}
	return seqs, nil
}

func printReport(w io.Writer, r *validate.Report, b validate.Bounds) {
	fmt.Fprintf(w, "tokens      %d of %d equal, in %d sequences\n", r.Steps-len(r.Misses), r.Steps, r.Sequences)
	for _, m := range r.Misses {
		fmt.Fprintf(w, "  miss      %s step %d: %d, reference %d, top-2 gap %.5f\n", m.Sequence, m.Step, m.Got, m.Want, m.Gap)
	}
	fmt.Fprintf(w, "near ties   %d steps with a reference top-2 gap below 0.01\n", r.NearTies)
	if r.Compared {
		fmt.Fprintf(w, "logits      largest absolute error %.3g", r.MaxError)
		if !math.IsInf(b.Tolerance, 1) {
			fmt.Fprintf(w, ", tolerance %g", b.Tolerance)
		}
		fmt.Fprintln(w)
	}
}

// oracleFile adapts a safetensors file to what validate reads.
type oracleFile struct{ *safetensors.File }

func (f oracleFile) find(name, dtype string, rank int) (*safetensors.Tensor, error) {
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Name != name {
			continue
		}
		if t.DType != dtype || len(t.Shape) != rank {
			return nil, fmt.Errorf("tensor %s is %s %v, want %s of rank %d", name, t.DType, t.Shape, dtype, rank)
		}
		return t, nil
	}
	return nil, fmt.Errorf("no tensor %s: this is not an oracle file", name)
}

func (f oracleFile) Int32(name string) ([]int32, error) {
	t, err := f.find(name, "I32", 1)
	if err != nil {
		return nil, err
	}
	v := make([]int32, t.Shape[0])
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(t.Data[4*i:]))
	}
	return v, nil
}

func (f oracleFile) Rows(name string) ([][]float32, error) {
	t, err := f.find(name, "F32", 2)
	if err != nil {
		return nil, err
	}
	rows := make([][]float32, t.Shape[0])
	for r := range rows {
		rows[r] = make([]float32, t.Shape[1])
		for i := range rows[r] {
			rows[r][i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*(r*t.Shape[1]+i):]))
		}
	}
	return rows, nil
}
