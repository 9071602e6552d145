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

// part is some elements of memory: rows of width elements.
type part struct {
	at    int // the first element
	rows  int
	row   int // from row to row
	width int
	lane  int // from element to element of a row
}

// run is the part of n elements in one row.
func run(at, stride, n int) part { return part{at: at, rows: 1, width: n, lane: stride} }

// gapless reports whether the elements of p follow on one another.
func (p part) gapless() bool { return p.lane == 1 && (p.rows == 1 || p.row == p.width) }

func (p part) size() int { return p.rows * p.width }

// storage says how one element type lies in memory.
type storage struct {
	// load reads a part into dst, row by row; it returns dst, or the memory itself
	// where that has the lanes' form already.
	load func(data []byte, p part, dst lanes) lanes
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

func floatStorage(narrow func(float32) uint16, widen func(uint16) float32, load func([]byte, part, lanes) lanes) storage {
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

// halves is the value of every f16 bit pattern; looking up is faster than computing.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	var t [1 << 16]float32
	for i := range t {
		t[i] = ir.F16ToF32(uint16(i))
	}
	return &t
})

func loadF32(data []byte, p part, dst lanes) lanes {
	mem := elements[float32](data)
	if p.gapless() {
		return lanes{f: mem[p.at : p.at+p.size()]}
	}
	spread(dst.f, mem, p)
	return dst
}

func loadI64(data []byte, p part, dst lanes) lanes {
	mem := elements[int64](data)
	if p.gapless() {
		return lanes{i: mem[p.at : p.at+p.size()]}
	}
	spread(dst.i, mem, p)
	return dst
}

func loadInt[T int8 | int16 | int32 | uint8 | uint16 | uint32](data []byte, p part, dst lanes) lanes {
	spread(dst.i, elements[T](data), p)
	return dst
}

// loadBool takes every byte but 0 as true.
func loadBool(data []byte, p part, dst lanes) lanes {
	spread(dst.i, data, p)
	for k, x := range dst.i[:p.size()] {
		dst.i[k] = min(x, 1)
	}
	return dst
}

func loadF16(data []byte, p part, dst lanes) lanes {
	table, mem := halves(), elements[uint16](data)
	for r := range p.rows {
		from, row := p.at+r*p.row, dst.f[r*p.width:][:p.width]
		if p.lane == 1 {
			for k, h := range mem[from:][:len(row)] {
				row[k] = table[h]
			}
			continue
		}
		for k := range row {
			row[k] = table[mem[from+k*p.lane]]
		}
	}
	return dst
}

func loadBF16(data []byte, p part, dst lanes) lanes {
	mem := elements[uint16](data)
	for r := range p.rows {
		from, row := p.at+r*p.row, dst.f[r*p.width:][:p.width]
		if p.lane == 1 {
			for k, h := range mem[from:][:len(row)] {
				row[k] = math.Float32frombits(uint32(h) << 16)
			}
			continue
		}
		for k := range row {
			row[k] = math.Float32frombits(uint32(mem[from+k*p.lane]) << 16)
		}
	}
	return dst
}

// spread copies a part of mem to dst, converting numbers.
func spread[L float32 | int64, T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | float32](dst []L, mem []T, p part) {
	for r := range p.rows {
		from, row := p.at+r*p.row, dst[r*p.width:][:p.width]
		if p.lane == 1 {
			for k, x := range mem[from:][:len(row)] {
				row[k] = L(x)
			}
			continue
		}
		for k := range row {
			row[k] = L(mem[from+k*p.lane])
		}
	}
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
