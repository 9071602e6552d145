package eval

import (
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// body is the scalar function of a reduce or sort as code. Its inputs are the
// region's arguments, then the constants in it and the scalars that it captures.
type body struct {
	code  code
	types []ir.DType               // of the region's arguments
	extra []func(fr *frame) *array // reads the other inputs, without taking a reference
	loop  *loop                    // nil if the body has no loop of its own
}

func (pl *planner) newBody(b *ir.Block) (*body, error) {
	bd := &body{}
	register := map[*ir.Value]int{}
	for i, v := range b.Args {
		register[v] = i
		bd.types = append(bd.types, v.Type.DType)
	}
	input := func(v *ir.Value, read func(fr *frame) *array) {
		register[v] = len(b.Args) + len(bd.extra)
		bd.extra = append(bd.extra, read)
	}
	ops, ret := b.Ops[:len(b.Ops)-1], b.Ops[len(b.Ops)-1]
	for _, v := range captures(&ir.Op{Regions: []*ir.Block{b}}) {
		slot := pl.slot[v]
		input(v, func(fr *frame) *array { return fr.slots[slot] })
	}
	for _, op := range ops {
		if op.Name == "stablehlo.constant" {
			t := op.Attrs["value"].(*ir.Tensor)
			a := &array{Type: t.Type, buf: &buffer{data: aligned(t.Type.DType, t.Data)}}
			input(op.Results[0], func(*frame) *array { return a })
		}
	}
	bd.code.inputs = len(b.Args) + len(bd.extra)
	for _, op := range ops {
		if op.Name == "stablehlo.constant" {
			continue
		}
		k := newKernel(op)
		if k == nil {
			return nil, fmt.Errorf("%s in a scalar body: only elementwise ops and constants are evaluated there", op.Name)
		}
		in := instruction{kernel: k, dtype: op.Results[0].Type.DType}
		for _, v := range op.Operands {
			in.args = append(in.args, register[v])
		}
		register[op.Results[0]] = bd.code.inputs + len(bd.code.ops)
		bd.code.ops = append(bd.code.ops, in)
	}
	for _, v := range ret.Operands {
		bd.code.out = append(bd.code.out, register[v])
	}
	bd.loop = bd.findLoop(b)
	return bd, nil
}

// findLoop recognises a body that only adds, or takes the maximum or minimum of, the
// two arguments in f32.
func (bd *body) findLoop(b *ir.Block) *loop {
	if len(b.Ops) != 2 || len(bd.types) != 2 || bd.types[0] != ir.F32 || bd.code.out[0] != bd.code.inputs {
		return nil
	}
	if args := bd.code.ops[0].args; len(args) != 2 || args[0]+args[1] != 1 {
		return nil
	}
	return loops[b.Ops[0].Name]
}

// loop is a reduction of f32 by one op.
type loop struct {
	run  func(acc float32, x []float32) float32 // folds a run into one accumulator
	rows func(acc, x []float32)                 // folds rows, each an element for each accumulator
}

var loops = map[string]*loop{
	"stablehlo.add":     {func(acc float32, x []float32) float32 { return acc + sum(x) }, addRows},
	"stablehlo.maximum": {func(acc float32, x []float32) float32 { return max(acc, slices.Max(x)) }, foldRows("maximum")},
	"stablehlo.minimum": {func(acc float32, x []float32) float32 { return min(acc, slices.Min(x)) }, foldRows("minimum")},
}

func foldRows(op string) func(acc, x []float32) {
	f := floatBinary[op]
	return func(acc, x []float32) {
		for ; len(x) > 0; x = x[len(acc):] {
			f(acc, acc, x)
		}
	}
}

// addRows has a loop of its own for the width of a vector register: plans for CPUs
// sum in such lanes.
func addRows(acc, x []float32) {
	if len(acc) != 8 {
		for ; len(x) > 0; x = x[len(acc):] {
			floatBinary["add"](acc, acc, x)
		}
		return
	}
	a := (*[8]float32)(acc)
	s := *a
	for ; len(x) >= 8; x = x[8:] {
		s[0] += x[0]
		s[1] += x[1]
		s[2] += x[2]
		s[3] += x[3]
		s[4] += x[4]
		s[5] += x[5]
		s[6] += x[6]
		s[7] += x[7]
	}
	*a = s
}

// sum adds in eight interleaved partial sums: exacter than one after the other, and
// the processor can overlap them.
func sum(x []float32) float32 {
	var s [8]float32
	for ; len(x) >= 8; x = x[8:] {
		s[0] += x[0]
		s[1] += x[1]
		s[2] += x[2]
		s[3] += x[3]
		s[4] += x[4]
		s[5] += x[5]
		s[6] += x[6]
		s[7] += x[7]
	}
	for i, v := range x {
		s[i] += v
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// evaluator is the memory to run a body on up to size lanes at once.
type evaluator struct {
	*registers
	acc, next []lanes // the first arguments of a reduction, and where their successors are put
}

func (bd *body) evaluator(fr *frame, size int) *evaluator {
	e := &evaluator{registers: bd.code.registers(size)}
	for k, read := range bd.extra {
		a := read(fr)
		l := newLanes(a.DType, size)
		l.set(storages[a.DType].load(a.buf.data, run(a.off, 0, size), l))
		e.reg[len(bd.types)+k] = l
	}
	for _, d := range bd.types[:len(bd.code.out)] {
		e.acc = append(e.acc, newLanes(d, size))
		e.next = append(e.next, newLanes(d, size))
	}
	return e
}

// fold combines the accumulators with n elements each, which register
// len(acc)+k holds for accumulator k.
func (e *evaluator) fold(n int) {
	for k, a := range e.acc {
		e.reg[k] = a.cut(0, n)
	}
	e.run(n)
	for k, r := range e.code.out {
		e.next[k].set(e.reg[r].cut(0, n))
	}
	e.acc, e.next = e.next, e.acc
}
