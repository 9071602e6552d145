package ir_test

import (
	"strings"
	"testing"

	. "github.com/mlxc/mlxc/ir"
)

// in wraps ops of a function that has %x: tensor<2xf32> and %i: tensor<i32>.
func in(ops string) string {
	return "module {\nfunc.func @f(%x: tensor<2xf32>, %i: tensor<i32>) {\n" + ops + "\nreturn\n}\n}\n"
}

func TestParseErrors(t *testing.T) {
	deepAttr := strings.Repeat("{a = ", 100) + "true" + strings.Repeat("}", 100)
	deepLoop := strings.Repeat("%0 = stablehlo.while(%a = %i) : tensor<i32> cond {", 100)
	for _, c := range []struct{ text, want string }{
		{"", `line 1: found "end of text", want "module"`},
		{"module {", `line 1: found "end of text", want "func.func"`},
		{"module {} module {}", "after the module"},
		{"module @m attributes {mlxc.a = [1]} {}", `found "[", want an attribute value`},
		{"module attributes {mlxc.a = 1 : i64, mlxc.a = 2 : i64} {}", `attribute "mlxc.a" is there twice`},
		{"module attributes {mlxc.a = 1 : i32} {}", `found "i32", want "i64"`},
		{"module attributes {mlxc.a = 1.5 : i64} {}", `"1.5" is not an integer`},
		{"module attributes {mlxc.a = 99999999999999999999 : i64} {}", "is not an integer"},
		{"module attributes {mlxc.a = 0x7F : f64} {}", "is not the bits of an f64"},
		{"module attributes {mlxc.a = 1 : f64} {}", "is not a float"},
		{"module attributes {mlxc.a = " + deepAttr + "} {}", "nested deeper than 64"},
		{`module attributes {mlxc.a = "x\zz"} {}`, `found "\"", want an attribute value`},
		{"module attributes {a = true} {}", "no dialect prefix"},
		{"module {" + strings.Repeat("func.func @f() {return}", 2000) + "}", "more than 1024 functions"},

		{in("%a = stablehlo.add %x, %y : tensor<2xf32>"), "line 3: %y is not defined"},
		{in("%x = stablehlo.add %x, %x : tensor<2xf32>"), "line 4: %x is defined twice"},
		{in("%a = stablehlo.frobnicate %x : tensor<2xf32>"), `line 3: "stablehlo.frobnicate" is not an operation`},
		{in(`%a = "stablehlo.add"(%x, %x) : tensor<2xf32>`), `"stablehlo.add" is not an operation`},
		{in("%a, %b = stablehlo.add %x, %x : tensor<2xf32>"), "2 results have names, 1 have types"},
		{in("stablehlo.add %x, %x : tensor<2xf32>"), "0 results have names, 1 have types"},
		{in("%a = stablehlo.add %x : tensor<2xf32>"), "1 operands, want 2"},
		{in("%a = stablehlo.add %x, %x : tensor<3xf32>"), "results have types (tensor<3xf32>)"},
		{in("%a = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf16>"), "stablehlo.convert(%x tensor<2xf32>): the text states operand types (tensor<3xf32>)"},
		{in("%a = stablehlo.convert %x : (tensor<2xf32>) -> (tensor<2xf16>, tensor<2xf16>)"), "2 result types, want 1"},
		{in("%a = stablehlo.compare LT, %i, %i, FLOAT : (tensor<i32>, tensor<i32>) -> tensor<i1>"), `found "FLOAT", want "SIGNED"`},
		{in("%a = stablehlo.select %i, %x : tensor<i32>, tensor<2xf32>"), "select wants three operands"},
		{in("%a = stablehlo.transpose %x, dims = [0.5] : (tensor<2xf32>) -> tensor<2xf32>"), `"0.5" is not an integer`},
		{in("%a = stablehlo.reduce(%x init: %x) applies stablehlo.negate across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>"), "stablehlo.negate is no commutative op"},
		{in(deepLoop), "nested deeper than 64"},

		{in("%a = stablehlo.constant dense<0> : tensor<2xf32>"), `"0" is not a float`},
		{in("%a = stablehlo.constant dense<0.0> : tensor<2xi32>"), `"0.0" is not a value of i32`},
		{in("%a = stablehlo.constant dense<128> : tensor<2xi8>"), `"128" is not a value of i8`},
		{in("%a = stablehlo.constant dense<-1> : tensor<2xui8>"), `"-1" is not a value of ui8`},
		{in("%a = stablehlo.constant dense<1> : tensor<2xi1>"), `found "1", want "false"`},
		{in("%a = stablehlo.constant dense<0x7F80> : tensor<2xf32>"), "is not the bits of an f32"},
		{in("%a = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>"), "more elements"},
		{in("%a = stablehlo.constant dense<[1]> : tensor<2xi32>"), "1 elements in a dimension of 2"},
		{in("%a = stablehlo.constant dense<[[1, 2]]> : tensor<2xi32>"), "want an element"},
		{in(`%a = stablehlo.constant dense<"0x0000"> : tensor<2xi32>`), "the 8 bytes of its elements"},
		{in(`%a = stablehlo.constant dense<"0x0102"> : tensor<2xi4>`), "the string is not"},
		{in("%a = stablehlo.constant dense<[0.0]> : tensor<1000000x1000000xf32>"), "too many for a constant"},
		{in("%a = stablehlo.constant dense<0.0> : tensor<99999999999999999999xf32>"), "dimension"},
		{in("%a = stablehlo.constant dense<0.0> : tensor<" + strings.Repeat("1x", 33) + "f32>"), "rank 33"},
		{in("%a = stablehlo.constant dense<0.0> : tensor<" + strings.Repeat("1x", 5000) + "f32>"), "does not end"},
		{in("%a = stablehlo.constant dense<0.0> : tensor<-2xf32>"), `dimension "-2"`},
		{in("%a = stablehlo.constant dense<0.0> : tensor<2xf31>"), `unknown element type "f31"`},
		{in("%a = stablehlo.constant dense<0.0 : tensor<2xf32>"), `want ":"`},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error about %q\n%.300s", err, c.want, c.text)
		}
	}
}

