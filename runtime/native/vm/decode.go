package vm

import (
	"errors"
	"fmt"
)

// decoder turns the bytecode of one function into instructions.
type decoder struct {
	*Instance
	fn    *function
	code  []byte
	at    int
	index map[int]int // of the instruction at a byte offset, for block markers
	err   error
}

var errRanOff = errors.New("control ran off the end of the function")

// decode checks and decodes a function.
func (in *Instance) decode(fn *function, code []byte) error {
	d := &decoder{Instance: in, fn: fn, code: code, index: map[int]int{}}
	for d.at < len(code) {
		start := d.at
		i := d.instruction()
		if d.err != nil {
			return fmt.Errorf("bytecode at %d: %w", start, d.err)
		}
		if i.op == blockMarker {
			d.index[start] = len(fn.code)
			continue
		}
		fn.code = append(fn.code, i)
	}
	fn.code = append(fn.code, instruction{exec: func(*frame, *instruction) error { return errRanOff }, op: blockMarker})
	return d.resolveBranches()
}

func (d *decoder) instruction() instruction {
	set, code := 0, int(d.u8())
	switch code {
	case f32Prefix:
		set, code = f32Set, int(d.u8())
	case f64Prefix:
		set, code = f64Set, int(d.u8())
	}
	in := instruction{op: uint16(set + code)}
	if in.op == blockMarker {
		return in
	}
	op := &opcodes[in.op]
	if op.exec == nil {
		d.fail("unknown instruction %#x", in.op)
		return in
	}
	in.exec = op.exec
	d.operands(&in, op.encoding)
	if op.link != nil && d.err == nil {
		d.err = op.link(d, &in)
	}
	if d.err != nil {
		d.err = fmt.Errorf("%s: %w", op.name, d.err)
	}
	return in
}

// operands reads what the encoding says.
func (d *decoder) operands(in *instruction, encoding string) {
	registers := 0
	put := func(v uint16) {
		in.r[registers] = v
		registers++
	}
	more := &operands{}
	for _, c := range encoding {
		switch c {
		case 'i':
			put(d.register(d.u16(), I32))
		case 'I':
			put(d.register(d.u16(), I64))
		case 'r':
			put(d.register(d.u16(), Reference))
		case 't':
			put(uint16(d.bounded("type", len(d.types))))
		case 'n':
			in.imm = uint64(d.u32())
		case 'N':
			in.imm = d.u64()
		case '4':
			in.imm = d.bounded("global at offset", len(d.globals)-3)
		case '8':
			in.imm = d.bounded("global at offset", len(d.globals)-7)
		case 'g':
			in.imm = d.bounded("global reference", len(d.globalRefs))
		case 'd':
			in.imm = d.bounded("constant data", len(d.rodata))
		case 'f':
			in.imm = uint64(d.u32())
		case 's':
			more.text = string(d.bytes(int(d.u16())))
		case 'b':
			more.edges = append(more.edges, d.edge())
		case 'j':
			more.edges = append(more.edges, edge{target: int(d.u32())})
		case 'T':
			for range d.u16() {
				more.edges = append(more.edges, d.edge())
			}
		default:
			more.lists = append(more.lists, d.list(c))
		}
		if d.err != nil {
			return
		}
	}
	if more.text != "" || more.lists != nil || more.edges != nil || encoding[0] == 'f' {
		in.more = more
	}
}

// register checks that a register of a kind exists.
func (d *decoder) register(r uint16, k Kind) uint16 {
	switch last := int(r); k {
	case Reference:
		if int(r&referenceMask) >= d.fn.references {
			d.fail("reference register %d of %d", r&referenceMask, d.fn.references)
		}
	case I64, F64:
		last++
		fallthrough
	default:
		if r&referenceBit != 0 || last >= d.fn.cells {
			d.fail("register %d of %d", last, d.fn.cells)
		}
	}
	return r
}

// list reads registers of the bank that a letter of the encoding names.
func (d *decoder) list(letter rune) []uint16 {
	d.align()
	n := int(d.u16())
	if n > (len(d.code)-d.at)/2 {
		d.fail("list of %d operands runs over the end", n)
		return nil
	}
	list := make([]uint16, n)
	for i := range list {
		list[i] = d.u16()
		switch letter {
		case 'l':
			d.register(list[i], I32)
		case 'L':
			d.register(list[i], I64)
		case 'R':
			d.register(list[i], Reference)
		case 'v':
			d.register(list[i], bank(list[i]))
		}
	}
	return list
}

// bank tells which register file a number of a mixed list is in.
func bank(r uint16) Kind {
	if r&referenceBit != 0 {
		return Reference
	}
	return I32
}

// edge reads a branch target and the moves before it.
func (d *decoder) edge() edge {
	e := edge{target: int(d.u32())}
	d.align()
	n := int(d.u16())
	if n > (len(d.code)-d.at)/4 {
		d.fail("list of %d moves runs over the end", n)
		return e
	}
	e.moves = make([]move, n)
	for i := range e.moves {
		from, to := d.u16(), d.u16()
		d.register(from, bank(from))
		d.register(to, bank(from))
		e.moves[i] = move{from, to}
	}
	return e
}

// resolveBranches turns byte offsets into instruction indices.
func (d *decoder) resolveBranches() error {
	for i := range d.fn.code {
		in := &d.fn.code[i]
		if in.more == nil {
			continue
		}
		for k := range in.more.edges {
			e := &in.more.edges[k]
			target, ok := d.index[e.target]
			if !ok {
				return fmt.Errorf("%s to offset %d, which isn't the start of a block", opcodes[in.op].name, e.target)
			}
			e.target, e.back = target, target <= i
		}
		if c := in.more.call; c != nil && len(in.more.edges) == 1 {
			c.resume = in.more.edges[0].target
		}
	}
	return nil
}

// Readers of the fields; the first error sticks.

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.code)-d.at {
		d.fail("operands run over the end of the function")
	}
	if d.err != nil {
		return nil
	}
	d.at += n
	return d.code[d.at-n : d.at]
}

func (d *decoder) u8() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u16() uint16 {
	if b := d.bytes(2); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.bytes(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.bytes(8); b != nil {
		return le.Uint64(b)
	}
	return 0
}

// align skips to an even offset.
func (d *decoder) align() {
	if d.at&1 == 1 {
		d.bytes(1)
	}
}

// bounded reads an index below a limit.
func (d *decoder) bounded(what string, limit int) uint64 {
	v := d.u32()
	if int(v) >= limit {
		d.fail("%s %d of %d", what, v, max(limit, 0))
	}
	return uint64(v)
}
