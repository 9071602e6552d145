package ir

// Elementwise operations. The two operands of binary ones have equal types.

// Add is x + y.
func (b *Builder) Add(x, y *Value) *Value { return b.one("stablehlo.add", nil, x, y) }

// Subtract is x - y.
func (b *Builder) Subtract(x, y *Value) *Value { return b.one("stablehlo.subtract", nil, x, y) }

// Multiply is x · y.
func (b *Builder) Multiply(x, y *Value) *Value { return b.one("stablehlo.multiply", nil, x, y) }

// Divide is x / y; of integers rounded towards zero.
func (b *Builder) Divide(x, y *Value) *Value { return b.one("stablehlo.divide", nil, x, y) }

// Remainder is the remainder of Divide, with the sign of x.
func (b *Builder) Remainder(x, y *Value) *Value { return b.one("stablehlo.remainder", nil, x, y) }

// Maximum is the larger of x and y, NaN if one of them is.
func (b *Builder) Maximum(x, y *Value) *Value { return b.one("stablehlo.maximum", nil, x, y) }

// Minimum is the smaller of x and y, NaN if one of them is.
func (b *Builder) Minimum(x, y *Value) *Value { return b.one("stablehlo.minimum", nil, x, y) }

// Power is x to the power y.
func (b *Builder) Power(x, y *Value) *Value { return b.one("stablehlo.power", nil, x, y) }

// And is the bitwise, of i1 the logical conjunction.
func (b *Builder) And(x, y *Value) *Value { return b.one("stablehlo.and", nil, x, y) }

// Or is the bitwise, of i1 the logical disjunction.
func (b *Builder) Or(x, y *Value) *Value { return b.one("stablehlo.or", nil, x, y) }

// Xor is the bitwise, of i1 the logical exclusive disjunction.
func (b *Builder) Xor(x, y *Value) *Value { return b.one("stablehlo.xor", nil, x, y) }

// ShiftLeft is the integer x · 2^y, without the bits that leave its type.
func (b *Builder) ShiftLeft(x, y *Value) *Value { return b.one("stablehlo.shift_left", nil, x, y) }

// ShiftRightLogical is x shifted right by y bits, filled with zeros.
func (b *Builder) ShiftRightLogical(x, y *Value) *Value {
	return b.one("stablehlo.shift_right_logical", nil, x, y)
}

// ShiftRightArithmetic is x shifted right by y bits, filled with its sign bit.
func (b *Builder) ShiftRightArithmetic(x, y *Value) *Value {
	return b.one("stablehlo.shift_right_arithmetic", nil, x, y)
}

// Abs is |x|.
func (b *Builder) Abs(x *Value) *Value { return b.one("stablehlo.abs", nil, x) }

// Negate is -x.
func (b *Builder) Negate(x *Value) *Value { return b.one("stablehlo.negate", nil, x) }

// Not is the bitwise, of i1 the logical complement.
func (b *Builder) Not(x *Value) *Value { return b.one("stablehlo.not", nil, x) }

// Exponential is e^x.
func (b *Builder) Exponential(x *Value) *Value { return b.one("stablehlo.exponential", nil, x) }

// ExponentialMinusOne is e^x - 1, precise near 0.
func (b *Builder) ExponentialMinusOne(x *Value) *Value {
	return b.one("stablehlo.exponential_minus_one", nil, x)
}

// Log is the natural logarithm of x.
func (b *Builder) Log(x *Value) *Value { return b.one("stablehlo.log", nil, x) }

// LogPlusOne is the natural logarithm of 1 + x, precise near 0.
func (b *Builder) LogPlusOne(x *Value) *Value { return b.one("stablehlo.log_plus_one", nil, x) }

// Logistic is 1 / (1 + e^-x).
func (b *Builder) Logistic(x *Value) *Value { return b.one("stablehlo.logistic", nil, x) }

// Tanh is the hyperbolic tangent of x.
func (b *Builder) Tanh(x *Value) *Value { return b.one("stablehlo.tanh", nil, x) }

// Sqrt is the square root of x.
func (b *Builder) Sqrt(x *Value) *Value { return b.one("stablehlo.sqrt", nil, x) }

// Rsqrt is 1 / the square root of x.
func (b *Builder) Rsqrt(x *Value) *Value { return b.one("stablehlo.rsqrt", nil, x) }

// Sine is the sine of x, in radians.
func (b *Builder) Sine(x *Value) *Value { return b.one("stablehlo.sine", nil, x) }

// Cosine is the cosine of x, in radians.
func (b *Builder) Cosine(x *Value) *Value { return b.one("stablehlo.cosine", nil, x) }

// Floor is x rounded down.
func (b *Builder) Floor(x *Value) *Value { return b.one("stablehlo.floor", nil, x) }

// Ceil is x rounded up.
func (b *Builder) Ceil(x *Value) *Value { return b.one("stablehlo.ceil", nil, x) }

// RoundNearestEven is x rounded to the nearest integer, halves to even.
func (b *Builder) RoundNearestEven(x *Value) *Value {
	return b.one("stablehlo.round_nearest_even", nil, x)
}

// Compare yields i1; dir is EQ NE LT LE GT GE. The compare type follows the
// operands: FLOAT, SIGNED or UNSIGNED.
func (b *Builder) Compare(dir string, x, y *Value) *Value {
	return b.one("stablehlo.compare", map[string]any{"comparison_direction": dir}, x, y)
}

// Select is onTrue where pred (i1, same shape or scalar), else onFalse.
func (b *Builder) Select(pred, onTrue, onFalse *Value) *Value {
	return b.one("stablehlo.select", nil, pred, onTrue, onFalse)
}

// Clamp bounds x; lo and hi have x's type or are scalars.
func (b *Builder) Clamp(lo, x, hi *Value) *Value { return b.one("stablehlo.clamp", nil, lo, x, hi) }

// Convert changes the element type by value; x itself when it has it already.
func (b *Builder) Convert(x *Value, d DType) *Value {
	if x.Type.DType == d {
		return x
	}
	return b.one("stablehlo.convert", map[string]any{"type": x.Type.With(d)}, x)
}

// BitcastConvert reinterprets the bits; to.DType's width may differ, with the
// minor dimension gained or lost as StableHLO defines.
func (b *Builder) BitcastConvert(x *Value, to Type) *Value {
	return b.one("stablehlo.bitcast_convert", map[string]any{"type": to}, x)
}
