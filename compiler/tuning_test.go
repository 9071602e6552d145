package compiler

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/iree/ireetest"
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

var kernelName = regexp.MustCompile(`func\.func @[a-z0-9_.]+_dispatch_\d+_([a-z_]+?)_(\d+(?:x\d+)*)[_(]`)

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
// that finds nothing is silent, and the product takes four times as long), only chunks
// of a prompt dequantise matrices, and nothing writes down a converted state.
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
	const smallest = 3 * 256 * 64 // elements of keys that attention reads
	for _, c := range []struct {
		precision, cpu, graph string
		products              int // of matrices, and two of attention a sequence
		dequantise            int // dispatches
		formats               lower.Formats
	}{
		{"f32", "x86-64-v3", "decode", 7, 0, nil},
		{"f16", "x86-64-v4", "ragged_b8", 14, 0, nil}, // equal ones are one
		{"f16", "x86-64-v3", "prefill_c16", 7, 0, nil},
		{"q4:32", "x86-64-v3", "decode", 7, 0, nil},
		{"q4:32", "x86-64-v4", "decode_s256", 7, 0, nil},
		{"q8", "x86-64-v3", "decode", 7, 0, nil},
		{"keep", "x86-64-v4", "decode", 7, 0, zeroAndK},
		{"q4", "x86-64-v3", "ragged_b4", 10, 0, nil}, // equal ones are one
		{"keep", "x86-64-v4", "ragged_b8", 14, 0, zeroAndK},
		{"keep", "x86-64-v4", "decode", 7, 0, ofQ4_K_M},
		{"keep", "x86-64-v3", "ragged_b8", 14, 0, ofQ4_K_M},
		{"keep", "x86-64-v3", "decode_s256", 7, 0, ofQ3_K_M},
		{"keep", "x86-64-v4", "prefill_c64", 7, 4, ofQ3_K_M},
		{"bf16", "x86-64-v3", "ragged_b2", 8, 0, nil},
		{"q4", "x86-64-v3", "prefill_c64", 7, 4, nil},
		{"q4", "x86-64-v4", "prefill_c16_s256", 7, 4, nil},
	} {
		t.Run(c.precision+" "+c.cpu+" "+c.graph, func(t *testing.T) {
			plan, err := lower.PlanFor(row, c.precision, "", c.formats)
			if err != nil {
				t.Fatal(err)
			}
			kind, err := lower.ParseGraphKind(c.graph)
			if err != nil {
				t.Fatal(err)
			}
			graphs := []lower.GraphKind{kind}
			if kind.Span > 0 {
				graphs = append(graphs, lower.GraphKind{Kind: kind.Kind, Rows: kind.Rows})
			}
			p, err := lower.Lower(spec, plan, lower.Options{Context: 320, Slots: 5, Graphs: graphs})
			if err != nil {
				t.Fatal(err)
			}
			rules := p.Rules(row.Vector(row.Levels[c.cpu].Features), kind)
			products, dequantise := 0, 0
			for _, k := range kernels(t, string(ireetest.Compile(t, c.cpu, "executable-configurations", tuned(Unit("graph", p.Graphs[0].Module), rules)))) {
				elements := 1
				for _, n := range k.sizes {
					elements *= n
				}
				sums := slices.Contains([]string{"reduction", "matmul_like", "matvec_like"}, k.kind)
				switch {
				case sums && (len(k.sizes) < 3 || k.kind == "reduction" && len(k.sizes) < 4 && elements < smallest): // norms, softmax, argmax, sums of activations
				case sums:
					products++
					i := slices.IndexFunc(rules, func(r lower.Rule) bool { return slices.Equal(r.Sizes, k.sizes) })
					if i < 0 || !strings.Contains(k.text, tuningRule{rules[i]}.LoweringConfig()) {
						t.Errorf("%s of %v has not been tiled by a rule", k.kind, k.sizes)
					}
				case elements >= smallest && kind.Kind != lower.Prefill, elements >= 576*576:
					dequantise++
				}
			}
			if products != c.products || dequantise != c.dequantise {
				t.Errorf("%d kinds of products, want %d: of query·key·value, output, gate·up, down, head, keys, values; %d dispatches write as much as a matrix, want %d",
					products, c.products, dequantise, c.dequantise)
			}
		})
	}
}

// GGUF's types.
var (
	q4_0 = lower.Format{Bits: 4, Group: 32, DType: ir.F16, Centre: 8}
	q5_0 = lower.Format{Bits: 8, Group: 32, DType: ir.F16, Centre: 16}
	q3_K = lower.Format{Bits: 4, Group: 16, DType: ir.F16, Centre: 4, Super: 16}
	q4_K = lower.Format{Bits: 4, Group: 32, DType: ir.F16, Super: 8}
	q6_K = lower.Format{Bits: 8, Group: 16, DType: ir.F16, Centre: 32, Super: 16}
)

// Checkpoints of GGUF's types. Of the widths of SmolLM2's rows only that of down's holds
// blocks of 256; llama.cpp's mixtures have other types elsewhere.
var (
	zeroAndK = ofTypes(q4_K, q4_0)
	ofQ4_K_M = ofTypes(q6_K, q5_0)
	ofQ3_K_M = ofTypes(q3_K, q4_0)
)

func ofTypes(down, others lower.Format) lower.Formats {
	return func(tensor string) lower.Format {
		if strings.Contains(tensor, "down_proj") {
			return down
		}
		return others
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
