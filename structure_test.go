// Package mlxc_test holds the rules of the tree as a whole: which package may
// import which, and which modules mlxc depends on.
package mlxc_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/mlxc/mlxc/"

// arrows lists, for each part of the tree, the other parts that it may import. A
// part is a path prefix; the longest that fits a package is its part.
var arrows = map[string][]string{
	"ir":                     {},
	"ir/eval":                {"ir"},
	"ir/rope":                {},
	"lower/target":           {},
	"archs":                  {"ir", "ir/rope"},
	"lower":                  {"ir", "ir/rope", "archs", "lower/target"},
	"runtime/atomicfile":     {},
	"runtime/bundle":         {"ir", "ir/rope", "runtime/atomicfile"},
	"runtime/jsonerror":      {},
	"runtime/tokenizer":      {"runtime/jsonerror"},
	"runtime/sample":         {},
	"runtime/chat":           {"runtime/bundle", "runtime/jsonerror", "runtime/tokenizer"},
	"compiler/iree":          {},
	"compiler/hub/hubtest":   {},                                // for tests alone
	"compiler/iree/ireetest": {"compiler/iree", "lower/target"}, // for tests alone
	"compiler/quant":         {"ir", "compiler/checkpoint/rawfile"},
	"compiler":               {"ir", "ir/rope", "archs", "lower", "lower/target", "compiler/iree", "compiler/checkpoint/safetensors", "compiler/checkpoint/rawfile", "compiler/quant", "runtime/atomicfile", "runtime/bundle", "runtime/chat", "runtime/jsonerror", "runtime/tokenizer"},
	"runtime/conversation":   {"runtime", "runtime/chat"},
	"runtime":                {"ir", "ir/eval", "ir/rope", "runtime/bundle", "runtime/jsonerror", "runtime/tokenizer", "runtime/sample"},
	"cmd":                    {}, // end-to-end tests
	"cmd/internal/cli":       {},
	"cmd/internal/lineedit":  {"cmd/internal/cli"},
	"cmd/internal/docs":      {"cmd/internal/cli"}, // for tests alone
	"cmd/mlxc-emit":          {"cmd/internal/cli", "ir", "ir/eval", "archs", "lower", "lower/target", "compiler", "compiler/checkpoint/rawfile", "compiler/iree", "runtime", "runtime/bundle", "runtime/sample", "runtime/tokenizer"},
	"cmd/mlxc-run":           {"cmd/internal/cli", "cmd/internal/lineedit", "ir", "runtime", "runtime/atomicfile", "runtime/bundle", "runtime/chat", "runtime/conversation", "runtime/jsonerror", "runtime/tokenizer", "runtime/sample", "compiler/checkpoint/safetensors", "compiler/checkpoint/rawfile"},
	"cmd/mlxc-bench":         {"cmd/internal/cli", "compiler", "lower/target", "runtime", "runtime/bundle", "runtime/sample"},
	"golden":                 {"ir", "archs", "lower", "lower/target"},
	"golden/witness":         {"golden", "ir"},                                                                     // for tests alone
	"golden/scripted":        {"golden", "compiler", "compiler/iree", "lower", "lower/target"},                     // a test's own checkpoints and bundles
	"bench":                  {"ir", "ir/eval", "compiler/iree", "runtime", "runtime/bundle", "runtime/tokenizer"}, // compiler/iree finds IREE's own tools

	// A leaf: the file format alone, with which mlxc-run reads oracle files.
	"compiler/checkpoint/safetensors": {"compiler/checkpoint/rawfile", "runtime/jsonerror"},
	"compiler/checkpoint/rawfile":     {},
}

// dependencies are the modules of go.mod, each with the reason in the design's list.
var dependencies = []string{
	"github.com/BurntSushi/toml",
	"github.com/google/go-cmp",
	"github.com/klauspost/compress",
	"github.com/rogpeppe/go-internal",
	"github.com/spf13/cobra",
	"github.com/spf13/pflag", // cobra's own flag type
	"github.com/vbauerster/mpb/v8",
	"golang.org/x/sys",
	"golang.org/x/term",
	"golang.org/x/text",
}

// testOnly are the dependencies that no command may link.
var testOnly = []string{"github.com/google/go-cmp", "github.com/rogpeppe/go-internal"}

type pkg struct {
	ImportPath string
	Imports    []string
}

func TestImportArrows(t *testing.T) {
	for _, p := range list[pkg](t, "list", "-json=ImportPath,Imports", "./...") {
		from, ok := strings.CutPrefix(p.ImportPath, modulePath)
		if !ok {
			continue // the root package holds only this test
		}
		part := partOf(from)
		if part == "" {
			t.Errorf("%s is in no part of the tree: add it to arrows", from)
			continue
		}
		for _, imp := range p.Imports {
			to, ok := strings.CutPrefix(imp, modulePath)
			if dest := partOf(to); ok && dest != part && !slices.Contains(arrows[part], dest) {
				t.Errorf("%s imports %s: %s may import only %v", from, to, part, arrows[part])
			}
		}
	}
}

// partOf is the part of the tree that a package belongs to, "" if none.
func partOf(path string) string {
	best := ""
	for p := range arrows {
		if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > len(best) {
			best = p
		}
	}
	return best
}

func TestDependenciesAreListed(t *testing.T) {
	type module struct {
		Path     string
		Main     bool
		Indirect bool
	}
	for _, m := range list[module](t, "list", "-m", "-json", "all") {
		if !m.Main && !m.Indirect && !slices.Contains(dependencies, m.Path) && direct(t, m.Path) {
			t.Errorf("go.mod requires %s, which is not on the dependency list", m.Path)
		}
	}
	for _, p := range list[pkg](t, "list", "-deps", "-json=ImportPath", "./cmd/...") {
		for _, m := range testOnly {
			if strings.HasPrefix(p.ImportPath, m) {
				t.Errorf("a command links %s, which is for tests only", p.ImportPath)
			}
		}
	}
}

// direct reports whether go.mod itself requires the module for our own imports.
func direct(t *testing.T, path string) bool {
	type edit struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	for _, r := range list[edit](t, "mod", "edit", "-json")[0].Require {
		if r.Path == path {
			return !r.Indirect
		}
	}
	return false
}

// list runs the go command and decodes the stream of JSON objects that it prints.
func list[T any](t *testing.T, args ...string) []T {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		var ee *exec.ExitError
		if errors.As(err, &ee) {
			t.Fatalf("go %s: %s", strings.Join(args, " "), ee.Stderr)
		}
		t.Fatal(err)
	}
	var all []T
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var v T
		if err := dec.Decode(&v); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
}
