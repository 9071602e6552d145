package eval

import "github.com/mlxc/mlxc/ir"

// bitcast reinterprets bits. Where the width of elements stays, that is another
// view of the same memory; where they get narrower, too, as a dense array of them is
// what was the minor dimension of parts, least significant first.
func bitcast(_ *planner, op *ir.Op) (stepFunc, error) {
	from, to := op.Operands[0].Type, op.Results[0].Type
	if k := newKernel(op); k != nil {
		compute := elementwise(op, k)
		return func(m *machine, fr *frame, in []*array) ([]*array, error) {
			if in[0].lazy() || to.DType.Bits() == 4 { // i4 and ui4 fill up a byte differently
				return compute(m, fr, in)
			}
			return []*array{reinterpret(take(in, 0), to)}, nil
		}, nil
	}
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		in[0] = m.dense(in[0])
		switch {
		case from.DType.Bits() == 4:
			return []*array{m.pack(to, in[0].bytes())}, nil
		case to.DType.Bits() == 4:
			return []*array{m.unpack(to, in[0].bytes())}, nil
		case from.DType.Bits() > to.DType.Bits():
			return []*array{reinterpret(take(in, 0), to)}, nil
		}
		wide := m.alloc(to) // memory of narrow elements need not be aligned for wide ones
		copy(wide.bytes(), in[0].bytes())
		return []*array{wide}, nil
	}, nil
}

// reinterpret is the view of the same memory as a type of the same width, or of a
// dense array as a narrower type.
func reinterpret(a *array, to ir.Type) *array {
	if a.DType.Size() == to.DType.Size() {
		return &array{Type: to, buf: a.buf, off: a.off, stride: a.stride}
	}
	ratio := a.DType.Size() / to.DType.Size()
	return &array{Type: to, buf: a.buf, off: a.off * ratio, stride: contiguous(to.Shape)}
}

// pack joins 4-bit elements, a byte each, to wider ones.
func (m *machine) pack(to ir.Type, nibbles []byte) *array {
	out := m.alloc(to)
	data := out.bytes()
	for i := range data {
		data[i] = nibbles[2*i]&15 | nibbles[2*i+1]<<4
	}
	return out
}

// unpack splits elements into 4-bit ones.
func (m *machine) unpack(to ir.Type, data []byte) *array {
	out := m.alloc(to)
	nibbles := out.bytes()
	for i, b := range data {
		nibbles[2*i], nibbles[2*i+1] = b&15, b>>4
		if to.DType == ir.I4 { // sign-extended
			nibbles[2*i], nibbles[2*i+1] = byte(int8(b<<4)>>4), byte(int8(b)>>4)
		}
	}
	return out
}
