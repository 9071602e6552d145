package scripted

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// Bundle emits the model and returns the bundle's path. What o leaves out is: for
// llvm-cpu in f32, graphs prefill_c16 and decode, no self-check. Compiled modules are
// the same for every scripted model of that context; they are kept in build/cache.
func (m Model) Bundle(t testing.TB, o compiler.Options) string {
	t.Helper()
	var err error
	if o.IREECompile, err = iree.Find("iree-compile", ""); err != nil {
		t.Fatal(err)
	}
	if o.Target, err = target.Load("llvm-cpu"); err != nil {
		t.Fatal(err)
	}
	if o.CacheDir = os.Getenv("MLXC_CACHE_DIR"); o.CacheDir == "" {
		o.CacheDir = filepath.Join(oracle.Root(), "build", "cache")
	}
	if o.Graphs == nil {
		o.Graphs = []lower.GraphKind{{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Decode, Rows: 1}}
	}
	if o.Output == "" {
		o.Output = filepath.Join(t.TempDir(), "scripted.tar")
	}
	o.Checkpoint = m.Checkpoint(t)
	o.Precision, o.Generator, o.NoSelfCheck, o.Progress = "f32", "test", true, log{t}
	if err := compiler.Emit(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o.Output
}

// log shows an emission's remarks in the test's output.
type log struct{ testing.TB }

func (l log) Note(text string)        { l.Log(text) }
func (log) Step(string, int64, int64) {}
