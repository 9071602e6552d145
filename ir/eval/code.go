package eval

import "github.com/mlxc/mlxc/ir"

// kernel computes dst from args, all of one length. dst may not overlap args.
type kernel func(dst lanes, args []lanes)

// code is straight-line code over registers of lanes: an expression of arrays, or
// the body of a reduce or sort. Registers 0 … inputs-1 are given, instruction k
// defines register inputs+k.
type code struct {
	inputs int
	ops    []instruction
	out    []int // the registers of the results
}

type instruction struct {
	kernel kernel
	args   []int
	dtype  ir.DType // of the result
}

// registers is the memory to run a code once at a time, with up to size lanes.
type registers struct {
	code    *code
	reg     []lanes
	scratch []lanes // what instruction k writes
	args    [][]lanes
}

func (c *code) registers(size int) *registers {
	r := &registers{code: c, reg: make([]lanes, c.inputs+len(c.ops))}
	for _, op := range c.ops {
		r.scratch = append(r.scratch, newLanes(op.dtype, size))
		r.args = append(r.args, make([]lanes, len(op.args)))
	}
	return r
}

// run computes n lanes of every instruction; reg[:inputs] must be set.
func (r *registers) run(n int) {
	for k, op := range r.code.ops {
		for j, a := range op.args {
			r.args[k][j] = r.reg[a]
		}
		dst := r.scratch[k].cut(0, n)
		op.kernel(dst, r.args[k])
		r.reg[r.code.inputs+k] = dst
	}
}
