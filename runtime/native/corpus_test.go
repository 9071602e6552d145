package native

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/params"
)

// The conformance corpus: every testdata/corpus/*.mlir, compiled by iree-compile
// under several sets of flags, run here and by iree-run-module on the same inputs.
// The bytes of all results must be equal.

// commonFlags are given to every compilation.
var commonFlags = []string{"--iree-input-type=auto", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"}

// variantFlags are the flag sets of the corpus.
var variantFlags = map[string][]string{
	"default":    {"--iree-llvmcpu-target-cpu=host"},
	"O0":         {"--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O0"},
	"O3":         {"--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"},
	"nozip":      {"--iree-llvmcpu-target-cpu=host", "--iree-vm-emit-polyglot-zip=false"},
	"unmemoised": {"--iree-llvmcpu-target-cpu=host", "--iree-hal-memoization=false", "--iree-hal-indirect-command-buffers=false"},
	"discrete":   {"--iree-llvmcpu-target-cpu=host", "--iree-stream-resource-memory-model=discrete"},
	"index32":    {"--iree-llvmcpu-target-cpu=host", "--iree-vm-target-index-bits=32"},
	"generic":    {"--iree-llvmcpu-target-cpu=generic"},
	"external":   {"--iree-llvmcpu-target-cpu=host", "--iree-execution-model=async-external"},
	"double":     {"--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"},
	"tiled":      {"--iree-llvmcpu-target-cpu=host", "--iree-opt-data-tiling", "--iree-llvmcpu-enable-ukernels=all"},
}

func TestCorpus(t *testing.T) {
	compile, run := tool(t, "iree-compile"), tool(t, "iree-run-module")
	modules := readCorpus(t)
	if enough := 40; len(modules) < enough {
		t.Fatalf("%d modules in the corpus, want at least %d", len(modules), enough)
	}
	slots := make(chan struct{}, 2) // compilations at a time
	for _, m := range modules {
		for _, variant := range m.variants {
			t.Run(m.name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				file := compileCached(t, compile, m.source, slices.Concat(commonFlags, variantFlags[variant]))
				checkModule(t, run, m, variant, file)
			})
		}
	}
}

// checkModule runs a module with one and several threads and compares each result
// with iree-run-module's. Later calls may be replays of the second.
func checkModule(t *testing.T, tool string, m corpusModule, variant, file string) {
	t.Helper()
	var want [][]byte
	for _, threads := range []int{1, 3} {
		o := testOptions(t, threads)
		o.Executor.RunAlone(0) // the corpus' kernels are short
		module, args := loadHere(t, m, file, o)
		for call := range 4 {
			if module.Stateful() {
				break // another call has another result
			}
			for i, a := range args {
				copy(a.Buffer().Bytes(), m.args[i].data) // calls before may have written there
			}
			results := callHere(t, module, variant, args)
			if want == nil {
				want = oracle(t, tool, file, m, len(results))
			}
			for i, r := range results {
				if got := r.Buffer().Bytes(); !bytes.Equal(got, want[i]) {
					t.Errorf("%d threads, call %d: result %d, shape %v, differs from iree-run-module's:\n got %x\nwant %x", threads, call, i, r.Shape(), head(got), head(want[i]))
				}
			}
			for result, arg := range m.aliases {
				if !results[result].Buffer().SharesMemory(args[arg].Buffer()) {
					t.Errorf("%d threads, call %d: result %d isn't the memory of argument %d", threads, call, result, arg)
				}
			}
			for _, r := range results {
				if !module.Stateful() {
					o.Allocator.Drop(r.Buffer())
				}
			}
		}
	}
}

func head(b []byte) []byte { return b[:min(len(b), 64)] }

// loadHere loads a module and makes its arguments.
func loadHere(t *testing.T, m corpusModule, file string, o ModuleOptions) (module *Module, args []*hal.View) {
	t.Helper()
	o.Parameters = func(scope, key string) (params.Parameter, bool) {
		p, ok := m.parameters[key]
		return params.Parameter{Bytes: deviceBuffer(t, o, p.data).Bytes()}, ok && scope == m.scope
	}
	module, err := LoadModule(t.Context(), deviceBuffer(t, o, readFile(t, file)).Bytes(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range m.args {
		args = append(args, hal.NewView(deviceBuffer(t, o, a.data), a.element().number, a.shape))
	}
	return module, args
}

// callHere calls a module's function main.
func callHere(t *testing.T, module *Module, variant string, args []*hal.View) []*hal.View {
	t.Helper()
	call := slices.Clone(args)
	if variant == "external" {
		call = append(call, nil, nil) // the fences to wait for and to signal
	}
	results, err := module.Call(t.Context(), "main", call...)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// oracle runs iree-run-module and returns the bytes of its results.
func oracle(t *testing.T, tool, file string, m corpusModule, results int) [][]byte {
	t.Helper()
	dir := t.TempDir()
	command := []string{"--module=" + file, "--device=local-sync", "--function=main"}
	for i, a := range m.args {
		input := filepath.Join(dir, fmt.Sprintf("in%d.bin", i))
		writeFile(t, input, a.data)
		command = append(command, "--input="+a.typ+"=@"+input)
	}
	if m.parameters != nil {
		archive := filepath.Join(dir, "parameters.safetensors")
		writeFile(t, archive, safetensors(t, m.parameters))
		command = append(command, "--parameters="+m.scope+"="+archive)
	}
	output := func(i int) string { return filepath.Join(dir, fmt.Sprintf("out%d.bin", i)) }
	for i := range results {
		command = append(command, "--output=@"+output(i))
	}
	if log, err := exec.Command(tool, command...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", tool, command, err, log)
	}
	bytes := make([][]byte, results)
	for i := range bytes {
		bytes[i] = readFile(t, output(i))
	}
	return bytes
}

// Calls share the module's state, and a module can be called many times.
func TestStateAcrossCalls(t *testing.T) {
	m := corpusNamed(t, "state")
	file := compileCached(t, tool(t, "iree-compile"), m.source, slices.Concat(commonFlags, variantFlags["default"]))
	o := testOptions(t, 1)
	module, err := LoadModule(t.Context(), readFile(t, file), o)
	if err != nil {
		t.Fatal(err)
	}
	for call := byte(1); call <= 5; call++ {
		one := deviceBuffer(t, o, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0})
		results, err := module.Call(t.Context(), "main", hal.NewView(one, hal.Int32, []int64{4}))
		if err != nil {
			t.Fatal(err)
		}
		want := []byte{call, 0, 0, 0, 2 * call, 0, 0, 0, 3 * call, 0, 0, 0, 4 * call, 0, 0, 0}
		if got := results[0].Buffer().Bytes(); !bytes.Equal(got, want) {
			t.Errorf("call %d: %v, want %v", call, got, want)
		}
	}
}

func testOptions(t testing.TB, threads int) ModuleOptions {
	t.Helper()
	e, err := hal.NewExecutor(threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return ModuleOptions{Executor: e, Allocator: hal.NewAllocator()}
}

// deviceBuffer copies bytes to device memory.
func deviceBuffer(t testing.TB, o ModuleOptions, data []byte) *hal.Buffer {
	t.Helper()
	b, err := o.Allocator.Allocate(uint64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	copy(b.Bytes(), data)
	return b
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
