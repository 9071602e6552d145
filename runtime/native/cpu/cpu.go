// Package cpu says what the processor can do, in the compiler's words: the names
// of LLVM's x86 features, which a bundle's manifest lists, and the feature word
// that IREE kernels receive.
//
// A feature counts only if the operating system saves the registers that it needs
// (XCR0): AVX without that raises SIGILL as surely as a processor without AVX.
package cpu

import (
	"errors"
	"slices"
	"strings"
	"sync"
)

// Set is the features of one processor.
type Set struct {
	names []string // sorted
	word  uint64
}

// Host is the set of the processor that runs this process.
var Host = sync.OnceValue(func() Set { return detect(hostRegisters()) })

// Of is the set of a made-up processor: tests play others than the one at hand.
func Of(features ...string) Set { return Set{names: slices.Sorted(slices.Values(features))} }

// Word is the first word of IREE's processor data (cpu_feature_bits.inl of IREE 3.13).
func (s Set) Word() uint64 { return s.word }

// Has reports whether the processor has the feature of that LLVM name, as "avx2".
func (s Set) Has(name string) bool {
	_, ok := slices.BinarySearch(s.names, name)
	return ok
}

// Missing returns those required features that the processor hasn't, in the given
// order. Names may carry LLVM's leading "+"; those with "-" ask for nothing. A name
// that this version doesn't know counts as missing.
func (s Set) Missing(required []string) []string {
	var missing []string
	for _, name := range required {
		if strings.HasPrefix(name, "-") {
			continue
		}
		if name = strings.TrimPrefix(name, "+"); !s.Has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// ErrUnknown is about features that a compiler names and this package doesn't know: a
// processor newer than it may have them.
var ErrUnknown = errors.New("this version of mlxc doesn't know the CPU features")

// Unknown returns those names that this package doesn't know.
func Unknown(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		name = strings.TrimLeft(name, "+-")
		return slices.ContainsFunc(features, func(f feature) bool { return f.name == name })
	})
}

// levels are the x86-64 micro-architecture levels of the psABI, without what is
// implied by the level before.
var levels = []struct {
	name     string
	features []string
}{
	{"x86-64-v2", []string{"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"}},
	{"x86-64-v3", []string{"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}},
	{"x86-64-v4", []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
}

// Level is the highest level that the processor satisfies: "x86-64" to "x86-64-v4".
func (s Set) Level() string {
	level := "x86-64"
	for _, l := range levels {
		if s.Missing(l.features) != nil {
			break
		}
		level = l.name
	}
	return level
}

// registers is what detection reads, so that tests can play another processor.
type registers struct {
	cpuid func(leaf, subleaf uint32) [4]uint32 // EAX, EBX, ECX, EDX
	xcr0  uint64                               // 0 if the system doesn't use XSAVE
}

func detect(r registers) Set {
	var s Set
	maxBasic, maxExtended := r.cpuid(0, 0)[eax], r.cpuid(0x80000000, 0)[eax]
	for _, f := range features {
		limit := maxBasic
		if f.leaf >= 0x80000000 {
			limit = maxExtended
		}
		if f.leaf > limit || r.cpuid(f.leaf, f.subleaf)[f.register]>>f.bit&1 == 0 || r.xcr0&f.state != f.state {
			continue
		}
		s.names = append(s.names, f.name)
		if f.wordBit != none {
			s.word |= 1 << f.wordBit
		}
	}
	slices.Sort(s.names)
	return s
}
