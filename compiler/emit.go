package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// Options of an emission.
type Options struct {
	Checkpoint string // directory or .gguf; a config.json will do for Texts
	Output     string // the bundle's path
	Name       string // of the model, "" for the checkpoint's base name
	Source     string // where a checkpoint of the hub is from, for the manifest; see Fetch
	Generator  string // recorded in the manifest: "mlxc-emit 0.1.0"

	Target    *target.Row
	Levels    []string // of the target's processors; several: a bundle for a fleet; none: its default
	Precision string   // "" for the target's default; "recipe:NAME" is package quant's recipe
	KV        string   // "" for that of the precision
	Context   int      // 0: min(the model's maximum, 2048)
	Graphs    []lower.GraphKind

	IREECompile string   // path; "" looks for it
	Flags       []string // of iree-compile, in place of the target's of the same name
	CacheDir    string
	Jobs        int   // compilers at the same time; 0: one a processor
	Memory      int64 // bytes that compilers may use; 0: what is available
	KeepMLIR    string
	Command     func(line string) // told each compiler command line; may be nil

	Tokenizer   string // path of a tokenizer.json in place of the checkpoint's; "": none
	NoTokenizer bool
	NoSelfCheck bool
	OpenSession OpenSession
	// Lacks says why a target's device isn't built in, "" if it is. It may be nil.
	Lacks func(device string) string
	// CheckWhole is the number of parameters up to which the self-check takes the whole
	// model; of a larger one it takes one layer of each kind. 0: 500 million.
	CheckWhole int64

	Progress Progress
}

// Progress hears of an emission's course. It is called from several goroutines, one
// at a time.
type Progress interface {
	Note(text string)                    // a remark that stays
	Step(name string, done, total int64) // how far a step is
}

// silent is a Progress without remarks.
type silent struct{ Progress }

func (silent) Note(string) {}

// CannotRunError is OpenSession's way to say that this machine can't run a device.
type CannotRunError struct{ Reason string }

func (e *CannotRunError) Error() string { return e.Reason }

// Emit makes the bundle. Until it returns without an error nothing is at o.Output, or
// the older bundle is; temporary files and compilers are gone when it returns.
func Emit(ctx context.Context, o Options) error {
	m, err := readModel(o)
	if err != nil {
		return err
	}
	defer m.Close()
	if m.checkpoint == nil {
		return archs.Errorf(archs.MissingFile, "%s: a config without weights does for StableHLO texts only; give the checkpoint's directory, or --mlir-only", o.Checkpoint)
	}
	if !slices.ContainsFunc(m.options.Graphs, func(k lower.GraphKind) bool { return k.Kind == lower.Decode }) {
		return fmt.Errorf("compiler: --graphs names no decode, without which a bundle can't generate: add decode, or write the texts alone with --mlir-only")
	}
	if err := keepCheckpoint(o); err != nil {
		return err
	}
	side, err := sideFiles(o, m)
	if err != nil {
		return err
	}
	if err := bundle.CheckOutput(o.Output, m.bundleEstimate(max(1, len(o.Levels)))); err != nil {
		return err
	}
	t, err := findToolchain(ctx, o)
	if err != nil {
		return err
	}
	texts := m.texts()
	if o.KeepMLIR != "" {
		if err := KeepText(o.KeepMLIR, texts); err != nil {
			return err
		}
	}
	modules, err := compileModules(ctx, o, t, m)
	if err != nil {
		return err
	}
	w, err := assemble(ctx, o, t, m, side, modules, o.Output)
	if err != nil {
		return err
	}
	defer w.Abort()
	checks, err := checkLevels(ctx, o, t, m, w)
	if err != nil {
		return err
	}
	if err := w.Seal(checks...); err != nil {
		return err
	}
	return w.Commit()
}

// keepCheckpoint refuses an output that would take the place of a file of the checkpoint.
func keepCheckpoint(o Options) error {
	output, err := os.Stat(o.Output)
	if err != nil {
		return nil // nothing to replace
	}
	files := append(checkpoint.Parts(o.Checkpoint), o.Checkpoint)
	list, _ := os.ReadDir(o.Checkpoint) // empty if it's a file
	for _, e := range list {
		if filepath.Ext(e.Name()) != ".tar" { // an older bundle may lie beside the weights
			files = append(files, filepath.Join(o.Checkpoint, e.Name()))
		}
	}
	for _, f := range files {
		if input, err := os.Stat(f); err == nil && !input.IsDir() && os.SameFile(input, output) {
			return fmt.Errorf("compiler: the output %s is a file of the checkpoint; choose another output with -o", o.Output)
		}
	}
	return nil
}

