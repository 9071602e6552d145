package compiler

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// kernel is a dispatched function: what it does, the sizes of its loops, its text.
type kernel struct {
	kind  string // "reduction", "elementwise", …
	sizes []int
	text  string
}

var kernelName = regexp.MustCompile(`func\.func @main_dispatch_\d+_([a-z_]+?)_(\d+(?:x\d+)*)[_(]`)

// kernels lists the functions of a module of configured executables.
func kernels(t *testing.T, text string) (list []kernel) {
	t.Helper()
	at := kernelName.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		k := kernel{kind: text[m[2]:m[3]], text: text[m[0]:end]}
		for s := range strings.SplitSeq(text[m[4]:m[5]], "x") {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			k.sizes = append(k.sizes, n)
		}
		list = append(list, k)
	}
	return list
}

// TestRulesAreApplied: the compiler finds the loops of every product by its rule (one
// that finds nothing is silent, and the product takes four times as long), and only
// chunks of a prompt dequantise matrices.
func TestRulesAreApplied(t *testing.T) {
	config, err := os.ReadFile("../testdata/configs/smollm2-135m-instruct.json")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := archs.Read(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec.Layers = spec.Layers[:1]
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	flags, err := row.CompileFlags("x86-64-v3")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := iree.Find("iree-compile", "")
	if err != nil {
		t.Fatal(err)
	}
	smallest := 576 * 576 // elements of attention's output matrix
	for _, c := range []struct {
		precision  string
		graph      lower.GraphKind
		dequantise int // dispatches
	}{
		{"q4:32", lower.GraphKind{Kind: lower.Decode, Rows: 1}, 0},
		{"q8", lower.GraphKind{Kind: lower.Decode, Rows: 1}, 0},
		{"q4", lower.GraphKind{Kind: lower.Ragged, Rows: 4}, 0},
		{"q4", lower.GraphKind{Kind: lower.Prefill, Rows: 64}, 4},
	} {
		t.Run(c.precision+" "+c.graph.String(), func(t *testing.T) {
			plan, err := lower.PlanFor(row, c.precision, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := lower.Lower(spec, plan, lower.Options{Context: 256, Slots: 5, Graphs: []lower.GraphKind{c.graph}})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for name, data := range map[string][]byte{tuningFile: tuningSpec(p.Rules), "in.mlir": []byte(ir.Print(p.Graphs[0].Module))} {
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), tool, slices.Concat(flags, []string{tuningFlag, "--compile-to=executable-configurations", "in.mlir", "-o", "out.mlir"})...)
			cmd.Dir = dir
			if log, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			text, err := os.ReadFile(filepath.Join(dir, "out.mlir"))
			if err != nil {
				t.Fatal(err)
			}
			products, dequantise := 0, 0
			for _, k := range kernels(t, string(text)) {
				elements := 1
				for _, n := range k.sizes {
					elements *= n
				}
				sums := k.kind == "reduction" || k.kind == "matmul_like"
				switch {
				case sums && (len(k.sizes) < 4 || slices.Contains(k.sizes, p.Capacity)): // norms, argmax, attention
				case sums:
					products++
					i := slices.IndexFunc(p.Rules, func(r lower.Rule) bool { return slices.Equal(r.Sizes, k.sizes) })
					if i < 0 || !strings.Contains(k.text, tuningRule{p.Rules[i]}.LoweringConfig()) {
						t.Errorf("%s of %v has not been tiled by a rule", k.kind, k.sizes)
					}
				case elements >= smallest:
					dequantise++
				}
			}
			if products != 5 || dequantise != c.dequantise {
				t.Errorf("%d products, want 5: of query·key·value, output, gate·up, down, head; %d dispatches write as much as a matrix, want %d", products, dequantise, c.dequantise)
			}
		})
	}
}

// TestTuningSpec: without rules there is no spec; each rule is in it once.
func TestTuningSpec(t *testing.T) {
	if s := tuningSpec(nil); s != nil {
		t.Errorf("without rules: %s", s)
	}
	rule := lower.Rule{Parallel: 2, Reduction: 1, Sizes: []int{60, 16, 18}, Distribution: []int{15, 16, 0}, Vector: []int{1, 16, 0}, Unroll: []int{0, 0, 1}}
	s := string(tuningSpec([]lower.Rule{rule, rule}))
	for _, want := range []string{
		"%op[0, 1] parallel", "%op[2] reduction", "constant 60 : i64", "@rule0 -> @apply, @rule1 -> @apply :",
		"distribution = [15, 16, 0], vector_common_parallel = [1, 16, 0], vector_reduction = [0, 0, 1]",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	if n := strings.Count(s, "named_sequence @rule"); n != 2 {
		t.Error(fmt.Sprint(n, " rules of 2"))
	}
}
