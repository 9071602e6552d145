package cpu

const (
	eax = iota
	ebx
	ecx
	edx
)

// Register state that the operating system must save, as bits of XCR0.
const (
	noState  = 0
	xmmState = 1 << 1
	ymmState = xmmState | 1<<2
	zmmState = ymmState | 1<<5 | 1<<6 | 1<<7
	amxState = 1<<17 | 1<<18
)

const none = -1 // not a bit of IREE's word

type feature struct {
	name          string // LLVM's
	leaf, subleaf uint32 // of CPUID
	register, bit uint8
	state         uint64
	wordBit       int8 // in IREE's processor data word 0
}

// features lists the x86-64 features that LLVM 22 knows, with the CPUID bits of
// the Intel and AMD manuals (llvm/lib/TargetParser/Host.cpp reads the same).
var features = []feature{
	{"x87", 1, 0, edx, 0, noState, none},
	{"cx8", 1, 0, edx, 8, noState, none},
	{"cmov", 1, 0, edx, 15, noState, none},
	{"mmx", 1, 0, edx, 23, noState, none},
	{"fxsr", 1, 0, edx, 24, noState, none},
	{"sse", 1, 0, edx, 25, noState, none},
	{"sse2", 1, 0, edx, 26, noState, none},

	{"sse3", 1, 0, ecx, 0, noState, 0},
	{"pclmul", 1, 0, ecx, 1, noState, none},
	{"ssse3", 1, 0, ecx, 9, noState, 1},
	{"fma", 1, 0, ecx, 12, ymmState, 11},
	{"cx16", 1, 0, ecx, 13, noState, none},
	{"sse4.1", 1, 0, ecx, 19, noState, 2},
	{"sse4.2", 1, 0, ecx, 20, noState, 3},
	{"crc32", 1, 0, ecx, 20, noState, none},
	{"movbe", 1, 0, ecx, 22, noState, none},
	{"popcnt", 1, 0, ecx, 23, noState, none},
	{"aes", 1, 0, ecx, 25, noState, none},
	{"xsave", 1, 0, ecx, 26, xmmState, none},
	{"avx", 1, 0, ecx, 28, ymmState, 10},
	{"f16c", 1, 0, ecx, 29, ymmState, 14},
	{"rdrnd", 1, 0, ecx, 30, noState, none},

	{"fsgsbase", 7, 0, ebx, 0, noState, none},
	{"sgx", 7, 0, ebx, 2, noState, none},
	{"bmi", 7, 0, ebx, 3, noState, none},
	{"avx2", 7, 0, ebx, 5, ymmState, 15},
	{"bmi2", 7, 0, ebx, 8, noState, none},
	{"invpcid", 7, 0, ebx, 10, noState, none},
	{"rtm", 7, 0, ebx, 11, noState, none},
	{"avx512f", 7, 0, ebx, 16, zmmState, 20},
	{"avx512dq", 7, 0, ebx, 17, zmmState, 23},
	{"rdseed", 7, 0, ebx, 18, noState, none},
	{"adx", 7, 0, ebx, 19, noState, none},
	{"avx512ifma", 7, 0, ebx, 21, zmmState, 25},
	{"clflushopt", 7, 0, ebx, 23, noState, none},
	{"clwb", 7, 0, ebx, 24, noState, none},
	{"avx512cd", 7, 0, ebx, 28, zmmState, 21},
	{"sha", 7, 0, ebx, 29, noState, none},
	{"avx512bw", 7, 0, ebx, 30, zmmState, 24},
	{"avx512vl", 7, 0, ebx, 31, zmmState, 22},

	{"avx512vbmi", 7, 0, ecx, 1, zmmState, 26},
	{"pku", 7, 0, ecx, 4, noState, none},
	{"waitpkg", 7, 0, ecx, 5, noState, none},
	{"avx512vbmi2", 7, 0, ecx, 6, zmmState, 29},
	{"shstk", 7, 0, ecx, 7, noState, none},
	{"gfni", 7, 0, ecx, 8, noState, none},
	{"vaes", 7, 0, ecx, 9, ymmState, none},
	{"vpclmulqdq", 7, 0, ecx, 10, ymmState, none},
	{"avx512vnni", 7, 0, ecx, 11, zmmState, 28},
	{"avx512bitalg", 7, 0, ecx, 12, zmmState, 30},
	{"avx512vpopcntdq", 7, 0, ecx, 14, zmmState, 27},
	{"rdpid", 7, 0, ecx, 22, noState, none},
	{"kl", 7, 0, ecx, 23, noState, none},
	{"cldemote", 7, 0, ecx, 25, noState, none},
	{"movdiri", 7, 0, ecx, 27, noState, none},
	{"movdir64b", 7, 0, ecx, 28, noState, none},
	{"enqcmd", 7, 0, ecx, 29, noState, none},

	{"uintr", 7, 0, edx, 5, noState, none},
	{"avx512vp2intersect", 7, 0, edx, 8, zmmState, none},
	{"serialize", 7, 0, edx, 14, noState, none},
	{"tsxldtrk", 7, 0, edx, 16, noState, none},
	{"pconfig", 7, 0, edx, 18, noState, none},
	{"amx-bf16", 7, 0, edx, 22, amxState, 52},
	{"avx512fp16", 7, 0, edx, 23, zmmState, 32},
	{"amx-tile", 7, 0, edx, 24, amxState, 50},
	{"amx-int8", 7, 0, edx, 25, amxState, 51},

	{"sha512", 7, 1, eax, 0, ymmState, none},
	{"sm3", 7, 1, eax, 1, ymmState, none},
	{"sm4", 7, 1, eax, 2, ymmState, none},
	{"raoint", 7, 1, eax, 3, noState, none},
	{"avxvnni", 7, 1, eax, 4, ymmState, none},
	{"avx512bf16", 7, 1, eax, 5, zmmState, 31},
	{"cmpccxadd", 7, 1, eax, 7, noState, none},
	{"amx-fp16", 7, 1, eax, 21, amxState, none},
	{"hreset", 7, 1, eax, 22, noState, none},
	{"avxifma", 7, 1, eax, 23, ymmState, none},
	{"avxvnniint8", 7, 1, edx, 4, ymmState, none},
	{"avxneconvert", 7, 1, edx, 5, ymmState, none},
	{"amx-complex", 7, 1, edx, 8, amxState, none},
	{"avxvnniint16", 7, 1, edx, 10, ymmState, none},
	{"prefetchi", 7, 1, edx, 14, noState, none},
	{"usermsr", 7, 1, edx, 15, noState, none},

	{"xsaveopt", 0xd, 1, eax, 0, xmmState, none},
	{"xsavec", 0xd, 1, eax, 1, xmmState, none},
	{"xsaves", 0xd, 1, eax, 3, xmmState, none},
	{"ptwrite", 0x14, 0, ebx, 4, noState, none},
	{"widekl", 0x19, 0, ebx, 2, noState, none},

	{"sahf", 0x80000001, 0, ecx, 0, noState, none},
	{"lzcnt", 0x80000001, 0, ecx, 5, noState, none},
	{"sse4a", 0x80000001, 0, ecx, 6, noState, 4},
	{"prfchw", 0x80000001, 0, ecx, 8, noState, none},
	{"xop", 0x80000001, 0, ecx, 11, ymmState, 13},
	{"lwp", 0x80000001, 0, ecx, 15, noState, none},
	{"fma4", 0x80000001, 0, ecx, 16, ymmState, 12},
	{"tbm", 0x80000001, 0, ecx, 21, noState, none},
	{"mwaitx", 0x80000001, 0, ecx, 29, noState, none},
	{"64bit", 0x80000001, 0, edx, 29, noState, none},
	{"clzero", 0x80000008, 0, ebx, 0, noState, none},
	{"rdpru", 0x80000008, 0, ebx, 4, noState, none},
	{"wbnoinvd", 0x80000008, 0, ebx, 9, noState, none},
}
