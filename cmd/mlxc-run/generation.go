package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// GenerationOptions are the flags of every sub-command that generates: how tokens are
// chosen and what ends them.
type GenerationOptions struct {
	DeviceOptions
	Bundle    string
	Verify    bool
	JSON      bool
	Verbose   bool
	MaxTokens int // 0: as many as the context holds
	Sample    sample.Spec
	Stop      []string
	IgnoreEOS bool
}

// addFlags adds them; maxTokens is the default of --max-tokens.
func (o *GenerationOptions) addFlags(cmd *cobra.Command, maxTokens int) {
	o.DeviceOptions.addFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.Verify, "verify", false, "check every digest of the bundle, the weights' too, before running")
	f.BoolVar(&o.JSON, "json", false, "print a JSON object in place of each text")
	f.BoolVarP(&o.Verbose, "verbose", "v", false, "say what is loaded and how it runs")
	f.IntVarP(&o.MaxTokens, "max-tokens", "n", maxTokens, "generate at most `N` tokens; 0: up to the end of the context")
	f.Float64Var(&o.Sample.Temperature, "temp", 0, "sampling temperature `T`; 0: greedy")
	f.IntVar(&o.Sample.TopK, "top-k", 0, "sample from the `K` best tokens; 0: off")
	f.Float64Var(&o.Sample.TopP, "top-p", 1, "sample from the fewest tokens with the probability mass `P`; 1: off")
	f.Float64Var(&o.Sample.MinP, "min-p", 0, "drop tokens below `P` times the best one's probability; 0: off")
	f.Int64Var(&o.Sample.Seed, "seed", -1, "random seed `S`; -1: a new one each time, shown by -v")
	f.StringArrayVar(&o.Stop, "stop", nil, "end before `TEXT` (repeatable)")
	f.BoolVar(&o.IgnoreEOS, "ignore-eos", false, "go on after a stop id")
}

// sampleFlags are the flags of sample.Spec's fields.
var sampleFlags = map[string]string{"temperature": "--temp", "top_k": "--top-k", "top_p": "--top-p", "min_p": "--min-p", "seed": "--seed"}

func (o *GenerationOptions) check() error {
	var field *sample.FieldError
	if err := o.Sample.Validate(); errors.As(err, &field) {
		return fmt.Errorf("%s is %v: it must be %s", sampleFlags[field.Field], field.Value, field.Range)
	} else if err != nil {
		return err
	}
	if o.MaxTokens < 0 {
		return fmt.Errorf("--max-tokens is %d: give a positive number, or 0 for as many as the context holds", o.MaxTokens)
	}
	if slices.Contains(o.Stop, "") {
		return errors.New("--stop is empty: give the text to end at")
	}
	return o.DeviceOptions.check()
}

// bundle opens the bundle.
func (o *GenerationOptions) bundle(ctx context.Context) (*bundle.Bundle, error) {
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return nil, err
	}
	if o.Verify {
		err = b.Verify(ctx)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// verbose is where -v talks to.
func (o *GenerationOptions) verbose(s cli.IO) io.Writer {
	if o.Verbose {
		return s.Err
	}
	return io.Discard
}

// request is what the flags ask of a bundle, without a prompt; talk hears the seed if
// tokens are drawn.
func (o *GenerationOptions) request(b *bundle.Bundle, talk io.Writer) runtime.Request {
	q := runtime.Request{MaxTokens: o.MaxTokens, StopStrings: o.Stop, Sample: o.Sample}
	if q.Sample.Seed == -1 {
		q.Sample.Seed = rand.Int64()
	}
	if !q.Sample.Greedy() {
		fmt.Fprintf(talk, "seed %d\n", q.Sample.Seed)
	}
	if !o.IgnoreEOS {
		q.Stop = b.Manifest.StopIDs()
	}
	return q
}
