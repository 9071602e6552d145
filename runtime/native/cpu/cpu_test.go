package cpu

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything is a processor that claims every CPUID bit.
func everything(xcr0 uint64) registers {
	return registers{xcr0: xcr0, cpuid: func(leaf, _ uint32) [4]uint32 {
		return [4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}
	}}
}

func TestStateOfTheSystemLimitsFeatures(t *testing.T) {
	for _, c := range []struct {
		name  string
		xcr0  uint64
		has   []string
		hasnt []string
		level string
	}{
		{"no XSAVE", 0, []string{"sse4.2", "bmi2"}, []string{"avx", "fma", "f16c", "avx512f", "amx-tile", "xsave"}, "x86-64-v2"},
		{"SSE only", 0x3, []string{"xsave"}, []string{"avx", "avx2", "vaes"}, "x86-64-v2"},
		{"AVX", 0x7, []string{"avx", "avx2", "fma", "f16c"}, []string{"avx512f", "amx-tile"}, "x86-64-v3"},
		{"opmask without upper halves", 0x27, []string{"avx2"}, []string{"avx512f", "avx512vl"}, "x86-64-v3"},
		{"AVX-512", 0xe7, []string{"avx512f", "avx512bf16"}, []string{"amx-int8"}, "x86-64-v4"},
		{"AMX", 0x600e7, []string{"amx-tile", "amx-int8", "amx-bf16"}, nil, "x86-64-v4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := detect(everything(c.xcr0))
			if got := s.Missing(c.has); got != nil {
				t.Errorf("missing %v", got)
			}
			if diff := cmp.Diff(c.hasnt, s.Missing(c.hasnt)); diff != "" {
				t.Errorf("missing features (-want +got):\n%s", diff)
			}
			if got := s.Level(); got != c.level {
				t.Errorf("level %s, want %s", got, c.level)
			}
		})
	}
}

// The bits are those of cpu_feature_bits.inl: 0-4 SSE, 10-15 AVX, 20-32 AVX-512,
// 50-52 AMX.
func TestWord(t *testing.T) {
	const sse, avx, avx512, amx = 0x1f, 0xfc00, 0x1_fff0_0000, 0x1c_0000_0000_0000
	for xcr0, want := range map[uint64]uint64{0: sse, 7: sse | avx, 0xe7: sse | avx | avx512, 0x600e7: sse | avx | avx512 | amx} {
		if got := detect(everything(xcr0)).Word(); got != want {
			t.Errorf("XCR0 %#x: word %#x, want %#x", xcr0, got, want)
		}
	}
}

func TestLeafAboveTheMaximumIsIgnored(t *testing.T) {
	r := everything(0xe7)
	all := r.cpuid
	r.cpuid = func(leaf, subleaf uint32) [4]uint32 {
		if leaf == 0 {
			return [4]uint32{1, 0, 0, 0}
		}
		return all(leaf, subleaf)
	}
	if s := detect(r); s.Has("avx2") || !s.Has("avx") {
		t.Errorf("maximum leaf 1: avx2 %v (want false), avx %v (want true)", s.Has("avx2"), s.Has("avx"))
	}
}

func TestMissing(t *testing.T) {
	s := detect(everything(7))
	got := s.Missing([]string{"+avx2", "-amx-tile", "avx512f", "+sse2", "+warp-drive"})
	if diff := cmp.Diff([]string{"avx512f", "warp-drive"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnknown(t *testing.T) {
	got := Unknown([]string{"+avx2", "-amx-tile", "warp-drive", "sse2", "+flux"})
	if diff := cmp.Diff([]string{"warp-drive", "+flux"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The kernel's own view of the processor is the oracle for the host.
func TestHostAgreesWithTheKernel(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		if s := Host(); runtime.GOARCH != "amd64" && s.Word() != 0 {
			t.Errorf("word %#x on %s", s.Word(), runtime.GOARCH)
		}
		return
	}
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(raw), "flags")
	line, _, _ = strings.Cut(line, "\n")
	flags := strings.Fields(line)
	kernelName := map[string]string{"sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "avx512vbmi2": "avx512_vbmi2", "avx512vnni": "avx512_vnni",
		"avx512bitalg": "avx512_bitalg", "avx512vpopcntdq": "avx512_vpopcntdq", "avx512bf16": "avx512_bf16", "avx512fp16": "avx512_fp16",
		"amx-tile": "amx_tile", "amx-int8": "amx_int8", "amx-bf16": "amx_bf16", "bmi": "bmi1", "lzcnt": "abm"}
	for _, f := range features {
		if name := kernelName[f.name]; f.wordBit != none || name != "" {
			if name == "" {
				name = f.name
			}
			if got, want := Host().Has(f.name), slices.Contains(flags, name); got != want {
				t.Errorf("%s: %v, the kernel says %v", f.name, got, want)
			}
		}
	}
}
