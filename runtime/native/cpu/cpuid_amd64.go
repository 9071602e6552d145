package cpu

//go:noescape
func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

// xgetbv reads XCR0; it may only run if CPUID reports OSXSAVE.
func xgetbv() (low, high uint32)

func hostRegisters() registers {
	r := registers{cpuid: func(leaf, subleaf uint32) [4]uint32 {
		a, b, c, d := cpuid(leaf, subleaf)
		return [4]uint32{a, b, c, d}
	}}
	const osxsave = 27
	if r.cpuid(1, 0)[ecx]>>osxsave&1 == 1 {
		low, high := xgetbv()
		r.xcr0 = uint64(high)<<32 | uint64(low)
	}
	return r
}