// A splat takes the memory of one element.
func TestParseLargeSplat(t *testing.T) {
	m, err := Parse(in("%a = stablehlo.constant dense<0.5> : tensor<1000000x1000000xf16>"))
	if err != nil {
		t.Fatal(err)
	}
	if v := m.Funcs[0].Body.Ops[0].Attrs["value"].(*Tensor); string(v.Data) != "\x00\x38" {
		t.Errorf("% x", v.Data)
	}
}

// Foreign spellings that mean the same read the same.
func TestParseIsLenientAboutSpace(t *testing.T) {
	m := small(t)
	text := strings.ReplaceAll(Print(m), "\n", " // a comment\n\t\r\n")
	back, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if !Equal(m, back) {
		t.Error("another module")
	}
}

// A text that parses verifies, and what it prints is a fixpoint of parse and print.
func FuzzParse(f *testing.F) {
	m, err := Build(func() *Module {
		m := &Module{}
		shapeFuncs(m)
		indexFuncs(m)
		reductionFuncs(m)
		controlFuncs(m)
		attributeFuncs(m)
		return m
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, fn := range m.Funcs { // most functions stand alone
		f.Add(Print(&Module{Funcs: []*Func{fn}}))
	}
	f.Add(Print(m))
	f.Add(in("%a = stablehlo.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>\n%b = stablehlo.constant dense<\"0x0102\"> : tensor<2xui8>"))
	f.Add(in("%0 = stablehlo.slice %x [0:2:2] : (tensor<2xf32>) -> tensor<1xf32>\n%arg0 = stablehlo.tanh %0 : tensor<1xf32>"))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		printed := Print(m)
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if !Equal(m, again) {
			t.Fatalf("another module:\n%s", printed)
		}
		if reprinted := Print(again); reprinted != printed {
			t.Fatalf("another text:\n%s\nwant\n%s", reprinted, printed)
		}
	})
}
