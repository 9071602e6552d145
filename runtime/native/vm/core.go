package vm

import (
	"cmp"
	"math/bits"
)

// blockMarker starts a basic block. It does nothing; branches lead to it.
const blockMarker = 0x79

// core is the instruction set without the float extensions
// (runtime/src/iree/vm/bytecode/isa of IREE). Operand order: sources, then results.
var core = map[int]opcode{
	0x00: {name: "global.load.i32", encoding: "4i", exec: globalLoad32, replay: defines},
	0x01: {name: "global.store.i32", encoding: "4i", exec: globalStore32},
	0x02: {name: "global.load.indirect.i32", encoding: "ii", exec: globalLoadIndirect32},
	0x03: {name: "global.store.indirect.i32", encoding: "ii", exec: globalStoreIndirect32},
	0x04: {name: "global.load.i64", encoding: "8I", exec: globalLoad64, replay: defines},
	0x05: {name: "global.store.i64", encoding: "8I", exec: globalStore64},
	0x06: {name: "global.load.indirect.i64", encoding: "iI", exec: globalLoadIndirect64},
	0x07: {name: "global.store.indirect.i64", encoding: "iI", exec: globalStoreIndirect64},
	0x08: {name: "global.load.ref", encoding: "gtr", exec: globalLoadRef, replay: defines},
	0x09: {name: "global.store.ref", encoding: "gtr", exec: globalStoreRef},
	0x0a: {name: "global.load.indirect.ref", encoding: "itr", exec: globalLoadIndirectRef},
	0x0b: {name: "global.store.indirect.ref", encoding: "itr", exec: globalStoreIndirectRef},

	0x0c: {name: "const.i32.zero", encoding: "i", exec: constant32, replay: defines},
	0x0d: {name: "const.i32", encoding: "ni", exec: constant32, replay: defines},
	0x0e: {name: "const.i64.zero", encoding: "I", exec: constant64, replay: defines},
	0x0f: {name: "const.i64", encoding: "NI", exec: constant64, replay: defines},
	0x10: {name: "const.ref.zero", encoding: "r", exec: constantNull, replay: defines},
	0x11: {name: "const.ref.rodata", encoding: "dr", exec: constantRodata, replay: defines},

	0x12: {name: "list.alloc", encoding: "tir", exec: listAlloc},
	0x13: {name: "list.reserve", encoding: "ri", exec: listReserve},
	0x14: {name: "list.size", encoding: "ri", exec: listSize},
	0x15: {name: "list.resize", encoding: "ri", exec: listResize},
	0x16: {name: "list.get.i32", encoding: "rii", exec: listGet32(I32)},
	0x17: {name: "list.set.i32", encoding: "rii", exec: listSet32(I32)},
	0x18: {name: "list.get.i64", encoding: "riI", exec: listGet64(I64)},
	0x19: {name: "list.set.i64", encoding: "riI", exec: listSet64(I64)},
	0x1a: {name: "list.get.ref", encoding: "ritr", exec: listGetRef},
	0x1b: {name: "list.set.ref", encoding: "rir", exec: listSetRef},

	0x1c: {name: "select.i32", encoding: "iiii", exec: select32, replay: computes},
	0x1d: {name: "select.i64", encoding: "iIII", exec: select64, replay: computes},
	0x1e: {name: "select.ref", encoding: "itrrr", exec: selectRef, replay: decides},
	0x1f: {name: "switch.i32", encoding: "iili", exec: switch32},
	0x20: {name: "switch.i64", encoding: "iILI", exec: switch64},
	0x21: {name: "switch.ref", encoding: "itrRr", exec: switchRef},

	0x22: binary32("add.i32", func(a, b uint32) uint32 { return a + b }),
	0x23: binary32("sub.i32", func(a, b uint32) uint32 { return a - b }),
	0x24: binary32("mul.i32", func(a, b uint32) uint32 { return a * b }),
	0x25: division32("div.i32.s", func(a, b uint32) uint32 { return uint32(int32(a) / int32(b)) }),
	0x26: division32("div.i32.u", func(a, b uint32) uint32 { return a / b }),
	0x27: division32("rem.i32.s", func(a, b uint32) uint32 { return uint32(int32(a) % int32(b)) }),
	0x28: division32("rem.i32.u", func(a, b uint32) uint32 { return a % b }),
	0x29: {name: "fma.i32", encoding: "iiii", exec: multiplyAdd32, replay: computes},
	0x2a: binary64("add.i64", func(a, b uint64) uint64 { return a + b }),
	0x2b: binary64("sub.i64", func(a, b uint64) uint64 { return a - b }),
	0x2c: binary64("mul.i64", func(a, b uint64) uint64 { return a * b }),
	0x2d: division64("div.i64.s", func(a, b uint64) uint64 { return uint64(int64(a) / int64(b)) }),
	0x2e: division64("div.i64.u", func(a, b uint64) uint64 { return a / b }),
	0x2f: division64("rem.i64.s", func(a, b uint64) uint64 { return uint64(int64(a) % int64(b)) }),
	0x30: division64("rem.i64.u", func(a, b uint64) uint64 { return a % b }),
	0x31: {name: "fma.i64", encoding: "IIII", exec: multiplyAdd64, replay: computes},

	0x32: unary32("not.i32", func(a uint32) uint32 { return ^a }),
	0x33: binary32("and.i32", func(a, b uint32) uint32 { return a & b }),
	0x34: binary32("or.i32", func(a, b uint32) uint32 { return a | b }),
	0x35: binary32("xor.i32", func(a, b uint32) uint32 { return a ^ b }),
	0x36: unary64("not.i64", func(a uint64) uint64 { return ^a }),
	0x37: binary64("and.i64", func(a, b uint64) uint64 { return a & b }),
	0x38: binary64("or.i64", func(a, b uint64) uint64 { return a | b }),
	0x39: binary64("xor.i64", func(a, b uint64) uint64 { return a ^ b }),
	0x3a: binary32("shl.i32", func(a, n uint32) uint32 { return a << (n & 31) }),
	0x3b: binary32("shr.i32.s", func(a, n uint32) uint32 { return uint32(int32(a) >> (n & 31)) }),
	0x3c: binary32("shr.i32.u", func(a, n uint32) uint32 { return a >> (n & 31) }),
	0x3d: shift64("shl.i64", func(a uint64, n uint32) uint64 { return a << (n & 63) }),
	0x3e: shift64("shr.i64.s", func(a uint64, n uint32) uint64 { return uint64(int64(a) >> (n & 63)) }),
	0x3f: shift64("shr.i64.u", func(a uint64, n uint32) uint64 { return a >> (n & 63) }),

	0x40: unary32("trunc.i32.i8", func(a uint32) uint32 { return uint32(uint8(a)) }),
	0x41: unary32("trunc.i32.i16", func(a uint32) uint32 { return uint32(uint16(a)) }),
	0x42: narrow("trunc.i64.i32", func(a uint64) uint32 { return uint32(a) }),
	0x43: unary32("ext.i8.i32.s", func(a uint32) uint32 { return uint32(int8(a)) }),
	0x44: unary32("ext.i8.i32.u", func(a uint32) uint32 { return uint32(uint8(a)) }),
	0x45: unary32("ext.i16.i32.s", func(a uint32) uint32 { return uint32(int16(a)) }),
	0x46: unary32("ext.i16.i32.u", func(a uint32) uint32 { return uint32(uint16(a)) }),
	0x47: widen("ext.i32.i64.s", func(a uint32) uint64 { return uint64(int32(a)) }),
	0x48: widen("ext.i32.i64.u", func(a uint32) uint64 { return uint64(a) }),

	0x49: binary32("cmp.eq.i32", func(a, b uint32) uint32 { return flag(a == b) }),
	0x4a: binary32("cmp.ne.i32", func(a, b uint32) uint32 { return flag(a != b) }),
	0x4b: binary32("cmp.lt.i32.s", func(a, b uint32) uint32 { return flag(int32(a) < int32(b)) }),
	0x4c: binary32("cmp.lt.i32.u", func(a, b uint32) uint32 { return flag(a < b) }),
	0x4d: unary32("cmp.nz.i32", func(a uint32) uint32 { return flag(a != 0) }),
	0x4e: compare64("cmp.eq.i64", func(a, b uint64) bool { return a == b }),
	0x4f: compare64("cmp.ne.i64", func(a, b uint64) bool { return a != b }),
	0x50: compare64("cmp.lt.i64.s", func(a, b uint64) bool { return int64(a) < int64(b) }),
	0x51: compare64("cmp.lt.i64.u", func(a, b uint64) bool { return a < b }),
	0x52: narrow("cmp.nz.i64", func(a uint64) uint32 { return flag(a != 0) }),
	0x53: compareRef("cmp.eq.ref", func(a, b Ref) bool { return a == b }),
	0x54: compareRef("cmp.ne.ref", func(a, b Ref) bool { return a != b }),
	0x55: {name: "cmp.nz.ref", encoding: "ri", exec: notNull, replay: defines},

	0x56: {name: "br", encoding: "b", exec: branch, replay: decides},
	0x57: {name: "cond_br", encoding: "ibb", exec: conditionalBranch, replay: decides},
	0x58: {name: "call", encoding: "fvv", exec: call, link: linkCall, replay: callsOut},
	0x59: {name: "call.variadic", encoding: "fzvv", exec: call, link: linkCall, replay: callsOut},
	0x5a: {name: "return", encoding: "v", exec: doReturn, link: linkReturn, replay: returns},
	0x5b: {name: "fail", encoding: "is", exec: fail, replay: decides},
	0x5c: {name: "import.resolved", encoding: "fi", exec: importResolved, link: linkImportResolved, replay: defines},
	0x5d: {name: "yield", encoding: "b", exec: branch},
	0x5e: {name: "trace", encoding: "sv", exec: discardMoved},
	0x5f: {name: "print", encoding: "sv", exec: discardMoved},
	0x60: {name: "cond_break", encoding: "ib", exec: branch},
	0x61: {name: "break", encoding: "b", exec: branch},

	0x62: load32("buffer.load.i8.u", 1, func(b []byte) uint32 { return uint32(b[0]) }),
	0x63: load32("buffer.load.i8.s", 1, func(b []byte) uint32 { return uint32(int8(b[0])) }),
	0x64: load32("buffer.load.i16.u", 2, func(b []byte) uint32 { return uint32(le.Uint16(b)) }),
	0x65: load32("buffer.load.i16.s", 2, func(b []byte) uint32 { return uint32(int16(le.Uint16(b))) }),
	0x66: load32("buffer.load.i32", 4, func(b []byte) uint32 { return le.Uint32(b) }),
	0x67: {name: "buffer.load.i64", encoding: "rII", exec: bufferLoad64},
	0x68: store32("buffer.store.i8", 1, func(b []byte, v uint32) { b[0] = byte(v) }),
	0x69: store32("buffer.store.i16", 2, func(b []byte, v uint32) { le.PutUint16(b, uint16(v)) }),
	0x6a: store32("buffer.store.i32", 4, func(b []byte, v uint32) { le.PutUint32(b, v) }),
	0x6b: {name: "buffer.store.i64", encoding: "rII", exec: bufferStore64},
	0x6c: {name: "buffer.alloc", encoding: "Iir", exec: bufferAlloc},
	0x6d: {name: "buffer.clone", encoding: "rIIir", exec: bufferClone},
	0x6e: {name: "buffer.length", encoding: "rI", exec: bufferLength},
	0x6f: {name: "buffer.copy", encoding: "rIrII", exec: bufferCopy},
	0x70: {name: "buffer.compare", encoding: "rIrIIi", exec: bufferCompare},
	0x71: fill32("buffer.fill.i8", 1),
	0x72: fill32("buffer.fill.i16", 2),
	0x73: fill32("buffer.fill.i32", 4),
	0x74: {name: "buffer.fill.i64", encoding: "rIII", exec: bufferFill64},

	0x75: unary32("ctlz.i32", func(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }),
	0x76: unary64("ctlz.i64", func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a)) }),
	0x77: unary32("abs.i32", func(a uint32) uint32 { return uint32(max(int32(a), -int32(a))) }),
	0x78: unary64("abs.i64", func(a uint64) uint64 { return uint64(max(int64(a), -int64(a))) }),
	0x7a: binary32("min.i32.s", func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }),
	0x7b: binary32("min.i32.u", lesser[uint32]),
	0x7c: binary32("max.i32.s", func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }),
	0x7d: binary32("max.i32.u", greater[uint32]),
	0x7e: binary64("min.i64.s", func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) }),
	0x7f: binary64("min.i64.u", lesser[uint64]),
	0x80: binary64("max.i64.s", func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) }),
	0x81: binary64("max.i64.u", greater[uint64]),

	0x82: {name: "cast.any.ref", encoding: "rtr", exec: castRef, replay: decides},
	0x83: {name: "br_table", encoding: "ibT", exec: branchTable},
	0x84: {name: "buffer.hash", encoding: "rIII", exec: bufferHash},
	0x85: {name: "discard.refs", encoding: "v", exec: discardAll, replay: decides},
	0x86: {name: "assign.ref", encoding: "rr", exec: assignRef, replay: decides},
	0x87: {name: "call.yieldable", encoding: "fvjv", exec: call, link: linkCall, replay: callsOut},
	0x88: {name: "call.variadic.yieldable", encoding: "fzvjv", exec: call, link: linkCall, replay: callsOut},
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func lesser[T cmp.Ordered](a, b T) T { return min(a, b) }

func greater[T cmp.Ordered](a, b T) T { return max(a, b) }