// Texts are the graphs' StableHLO texts, by the names of the graphs in their order.
func Texts(o Options) ([]iree.Job, error) {
	m, err := readModel(o)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.texts(), nil
}

// defaultCheckWhole keeps the self-check within half a minute.
const defaultCheckWhole = 500e6

// checkLevels runs the self-check on each level of the sealed bundle, unless it can't or
// mustn't, and says what came of it.
func checkLevels(ctx context.Context, o Options, t *toolchain, m *model, w *bundle.Writer) ([]bundle.SelfCheck, error) {
	checks := make([]bundle.SelfCheck, len(t.levels))
	here := *t // with the levels that this machine can run
	here.levels = nil
	for i, l := range t.levels {
		if checks[i].Reason = noCheck(o, t, l); checks[i].Reason == "" {
			here.levels = append(here.levels, l)
		}
	}
	if len(here.levels) > 0 {
		ran, err := runChecks(ctx, o, &here, m, w)
		if err != nil {
			return nil, err
		}
		for i := range checks {
			if checks[i].Reason == "" {
				checks[i], ran = ran[0], ran[1:]
			}
		}
	}
	for i, l := range t.levels {
		which := ""
		if len(t.levels) > 1 {
			which = " of " + l.cpu.Name
		}
		if c := checks[i]; c.Ran {
			o.Progress.Note(fmt.Sprintf("self-check%s passed: logits differ from the reference evaluator's by at most %.2g", which, c.MaxError))
		} else {
			o.Progress.Note(fmt.Sprintf("self-check%s not done: %s", which, c.Reason))
		}
	}
	return checks, nil
}

// noCheck says why there will be no self-check of a level, "" if there will be one.
func noCheck(o Options, t *toolchain, l level) string {
	if o.NoSelfCheck {
		return "--no-self-check"
	}
	if o.OpenSession == nil {
		return "no device is built in"
	}
	if device := o.Target.Devices[0]; o.Lacks != nil && o.Lacks(device) != "" {
		return fmt.Sprintf("it would need device %s, %s", device, o.Lacks(device))
	}
	if lacks := t.lacks(l); len(lacks) > 0 {
		return fmt.Sprintf("this machine (%s) lacks %s, which code for %s needs", t.host.Name, strings.Join(lacks, ", "), l.cpu.Name)
	}
	return ""
}

// runChecks runs the self-check on each level of t: those of the sealed bundle, or of a
// part of a large model.
func runChecks(ctx context.Context, o Options, t *toolchain, m *model, w *bundle.Writer) ([]bundle.SelfCheck, error) {
	path, scope := w.TempPath(), ""
	if m.parameters() > cmp.Or(o.CheckWhole, defaultCheckWhole) {
		part, err := layerOfEachKind(ctx, o, t, m)
		if err != nil {
			return nil, err
		}
		defer part.Abort()
		path, scope = part.TempPath(), "one layer of each kind"
	}
	b, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	c, err := newChecker(ctx, b, o.OpenSession, func(step string) { o.Progress.Step(step, 0, 0) })
	if err != nil {
		return nil, err
	}
	var checks []bundle.SelfCheck
	for _, l := range b.Manifest.Levels() {
		if !slices.ContainsFunc(t.levels, func(here level) bool { return here.cpu.Name == l.CPU }) {
			continue
		}
		largest, err := c.check(ctx, l)
		var cannot *CannotRunError
		switch {
		case errors.As(err, &cannot):
			checks = append(checks, bundle.SelfCheck{Reason: cannot.Reason})
		case err != nil:
			return nil, err
		default:
			checks = append(checks, bundle.SelfCheck{Ran: true, Reason: scope, MaxError: largest})
		}
	}
	return checks, nil
}

// layerOfEachKind is a sealed bundle, beside the output, of the model cut after the
// first layer of the last kind.
func layerOfEachKind(ctx context.Context, o Options, t *toolchain, m *model) (*bundle.Writer, error) {
	o.Progress.Note(fmt.Sprintf("self-check of one layer of each kind: the model has %.3g billion parameters", float64(m.parameters())/1e9))
	o.Progress = silent{o.Progress} // what there is to remark was remarked
	part, err := m.cut()
	if err != nil {
		return nil, err
	}
	modules, err := compileModules(ctx, o, t, part)
	if err != nil {
		return nil, err
	}
	return assemble(ctx, o, t, part, side{}, modules, o.Output)
}
