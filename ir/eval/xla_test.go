package eval

import (
	"context"
	"fmt"
	"testing"

	"github.com/mlxc/mlxc/golden/witness"
	"github.com/mlxc/mlxc/ir"
)

// xlaDiffers are the cases in which XLA's result is another one, by right (StableHLO
// leaves it open) or by mistake, or which it doesn't run.
var xlaDiffers = map[string]string{
	"power_i32_negative_exponent": "negative exponents of integers",
	"convert_i32_bf16_once":       "XLA rounds to f32 before it rounds to bf16",
	"reduce_with_captured_scalar": "XLA's reductions can't read values of the function around",
}

// TestOpsAgainstXLA runs each case's module under XLA and compares with what the
// evaluator computes from the same inputs.
func TestOpsAgainstXLA(t *testing.T) {
	if testing.Short() {
		t.Skip("a process of XLA's: the full run covers it")
	}
	cases := append(opCases(), largerCases()...)
	var modules []witness.Module
	var want [][]*ir.Tensor
	for _, c := range cases {
		m := module(t, func(m *ir.Module) { c.add(m, "main", false) })
		p, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		results, err := p.Call(context.Background(), "main", clone(c.in))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, results)
		modules = append(modules, witness.Module{Text: ir.Print(m), Args: c.in, Results: m.Func("main").Results})
	}
	same := 0
	for i, got := range witness.Run(t, modules) {
		c := cases[i]
		err := got.Err
		for k, result := range got.Results {
			if e := difference(want[i][k], result, c.tol, c.atol); e != nil {
				err = fmt.Errorf("result %d: %w\neval %v\nxla  %v", k, e, first(want[i][k]), first(result))
			}
		}
		switch reason := xlaDiffers[c.name]; {
		case err == nil && reason != "":
			t.Errorf("%s is the same, but listed as different: %s", c.name, reason)
		case err == nil:
			same++
		case reason == "":
			t.Errorf("%s: %.2000v", c.name, err)
		}
	}
	t.Logf("%d of %d cases the same within their tolerances; not: %v", same, len(cases), xlaDiffers)
}
