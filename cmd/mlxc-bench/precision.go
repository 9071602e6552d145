package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/measure"
)

// emitAll makes a bundle of each checkpoint in each precision, in the cache, and
// returns their paths. Those that an earlier run made are taken as they are.
func emitAll(ctx context.Context, s cli.IO, o *Options) ([]string, error) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		return nil, err
	}
	dir, err := compiler.CacheDir(o.CacheDir)
	if err != nil {
		return nil, err
	}
	for _, precision := range o.Precisions {
		if err := row.CheckPrecision(precision); err != nil {
			return nil, fmt.Errorf("--precision: %w", err)
		}
	}
	levels, err := row.Order(o.CPUs)
	if err != nil {
		return nil, fmt.Errorf("--cpu: %w", err)
	}
	p := cli.NewProgress("mlxc-bench", s.Err)
	defer p.Close()
	var bundles []string
	for _, checkpoint := range o.Bundles {
		emission, err := compiler.Fetch(ctx, compiler.Options{
			Checkpoint: checkpoint, Target: row, Levels: levels, Context: o.Context, CacheDir: dir,
			Generator: "mlxc-bench " + cli.Version, NoSelfCheck: true, NoTokenizer: true, Progress: p,
		}, true)
		if err != nil {
			return nil, err
		}
		for _, emission.Precision = range o.Precisions {
			if err := checkRoom(emission, o.tests()); err != nil {
				return nil, err
			}
		}
		for _, emission.Precision = range o.Precisions {
			path, err := compiler.EmitCached(ctx, emission)
			if err != nil {
				return nil, err
			}
			bundles = append(bundles, path)
		}
	}
	return bundles, nil
}

// checkRoom says whether what is emitted can be, and can run the tests, before it is.
func checkRoom(emission compiler.Options, tests []measure.Test) error {
	positions, sequences, err := compiler.Room(emission)
	if err != nil {
		return err
	}
	for _, t := range tests {
		if err := t.Check(runtime.Capabilities{Context: positions, Slots: sequences}); err != nil {
			return fmt.Errorf("%s: %w", emission.Checkpoint, err)
		}
	}
	return nil
}

// precisionTable has a line for each precision and number of threads, a column for each test.
type precisionTable struct {
	w    io.Writer
	rows []Row
}

func (t *precisionTable) row(r Row) error { t.rows = append(t.rows, r); return nil }

func (t *precisionTable) end() error {
	var tests, lines []string
	rates, line := map[string]Row{}, map[string]Row{}
	for _, r := range t.rows {
		if !slices.Contains(tests, r.Test) {
			tests = append(tests, r.Test)
		}
		key := fmt.Sprintf("%s %d", r.Filename, r.Threads)
		if _, ok := line[key]; !ok {
			lines = append(lines, key)
		}
		if have, ok := line[key]; !ok || r.Batch == 1 && r.BytesPerToken > have.BytesPerToken {
			line[key] = r
		}
		rates[key+r.Test] = r
	}
	if len(lines) == 0 {
		return nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "| model | precision | weights | MB/token | threads | %s |\n", strings.Join(tests, " t/s | ")+" t/s")
	fmt.Fprintf(&out, "| --- | --- | ---: | ---: | ---: |%s\n", strings.Repeat(" ---: |", len(tests)))
	for _, key := range lines {
		r := line[key]
		fmt.Fprintf(&out, "| %s | %s | %.1f MB | %s | %d |", cli.Printable(r.model()), cli.Printable(r.Precision), float64(r.ModelSize)/1e6, megabytes(r.BytesPerToken), r.Threads)
		for _, test := range tests {
			if x, ok := rates[key+test]; ok {
				fmt.Fprintf(&out, " %.2f ± %.2f |", x.AvgTS, x.StddevTS)
			} else {
				out.WriteString(" |")
			}
		}
		out.WriteString("\n")
	}
	_, err := io.WriteString(t.w, out.String())
	return err
}

// megabytes of a quantity that is 0 where there's none.
func megabytes(n float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", n/1e6)
}
