package eval

import (
	"math"

	"github.com/mlxc/mlxc/ir"
)

// Kernels of int64 lanes. Results wrap to the element type afterwards (see
// newKernel), except where fits is unnecessary.

var intUnary = map[string]func(int64) int64{
	"abs":    func(x int64) int64 { return max(x, -x) },
	"negate": func(x int64) int64 { return -x },
	"not":    func(x int64) int64 { return ^x },
}

// intBinary are whole loops where a call per element would dominate.
var intBinary = map[string]func(dst, a, b []int64){
	"add": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	},
	"subtract": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	},
	"multiply": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	},
	"and": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] & b[i]
		}
	},
	"or": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] | b[i]
		}
	},
	"xor": func(dst, a, b []int64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] ^ b[i]
		}
	},
	"maximum":   each(func(x, y int64) int64 { return max(x, y) }),
	"minimum":   each(func(x, y int64) int64 { return min(x, y) }),
	"divide":    each(quotient),
	"remainder": each(remainder),
	"power":     each(power),
}

func each(f func(x, y int64) int64) func(dst, a, b []int64) {
	return func(dst, a, b []int64) {
		for i := range dst {
			dst[i] = f(a[i], b[i])
		}
	}
}

// quotient rounds towards zero. StableHLO leaves division by zero open; it gives
// all ones, as in XLA.
func quotient(x, y int64) int64 {
	if y == 0 {
		return -1
	}
	return x / y // Go wraps the one overflow, −2⁶³ / −1
}

// remainder has the sign of the dividend; by zero it is the dividend, as in XLA.
func remainder(x, y int64) int64 {
	if y == 0 {
		return x
	}
	return x % y
}

// power by squaring, wrapping. A negative exponent gives the exact result rounded
// towards zero, so 0 but for bases 1 and −1; 0 to a negative power is all ones, as
// the division 1/0.
func power(x, y int64) int64 {
	if y < 0 {
		switch x {
		case 0:
			return -1
		case 1:
			return 1
		case -1:
			return 1 - 2*(y&1)
		}
		return 0
	}
	r := int64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// shifts of lanes of type d. The count is taken as unsigned; at the width or above
// it, all bits are shifted out.
var shifts = map[string]func(d ir.DType) func(x, y int64) int64{
	"shift_left": func(d ir.DType) func(x, y int64) int64 {
		return counted(d, func(x int64, n uint) int64 { return x << n }, func(int64) int64 { return 0 })
	},
	"shift_right_logical": func(d ir.DType) func(x, y int64) int64 {
		mask := bitMask(d)
		return counted(d, func(x int64, n uint) int64 { return int64(uint64(x) & mask >> n) }, func(int64) int64 { return 0 })
	},
	"shift_right_arithmetic": func(d ir.DType) func(x, y int64) int64 {
		// The sign is the top bit of the type, for unsigned types too.
		up := 64 - d.Bits()
		signed := func(x int64) int64 { return x << up >> up }
		return counted(d, func(x int64, n uint) int64 { return signed(x) >> n }, func(x int64) int64 { return signed(x) >> 63 })
	},
}

func counted(d ir.DType, shift func(x int64, n uint) int64, out func(x int64) int64) func(x, y int64) int64 {
	width := int64(d.Bits())
	return func(x, y int64) int64 {
		if y < 0 || y >= width {
			return out(x)
		}
		return shift(x, uint(y))
	}
}

// bitMask has the bits of one element set.
func bitMask(d ir.DType) uint64 { return math.MaxUint64 >> (64 - d.Bits()) }
