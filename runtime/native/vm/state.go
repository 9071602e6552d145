package vm

import (
	"encoding/binary"
	"fmt"
)

// Globals, constants and references: the instructions that move values between
// registers and the module's state.

var le = binary.LittleEndian

func globalLoad32(f *frame, in *instruction) error {
	f.cells[in.r[0]] = le.Uint32(f.globals[in.imm:])
	return nil
}

func globalStore32(f *frame, in *instruction) error {
	f.stores++
	le.PutUint32(f.globals[in.imm:], f.cells[in.r[0]])
	return nil
}

func globalLoad64(f *frame, in *instruction) error {
	f.set64(in.r[0], le.Uint64(f.globals[in.imm:]))
	return nil
}

func globalStore64(f *frame, in *instruction) error {
	f.stores++
	le.PutUint64(f.globals[in.imm:], f.get64(in.r[0]))
	return nil
}

// indirect returns the n bytes of the globals that the first register points at.
func indirect(f *frame, in *instruction, n uint64) ([]byte, error) {
	offset := uint64(f.cells[in.r[0]])
	if offset+n > uint64(len(f.globals)) {
		return nil, fmt.Errorf("global at offset %d of %d", offset, len(f.globals))
	}
	return f.globals[offset:], nil
}

func globalLoadIndirect32(f *frame, in *instruction) error {
	g, err := indirect(f, in, 4)
	if err == nil {
		f.cells[in.r[1]] = le.Uint32(g)
	}
	return err
}

func globalStoreIndirect32(f *frame, in *instruction) error {
	f.stores++
	g, err := indirect(f, in, 4)
	if err == nil {
		le.PutUint32(g, f.cells[in.r[1]])
	}
	return err
}

func globalLoadIndirect64(f *frame, in *instruction) error {
	g, err := indirect(f, in, 8)
	if err == nil {
		f.set64(in.r[1], le.Uint64(g))
	}
	return err
}

func globalStoreIndirect64(f *frame, in *instruction) error {
	f.stores++
	g, err := indirect(f, in, 8)
	if err == nil {
		le.PutUint64(g, f.get64(in.r[1]))
	}
	return err
}

func globalLoadRef(f *frame, in *instruction) error {
	return f.loadGlobal(in.imm, in.r[0], in.r[1])
}

func globalStoreRef(f *frame, in *instruction) error {
	return f.storeGlobal(in.imm, in.r[0], in.r[1])
}

func globalLoadIndirectRef(f *frame, in *instruction) error {
	return f.loadGlobal(uint64(f.cells[in.r[0]]), in.r[1], in.r[2])
}

func globalStoreIndirectRef(f *frame, in *instruction) error {
	return f.storeGlobal(uint64(f.cells[in.r[0]]), in.r[1], in.r[2])
}

// loadGlobal copies a global reference to a register, or moves it there.
func (f *frame) loadGlobal(index uint64, typ, to uint16) error {
	g, err := f.globalRef(index)
	if err != nil {
		return err
	}
	r := *g
	if err := f.checkType(r, typ); err != nil {
		return err
	}
	if to&moveBit != 0 {
		f.stores++
		*g = nil
	}
	f.setRef(to, r)
	return nil
}

func (f *frame) storeGlobal(index uint64, typ, from uint16) error {
	f.stores++
	g, err := f.globalRef(index)
	if err != nil {
		return err
	}
	r := f.ref(from)
	if err := f.checkType(r, typ); err != nil {
		return err
	}
	*g = r
	f.releaseMoved(from)
	return nil
}

func (f *frame) globalRef(index uint64) (*Ref, error) {
	if index >= uint64(len(f.globalRefs)) {
		return nil, fmt.Errorf("global reference %d of %d", index, len(f.globalRefs))
	}
	return &f.globalRefs[index], nil
}

func constantNull(f *frame, in *instruction) error {
	f.setRef(in.r[0], nil)
	return nil
}

func constantRodata(f *frame, in *instruction) error {
	f.setRef(in.r[0], f.rodata[in.imm])
	return nil
}

func notNull(f *frame, in *instruction) error {
	f.cells[in.r[1]] = flag(f.ref(in.r[0]) != nil)
	return nil
}

func compareRef(name string, fn func(a, b Ref) bool) opcode {
	return opcode{name: name, encoding: "rri", replay: defines, exec: func(f *frame, in *instruction) error {
		f.cells[in.r[2]] = flag(fn(f.ref(in.r[0]), f.ref(in.r[1])))
		return nil
	}}
}

// selectRef takes one of two references; both are released where they are moved.
func selectRef(f *frame, in *instruction) error {
	taken := in.r[2]
	if f.cells[in.r[0]] == 0 {
		taken = in.r[3]
	}
	r := f.ref(taken)
	if err := f.checkType(r, in.r[1]); err != nil {
		return err
	}
	f.releaseMoved(in.r[2])
	f.releaseMoved(in.r[3])
	f.setRef(in.r[4], r)
	return nil
}

func switchRef(f *frame, in *instruction) error {
	taken := chooseIndexed(f, in, in.r[2])
	r := f.ref(taken)
	if err := f.checkType(r, in.r[1]); err != nil {
		return err
	}
	f.releaseMoved(taken)
	f.setRef(in.r[3], r)
	return nil
}

func castRef(f *frame, in *instruction) error {
	r := f.ref(in.r[0])
	if err := f.checkType(r, in.r[1]); err != nil {
		return err
	}
	f.releaseMoved(in.r[0])
	f.setRef(in.r[2], r)
	return nil
}

func assignRef(f *frame, in *instruction) error {
	f.setRef(in.r[1], f.take(in.r[0]))
	return nil
}

// discardAll releases the listed registers.
func discardAll(f *frame, in *instruction) error {
	for _, r := range in.more.lists[0] {
		if r&referenceBit != 0 {
			f.setRef(r, nil)
		}
	}
	return nil
}

// discardMoved releases those of the listed registers that are moved.
func discardMoved(f *frame, in *instruction) error {
	for _, r := range in.more.lists[0] {
		if r&referenceBit != 0 {
			f.releaseMoved(r)
		}
	}
	return nil
}
