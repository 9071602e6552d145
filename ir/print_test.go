package ir_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/mlxc/mlxc/ir"
)

func TestParseOfPrintIsTheModule(t *testing.T) {
	m := everyOp(t)
	text := Print(m)
	back, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !Equal(m, back) {
		t.Errorf("another module, which prints as\n%s\nwant\n%s", Print(back), text)
	}
	if again := Print(back); again != text {
		t.Errorf("another text:\n%s\nwant\n%s", again, text)
	}
}

// Go orders maps at random, so one difference between two prints would show.
func TestPrintIsDeterministic(t *testing.T) {
	text := Print(everyOp(t))
	for range 20 {
		if again := Print(everyOp(t)); again != text {
			t.Fatal("two builds of one module print different texts")
		}
	}
}

// The other tests prove what they prove for every op of the table.
func TestEveryOpOfTheTableIsTested(t *testing.T) {
	text := Print(everyOp(t))
	for _, name := range OpNames() {
		switch name {
		case "func.return":
			name = "return"
		case "stablehlo.gather", "stablehlo.sort":
			name = `"` + name + `"(`
		}
		if !strings.Contains(text, " "+name) {
			t.Errorf("everyOp has no %s", name)
		}
	}
}

func TestEqualSeesEveryDifference(t *testing.T) {
	for _, change := range []func(m *Module){
		func(m *Module) { m.Name = "other" },
		func(m *Module) { m.Attrs["mlxc.ir_version"] = IRVersion + 1 },
		func(m *Module) { m.Funcs[0].Name = "other" },
		func(m *Module) { m.Funcs[0].Private = true },
		func(m *Module) { m.Func("attributes").ArgAttrs[0]["iree.abi.output"] = Index(1) },
		func(m *Module) { m.Func("constants").Body.Ops[0].Attrs["value"].(*Tensor).Data[7] ^= 1 },
		func(m *Module) { slices.Reverse(m.Func("choice").Body.Ops[0].Operands) },
		func(m *Module) { m.Func("choice").Body.Ops[0].Attrs["comparison_direction"] = "NE" },
		func(m *Module) { slices.Reverse(m.Func("reductions").Body.Ops[2].Regions[0].Args[:2]) },
		func(m *Module) { m.Func("shapes").Body.Ops[3].Attrs["permutation"].([]int)[0] = 0 },
	} {
		m, same := everyOp(t), everyOp(t)
		if change(m); Equal(m, same) {
			t.Errorf("equal after a change:\n%s", Print(m))
		}
	}
}
