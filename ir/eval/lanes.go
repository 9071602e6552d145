package eval

import (
	"math"
	"sync"

	"github.com/mlxc/mlxc/ir"
)

// lanes are consecutive elements in the form that kernels compute on: float types
// as float32 (f16 and bf16 values are exact in it), integers and i1 as int64.
type lanes struct {
	f []float32
	i []int64
}

func newLanes(d ir.DType, n int) lanes {
	if d.IsFloat() {
		return lanes{f: make([]float32, n)}
	}
	return lanes{i: make([]int64, n)}
}

func (l lanes) cut(lo, hi int) lanes {
	if l.f != nil {
		return lanes{f: l.f[lo:hi]}
	}
	return lanes{i: l.i[lo:hi]}
}

// set copies src to the front of l.
func (l lanes) set(src lanes) {
	copy(l.f, src.f)
	copy(l.i, src.i)
}

// storage says how one element type lies in memory.
type storage struct {
	// load reads len(dst) elements from off on, stride apart; it returns dst filled,
	// or the memory itself where that has the lanes' form already.
	load func(data []byte, off, stride int, dst lanes) lanes
	// save writes src to elements off, off+stride, …
	save func(data []byte, off, stride int, src lanes)
	// fits narrows computed lanes to what the element type can hold: floats are
	// rounded to nearest even, integers wrap. nil if lanes hold it exactly.
	fits func(lanes)
}

var storages = [...]storage{
	ir.F32:  {loadF32, saveF32, nil},
	ir.F16:  floatStorage(ir.F32ToF16, func(h uint16) float32 { return halves()[h] }, loadF16),
	ir.BF16: floatStorage(ir.F32ToBF16, ir.BF16ToF32, loadBF16),
	ir.I1:   {loadBool, saveInt[uint8], wrap(func(x int64) int64 { return x & 1 })},
	ir.I4:   {loadInt[int8], saveInt[int8], wrap(func(x int64) int64 { return x << 60 >> 60 })},
	ir.I8:   intStorage[int8](),
	ir.I16:  intStorage[int16](),
	ir.I32:  intStorage[int32](),
	ir.I64:  {loadI64, saveInt[int64], nil},
	ir.UI4:  {loadInt[uint8], saveInt[uint8], wrap(func(x int64) int64 { return x & 15 })},
	ir.UI8:  intStorage[uint8](),
	ir.UI16: intStorage[uint16](),
	ir.UI32: intStorage[uint32](),
}

func intStorage[T int8 | int16 | int32 | uint8 | uint16 | uint32]() storage {
	return storage{loadInt[T], saveInt[T], func(l lanes) {
		for k, x := range l.i {
			l.i[k] = int64(T(x))
		}
	}}
}

func wrap(f func(int64) int64) func(lanes) {
	return func(l lanes) {
		for k, x := range l.i {
			l.i[k] = f(x)
		}
	}
}

func floatStorage(narrow func(float32) uint16, widen func(uint16) float32, load func([]byte, int, int, lanes) lanes) storage {
	return storage{
		load: load,
		save: func(data []byte, off, stride int, src lanes) {
			mem := elements[uint16](data)
			for _, x := range src.f {
				mem[off] = narrow(x)
				off += stride
			}
		},
		fits: func(l lanes) {
			for k, x := range l.f {
				l.f[k] = widen(narrow(x))
			}
		},
	}
}

// halves is the value of every f16 bit pattern: looking up is four times as fast as
// computing it.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	var t [1 << 16]float32
	for i := range t {
		t[i] = ir.F16ToF32(uint16(i))
	}
	return &t
})

func loadF32(data []byte, off, stride int, dst lanes) lanes {
	mem := elements[float32](data)
	if stride == 1 {
		return lanes{f: mem[off : off+len(dst.f)]}
	}
	for k := range dst.f {
		dst.f[k] = mem[off]
		off += stride
	}
	return dst
}

func loadF16(data []byte, off, stride int, dst lanes) lanes {
	table, mem := halves(), elements[uint16](data)
	if stride == 1 {
		mem = mem[off : off+len(dst.f)]
		for k := range dst.f {
			dst.f[k] = table[mem[k]]
		}
		return dst
	}
	for k := range dst.f {
		dst.f[k] = table[mem[off]]
		off += stride
	}
	return dst
}

func loadBF16(data []byte, off, stride int, dst lanes) lanes {
	mem := elements[uint16](data)
	if stride == 1 {
		mem = mem[off : off+len(dst.f)]
		for k := range dst.f {
			dst.f[k] = math.Float32frombits(uint32(mem[k]) << 16)
		}
		return dst
	}
	for k := range dst.f {
		dst.f[k] = math.Float32frombits(uint32(mem[off]) << 16)
		off += stride
	}
	return dst
}

func loadI64(data []byte, off, stride int, dst lanes) lanes {
	mem := elements[int64](data)
	if stride == 1 {
		return lanes{i: mem[off : off+len(dst.i)]}
	}
	for k := range dst.i {
		dst.i[k] = mem[off]
		off += stride
	}
	return dst
}

func loadInt[T int8 | int16 | int32 | uint8 | uint16 | uint32](data []byte, off, stride int, dst lanes) lanes {
	mem := elements[T](data)
	for k := range dst.i {
		dst.i[k] = int64(mem[off])
		off += stride
	}
	return dst
}

// loadBool takes every byte but 0 as true.
func loadBool(data []byte, off, stride int, dst lanes) lanes {
	for k := range dst.i {
		dst.i[k] = 0
		if data[off] != 0 {
			dst.i[k] = 1
		}
		off += stride
	}
	return dst
}

func saveF32(data []byte, off, stride int, src lanes) {
	mem := elements[float32](data)
	if stride == 1 {
		copy(mem[off:], src.f)
		return
	}
	for _, x := range src.f {
		mem[off] = x
		off += stride
	}
}

func saveInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](data []byte, off, stride int, src lanes) {
	mem := elements[T](data)
	for _, x := range src.i {
		mem[off] = T(x)
		off += stride
	}
}
