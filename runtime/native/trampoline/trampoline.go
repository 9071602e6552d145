// Package trampoline calls machine code with the C calling convention (System V,
// x86-64) from Go, without cgo.
//
// The code runs on a stack of its own, with flush-to-zero and denormals-are-zero
// set in MXCSR as IREE does around its kernels; both are restored before Go code
// runs again. This is sound on linux/amd64 because Go's signal handlers run on the
// alternate signal stack and the runtime declines to preempt a thread whose program
// counter isn't in Go code. What follows from that:
//
//   - a call can't be interrupted: a stop-the-world of the garbage collector waits
//     for it, so one call should be short (one workgroup of a dispatch);
//   - a fault in the code ends the process; recover doesn't help. Everything that
//     can be checked must be checked before the call;
//   - arguments are addresses of memory that doesn't move and outlives the call:
//     heap objects or mappings that the caller keeps alive, never stack variables.
package trampoline

import "errors"

// ErrUnsupported is the error of NewStack where no trampoline exists.
var ErrUnsupported = errors.New("trampoline: calling machine code needs linux/amd64; use --device reference here")

// StackSize is the usable size of a Stack in bytes. IREE limits the arrays that a
// kernel keeps on its stack to 32 KiB.
const StackSize = 1 << 20
