package checkpoint

import (
	"encoding/binary"
	"math"

	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// A codec widens the elements of one stored float type to float32.
type codec struct {
	size   int // bytes an element
	widen  func(dst []float32, src []byte)
	number ir.DType // the narrowest of F16, BF16 and F32 that holds what f32 holds
}

// codecs are the float types of SafeTensors; widening is exact except for F64.
var codecs = map[string]codec{
	"F64":     {8, widenF64, ir.F32},
	"F32":     {4, widenAs(ir.F32), ir.F32},
	"F16":     {2, widenAs(ir.F16), ir.F16},
	"BF16":    {2, widenAs(ir.BF16), ir.BF16},
	"F8_E4M3": {1, widen8(quant.E4M3), ir.F16},
	"F8_E5M2": {1, widen8(fromE5M2), ir.F16},
	"F8_E8M0": {1, widen8(quant.E8M0), ir.BF16},
}

// sameType is the stored type that needs no conversion, of the types that numbers are read as.
var sameType = map[ir.DType]string{ir.F32: "F32", ir.F16: "F16", ir.BF16: "BF16"}

// chunk is the number of elements converted at a time: the buffer stays in cache.
const chunk = 2048

// convert writes the elements of src, stored as a type of codecs, to dst as d.
func convert(dst []byte, d ir.DType, src []byte, stored string) {
	if sameType[d] == stored {
		copy(dst, src)
		return
	}
	c := codecs[stored]
	if stored == "F64" && d != ir.F32 {
		c.widen = widenF64Odd // the second rounding is the only one that counts
	}
	var buffer [chunk]float32
	for n := len(src) / c.size; n > 0; n -= chunk {
		floats := buffer[:min(n, chunk)]
		c.widen(floats, src)
		ir.Narrow(dst, d, floats)
		src, dst = src[len(floats)*c.size:], dst[len(floats)*d.Size():]
	}
}

func widenF64(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
	}
}

func widenF64Odd(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = ir.RoundToOdd(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
	}
}

func widenAs(d ir.DType) func([]float32, []byte) {
	return func(dst []float32, src []byte) { ir.Widen(dst, d, src) }
}

func widen8(from func(uint8) float32) func([]float32, []byte) {
	var table [256]float32
	for i := range table {
		table[i] = from(uint8(i))
	}
	return func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = table[src[i]]
		}
	}
}

// fromE5M2 is OCP E5M2: the top byte of an f16.
func fromE5M2(b uint8) float32 { return ir.F16ToF32(uint16(b) << 8) }
