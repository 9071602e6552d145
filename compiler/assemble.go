package compiler

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// assemble writes a bundle to a temporary file beside path and seals it. modules are
// those of each level. The caller commits or aborts it.
func assemble(ctx context.Context, o Options, t *toolchain, m *model, side side, modules [][]iree.Result, path string) (_ *bundle.Writer, err error) {
	manifest := describe(o, t, m)
	for _, r := range slices.Concat(modules...) {
		for _, flag := range r.Job.Codegen {
			if !slices.Contains(manifest.Compile.Flags, flag) {
				manifest.Compile.Flags = append(manifest.Compile.Flags, flag)
			}
		}
	}
	files, err := moduleFiles(&manifest, modules, m.texts())
	if err != nil {
		return nil, err
	}
	files = append(files, side.files...)
	manifest.Stop = side.stops
	for _, f := range files {
		manifest.Entries = append(manifest.Entries, bundle.Entry{Name: f.name, Size: int64(len(f.data))})
	}
	for _, w := range m.program.Weights {
		manifest.Entries = append(manifest.Entries, bundle.Entry{Name: bundle.WeightEntry(w.Name), Size: int64(w.Type.Bytes())})
	}
	w, err := bundle.Create(path, manifest)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	for _, f := range files {
		if err := w.Write(f.name, func(out io.Writer) error { _, err := out.Write(f.data); return err }); err != nil {
			return nil, err
		}
	}
	if err := writeWeights(ctx, o, m, w); err != nil {
		return nil, err
	}
	return w, w.Seal()
}

// file is an entry of the bundle that is small enough to be in memory.
type file struct {
	name string
	data []byte
}

// describe is the manifest without entries and stop ids.
func describe(o Options, t *toolchain, m *model) bundle.Manifest {
	p := m.program
	manifest := bundle.Manifest{
		Generator: o.Generator, IRVersion: ir.IRVersion, StableHLO: ir.StableHLOVersion,
		Model: bundle.Model{
			Name: m.name, Source: o.Source, ModelType: m.spec.ModelType, Spec: specText(m.spec), Parameters: m.parameters(), Vocab: m.spec.Vocab,
			Context: m.options.Context, Capacity: p.Capacity, Slots: m.options.Slots, ChunkAlign: p.ChunkAlign, BOS: m.spec.BOS,
		},
		Compile: bundle.Compile{
			Target: o.Target.Name, Compiler: t.Version, Flags: t.commonFlags(), Devices: o.Target.Devices,
		},
		Plan: bundle.Plan{Name: m.plan.Name, Precision: m.plan.Precision, KV: m.plan.KV},
		RoPE: m.spec.RoPE,
	}
	manifest.SetLevels(t.manifest()...)
	if o.Target.Processor == target.GPU {
		manifest.Compile.GPU = gpu(o, t.levels[0])
	}
	for _, s := range p.State {
		manifest.State = append(manifest.State, bundle.State{Name: s.Name, DType: s.Type.DType.String(), Shape: s.Type.Shape, SlotAxis: s.SlotAxis, Rewindable: s.Rewindable})
	}
	for _, w := range p.Weights {
		manifest.Weights = append(manifest.Weights, bundle.Weight{Name: w.Name, DType: w.Type.DType.String(), Shape: w.Type.Shape})
	}
	for _, g := range p.Graphs {
		manifest.Graphs = append(manifest.Graphs, bundle.Graph{Name: g.Kind.String(), Kind: g.Kind.Kind, Rows: g.Kind.Rows, Span: g.Kind.Span, Module: moduleOf(g.Kind), Args: args(g.Args), Results: args(g.Results)})
	}
	return manifest
}

// gpu is the level, or what the user's own flag of iree-compile says in its place.
func gpu(o Options, l level) string {
	name := l.name
	for _, f := range o.Flags {
		if own, ok := strings.CutPrefix(f, o.Target.LevelFlag+"="); ok {
			name = own
		}
	}
	return name
}

// specText is the Spec as JSON, each kind of layer written once.
func specText(spec archs.Spec) string {
	var short struct {
		archs.Spec
		LayerKinds []archs.Layer
		Layers     []int // of LayerKinds, in place of the Spec's own
	}
	short.Spec = spec
	for _, l := range spec.Layers {
		kind := slices.Index(short.LayerKinds, l)
		if kind < 0 {
			kind = len(short.LayerKinds)
			short.LayerKinds = append(short.LayerKinds, l)
		}
		short.Layers = append(short.Layers, kind)
	}
	text, err := json.Marshal(short)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return string(text)
}

func args(list []lower.Arg) bundle.Args {
	var out bundle.Args
	for _, a := range list {
		out = append(out, bundle.Arg{Role: string(a.Role), Index: a.Index, DType: a.Type.DType.String(), Shape: a.Type.Shape})
	}
	return out
}

// moduleFiles are the compiled modules of each level and the compressed texts of the
// graphs.
func moduleFiles(manifest *bundle.Manifest, modules [][]iree.Result, texts []iree.Job) ([]file, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compiler: %w", err)
	}
	defer z.Close()
	var files []file
	for i, l := range manifest.Levels() {
		for _, r := range modules[i] {
			vmfb, err := os.ReadFile(r.Path)
			if err != nil {
				return nil, fmt.Errorf("compiler: compile cache: %w", err)
			}
			files = append(files, file{manifest.VMFB(l, r.Job.Name), vmfb})
		}
	}
	for _, t := range texts {
		files = append(files, file{bundle.MLIR(t.Name), z.EncodeAll(t.Text, nil)})
	}
	return files, nil
}

// writeWeights executes the recipes, one a processor at a time. Recipes that
// rearrange hold a whole weight in memory, the others a piece of it.
func writeWeights(ctx context.Context, o Options, m *model, w *bundle.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	total := int64(0)
	for _, weight := range m.program.Weights {
		total += int64(weight.Type.Bytes())
	}
	var next, done atomic.Int64
	var mu sync.Mutex // of the progress
	remarks := make([]string, len(m.program.Weights))
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(m.program.Weights) && ctx.Err() == nil; i = next.Add(1) - 1 {
				weight := m.program.Weights[i]
				err := w.Write(bundle.WeightEntry(weight.Name), func(out io.Writer) (err error) {
					remarks[i], err = m.packWeight(ctx, weight, out)
					return err
				})
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				o.Progress.Step("weights", done.Add(int64(weight.Type.Bytes())), total)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	noteBroken(o.Progress, remarks)
	return nil
}

// packWeight executes a weight's recipe. It remarks floats that aren't finite, and fails if
// the checkpoint's own scales aren't, or if its file is cut meanwhile.
func (m *model) packWeight(ctx context.Context, w lower.Weight, out io.Writer) (remark string, err error) {
	found := func(b broken) error {
		remark = cmp.Or(remark, b.String())
		return m.damaged(b)
	}
	err = rawfile.Guarded(func() error { return pack(ctx, m.checkpoint, w, out, found) })
	return remark, err
}
