package vm

import "math"

// wide reads the bits of a float32.
func wide(a uint32) float64 { return float64(math.Float32frombits(a)) }

func unaryF64(name string, fn func(float64) float64) opcode {
	return unary64(name, func(a uint64) uint64 { return math.Float64bits(fn(math.Float64frombits(a))) })
}

func binaryF64(name string, fn func(a, b float64) float64) opcode {
	return binary64(name, func(a, b uint64) uint64 {
		return math.Float64bits(fn(math.Float64frombits(a), math.Float64frombits(b)))
	})
}

func binaryF32(name string, fn func(a, b float32) float32) opcode {
	return binary32(name, func(a, b uint32) uint32 {
		return math.Float32bits(fn(math.Float32frombits(a), math.Float32frombits(b)))
	})
}

// wideUnaryF32 and wideBinaryF32 compute in float64 and round once.

func wideUnaryF32(name string, fn func(float64) float64) opcode {
	return unary32(name, func(a uint32) uint32 { return math.Float32bits(float32(fn(wide(a)))) })
}

func wideBinaryF32(name string, fn func(a, b float64) float64) opcode {
	return binary32(name, func(a, b uint32) uint32 { return math.Float32bits(float32(fn(wide(a), wide(b)))) })
}

// What a comparison with a NaN gives.
const (
	ordered   = false
	unordered = true
)

func equal(a, b float64) bool       { return a == b }
func notEqual(a, b float64) bool    { return a != b }
func less(a, b float64) bool        { return a < b }
func lessOrEqual(a, b float64) bool { return a <= b }

func compareFloats(a, b float64, fn func(a, b float64) bool, withNaN bool) uint32 {
	if math.IsNaN(a) || math.IsNaN(b) {
		return flag(withNaN)
	}
	return flag(fn(a, b))
}

func compareF32(name string, fn func(a, b float64) bool, withNaN bool) opcode {
	return binary32(name, func(a, b uint32) uint32 { return compareFloats(wide(a), wide(b), fn, withNaN) })
}

func compareF64(name string, fn func(a, b float64) bool, withNaN bool) opcode {
	return compare64(name, func(a, b uint64) bool {
		return compareFloats(math.Float64frombits(a), math.Float64frombits(b), fn, withNaN) != 0
	})
}

// minFloat and maxFloat return the first operand if the comparison fails, as for NaN.

func minFloat(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

func maxFloat(a, b float64) float64 {
	if a < b {
		return b
	}
	return a
}

// roundEven rounds half to even as IREE does: -0.5 becomes +0.
func roundEven(a float64) float64 {
	r := math.Round(a)
	if math.Abs(a-r) == 0.5 && math.Mod(r, 2) != 0 {
		r -= math.Copysign(1, r)
	}
	return r
}

// roundInt rounds half away from zero; what doesn't fit becomes the least integer,
// as x86's conversion gives.
func roundInt(a float64) int64 {
	if a = math.Round(a); a >= -(1<<63) && a < 1<<63 {
		return int64(a)
	}
	return math.MinInt64
}

// roundUint rounds half away from zero; what doesn't fit becomes 0 or the largest integer.
func roundUint(a float64) uint64 {
	switch a = math.Round(a); {
	case a >= 1<<64:
		return math.MaxUint64
	case a > 0:
		return uint64(a)
	}
	return 0
}

func multiplyAddF32(f *frame, in *instruction) error {
	a, b, c := wide(f.cells[in.r[0]]), wide(f.cells[in.r[1]]), wide(f.cells[in.r[2]])
	f.cells[in.r[3]] = math.Float32bits(float32(math.FMA(a, b, c)))
	return nil
}

func multiplyAddF64(f *frame, in *instruction) error {
	a, b, c := math.Float64frombits(f.get64(in.r[0])), math.Float64frombits(f.get64(in.r[1])), math.Float64frombits(f.get64(in.r[2]))
	f.set64(in.r[3], math.Float64bits(math.FMA(a, b, c)))
	return nil
}

func powerF32(f *frame, in *instruction) error {
	f.cells[in.r[2]] = math.Float32bits(float32(math.Pow(wide(f.cells[in.r[0]]), float64(int64(f.get64(in.r[1]))))))
	return nil
}

func powerF64(f *frame, in *instruction) error {
	f.set64(in.r[2], math.Float64bits(math.Pow(math.Float64frombits(f.get64(in.r[0])), float64(int64(f.get64(in.r[1]))))))
	return nil
}
