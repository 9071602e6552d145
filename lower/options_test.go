package lower_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

func TestGraphKindNames(t *testing.T) {
	for name, want := range map[string]lower.GraphKind{
		"prefill_c16": {Kind: lower.Prefill, Rows: 16}, "decode": {Kind: lower.Decode, Rows: 1}, "ragged_b8": {Kind: lower.Ragged, Rows: 8},
		"prefill_c4096": {Kind: lower.Prefill, Rows: 4096}, "prefill_c64_s256": {Kind: lower.Prefill, Rows: 64, Span: 256},
		"decode_s16": {Kind: lower.Decode, Rows: 1, Span: 16}, "ragged_b4_s1024": {Kind: lower.Ragged, Rows: 4, Span: 1024},
	} {
		if got, err := lower.ParseGraphKind(name); err != nil || got != want || got.String() != name {
			t.Errorf("ParseGraphKind(%q) = %v, %v, want %v", name, got, err, want)
		}
	}
	const supported = " (supported: prefill_cN, decode, ragged_bN, N from 1 to 4096, and each with _sM for the first M positions)"
	const spans = " (supported: multiples of 16, not less than the graph's rows)"
	for name, want := range map[string]string{
		"":                `lower: unknown graph ""` + supported,
		"prefill":         `lower: unknown graph "prefill"` + supported,
		"prefill_c0":      `lower: unknown graph "prefill_c0"` + supported,
		"prefill_c016":    `lower: unknown graph "prefill_c016"` + supported,
		"ragged_b-1":      `lower: unknown graph "ragged_b-1"` + supported,
		"decode_b1":       `lower: unknown graph "decode_b1"` + supported,
		"prefill_c5000":   `lower: graph prefill_c5000 has 5000 rows (supported: up to 4096)`,
		"decode_s0":       `lower: unknown graph "decode_s0"` + supported,
		"s256":            `lower: unknown graph "s256"` + supported,
		"decode_s100":     `lower: graph decode_s100 reads 100 rows of the state` + spans,
		"prefill_c64_s48": `lower: graph prefill_c64_s48 reads 48 rows of the state` + spans,
	} {
		if _, err := lower.ParseGraphKind(name); errText(err) != want {
			t.Errorf("ParseGraphKind(%q): %v, want %s", name, err, want)
		}
	}
}

