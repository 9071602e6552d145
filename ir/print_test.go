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
		func(m *Module) { m.Funcs[0].NoInline = true },
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

// Names of values: hints made unique, constants by value, arguments, numbers.
func TestNames(t *testing.T) {
	m, err := Build(func() *Module {
		m := &Module{}
		fn(m, "f", []Type{T(F32), T(F32)}, func(b *Builder) []*Value {
			Named("arg0", b.Arg(1))
			one := b.Splat(T(F32), 1)
			sum := Named("x", b.Add(b.Arg(0), one))
			Named("x_1", b.Add(sum, b.Splat(T(F32), 1))) // shares the constant
			return vals(Named("x", b.Add(sum, sum)), b.Negate(sum), Named("x", b.Abs(sum)),
				Named("one", b.Splat(T(I32), 1)), b.I32(1), b.Splat(T(I1), 1), b.Splat(T(F16), -1e9), b.Splat(T(F32), 1e30),
				b.Splat(T(F32), 0.1234567), b.Constant(&Tensor{T(I8, 2), []byte{1, 2}}), b.Constant(&Tensor{T(I8, 2), []byte{3, 2}}))
		})
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	text := Print(m)
	ret := text[strings.Index(text, "return "):]
	const want = "return %x_2, %0, %x_3, %one, %c1, %true, %c-inf, %c1.0e30, %cst, %cst_1, %cst_2 :"
	if !strings.HasPrefix(ret, want) {
		t.Errorf("%.120s\nwant\n%s", ret, want)
	}
	if arg := "%arg0_1: tensor<f32>"; !strings.Contains(text, arg) {
		t.Errorf("no %s in\n%s", arg, text)
	}
}
