package compiler

import (
	"os"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// smollm2 is SmolLM2, lowered for a precision without a checkpoint.
func smollm2(t *testing.T, precision string) *model {
	t.Helper()
	config, err := os.ReadFile("../testdata/configs/smollm2-135m-instruct.json")
	if err != nil {
		t.Fatal(err)
	}
	m := &model{}
	if m.spec, err = archs.Read(config, nil); err != nil {
		t.Fatal(err)
	}
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	if m.plan, err = lower.PlanFor(row, precision, "", nil); err != nil {
		t.Fatal(err)
	}
	m.options = lower.Options{Context: 512, Slots: 5, Graphs: defaultGraphs(512, m.plan.State)}
	if m.program, err = lower.Lower(m.spec, m.plan, m.options); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUnits: each kind of graphs is a module with the functions of all of them, entries
// last, under their graphs' names; the layers, and nothing else, stay calls.
func TestUnits(t *testing.T) {
	m := smollm2(t, "f32")
	graphs := 0
	for i, job := range m.units(target.Vector{}) {
		if want := []string{"prefill", "decode", "ragged"}[i]; job.Name != want {
			t.Errorf("unit %d is %s, want %s", i, job.Name, want)
		}
		unit, err := ir.Parse(string(job.Text))
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(unit); err != nil {
			t.Fatal(err)
		}
		entries := 0
		for _, f := range unit.Funcs {
			graph, function, _ := strings.Cut(f.Name, ".")
			if kind, err := lower.ParseGraphKind(graph); err != nil || moduleOf(kind) != job.Name {
				t.Errorf("function %s in unit %s: %v", f.Name, job.Name, err)
			}
			if f.NoInline != (function == "layer") {
				t.Errorf("function %s: no_inline is %v", f.Name, f.NoInline)
			}
			switch {
			case !f.Private && function == "":
				entries++
			case entries > 0:
				t.Errorf("function %s is behind an entry", f.Name)
			}
		}
		graphs += entries
	}
	if graphs != len(m.options.Graphs) {
		t.Errorf("%d entries for %d graphs", graphs, len(m.options.Graphs))
	}
}
