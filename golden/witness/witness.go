// Package witness lets tests run graphs under XLA, a second compiler that shares no code
// with IREE, ir/eval and the runtime: what they all say alike isn't the mistake of one.
// The scripts run by hand, too; deploy/xla.txt pins what they need.
package witness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
)

// run runs a script of this folder with the Python of build/venv-xla. Its absence fails
// the test.
func run(t testing.TB, script string, args ...string) {
	t.Helper()
	venv := filepath.Join(oracle.Root(), "build", "venv-xla")
	if _, err := os.Stat(filepath.Join(venv, ".done")); err != nil {
		t.Fatalf("witness: %v: XLA isn't installed; run `make xla`", err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(venv, "bin", "python"), append([]string{"-B", filepath.Join(oracle.Root(), "golden", "witness", script)}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("witness: %s: %v\n%s", script, err, out)
	}
	t.Logf("%s: %s", script, out)
}

// Module is a text with one public function, and what it is called with.
type Module struct {
	Text    string
	Args    []*ir.Tensor
	Results []ir.Type
}

// Outcome is what a call gives.
type Outcome struct {
	Results []*ir.Tensor
	Err     error // XLA doesn't run it
}

// Run calls the modules.
func Run(t testing.TB, modules []Module) []Outcome {
	t.Helper()
	dir := t.TempDir()
	for i, m := range modules {
		var in []byte
		for _, a := range m.Args {
			in = append(in, a.Data...)
		}
		write(t, filepath.Join(dir, strconv.Itoa(i)+".mlir"), []byte(m.Text))
		write(t, filepath.Join(dir, strconv.Itoa(i)+".in"), in)
	}
	run(t, "modules.py", dir)
	outcomes := make([]Outcome, len(modules))
	for i, m := range modules {
		base := filepath.Join(dir, strconv.Itoa(i))
		if message, err := os.ReadFile(base + ".error"); err == nil {
			outcomes[i].Err = errors.New(string(message))
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		} else {
			outcomes[i] = split(read(t, base+".out"), m.Results)
		}
	}
	return outcomes
}

// split cuts the bytes of results that lie one after the other.
func split(data []byte, types []ir.Type) Outcome {
	var o Outcome
	for _, r := range types {
		if len(data) < r.Bytes() {
			return Outcome{Err: fmt.Errorf("%d bytes left for a result %v, which takes %d", len(data), r, r.Bytes())}
		}
		o.Results = append(o.Results, &ir.Tensor{Type: r, Data: data[:r.Bytes()]})
		data = data[r.Bytes():]
	}
	if len(data) > 0 {
		return Outcome{Err: fmt.Errorf("%d bytes beyond the results", len(data))}
	}
	return o
}

// Continuation is how a bundle's graphs continue a prompt.
type Continuation struct {
	Tokens []byte // [steps] i32
	Logits []byte // [steps, vocab] f32
}

// Continue lets a bundle's graphs continue the prompts of a greedy.json with n cases.
func Continue(t testing.TB, bundle, greedy string, n int) []Continuation {
	t.Helper()
	dir := t.TempDir()
	run(t, "bundle.py", bundle, greedy, dir)
	made := make([]Continuation, n)
	for i := range made {
		made[i] = Continuation{read(t, filepath.Join(dir, fmt.Sprintf("tokens_%d", i))), read(t, filepath.Join(dir, fmt.Sprintf("logits_%d", i)))}
	}
	return made
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
