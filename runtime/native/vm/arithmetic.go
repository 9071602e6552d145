package vm

import "errors"

var errDivisionByZero = errors.New("division by zero")

// The rows of the arithmetic instructions differ in one expression only.

func unary32(name string, fn func(uint32) uint32) opcode {
	return opcode{name: name, encoding: "ii", replay: computes, exec: func(f *frame, in *instruction) error {
		f.cells[in.r[1]] = fn(f.cells[in.r[0]])
		return nil
	}}
}

func unary64(name string, fn func(uint64) uint64) opcode {
	return opcode{name: name, encoding: "II", replay: computes, exec: func(f *frame, in *instruction) error {
		f.set64(in.r[1], fn(f.get64(in.r[0])))
		return nil
	}}
}

func binary32(name string, fn func(a, b uint32) uint32) opcode {
	return opcode{name: name, encoding: "iii", replay: computes, exec: func(f *frame, in *instruction) error {
		f.cells[in.r[2]] = fn(f.cells[in.r[0]], f.cells[in.r[1]])
		return nil
	}}
}

func binary64(name string, fn func(a, b uint64) uint64) opcode {
	return opcode{name: name, encoding: "III", replay: computes, exec: func(f *frame, in *instruction) error {
		f.set64(in.r[2], fn(f.get64(in.r[0]), f.get64(in.r[1])))
		return nil
	}}
}

func division32(name string, fn func(a, b uint32) uint32) opcode {
	op := binary32(name, fn)
	divide := op.exec
	op.exec = func(f *frame, in *instruction) error {
		if f.cells[in.r[1]] == 0 {
			return errDivisionByZero
		}
		return divide(f, in)
	}
	return op
}

func division64(name string, fn func(a, b uint64) uint64) opcode {
	op := binary64(name, fn)
	divide := op.exec
	op.exec = func(f *frame, in *instruction) error {
		if f.get64(in.r[1]) == 0 {
			return errDivisionByZero
		}
		return divide(f, in)
	}
	return op
}

func shift64(name string, fn func(a uint64, n uint32) uint64) opcode {
	return opcode{name: name, encoding: "IiI", replay: computes, exec: func(f *frame, in *instruction) error {
		f.set64(in.r[2], fn(f.get64(in.r[0]), f.cells[in.r[1]]))
		return nil
	}}
}

func compare64(name string, fn func(a, b uint64) bool) opcode {
	return opcode{name: name, encoding: "IIi", replay: computes, exec: func(f *frame, in *instruction) error {
		f.cells[in.r[2]] = flag(fn(f.get64(in.r[0]), f.get64(in.r[1])))
		return nil
	}}
}

func narrow(name string, fn func(uint64) uint32) opcode {
	return opcode{name: name, encoding: "Ii", replay: computes, exec: func(f *frame, in *instruction) error {
		f.cells[in.r[1]] = fn(f.get64(in.r[0]))
		return nil
	}}
}

func widen(name string, fn func(uint32) uint64) opcode {
	return opcode{name: name, encoding: "iI", replay: computes, exec: func(f *frame, in *instruction) error {
		f.set64(in.r[1], fn(f.cells[in.r[0]]))
		return nil
	}}
}

func multiplyAdd32(f *frame, in *instruction) error {
	f.cells[in.r[3]] = f.cells[in.r[0]]*f.cells[in.r[1]] + f.cells[in.r[2]]
	return nil
}

func multiplyAdd64(f *frame, in *instruction) error {
	f.set64(in.r[3], f.get64(in.r[0])*f.get64(in.r[1])+f.get64(in.r[2]))
	return nil
}

func constant32(f *frame, in *instruction) error {
	f.cells[in.r[0]] = uint32(in.imm)
	return nil
}

func constant64(f *frame, in *instruction) error {
	f.set64(in.r[0], in.imm)
	return nil
}

func select32(f *frame, in *instruction) error {
	f.cells[in.r[3]] = f.cells[in.r[choose(f, in)]]
	return nil
}

func select64(f *frame, in *instruction) error {
	f.set64(in.r[3], f.get64(in.r[choose(f, in)]))
	return nil
}

// choose returns which operand a select takes.
func choose(f *frame, in *instruction) int {
	if f.cells[in.r[0]] != 0 {
		return 1
	}
	return 2
}

func switch32(f *frame, in *instruction) error {
	f.cells[in.r[2]] = f.cells[chooseIndexed(f, in, in.r[1])]
	return nil
}

func switch64(f *frame, in *instruction) error {
	f.set64(in.r[2], f.get64(chooseIndexed(f, in, in.r[1])))
	return nil
}

// chooseIndexed returns the register that a switch takes.
func chooseIndexed(f *frame, in *instruction, otherwise uint16) uint16 {
	if values, index := in.more.lists[0], f.cells[in.r[0]]; uint64(index) < uint64(len(values)) {
		return values[index]
	}
	return otherwise
}
