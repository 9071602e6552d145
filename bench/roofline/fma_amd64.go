package roofline

import "golang.org/x/sys/cpu"

// fmaKernels are the loops that this processor can run: the widest is the fastest
// on some, not on all.
func fmaKernels() []fmaKernel {
	var k []fmaKernel
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		k = append(k, fmaKernel{bits: 256, flops: 12 * 8 * 2, run: fmaAVX2})
	}
	if cpu.X86.HasAVX512F {
		k = append(k, fmaKernel{bits: 512, flops: 12 * 16 * 2, run: fmaAVX512})
	}
	return k
}

// fmaAVX2 runs rounds of 12 independent multiply-adds of 8 lanes.
//
//go:noescape
func fmaAVX2(rounds int)

// fmaAVX512 runs rounds of 12 independent multiply-adds of 16 lanes.
//
//go:noescape
func fmaAVX512(rounds int)
