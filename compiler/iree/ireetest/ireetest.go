// Package ireetest compiles modules for tests as mlxc-emit does.
package ireetest

import (
	"os"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower/target"
)

// Compile compiles a module for a CPU level of llvm-cpu, as far as a phase of
// iree-compile, "" for all the way, and returns what comes out.
func Compile(t testing.TB, cpu, phase string, job iree.Job) []byte {
	t.Helper()
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	if job.Flags, err = row.CompileFlags(cpu); err != nil {
		t.Fatal(err)
	}
	tool, err := iree.Find("iree-compile", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := iree.Check(t.Context(), tool)
	if err != nil {
		t.Fatal(err)
	}
	d := iree.Driver{Compiler: c, CacheDir: t.TempDir(), To: phase}
	made, err := d.Compile(t.Context(), []iree.Job{job})
	if err != nil {
		t.Fatalf("%s: %v", job.Name, err)
	}
	data, err := os.ReadFile(made[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
