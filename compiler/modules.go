package compiler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower/target"
)

// toolchain is iree-compile as this emission uses it.
type toolchain struct {
	*iree.Compiler
	flags []string
	cpu   iree.CPU // what the code is made for; no name if the target has no levels
	host  iree.CPU // the processor at hand
}

// findToolchain finds iree-compile, checks its release and asks it what the target's
// CPU level means.
func findToolchain(ctx context.Context, o Options) (*toolchain, error) {
	path, err := iree.Find("iree-compile", o.IREECompile)
	if err != nil {
		return nil, err
	}
	t := &toolchain{}
	if t.Compiler, err = iree.Check(ctx, path); err != nil {
		return nil, err
	}
	row, err := o.Target.CompileFlags(o.Level)
	if err != nil {
		return nil, err
	}
	t.flags = override(row, o.Flags)
	if o.Target.LevelFlag+"=" != iree.CPUFlag {
		return t, nil
	}
	if t.cpu, err = t.ResolveCPU(ctx, t.flags); err != nil {
		return nil, err
	}
	if slices.Contains(t.flags, iree.HostFlag) {
		t.host = t.cpu
		t.flags = iree.ReplaceCPU(t.flags, t.cpu)
		t.cpu, err = t.ResolveCPU(ctx, t.flags)
	} else {
		t.host, err = t.ResolveCPU(ctx, iree.ReplaceCPU(t.flags, iree.CPU{Name: "host"}))
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// vector is what the code's CPU computes with.
func (t *toolchain) vector(o Options) target.Vector { return o.Target.Vector(t.cpu.Features) }

// override is flags with the user's own in place of those of the same name.
func override(flags, own []string) []string {
	name := func(f string) string { n, _, _ := strings.Cut(f, "="); return n }
	flags = slices.DeleteFunc(slices.Clone(flags), func(f string) bool {
		return slices.ContainsFunc(own, func(o string) bool { return name(o) == name(f) })
	})
	return append(flags, own...)
}

// lacks are the features of the code's CPU that the processor at hand doesn't have.
func (t *toolchain) lacks() []string {
	return slices.DeleteFunc(slices.Clone(t.cpu.Features), func(f string) bool { return slices.Contains(t.host.Features, f) })
}

// compileModules compiles the texts, as many at a time as processors and memory allow.
func compileModules(ctx context.Context, o Options, t *toolchain, texts []iree.Job) ([]iree.Result, error) {
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
		Compiler: t.Compiler, Flags: t.flags, CacheDir: o.CacheDir, Jobs: jobs, Command: o.Command,
		Done: func(r iree.Result) {
			done++
			o.Progress.Step("compile", int64(done), int64(len(texts)))
		},
	}
	return d.Compile(ctx, texts)
}

// KeepText writes the graphs' texts to dir, one <graph>.mlir each. A file is there
// complete or as it was before.
func KeepText(dir string, texts []iree.Job) error {
	err := os.MkdirAll(dir, 0o777)
	for _, j := range texts {
		if err == nil {
			err = replace(filepath.Join(dir, j.Name+".mlir"), j.Text)
		}
	}
	if err != nil {
		return fmt.Errorf("compiler: texts: %w; choose another folder for them", err)
	}
	return nil
}

// replace writes a file that is there complete or as it was before.
func replace(path string, data []byte) error {
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	err := os.WriteFile(tmp, data, 0o666)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}
