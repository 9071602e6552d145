package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/validate"
)

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
must miss no token; others may miss where the gap is below 0.05. Outside of that
the exit code is 1.

With --against the reference is what the other bundle makes of the oracle's prompts,
or of a few built-in ones.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle = args[0]
			if len(args) == 2 {
				o.Oracle = args[1]
			}
			if o.Oracle == "" && o.Against == "" {
				return errors.New("nothing to compare with: give an oracle file or --against BUNDLE")
			}
			if err := o.check(); err != nil {
				return err
			}
			return runValidate(cmd.Context(), s, o)
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.Against, "against", "", "take the greedy continuations of another `BUNDLE` as the reference")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the report as JSON")
	return cmd
}

func runValidate(ctx context.Context, s cli.IO, o *validateOptions) error {
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return err
	}
	defer b.Close()
	seqs, bounds, err := o.references(ctx, b)
	if err != nil {
		return err
	}
	session, err := o.open(ctx, b, runtime.Options{}, io.Discard)
	if err != nil {
		return err
	}
	defer session.Close()
	report, err := validate.Run(ctx, session, seqs)
	if err != nil {
		return err
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

// references are what the bundle is compared with, and what it must keep to.
func (o *validateOptions) references(ctx context.Context, b *bundle.Bundle) ([]validate.Sequence, validate.Bounds, error) {
	var seqs []validate.Sequence
	tolerance := validate.DefaultTolerance
	var err error
	if o.Oracle != "" {
		seqs, tolerance, err = readOracle(o.Oracle)
	} else {
		seqs, err = prompts(b)
	}
	plans := []bundle.Plan{b.Manifest.Plan}
	if err != nil || o.Against == "" {
		return seqs, validate.BoundsFor(tolerance, plans...), err
	}
	other, err := bundle.Open(o.Against)
	if err != nil {
		return nil, validate.Bounds{}, err
	}
	defer other.Close()
	session, err := o.open(ctx, other, runtime.Options{}, io.Discard)
	if err != nil {
		return nil, validate.Bounds{}, err
	}
	defer session.Close()
	seqs, err = validate.FromSession(ctx, session, seqs, validate.ContinueBy)
	return seqs, validate.BoundsFor(tolerance, append(plans, other.Manifest.Plan)...), err
}

func prompts(b *bundle.Bundle) ([]validate.Sequence, error) {
	tok, err := runtime.Tokenizer(b)
	if err != nil {
		return nil, fmt.Errorf("%w; give an oracle file, too: its prompts are continued", err)
	}
	return validate.Prompts(tok), nil
}

func printReport(w io.Writer, r *validate.Report, b validate.Bounds) {
	fmt.Fprintf(w, "tokens      %d of %d equal, in %d sequences\n", r.Steps-len(r.Misses), r.Steps, r.Sequences)
	for _, m := range r.Misses {
		fmt.Fprintf(w, "  miss      %s step %d: %d, reference %d, top-2 gap %.5f\n", cli.Printable(m.Sequence), m.Step, m.Got, m.Want, m.Gap)
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