func TestPlanFor(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	row.Precisions = append(row.Precisions, "q7")
	for _, c := range []struct {
		precision, kv string
		want          string // precision/kv, or the error
	}{
		{"f32", "", "f32/f32"}, {"bf16", "", "bf16/f16"}, {"f32", "f16", "f32/f16"}, {"f16", "f32", "f16/f32"},
		{"q4", "", "q4/f16"}, {"q8:32", "f32", "q8:32/f32"},
		{"q4:48", "", `lower: precision q4:48: unknown group size "48" (supported: 32, 64, 128)`},
		{"", "", "lower: precision keep: a config alone doesn't say how a checkpoint is quantised: name the checkpoint"},
		{"f64", "", `target: llvm-cpu: unknown precision "f64" (supported: f32, f16, bf16, keep, q8, q4, recipe, q7)`},
		{"q7", "", `lower: target llvm-cpu allows precision q7, which no plan has (there are: f32, f16, bf16, keep, q8, q4, recipe)`},
		{"recipe", "", "lower: precision recipe: which one? name it with --quant-recipe, or as recipe:NAME"},
		{"recipe:", "", "lower: precision recipe: which one? name it with --quant-recipe, or as recipe:NAME"},
		{"f32:32", "", "lower: precision f32:32: f32 takes nothing after a colon; q4 and q8 take a group size, as in q4:32"},
		{"keep:", "", "lower: precision keep:: keep takes nothing after a colon; q4 and q8 take a group size, as in q4:32"},
		{"f16", "bf16", `lower: unknown type "bf16" of keys and values (supported: f32, f16)`},
	} {
		p, err := lower.PlanFor(row, c.precision, c.kv, nil)
		got := errText(err)
		if err == nil {
			got = p.Precision + "/" + p.KV
		}
		if got != c.want {
			t.Errorf("PlanFor(%q, %q) = %s, want %s", c.precision, c.kv, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	good := lower.Options{Context: 8, Slots: 2, Graphs: kinds(t, "decode")}
	for _, c := range []struct {
		change func(s *archs.Spec, o *lower.Options)
		want   string
	}{
		{func(s *archs.Spec, o *lower.Options) {}, ""},
		{func(s *archs.Spec, o *lower.Options) { o.Context = 0 }, "lower: context of 0 positions: at least 1 is needed"},
		{func(s *archs.Spec, o *lower.Options) { o.Slots = 0 }, "lower: state of 0 slots: at least 1 is needed"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = nil }, "lower: no graph kinds: name some of prefill_cN, decode, ragged_bN"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = kinds(t, "decode", "decode") }, "lower: graph decode is asked for twice"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = kinds(t, "prefill_c24", "decode") },
			"lower: graph prefill_c24: the state of this plan takes multiples of 16 tokens: ask for prefill_c32"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = kinds(t, "prefill_c16", "prefill_c64") },
			"lower: graph prefill_c64: its rows do not fit into a state of 32 rows, for a context of 8: leave it out or ask for more context"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = []lower.GraphKind{{Kind: "x", Rows: 2}} },
			`lower: unknown graph "x" (supported: prefill_cN, decode, ragged_bN, N from 1 to 4096, and each with _sM for the first M positions)`},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = kinds(t, "decode_s16", "prefill_c16") },
			"lower: graph decode_s16 is for the first 16 positions: add decode for those beyond"},
		{func(s *archs.Spec, o *lower.Options) { o.Graphs = kinds(t, "decode", "decode_s16") },
			"lower: graph decode_s16: the state has 16 rows, for a context of 8, and decode reads all of them: leave it out or ask for more context"},
		{func(s *archs.Spec, o *lower.Options) { s.Layers[1].Attention.KVHeads = 3 }, "lower: layer 1: 4 heads are no multiple of 3 key/value heads"},
		{func(s *archs.Spec, o *lower.Options) { s.Layers[1].Attention.RoPE = 2 }, "lower: layer 1: RoPE kind 2, there are 2"},
		{func(s *archs.Spec, o *lower.Options) { s.RoPE[0].Dim = 10 }, "lower: layer 0: 10 rotary dimensions: an even number up to head_dim 8 is needed"},
		{func(s *archs.Spec, o *lower.Options) { s.Layers[1].MLP.Activation = "x" }, `lower: layer 1: unknown activation "x"`},
		{func(s *archs.Spec, o *lower.Options) { s.FinalNorm.Kind = "x" }, `lower: unknown norm "x"`},
		{func(s *archs.Spec, o *lower.Options) { s.Names.Embed = "no name" }, `lower: graph decode: ir: "no name" is not a name for a value`},
	} {
		s, o := tinySpec(), good
		c.change(&s, &o)
		if _, err := lower.Lower(s, plan(t, "f32", ""), o); errText(err) != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// TestCapacity: the smallest chunk fits at every position of the context.
func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		context int
		graphs  []string
		want    int
	}{
		{40, []string{"prefill_c16", "prefill_c64", "decode"}, 64},
		{40, []string{"prefill_c64", "decode"}, 112},
		{40, []string{"decode"}, 48},
		{2048, []string{"prefill_c16", "decode"}, 2064},
		{1, []string{"decode"}, 16},
	} {
		p, err := lower.Lower(tinySpec(), plan(t, "f32", ""), lower.Options{Context: c.context, Slots: 1, Graphs: kinds(t, c.graphs...)})
		if err != nil {
			t.Fatal(err)
		}
		if p.Capacity != c.want || p.ChunkAlign != 16 {
			t.Errorf("context %d, %v: capacity %d, alignment %d, want %d and 16", c.context, c.graphs, p.Capacity, p.ChunkAlign, c.want)
		}
	}
}

// TestPadding: what rows beyond valid compute never reaches valid ones, not even
// when the weights of the token that pads are NaN.
func TestPadding(t *testing.T) {
	c := oracle.Load(t, "llama")
	m := load(t, c.Dir, plan(t, "f32", ""), lower.Options{Context: 64, Slots: 2, Graphs: kinds(t, "prefill_c16", "decode")})
	prompt := c.Runs[0].Prompt
	if slices.Contains(prompt, 0) {
		t.Fatal("the prompt has the token that pads")
	}
	_, want := m.prefill(0, prompt, 16)
	embed := m.weights[0] // [tiles, hidden, lanes]
	for i := range embed.Type.Shape[1] {
		binary.LittleEndian.PutUint32(embed.Data[4*i*embed.Type.Shape[2]:], math.Float32bits(float32(math.NaN())))
	}
	token, got := m.prefill(1, prompt, 16)
	if d := distance(got, want); d != 0 {
		t.Errorf("logits differ by %g when the padding token's embedding is NaN", d)
	}
	for i := range 8 {
		if token, got = m.decode(1, len(prompt)+i, token); !finite(got) {
			t.Fatalf("step %d: logits are not finite", i)
		}
	}
	// The NaN shows where it is asked for.
	if token, got = m.decode(1, len(prompt)+8, 0); finite(got) || int(token) != m.Spec.Vocab {
		t.Errorf("token of NaN logits is %d, want %d", token, m.Spec.Vocab)
	}
}

