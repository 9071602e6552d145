package compiler

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/hub"
	"github.com/mlxc/mlxc/compiler/hub/hubtest"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// quiet is a Progress that hears nothing.
type quiet struct{}

func (quiet) Note(string)               {}
func (quiet) Step(string, int64, int64) {}

// A download and a bundle on one file system must fit on it together, and a GGUF's
// architecture is known before it is there.
func TestPreflight(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	free := int64(1)
	for bundle.CheckOutput(filepath.Join(dir, "x.tar"), 2*free) == nil {
		free *= 2
	}
	for _, c := range []struct {
		preview hub.Preview
		want    string
	}{
		{hub.Preview{Cache: dir, Weights: free, Missing: free}, "not enough disk space"},
		{hub.Preview{Cache: "/proc", Weights: free, Missing: free}, "no-such-compiler"},
		{hub.Preview{Cache: dir, Weights: free}, "no-such-compiler"},
		{hub.Preview{Architecture: "mamba"}, `general.architecture "mamba" isn't supported`},
		{hub.Preview{Architecture: "llama"}, "no-such-compiler"},
	} {
		o := Options{Target: row, Output: filepath.Join(dir, "x.tar"), IREECompile: "no-such-compiler", Progress: quiet{}}
		if err := preflight(t.Context(), o, c.preview, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.preview, err, c.want)
		}
	}
}

// Every kind of checkpoint passes the preflight of the hub's, and makes the same graphs
// from there as from its folder.
func TestFetch(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func(testing.TB, string) oracle.Case{}
	for _, name := range oracle.Names(t) {
		kinds[name] = oracle.Load
	}
	for _, name := range oracle.QuantisedNames(t) {
		kinds[name] = oracle.LoadQuantised
	}
	for name, load := range kinds {
		t.Run(name, func(t *testing.T) {
			c := load(t, name)
			files := hubtest.Dir(t, c.Dir)
			for _, extra := range []string{"oracle.json", "oracle.safetensors"} {
				delete(files, extra)
				if err := os.Remove(filepath.Join(c.Dir, extra)); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("HF_ENDPOINT", hubtest.Serve(t, "test/"+name, files).URL)
			t.Setenv("HF_HOME", t.TempDir())
			decode := []lower.GraphKind{{Kind: lower.Decode, Rows: 1}}
			local := Options{Checkpoint: c.Checkpoint, Target: row, Graphs: decode, CacheDir: t.TempDir(), Progress: quiet{}}
			fetched := local
			fetched.Checkpoint = "hf:test/" + name
			if fetched, err = Fetch(t.Context(), fetched, false); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(fetched.Source, "hf:test/"+name+"@") {
				t.Errorf("source %q", fetched.Source)
			}
			if path, ok := strings.CutPrefix(c.Checkpoint, c.Dir); fetched.Name != name && (!ok || fetched.Name+".gguf" != filepath.Base(path)) {
				t.Errorf("name %q", fetched.Name)
			}
			want, err := Texts(local)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Texts(fetched)
			if err != nil || len(got) != 1 || !slices.EqualFunc(got, want, func(a, b iree.Job) bool { return a.Name == b.Name && bytes.Equal(a.Text, b.Text) }) {
				t.Errorf("%d texts, %v, differ from the folder's %d", len(got), err, len(want))
			}
		})
	}
}

// TestFetchParts: of a split GGUF all parts are got, by the name of any of them, and make
// the whole file's graphs under the model's name.
func TestFetchParts(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	const first = "q/tiny-00001-of-00003.gguf"
	files := map[string][]byte{}
	for _, part := range checkpoint.Parts(first) {
		if files[part], err = os.ReadFile(filepath.Join("checkpoint", "testdata", filepath.Base(part))); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HF_ENDPOINT", hubtest.Serve(t, "test/split", files).URL)
	t.Setenv("HF_HOME", t.TempDir())
	local := Options{Checkpoint: "checkpoint/testdata/tiny.gguf", Target: row, Graphs: []lower.GraphKind{{Kind: lower.Decode, Rows: 1}}, CacheDir: t.TempDir(), Progress: quiet{}}
	want, err := Texts(local)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hf:test/split", "hf:test/split:" + first, "hf:test/split:q/tiny-00003-of-00003.gguf"} {
		fetched := local
		fetched.Checkpoint = name
		if fetched, err = Fetch(t.Context(), fetched, false); err != nil {
			t.Fatal(err)
		}
		if fetched.Name != "tiny" || !strings.HasSuffix(fetched.Source, ":"+first) {
			t.Errorf("%s: name %q, source %q", name, fetched.Name, fetched.Source)
		}
		if got, err := Texts(fetched); err != nil || !bytes.Equal(got[0].Text, want[0].Text) {
			t.Errorf("%s: %v, other graphs than the whole file's", name, err)
		}
	}
}
