package ir

import (
	"fmt"
	"slices"
)

// class is a set of element types that an elementwise op takes.
type class struct {
	name string
	has  func(DType) bool
}

var (
	numbers  = class{"a number", func(d DType) bool { return d != I1 }}
	floats   = class{"a float", DType.IsFloat}
	integers = class{"an integer", func(d DType) bool { return !d.IsFloat() && d != I1 }}
	logicals = class{"an integer or i1", func(d DType) bool { return !d.IsFloat() }}
	signed   = class{"a signed number", func(d DType) bool { return !d.IsUnsigned() }}
)

// elementwiseOps are the ops whose result has the shape of their operands.
func elementwiseOps() []opDef {
	return slices.Concat(
		sameTypeOps(1, floats, "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic",
			"tanh", "sqrt", "rsqrt", "sine", "cosine", "floor", "ceil", "round_nearest_even"),
		sameTypeOps(1, signed, "abs"),
		sameTypeOps(1, numbers, "negate"),
		sameTypeOps(1, logicals, "not"),
		commutative(sameTypeOps(2, numbers, "add", "multiply", "maximum", "minimum")),
		commutative(sameTypeOps(2, logicals, "and", "or", "xor")),
		sameTypeOps(2, numbers, "subtract", "divide", "power", "remainder"),
		sameTypeOps(2, integers, "shift_left", "shift_right_logical", "shift_right_arithmetic"),
		[]opDef{
			{name: "stablehlo.compare", operands: 2, attrs: attrs{"comparison_direction": ""},
				infer: inferCompare, form: form{comparisonDirection, operandList, comparisonType, signature}},
			{name: "stablehlo.select", operands: 3, infer: inferSelect, form: form{operandList, selectTypes}},
			{name: "stablehlo.clamp", operands: 3, infer: inferClamp, form: form{operandList, signature}},
			{name: "stablehlo.convert", operands: 1, attrs: attrs{"type": Type{}},
				infer: inferConvert, form: form{operandList, resultSignature}},
			{name: "stablehlo.bitcast_convert", operands: 1, attrs: attrs{"type": Type{}},
				infer: inferBitcastConvert, form: form{operandList, resultSignature}},
		})
}

// sameTypeOps are rows of ops with n operands of one type, which the result has too.
func sameTypeOps(n int, c class, names ...string) []opDef {
	rows := make([]opDef, len(names))
	for i, name := range names {
		rows[i] = opDef{name: "stablehlo." + name, operands: n,
			infer: func(_ *Module, op *Op) ([]Type, error) { return inferSameType(c, op) },
			form:  form{operandList, sameType}}
	}
	return rows
}

func commutative(rows []opDef) []opDef {
	for i := range rows {
		rows[i].commutative = true
	}
	return rows
}

func inferSameType(c class, op *Op) ([]Type, error) {
	if err := sameTypes(op.Operands); err != nil {
		return nil, err
	}
	t := op.Operands[0].Type
	if !c.has(t.DType) {
		return nil, fmt.Errorf("element type %v is not %s", t.DType, c.name)
	}
	return []Type{t}, nil
}

// directions are the values of comparison_direction.
var directions = []string{"EQ", "NE", "LT", "LE", "GT", "GE"}

func inferCompare(_ *Module, op *Op) ([]Type, error) {
	if err := sameTypes(op.Operands); err != nil {
		return nil, err
	}
	if dir := op.Attrs["comparison_direction"].(string); !slices.Contains(directions, dir) {
		return nil, fmt.Errorf("comparison direction %q is not one of %v", dir, directions)
	}
	return []Type{op.Operands[0].Type.With(I1)}, nil
}

// compareType is how StableHLO compares elements of type d.
func compareType(d DType) string {
	switch {
	case d.IsFloat():
		return "FLOAT"
	case d.IsUnsigned():
		return "UNSIGNED"
	}
	return "SIGNED"
}

func inferSelect(_ *Module, op *Op) ([]Type, error) {
	pred, result := op.Operands[0].Type, op.Operands[1].Type
	if err := sameTypes(op.Operands[1:]); err != nil {
		return nil, err
	}
	if pred.DType != I1 || pred.Rank() != 0 && !slices.Equal(pred.Shape, result.Shape) {
		return nil, fmt.Errorf("the predicate is neither a scalar i1 nor i1 of the operands' shape")
	}
	return []Type{result}, nil
}

func inferClamp(_ *Module, op *Op) ([]Type, error) {
	x := op.Operands[1].Type
	if !numbers.has(x.DType) {
		return nil, fmt.Errorf("element type %v is not %s", x.DType, numbers.name)
	}
	for _, bound := range []Type{op.Operands[0].Type, op.Operands[2].Type} {
		if bound.DType != x.DType || bound.Rank() != 0 && !slices.Equal(bound.Shape, x.Shape) {
			return nil, fmt.Errorf("bound %v is neither a scalar nor of the type of the clamped operand", bound)
		}
	}
	return []Type{x}, nil
}

func inferConvert(_ *Module, op *Op) ([]Type, error) {
	x, to := op.Operands[0].Type, op.Attrs["type"].(Type)
	if !slices.Equal(x.Shape, to.Shape) {
		return nil, fmt.Errorf("result %v has another shape", to)
	}
	return []Type{to}, nil
}

func inferBitcastConvert(_ *Module, op *Op) ([]Type, error) {
	x, to := op.Operands[0].Type, op.Attrs["type"].(Type)
	if x.DType == I1 || to.DType == I1 {
		return nil, fmt.Errorf("i1 has no bits to reinterpret (result %v)", to)
	}
	if !slices.Equal(splitBits(x, to.DType), splitBits(to, x.DType)) {
		return nil, fmt.Errorf("result %v does not have the same bits", to)
	}
	return []Type{to}, nil
}

// splitBits is the shape of t with its elements split into elements of d's width
// along a new minor dimension, where d is narrower.
func splitBits(t Type, d DType) []int {
	if d.Bits() == 0 || d.Bits() >= t.DType.Bits() {
		return t.Shape
	}
	return append(slices.Clone(t.Shape), t.DType.Bits()/d.Bits())
}
