package lower_test

import (
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/lower"
)

// A rule is of a sum, also in a model so narrow that some products have none.
func TestRulesOfNarrowModel(t *testing.T) {
	spec, err := archs.Read([]byte(`{"model_type": "llama", "hidden_size": 7, "intermediate_size": 1, "num_hidden_layers": 1,
		"num_attention_heads": 1, "head_dim": 2, "vocab_size": 3}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	graphs := kinds(t, "prefill_c16", "decode", "ragged_b4")
	p, err := lower.Lower(spec, plan(t, "f32", "f32"), lower.Options{Context: 64, Slots: 5, Graphs: graphs})
	if err != nil {
		t.Fatal(err)
	}
	row := llvmCPU(t)
	rules := p.Rules(row.Vector(row.Levels["x86-64-v3"].Features), graphs...)
	if len(rules) == 0 {
		t.Error("no rules")
	}
	for _, r := range rules {
		if r.Parallel == 0 || r.Reduction == 0 {
			t.Errorf("%+v", r)
		}
	}
}