func finite(logits []float32) bool {
	return !slices.ContainsFunc(logits, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) })
}

// TestArguments: order, names and types of one graph's interface.
func TestArguments(t *testing.T) {
	spec := tinySpec()
	spec.TiedHead, spec.Layers = true, spec.Layers[:1]
	spec.Layers[0].Attention.QKVBias = true
	p, err := lower.Lower(spec, plan(t, "f16", ""), lower.Options{Context: 4, Slots: 3, Graphs: kinds(t, "prefill_c16")})
	if err != nil {
		t.Fatal(err)
	}
	pool := ir.T(ir.F16, 3, 2, 32, 8)
	wantArgs := []lower.Arg{
		{Role: lower.RoleWeight, Name: "embed.weight", Index: 0, Type: ir.T(ir.UI16, 4, 32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.norm1.weight", Index: 1, Type: ir.T(ir.F32, 32)},
		{Role: lower.RoleWeight, Name: "layers.0.qkv.weight", Index: 2, Type: ir.T(ir.UI16, 4, 32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.q.bias", Index: 3, Type: ir.T(ir.F32, 32)},
		{Role: lower.RoleWeight, Name: "layers.0.k.bias", Index: 4, Type: ir.T(ir.F32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.v.bias", Index: 5, Type: ir.T(ir.F32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.o.weight", Index: 6, Type: ir.T(ir.UI16, 2, 32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.norm2.weight", Index: 7, Type: ir.T(ir.F32, 32)},
		{Role: lower.RoleWeight, Name: "layers.0.gate_up.weight", Index: 8, Type: ir.T(ir.UI16, 6, 32, 16)},
		{Role: lower.RoleWeight, Name: "layers.0.down.weight", Index: 9, Type: ir.T(ir.UI16, 2, 48, 16)},
		{Role: lower.RoleWeight, Name: "norm.weight", Index: 10, Type: ir.T(ir.F32, 32)},
		{Role: lower.RoleState, Name: "layer0.key", Index: 0, Type: pool},
		{Role: lower.RoleState, Name: "layer0.value", Index: 1, Type: pool},
		{Role: lower.RoleSlot, Name: "slot", Type: ir.T(ir.I32)},
		{Role: lower.RoleToken, Name: "token", Type: ir.T(ir.I32, 16)},
		{Role: lower.RolePosition, Name: "position", Type: ir.T(ir.I32)},
		{Role: lower.RoleValid, Name: "valid", Type: ir.T(ir.I32)},
		{Role: lower.RoleCos, Name: "cos", Index: 0, Type: ir.T(ir.F32, 16, 4)},
		{Role: lower.RoleSin, Name: "sin", Index: 0, Type: ir.T(ir.F32, 16, 4)},
		{Role: lower.RoleCos, Name: "cos1", Index: 1, Type: ir.T(ir.F32, 16, 4)},
		{Role: lower.RoleSin, Name: "sin1", Index: 1, Type: ir.T(ir.F32, 16, 4)},
	}
	wantResults := []lower.Arg{
		{Role: lower.RoleToken, Name: "token", Type: ir.T(ir.I32)},
		{Role: lower.RoleLogits, Name: "logits", Type: ir.T(ir.F32, 50)},
		{Role: lower.RoleState, Name: "layer0.key", Index: 0, Type: pool},
		{Role: lower.RoleState, Name: "layer0.value", Index: 1, Type: pool},
	}
	equal := func(a, b lower.Arg) bool {
		return a.Role == b.Role && a.Name == b.Name && a.Index == b.Index && a.Type.Equal(b.Type)
	}
	g := p.Graphs[0]
	if !slices.EqualFunc(g.Args, wantArgs, equal) {
		t.Errorf("arguments\n%v\nwant\n%v", g.Args, wantArgs)
	}
	if !slices.EqualFunc(g.Results, wantResults, equal) {
		t.Errorf("results\n%v\nwant\n%v", g.Results, wantResults)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
