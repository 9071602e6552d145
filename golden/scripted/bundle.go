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

// Bundle emits the model for llvm-cpu in f32 with the graphs of those names and
// returns the bundle's path. Compiled modules are the same for every scripted model
// of that context; they are kept in build/cache.
func (m Model) Bundle(t testing.TB, context int, graphs ...string) string {
	t.Helper()
	tool, err := iree.Find("iree-compile", "")
	if err != nil {
		t.Fatal(err)
	}
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []lower.GraphKind
	for _, name := range graphs {
		k, err := lower.ParseGraphKind(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, k)
	}
	cache := os.Getenv("MLXC_CACHE_DIR")
	if cache == "" {
		cache = filepath.Join(oracle.Root(), "build", "cache")
	}
	path := filepath.Join(t.TempDir(), "scripted.tar")
	err = compiler.Emit(t.Context(), compiler.Options{
		Checkpoint: m.Checkpoint(t), Output: path, Generator: "test", Target: row, Precision: "f32", Context: context,
		Graphs: kinds, IREECompile: tool, CacheDir: cache, NoSelfCheck: true,
		Progress: log{t},
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// log shows an emission's remarks in the test's output.
type log struct{ testing.TB }

func (l log) Note(text string)        { l.Log(text) }
func (log) Step(string, int64, int64) {}
