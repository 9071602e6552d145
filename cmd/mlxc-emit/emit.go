package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/hub"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime"
)

// Options are the flags of mlxc-emit.
type Options struct {
	IO         cli.IO
	Checkpoint string
	Flags      []string // of iree-compile, after --

	Output    string
	Target    string
	CPUs      []string // levels of a target for CPUs
	GPU       string   // level of a target for GPUs
	Precision string
	Recipe    string
	KV        string
	Context   int
	Graphs    []string

	MLIROnly bool
	Check    string
	KeepMLIR string

	IREECompile   string
	CacheDir      string
	Jobs          int
	Memory        string
	PrintCommands bool
	Tokenizer     string
	NoTokenizer   bool
	NoSelfCheck   bool
}

// NewCmdEmit makes the command. runF, if not nil, is called in place of the work.
func NewCmdEmit(s cli.IO, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{IO: s}
	if runF == nil {
		runF = run
	}
	cmd := &cobra.Command{
		Use:   "mlxc-emit [flags] CHECKPOINT [-- IREE-COMPILE-FLAG...]",
		Short: "Compile a checkpoint into a bundle that mlxc-run executes",
		Long: `Compile a checkpoint into a bundle that mlxc-run executes.

CHECKPOINT is a directory with HF files (config.json, *.safetensors) or with one
.gguf, or a .gguf file; of a split one, the first. With --mlir-only a config.json
alone will do.

hf:ORG/NAME[@REVISION] is a model of the Hugging Face hub; what it needs is got into
the cache folder, at one commit, and stays there. :FILE takes one file of it: a .gguf
(of a split one all parts), one by its quantisation (:Q4_K_M), or config.json. HF_TOKEN,
HF_ENDPOINT, HF_HOME and HF_HUB_OFFLINE mean what they mean to HF's own tools.

Every flag has an environment variable: MLXC_CACHE_DIR for --cache-dir. Flags after
-- go to iree-compile, in place of the target's of the same name.`,
		Example: `  mlxc-emit -o smollm2.tar ./SmolLM2-135M-Instruct
  mlxc-emit --precision f32 --context 4096 model.gguf
  mlxc-emit hf:HuggingFaceTB/SmolLM2-135M-Instruct@main
  mlxc-emit --mlir-only --graphs decode ./model > decode.mlir`,
		Args: func(cmd *cobra.Command, args []string) error {
			n := len(args)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				n = dash
			}
			if n != 1 {
				return fmt.Errorf("%d checkpoints given, one is needed: %s", n, cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Checkpoint, o.Flags = args[0], args[1:]
			return runF(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.Output, "output", "o", "", "write the bundle to `PATH` (default: the checkpoint's name.tar); with --mlir-only a folder for the texts")
	f.StringVar(&o.Target, "target", "llvm-cpu", "compile for `TARGET`: a name of mlxc-emit targets, or a file ./my.toml")
	f.StringSliceVar(&o.CPUs, "cpu", nil, "compile for CPU `LEVELS` of the target: host, x86-64-v3, …; of several, as in x86-64-v3,x86-64-v4, the best is chosen where the bundle runs (default: the target's)")
	f.StringVar(&o.GPU, "gpu", "", "compile for a GPU `LEVEL` of the target: sm_86, gfx1100, … (default: the target's)")
	f.StringVar(&o.Precision, "precision", "", "store weights as `TYPE`: keep (as the checkpoint has them), f32, f16, bf16, q8, q4, q4:GROUP or recipe:NAME, as --quant-recipe NAME (default: the target's)")
	f.StringVar(&o.Recipe, "quant-recipe", "", "quantise each matrix as `RECIPE` says: mixed_2_6, mixed_3_4, mixed_3_6, mixed_4_6, or a file ./my.toml; in place of --precision")
	f.StringVar(&o.KV, "kv", "", "store keys and values as `TYPE`: f32 or f16 (default: f32 with --precision f32, else f16)")
	cli.CompleteFlag(cmd, "kv", "f32", "f16")
	cli.CompleteFlagOrFile(cmd, "target", target.Names()...)
	cli.CompleteFlagFrom(cmd, "precision", o.precisions)
	cli.CompleteFlagFrom(cmd, "cpu", func() []string { return o.levelNames(target.CPU) })
	cli.CompleteFlagFrom(cmd, "gpu", func() []string { return o.levelNames(target.GPU) })
	f.IntVar(&o.Context, "context", 0, "`TOKENS` of a sequence, prompt included (default: the model's maximum, at most 2048)")
	f.StringSliceVar(&o.Graphs, "graphs", nil, "emit these `GRAPHS`: prefill_cN, decode, ragged_bN; with _sM also for the first M positions alone, where they are faster (default: "+graphNames(compiler.DefaultGraphs)+", and spans of each as the context asks for)")
	f.BoolVar(&o.MLIROnly, "mlir-only", false, "write the StableHLO texts and stop")
	f.StringVar(&o.Check, "check", "", "compare the StableHLO texts with those in `DIR`, print the first differing line and exit with 1")
	f.StringVar(&o.KeepMLIR, "keep-mlir", "", "also write the StableHLO texts to `DIR`")
	f.StringVar(&o.IREECompile, "iree-compile", "", "use the iree-compile at `PATH` (default: $MLXC_IREE_BIN, build/venv/bin, $PATH)")
	f.StringVar(&o.CacheDir, "cache-dir", "", "keep compiled modules in `DIR`, 1 GiB of those last used (default: the user's cache folder)")
	f.IntVarP(&o.Jobs, "jobs", "j", 0, "run `N` compilers at the same time, as memory allows (default: one a processor)")
	f.StringVar(&o.Memory, "memory", "", "let compilers use `SIZE` of memory together, as in 4GB (default: what is available)")
	f.BoolVar(&o.PrintCommands, "print-commands", false, "print the command lines of iree-compile")
	f.StringVar(&o.Tokenizer, "tokenizer", "", "take the tokenizer.json `FILE` in place of the checkpoint's: for a GGUF file whose own can't be used")
	f.BoolVar(&o.NoTokenizer, "no-tokenizer", false, "leave the tokenizer out: the bundle takes token ids only")
	f.BoolVar(&o.NoSelfCheck, "no-self-check", false, "don't compare the compiled graphs with the reference evaluator")
	cmd.AddCommand(NewCmdTargets(s), NewCmdCache(s))
	return cmd
}

func graphNames(kinds []lower.GraphKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return strings.Join(names, ",")
}

// run does what the flags say.
func run(ctx context.Context, o *Options) error {
	p := cli.NewProgress("mlxc-emit", o.IO.Err)
	defer p.Close()
	c, err := o.compilerOptions(p)
	if err != nil {
		return err
	}
	texts := o.MLIROnly || o.Check != ""
	start := time.Now()
	if c, err = compiler.Fetch(ctx, c, !texts); err != nil {
		return err
	}
	if texts {
		return writeTexts(o, c)
	}
	if err := compiler.Emit(ctx, c); err != nil {
		return err
	}
	st, err := os.Stat(c.Output)
	if err != nil {
		return err
	}
	p.Note(fmt.Sprintf("%s: %.1f MB in %.1f s", c.Output, float64(st.Size())/1e6, time.Since(start).Seconds()))
	return nil
}

// compilerOptions are the flags as package compiler takes them.
func (o *Options) compilerOptions(p compiler.Progress) (compiler.Options, error) {
	c := compiler.Options{
		Checkpoint: o.Checkpoint, Output: o.Output, Generator: "mlxc-emit " + cli.Version,
		Precision: o.Precision, KV: o.KV, Context: o.Context,
		IREECompile: o.IREECompile, Flags: o.Flags, CacheDir: o.CacheDir, Jobs: o.Jobs, KeepMLIR: o.KeepMLIR,
		Tokenizer: o.Tokenizer, NoTokenizer: o.NoTokenizer, NoSelfCheck: o.NoSelfCheck, OpenSession: openSession, Lacks: runtime.Lacks, Progress: p,
	}
	var err error
	if c.Target, err = loadTarget(o.Target); err != nil {
		return c, err
	}
	if c.Levels, err = o.levels(c.Target); err != nil {
		return c, err
	}
	if c.Memory, err = parseBytes(o.Memory); err != nil {
		return c, err
	}
	if o.Tokenizer != "" && o.NoTokenizer {
		return c, errors.New("--tokenizer and --no-tokenizer exclude each other")
	}
	if o.Context < 0 || o.Jobs < 0 {
		return c, errors.New("--context and --jobs can't be negative")
	}
	if o.Recipe != "" {
		if o.Precision != "" {
			return c, fmt.Errorf("--quant-recipe %s and --precision %s exclude each other", o.Recipe, o.Precision)
		}
		c.Precision = lower.Mixed + ":" + o.Recipe
	}
	for _, name := range o.Graphs {
		k, err := lower.ParseGraphKind(strings.TrimSpace(name))
		if err != nil {
			return c, fmt.Errorf("--graphs: %w", err)
		}
		c.Graphs = append(c.Graphs, k)
	}
	if o.PrintCommands {
		c.Command = func(line string) { fmt.Fprintln(o.IO.Out, line) }
	}
	if c.Output == "" {
		c.Output = bundleName(o.Checkpoint)
	}
	c.CacheDir, err = compiler.CacheDir(c.CacheDir)
	return c, err
}

// precisions are those that the target takes, but for recipes; none if there is no such
// target.
func (o *Options) precisions() []string {
	row, err := loadTarget(o.Target)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(row.Precisions), func(p string) bool { return p == lower.Mixed })
}

// levelNames are the target's levels of such a processor, none if it is for another.
func (o *Options) levelNames(processor string) []string {
	row, err := loadTarget(o.Target)
	if err != nil || row.Processor != processor {
		return nil
	}
	return row.LevelNames()
}

// levels are those that --cpu or --gpu names, whichever the target has.
func (o *Options) levels(row *target.Row) ([]string, error) {
	named := map[string][]string{target.CPU: o.CPUs}
	if o.GPU != "" {
		named[target.GPU] = []string{o.GPU}
	}
	for _, processor := range []string{target.CPU, target.GPU} {
		levels := strings.Join(named[processor], ",")
		switch {
		case named[processor] == nil:
		case len(row.Levels) == 0:
			return nil, fmt.Errorf("--%s %s: target %s has no levels", processor, levels, row.Name)
		case processor != row.Processor:
			return nil, fmt.Errorf("--%s %s: the levels of target %s are named by --%s: %s", processor, levels, row.Name, row.Processor, strings.Join(row.LevelNames(), ", "))
		}
	}
	levels, err := row.Order(named[row.Processor]) // a text doesn't need them, but a wrong level is a mistake
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", row.Processor, err)
	}
	return levels, nil
}

// bundleName is the default output: the checkpoint's name and .tar.
func bundleName(path string) string {
	if ref, err := hub.ParseRef(path); err == nil {
		return ref.Base() + ".tar"
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return checkpoint.ModelName(path) + ".tar"
}

// parseBytes reads a size such as 4GB, 512M, 2GiB or a plain number of bytes; "" is 0.
func parseBytes(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	var n float64
	var unit string
	if _, err := fmt.Sscanf(s, "%g%s", &n, &unit); err != nil && unit != "" || !(n > 0) {
		return 0, fmt.Errorf("--memory %q is not a size (supported: bytes, or a number with K, M, G or T)", s)
	}
	shift, ok := map[string]int{"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}[strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(unit), "B"), "I")]
	size := n * float64(int64(1)<<shift)
	if !ok || size < 1 || size > 1<<60 {
		return 0, fmt.Errorf("--memory %q is not a size (supported: bytes, or a number with K, M, G or T)", s)
	}
	return int64(size), nil
}
