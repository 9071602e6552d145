#include "textflag.h"

// MXCSR bits: flush-to-zero 0x8000, denormals-are-zero 0x0040.
#define FTZ_DAZ $0x8040

// func call(fn, a0, a1, a2, stackTop uintptr) uintptr
//
// BX is callee-saved in C: it holds Go's stack pointer across the call. The ABI0
// wrapper that Go callers go through restores R14 and X15.
TEXT ·call(SB), NOSPLIT, $16-48
	MOVQ fn+0(FP), AX
	MOVQ a0+8(FP), DI
	MOVQ a1+16(FP), SI
	MOVQ a2+24(FP), DX
	MOVQ stackTop+32(FP), CX
	STMXCSR 0(SP)
	MOVL 0(SP), R8
	ORL FTZ_DAZ, R8
	MOVL R8, 4(SP)
	LDMXCSR 4(SP)
	MOVQ SP, BX
	MOVQ CX, SP
	CALL AX
	MOVQ BX, SP
	LDMXCSR 0(SP)
	MOVQ AX, ret+40(FP)
	RET

// func Pause()
TEXT ·Pause(SB), NOSPLIT, $0-0
	PAUSE
	RET
