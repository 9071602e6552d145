package eval

import (
	"math"
	"strings"

	"github.com/mlxc/mlxc/ir"
)

// newKernel is the kernel of an elementwise op, nil if op isn't one.
func newKernel(op *ir.Op) kernel {
	name, ok := strings.CutPrefix(op.Name, "stablehlo.")
	if !ok || len(op.Results) != 1 {
		return nil
	}
	out := op.Results[0].Type.DType
	switch name {
	case "compare":
		return compareKernel(op.Attrs["comparison_direction"].(string), op.Operands[0].Type.DType)
	case "select":
		return selectKernel
	case "clamp":
		return clampKernel(out)
	case "convert":
		return convertKernel(op.Operands[0].Type.DType, out)
	case "bitcast_convert":
		if from := op.Operands[0].Type.DType; from.Bits() == out.Bits() {
			return bitcastKernel(from, out)
		}
		return nil
	}
	return arithmeticKernel(name, out)
}

// arithmeticKernel is the kernel of an op whose operands and result have type d.
func arithmeticKernel(name string, d ir.DType) kernel {
	fits := storages[d].fits
	if fits == nil {
		fits = func(lanes) {}
	}
	if d.IsFloat() {
		if f := floatUnary[name]; f != nil {
			return func(dst lanes, args []lanes) {
				for i, x := range args[0].f[:len(dst.f)] {
					dst.f[i] = f(x)
				}
				fits(dst)
			}
		}
		if f := floatBinary[name]; f != nil {
			return func(dst lanes, args []lanes) {
				f(dst.f, args[0].f, args[1].f)
				fits(dst)
			}
		}
		return nil
	}
	if f := intUnary[name]; f != nil {
		return func(dst lanes, args []lanes) {
			for i, x := range args[0].i[:len(dst.i)] {
				dst.i[i] = f(x)
			}
			fits(dst)
		}
	}
	f := intBinary[name]
	if shift := shifts[name]; shift != nil {
		f = each(shift(d))
	}
	if f == nil {
		return nil
	}
	return func(dst lanes, args []lanes) {
		f(dst.i, args[0].i, args[1].i)
		fits(dst)
	}
}

// compareKernel: NaN is unequal to everything and not ordered.
func compareKernel(direction string, d ir.DType) kernel {
	if d.IsFloat() {
		f := comparisons[float32]()[direction]
		return func(dst lanes, args []lanes) { compare(dst.i, args[0].f, args[1].f, f) }
	}
	f := comparisons[int64]()[direction]
	return func(dst lanes, args []lanes) { compare(dst.i, args[0].i, args[1].i, f) }
}

func comparisons[T float32 | int64]() map[string]func(x, y T) bool {
	return map[string]func(x, y T) bool{
		"EQ": func(x, y T) bool { return x == y },
		"NE": func(x, y T) bool { return x != y },
		"LT": func(x, y T) bool { return x < y },
		"LE": func(x, y T) bool { return x <= y },
		"GT": func(x, y T) bool { return x > y },
		"GE": func(x, y T) bool { return x >= y },
	}
}

func compare[T any](dst []int64, a, b []T, f func(x, y T) bool) {
	for i := range dst {
		dst[i] = 0
		if f(a[i], b[i]) {
			dst[i] = 1
		}
	}
}

func selectKernel(dst lanes, args []lanes) {
	if dst.f != nil {
		choose(dst.f, args[0].i, args[1].f, args[2].f)
	} else {
		choose(dst.i, args[0].i, args[1].i, args[2].i)
	}
}

func choose[T any](dst []T, pred []int64, a, b []T) {
	pred, a, b = pred[:len(dst)], a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = b[i]
		if pred[i] != 0 {
			dst[i] = a[i]
		}
	}
}

// clampKernel is minimum(maximum(x, lo), hi).
func clampKernel(d ir.DType) kernel {
	upper, lower := arithmeticKernel("minimum", d), arithmeticKernel("maximum", d)
	return func(dst lanes, args []lanes) {
		lower(dst, args[:2])
		upper(dst, []lanes{dst, args[2]})
	}
}

// convertKernel converts by value: to integers towards zero, saturating, NaN to 0
// (StableHLO leaves those open; LLVM's saturating conversions do the same); to i1
// everything but zero is true; to floats to nearest even.
func convertKernel(from, to ir.DType) kernel {
	fits := storages[to].fits
	switch {
	case from.IsFloat() && to.IsFloat():
		return func(dst lanes, args []lanes) {
			copy(dst.f, args[0].f)
			if fits != nil && to != from {
				fits(dst)
			}
		}
	case from.IsFloat() && to == ir.I1:
		return func(dst lanes, args []lanes) {
			compare(dst.i, args[0].f, make([]float32, len(dst.i)), func(x, y float32) bool { return x != y })
		}
	case from.IsFloat():
		lo, hi := limits(to)
		return func(dst lanes, args []lanes) {
			for i, x := range args[0].f[:len(dst.i)] {
				dst.i[i] = saturate(x, lo, hi)
			}
		}
	case to == ir.F32:
		return func(dst lanes, args []lanes) {
			for i, x := range args[0].i[:len(dst.f)] {
				dst.f[i] = float32(x)
			}
		}
	case to.IsFloat(): // by way of an odd f32, so that it rounds only once
		return func(dst lanes, args []lanes) {
			for i, x := range args[0].i[:len(dst.f)] {
				dst.f[i] = ir.RoundToOdd(float64(x))
			}
			fits(dst)
		}
	case to == ir.I1:
		return func(dst lanes, args []lanes) {
			compare(dst.i, args[0].i, make([]int64, len(dst.i)), func(x, y int64) bool { return x != y })
		}
	}
	return func(dst lanes, args []lanes) {
		copy(dst.i, args[0].i)
		if fits != nil {
			fits(dst)
		}
	}
}

// limits are the least and greatest values of an integer type.
func limits(d ir.DType) (lo, hi int64) {
	if d.IsUnsigned() {
		return 0, int64(bitMask(d))
	}
	hi = int64(bitMask(d) >> 1)
	return -hi - 1, hi
}

func saturate(x float32, lo, hi int64) int64 {
	switch {
	case x != x:
		return 0
	case float64(x) <= float64(lo):
		return lo
	case float64(x) >= float64(hi):
		return hi
	}
	return int64(x)
}

// bitcastKernel reinterprets elements of one width.
func bitcastKernel(from, to ir.DType) kernel {
	bits, value := floatBits[from], floatValue[to]
	fits := storages[to].fits
	return func(dst lanes, args []lanes) {
		for i := range max(len(dst.f), len(dst.i)) {
			var b int64
			if bits != nil {
				b = int64(bits(args[0].f[i]))
			} else {
				b = args[0].i[i]
			}
			if value != nil {
				dst.f[i] = value(uint32(b))
			} else {
				dst.i[i] = b
			}
		}
		if value == nil && fits != nil {
			fits(dst)
		}
	}
}

var floatBits = map[ir.DType]func(float32) uint32{
	ir.F32:  math.Float32bits,
	ir.F16:  func(f float32) uint32 { return uint32(ir.F32ToF16(f)) },
	ir.BF16: func(f float32) uint32 { return uint32(ir.F32ToBF16(f)) },
}

var floatValue = map[ir.DType]func(uint32) float32{
	ir.F32:  math.Float32frombits,
	ir.F16:  func(b uint32) float32 { return halves()[b&0xffff] },
	ir.BF16: func(b uint32) float32 { return ir.BF16ToF32(uint16(b)) },
}
