package compiler

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/atomicfile"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// toolchain is iree-compile as this emission uses it.
type toolchain struct {
	*iree.Compiler
	host   iree.CPU // the processor at hand
	levels []level  // that modules are compiled for, the least demanding first
}

// level is a kind of processor.
type level struct {
	name  string   // as the target has it; "" if it has no levels
	flags []string // of iree-compile
	cpu   iree.CPU // what a CPU level means
}

// findToolchain finds iree-compile, checks its release and asks it what the target's
// CPU levels mean.
func findToolchain(ctx context.Context, o Options) (*toolchain, error) {
	path, err := iree.Find("iree-compile", o.IREECompile)
	if err != nil {
		return nil, err
	}
	t := &toolchain{}
	if t.Compiler, err = iree.Check(ctx, path); err != nil {
		return nil, err
	}
	names, err := o.Target.Order(o.Levels)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{o.Target.DefaultLevel}
	}
	for _, name := range names {
		row, err := o.Target.CompileFlags(name)
		if err != nil {
			return nil, err
		}
		if note := o.Target.Note(name); note != "" {
			o.Progress.Note(note)
		}
		t.levels = append(t.levels, level{name: name, flags: override(row, o.Flags)})
	}
	if o.Target.LevelFlag+"=" == iree.CPUFlag {
		err = t.resolve(ctx)
	}
	return t, err
}

// resolve asks iree-compile what the levels mean, and what the processor at hand is.
func (t *toolchain) resolve(ctx context.Context) (err error) {
	for i := range t.levels {
		l := &t.levels[i]
		if slices.Contains(l.flags, iree.HostFlag) {
			if t.host, err = t.ResolveCPU(ctx, l.flags); err != nil {
				return err
			}
			l.flags = iree.ReplaceCPU(l.flags, t.host)
		}
		if l.cpu, err = t.ResolveCPU(ctx, l.flags); err != nil {
			return err
		}
	}
	if t.host.Name == "" {
		if t.host, err = t.ResolveCPU(ctx, iree.HostFlags(t.levels[0].flags)); err != nil {
			return err
		}
	}
	if len(t.levels) == 1 {
		return nil
	}
	if err := bundle.CheckLevels(t.manifest()); err != nil {
		return fmt.Errorf("compiler: %w", err)
	}
	return nil
}

// manifest are the levels as a manifest has them, with the flags that not all have.
func (t *toolchain) manifest() []bundle.Level {
	common := t.commonFlags()
	list := make([]bundle.Level, len(t.levels))
	for i, l := range t.levels {
		own := slices.DeleteFunc(slices.Clone(l.flags), func(f string) bool { return slices.Contains(common, f) })
		list[i] = bundle.Level{CPU: l.cpu.Name, CPUFeatures: l.cpu.Features, Flags: own}
	}
	return list
}

// commonFlags are the flags of iree-compile for every level.
func (t *toolchain) commonFlags() []string {
	return slices.DeleteFunc(slices.Clone(t.levels[0].flags), func(f string) bool {
		return slices.ContainsFunc(t.levels, func(l level) bool { return !slices.Contains(l.flags, f) })
	})
}

// override is flags with the user's own in place of those of the same name.
func override(flags, own []string) []string {
	name := func(f string) string { n, _, _ := strings.Cut(f, "="); return n }
	flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool {
		return slices.ContainsFunc(own, func(o string) bool { return name(o) == name(f) })
	})
	return append(flags, own...)
}

// lacks are the features of a level that the processor at hand doesn't have.
func (t *toolchain) lacks(l level) []string {
	return slices.DeleteFunc(slices.Clone(l.cpu.Features), func(f string) bool { return slices.Contains(t.host.Features, f) })
}

// jobs are the modules to compile for each level.
func (t *toolchain) jobs(row *target.Row, m *model) ([][]iree.Job, error) {
	var all [][]iree.Job
	for _, l := range t.levels {
		units := m.units(row.Vector(l.cpu.Features))
		for k := range units {
			units[k].Flags = l.flags
		}
		all = append(all, units)
	}
	for i, units := range all[1:] {
		if !sameTexts(all[0], units) {
			return nil, fmt.Errorf("compiler: CPU levels %s and %s can't stand in one bundle: their graphs take weights or state that lie otherwise; make a bundle of each", t.levels[0].cpu.Name, t.levels[i+1].cpu.Name)
		}
	}
	return all, nil
}

// sameTexts says whether two levels compute the same with the same arguments: a bundle
// has one text of each graph, and one copy of weights and state.
func sameTexts(a, b []iree.Job) bool {
	return slices.EqualFunc(a, b, func(x, y iree.Job) bool { return x.Name == y.Name && bytes.Equal(x.Text, y.Text) })
}

// compileModules compiles the model's modules for each level, as many at a time as
// processors and memory allow.
func compileModules(ctx context.Context, o Options, t *toolchain, m *model) ([][]iree.Result, error) {
	levels, err := t.jobs(o.Target, m)
	if err != nil {
		return nil, err
	}
	texts := slices.Concat(levels...)
	longest := 0
	for _, j := range texts {
		longest = max(longest, len(j.Text))
	}
	memory := o.Memory
	if memory == 0 {
		memory = iree.AvailableMemory()
	}
	jobs, note := iree.Jobs(o.Jobs, len(texts), memory, iree.JobMemory(longest, runtime.GOMAXPROCS(0)))
	if note != "" {
		o.Progress.Note(note)
	}
	done := 0
	o.Progress.Step("compile", 0, int64(len(texts)))
	d := iree.Driver{
		Compiler: t.Compiler, CacheDir: o.CacheDir, Jobs: jobs, Command: o.Command,
		Done: func(r iree.Result) {
			done++
			o.Progress.Step("compile", int64(done), int64(len(texts)))
		},
	}
	results, err := d.Compile(ctx, texts)
	if err != nil {
		return nil, err
	}
	return slices.Collect(slices.Chunk(results, len(levels[0]))), nil
}

// KeepText writes the graphs' texts to dir, one <graph>.mlir each. A file is there
// complete or as it was before.
func KeepText(dir string, texts []iree.Job) error {
	err := os.MkdirAll(dir, 0o777)
	for _, j := range texts {
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, j.Name+".mlir"), j.Text, 0o666)
		}
	}
	if err != nil {
		return fmt.Errorf("compiler: texts: %w; choose another folder for them", err)
	}
	return nil
}
