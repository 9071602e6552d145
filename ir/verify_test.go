package ir_test

import (
	"strings"
	"testing"

	. "github.com/mlxc/mlxc/ir"
)

// small is a module that verifies, for tests to spoil: @main calls the private
// @double, and sums in a loop.
func small(t *testing.T) *Module {
	t.Helper()
	m, err := Build(func() *Module {
		m := &Module{Name: "small", Attrs: map[string]any{"mlxc.ir_version": IRVersion}}
		double := fn(m, "double", []Type{T(F32, 4)}, func(b *Builder) []*Value {
			return vals(Named("twice", b.Add(b.Arg(0), b.Arg(0))))
		})
		double.Private = true
		fn(m, "main", []Type{T(F32, 4), T(I32)}, func(b *Builder) []*Value {
			x := b.Call("double", b.Arg(0))[0]
			y := b.Composite("mlxc.double", "double", map[string]any{"n": 2}, x)[0]
			return b.While(vals(b.Arg(1), y),
				func(b *Builder, a []*Value) *Value { return b.Compare("LT", a[0], b.I32(3)) },
				func(b *Builder, a []*Value) []*Value { return vals(b.Add(a[0], b.I32(1)), b.Multiply(a[1], x)) })
		})
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		want  string // in the error
		spoil func(m *Module, double, main *Func)
	}{
		{`module name "a b"`, func(m *Module, _, _ *Func) { m.Name = "a b" }},
		{`function name "1"`, func(_ *Module, _, main *Func) { main.Name = "1" }},
		{`value name "a%"`, func(_ *Module, _, main *Func) { main.Args[0].Hint = "a%" }},
		{`value name "7"`, func(_ *Module, double, _ *Func) { double.Body.Ops[0].Results[0].Hint = "7" }},
		{`function name "double" is there twice`, func(_ *Module, _, main *Func) { main.Name = "double" }},
		{"a []string is no attribute value", func(m *Module, _, _ *Func) { m.Attrs["mlxc.x"] = []string{"a"} }},
		{`"version" has no dialect prefix`, func(m *Module, _, _ *Func) { m.Attrs["version"] = 1 }},
		{`"output" has no dialect prefix`, func(_ *Module, _, main *Func) { main.ArgAttrs[0] = map[string]any{"output": 1} }},
		{"attributes for 3 arguments, there are 2", func(_ *Module, _, main *Func) { main.ArgAttrs = make([]map[string]any, 3) }},
		{"tensor<0xf32>", func(m *Module, _, _ *Func) { m.Attrs["mlxc.x"] = T(F32, 0) }},
		{`attribute "a b"`, func(_ *Module, _, main *Func) {
			main.Body.Ops[1].Attrs["composite_attributes"] = map[string]any{"a b": 1}
		}},
		{"a block does not end with func.return", func(_ *Module, _, main *Func) { main.Body.Ops = main.Body.Ops[:3] }},
		{"a block does not end with func.return", func(_ *Module, double, _ *Func) { double.Body.Ops = nil }},
		{"func.return(%twice tensor<4xf32>) is not what ends this block", func(_ *Module, double, main *Func) {
			main.Body.Ops[2].Regions[0].Ops[2] = double.Body.Ops[1]
		}},
		{"a block does not end with stablehlo.return", func(_ *Module, _, main *Func) {
			loop := main.Body.Ops[2].Regions[0]
			loop.Ops = loop.Ops[:1]
		}},
		{"func.return(%twice tensor<4xf32>) is not what ends this block", func(_ *Module, double, _ *Func) {
			double.Body.Ops = append(double.Body.Ops, double.Body.Ops[1])
		}},
		{"results have types (tensor<5xf32>), inferred are (tensor<4xf32>)", func(_ *Module, double, _ *Func) {
			double.Body.Ops[0].Results[0].Type = T(F32, 5)
		}},
		{"stablehlo.add(tensor<4xf32>): 1 operands", func(_ *Module, double, _ *Func) {
			double.Body.Ops[0].Operands = double.Args
		}},
		{"argument of type tensor<0xf32>", func(_ *Module, double, _ *Func) { double.Args[0].Type = T(F32, 0) }},
		{"func.call(tensor<4xf32>): no function @single", func(_ *Module, _, main *Func) {
			main.Body.Ops[0].Attrs["callee"] = "single"
		}},
		{"func.call(tensor<4xf32>): function @double takes (tensor<5xf32>)", func(_ *Module, double, _ *Func) {
			double.Args[0].Type = T(F32, 5)
			double.Body.Ops[0].Results[0].Type = T(F32, 5)
			double.Results[0] = T(F32, 5)
		}},
		{"decomposition: function @double is not private", func(_ *Module, double, _ *Func) { double.Private = false }},
		{"operand 0 is not defined before", func(_ *Module, _, main *Func) {
			ops := main.Body.Ops
			ops[0], ops[1] = ops[1], ops[0]
		}},
		{"operand 0 is not defined before", func(_ *Module, double, main *Func) { // a value of another function
			main.Body.Ops[0].Operands[0] = double.Args[0]
		}},
		{"operand 1 is not defined before", func(_ *Module, _, main *Func) { // a value of an inner block
			loop := main.Body.Ops[2]
			main.Body.Ops[3].Operands[1] = loop.Regions[1].Args[1]
		}},
		{"is defined twice", func(_ *Module, double, _ *Func) {
			double.Body.Ops = append(double.Body.Ops[:1:1], double.Body.Ops...)
		}},
		{"is defined twice", func(_ *Module, double, main *Func) { main.Args[0] = double.Args[0] }},
		{"by another op", func(_ *Module, double, main *Func) {
			double.Body.Ops[0].Results[0].Def = main.Body.Ops[0]
		}},
		{"returns (tensor<i32>, tensor<4xf32>), its results are (tensor<i32>)", func(_ *Module, _, main *Func) {
			main.Results = main.Results[:1]
		}},
		{"@double calls itself", func(_ *Module, double, _ *Func) {
			b := Op{Name: "func.call", Operands: double.Args, Attrs: map[string]any{"callee": "double"}}
			b.Results = vals(&Value{Type: T(F32, 4), Def: &b})
			double.Body.Ops = append([]*Op{&b}, double.Body.Ops...)
		}},
	} {
		m := small(t)
		c.spoil(m, m.Func("double"), m.Func("main"))
		if err := Verify(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error about %q", err, c.want)
		}
	}
}
