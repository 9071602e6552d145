package eval

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/ir"
)

// TestOpsAgainstIREE runs all cases through iree-compile (llvm-cpu) and
// iree-run-module and compares with what the evaluator computes from the same
// inputs. A public function holds many cases: starting a process takes far longer
// than an op.
func TestOpsAgainstIREE(t *testing.T) {
	groups := map[string][]opCase{
		"floats": floatCases, "integers": integerCases, "converts": convertCases, "shapes": shapeCases,
		"indices": indexCases, "reductions": reductionCases, "dots": dotCases, "control": controlCases,
		"larger": largerCases(),
	}
	m := module(t, func(m *ir.Module) {
		for _, name := range sortedKeys(groups) {
			addGroup(m, name, groups[name])
		}
	})
	vmfb := compileWithIREE(t, m)
	for _, name := range sortedKeys(groups) {
		t.Run(name, func(t *testing.T) { compareWithIREE(t, m, vmfb, name, groups[name]) })
	}
}

func sortedKeys(m map[string][]opCase) []string {
	return slices.Sorted(maps.Keys(m))
}

// addGroup adds a public function that calls one private function for each case.
// Across its interface 4-bit elements travel as 8-bit ones, which all tools can pass.
func addGroup(m *ir.Module, name string, cases []opCase) {
	var types []ir.Type
	for _, c := range cases {
		for _, x := range c.in {
			types = append(types, x.Type.With(wholeByte(x.Type.DType)))
		}
	}
	b := ir.NewFunc(m, name, false, types, nil)
	var results []*ir.Value
	arg := 0
	for i, c := range cases {
		c.add(m, caseFunc(name, i, c), true)
		var in []*ir.Value
		for _, x := range c.in {
			in = append(in, b.Convert(b.Arg(arg), x.Type.DType))
			arg++
		}
		for _, v := range b.Call(caseFunc(name, i, c), in...) {
			results = append(results, b.Convert(v, wholeByte(v.Type.DType)))
		}
	}
	for _, v := range results {
		b.Func.Results = append(b.Func.Results, v.Type)
	}
	b.Return(results...)
}

func caseFunc(group string, i int, c opCase) string { return fmt.Sprintf("%s_%d_%s", group, i, c.name) }

func wholeByte(d ir.DType) ir.DType {
	switch d {
	case ir.I4:
		return ir.I8
	case ir.UI4:
		return ir.UI8
	}
	return d
}

func compileWithIREE(t *testing.T, m *ir.Module) (vmfb string) {
	t.Helper()
	dir := t.TempDir()
	mlir, vmfb := filepath.Join(dir, "ops.mlir"), filepath.Join(dir, "ops.vmfb")
	if err := os.WriteFile(mlir, []byte(ir.Print(m)), 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, "iree-compile", mlir, "-o", vmfb, "--iree-input-type=stablehlo", "--iree-hal-target-device=local",
		"--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host")
	return vmfb
}

// tool runs an IREE tool; its absence or failure fails the test.
func tool(t *testing.T, name string, args ...string) {
	t.Helper()
	path, err := iree.Find(name, "")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.4000s", name, err, out)
	}
}

// compareWithIREE runs one group on both sides.
func compareWithIREE(t *testing.T, m *ir.Module, vmfb, name string, cases []opCase) {
	p, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	var in []*ir.Tensor
	for _, c := range cases {
		for _, x := range c.in { // 4-bit elements are a byte each in a Tensor already
			in = append(in, &ir.Tensor{Type: x.Type.With(wholeByte(x.Type.DType)), Data: x.Data})
		}
	}
	got, err := p.Call(context.Background(), name, in)
	if err != nil {
		t.Fatal(err)
	}
	want := runWithIREE(t, vmfb, name, in, m.Func(name).Results)
	at := 0
	for k, c := range cases {
		n := len(m.Func(caseFunc(name, k, c)).Results)
		if c.differs == "" {
			for i := at; i < at+n; i++ {
				if err := difference(got[i], want[i], c.tol, c.atol); err != nil {
					t.Errorf("%s: result %d: %v\neval %v\niree %v", c.name, i-at, err, first(got[i]), first(want[i]))
				}
			}
		}
		at += n
	}
}

func first(t *ir.Tensor) []float64 {
	v := values(t)
	return v[:min(len(v), 16)]
}

// runWithIREE passes raw bytes in and out through files.
func runWithIREE(t *testing.T, vmfb, function string, in []*ir.Tensor, results []ir.Type) []*ir.Tensor {
	t.Helper()
	dir := t.TempDir()
	args := []string{"--module=" + vmfb, "--device=local-sync", "--function=" + function}
	for i, x := range in {
		file := filepath.Join(dir, fmt.Sprintf("in%d.bin", i))
		if err := os.WriteFile(file, x.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--input="+ireeType(x.Type)+"=@"+file)
	}
	files := make([]string, len(results))
	for i := range results {
		files[i] = filepath.Join(dir, fmt.Sprintf("out%d.bin", i))
		args = append(args, "--output=@"+files[i])
	}
	tool(t, "iree-run-module", args...)
	out := make([]*ir.Tensor, len(results))
	for i, r := range results {
		data, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		out[i] = &ir.Tensor{Type: r, Data: data}
	}
	return out
}

// ireeType is a type as iree-run-module spells it: 2x3xf32.
func ireeType(t ir.Type) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.String(), "tensor<"), ">")
}
