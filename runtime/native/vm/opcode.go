package vm

// opcode is one row of the instruction set: how an instruction is called, how its
// operands are encoded, and what it does.
//
// The encoding has one letter for each operand, in order:
//
//	i I r   register: 32-bit cell, pair of cells, reference (its bit 14 moves)
//	n N     constant of 32 or 64 bits
//	t       type
//	4 8 g   global: byte offset of 4 or 8 bytes, index of a reference
//	d       constant data
//	f       function; bit 31 marks an import
//	s       string
//	b       branch: target, then pairs of registers to move
//	j       branch target alone
//	l L R   list of registers of that bank
//	v       list of registers of any bank (bit 15 marks a reference)
//	z       list of span lengths
//	T       table of branches
type opcode struct {
	name     string
	encoding string
	exec     func(*frame, *instruction) error
	link     func(*decoder, *instruction) error // completes the decoding, if set
	replay   replayKind
}

// instruction is a decoded opcode: every index in it has been checked, so exec
// needn't.
type instruction struct {
	exec func(*frame, *instruction) error
	imm  uint64    // constant, global, constant data or function
	r    [6]uint16 // registers and types in order of the encoding
	op   uint16    // index in opcodes
	more *operands // what only some instructions have
}

// operands are those of variable length.
type operands struct {
	text   string
	lists  [][]uint16
	edges  []edge
	call   *callSite
	values []operand // of return
}

// edge is a branch: where to, and which registers move before.
type edge struct {
	target int // instruction index; the byte offset while decoding
	moves  []move
	back   bool // doesn't lead forward
}

// move copies a cell or a reference; both registers carry the reference bit then.
type move struct{ from, to uint16 }

// Bits of a register number.
const (
	referenceBit  = 1 << 15
	moveBit       = 1 << 14
	referenceMask = moveBit - 1
)

// Opcode sets: a prefix byte selects the second and third.
const (
	f32Prefix = 0xe0
	f64Prefix = 0xe1
	f32Set    = 0x100
	f64Set    = 0x200
)

// opcodes is the instruction set of bytecode version 17.0.
var opcodes [0x300]opcode

func init() {
	for base, set := range map[int]map[int]opcode{0: core, f32Set: floats32, f64Set: floats64} {
		for code, op := range set {
			opcodes[base+code] = op
		}
	}
}
