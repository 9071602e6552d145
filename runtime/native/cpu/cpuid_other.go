//go:build !amd64

package cpu

// hostRegisters of a processor without CPUID: no features.
func hostRegisters() registers {
	return registers{cpuid: func(leaf, subleaf uint32) [4]uint32 { return [4]uint32{} }}
}
