package elf

import (
	"debug/elf"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

const (
	dynamicAt = 0x1000 // offset and virtual address of the data segment
	pointerAt = dynamicAt + 0x400
	entryAt   = 0x2000
)

// object builds a small valid object: a read-only segment with the headers and
// symbols, a data segment with the dynamic section and one relocated pointer, and
// a code segment with the function "query". Tests then break it.
func object() []byte {
	raw := make([]byte, 0x2010)
	put := func(at int, v any) {
		if _, err := binary.Encode(raw[at:], binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	put(0, elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1},
		Type:  uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Phoff: 64, Phentsize: 56, Phnum: 5,
	})
	put(64, []elf.Prog64{
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Filesz: 0x800, Memsz: 0x800},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Off: dynamicAt, Vaddr: dynamicAt, Filesz: 0x800, Memsz: 0x800},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Off: entryAt, Vaddr: entryAt, Filesz: 0x10, Memsz: 0x10},
		{Type: uint32(elf.PT_DYNAMIC), Off: dynamicAt, Vaddr: dynamicAt, Filesz: 0x200, Memsz: 0x200},
		{Type: uint32(elf.PT_GNU_RELRO), Off: dynamicAt, Vaddr: dynamicAt, Filesz: 0x800, Memsz: 0x800},
	})
	put(0x400, []elf.Sym64{{}, {Name: 1, Shndx: 1, Value: entryAt}})
	copy(raw[0x500:], "\x00query\x00")
	put(0x600, [2]uint32{1, 2}) // hash table: buckets, symbols
	put(0x700, elf.Rela64{Off: pointerAt, Info: uint64(elf.R_X86_64_RELATIVE), Addend: entryAt})
	put(dynamicAt, []elf.Dyn64{
		{Tag: int64(elf.DT_RELA), Val: 0x700}, {Tag: int64(elf.DT_RELASZ), Val: 24}, {Tag: int64(elf.DT_SYMTAB), Val: 0x400},
		{Tag: int64(elf.DT_STRTAB), Val: 0x500}, {Tag: int64(elf.DT_HASH), Val: 0x600}, {Tag: int64(elf.DT_NULL)},
	})
	return raw
}

func TestLoad(t *testing.T) {
	im, err := Load(object())
	if err != nil {
		t.Fatal(err)
	}
	entry, err := im.Function("query")
	if err != nil {
		t.Fatal(err)
	}
	pointer, err := im.Bytes(im.base+pointerAt, 8)
	if err != nil {
		t.Fatal(err)
	}
	if got := uintptr(binary.LittleEndian.Uint64(pointer)); got != entry || got != im.base+entryAt {
		t.Errorf("relocated pointer %#x, function %#x, want %#x", got, entry, im.base+entryAt)
	}
	if !im.IsCode(entry) || im.IsCode(im.base+pointerAt) || im.IsCode(entry+0x10) {
		t.Error("IsCode must hold in the executable segment only")
	}
	if name, err := im.String(im.base + 0x501); name != "query" || err != nil {
		t.Errorf("String = %q, %v", name, err)
	}
	if _, err := im.Function("absent"); err == nil {
		t.Error("Function(absent) found something")
	}
	for _, at := range []uintptr{im.base - 1, im.base + 0x7fd, im.base + 0x900, im.base + uintptr(im.size), ^uintptr(3)} {
		if _, err := im.Bytes(at, 8); err == nil {
			t.Errorf("Bytes at offset %#x: no error", at-im.base)
		}
	}
	runtime.KeepAlive(im)
}

func TestRefusals(t *testing.T) {
	le := binary.LittleEndian
	program := func(i, field int) int { return 64 + 56*i + field }
	const flags, vaddr, filesz, memsz = 4, 16, 32, 40
	for _, c := range []struct {
		name  string
		spoil func(raw []byte)
		want  string
	}{
		{"not ELF", func(b []byte) { b[0] = 'M' }, "not an ELF file"},
		{"32 bits", func(b []byte) { b[elf.EI_CLASS] = 1 }, "ELFCLASS32"},
		{"big endian", func(b []byte) { b[elf.EI_DATA] = 2 }, "ELFDATA2MSB"},
		{"arm64", func(b []byte) { le.PutUint16(b[18:], uint16(elf.EM_AARCH64)) }, "made for EM_AARCH64"},
		{"riscv", func(b []byte) { le.PutUint16(b[18:], uint16(elf.EM_RISCV)) }, "made for EM_RISCV"},
		{"executable", func(b []byte) { le.PutUint16(b[16:], uint16(elf.ET_EXEC)) }, "ET_EXEC"},
		{"program headers outside", func(b []byte) { le.PutUint64(b[32:], 1<<40) }, "program header table"},
		{"program headers cut", func(b []byte) { le.PutUint64(b[32:], uint64(len(b)-8)) }, "runs over the end"},
		{"writable code", func(b []byte) { b[program(2, flags)] = 7 }, "PF_X+PF_W+PF_R"},
		{"huge segment", func(b []byte) { le.PutUint64(b[program(2, memsz):], 1<<62) }, "an image has at most"},
		{"far segment", func(b []byte) { le.PutUint64(b[program(2, vaddr):], 1<<62) }, "an image has at most"},
		{"content outside the file", func(b []byte) {
			le.PutUint64(b[program(2, filesz):], 0x100)
			le.PutUint64(b[program(2, memsz):], 0x100)
		}, "isn't in the file"},
		{"content larger than segment", func(b []byte) { le.PutUint64(b[program(1, memsz):], 0x10) }, "larger than the segment"},
		{"overlapping segments", func(b []byte) { le.PutUint64(b[program(0, memsz):], 0x1800) }, "shares a page"},
		{"thread-local storage", func(b []byte) { le.PutUint32(b[program(4, 0):], uint32(elf.PT_TLS)) }, "PT_TLS"},
		{"no dynamic section", func(b []byte) { b[program(3, 0)] = 0 }, "no dynamic section"},
		{"dynamic section outside", func(b []byte) { le.PutUint64(b[program(3, vaddr):], 0x900) }, "outside every segment"},
		{"relro wraps around", func(b []byte) { le.PutUint64(b[program(4, vaddr):], ^uint64(0)-8) }, "outside every segment"},
		{"needs a library", func(b []byte) { b[dynamicAt] = byte(elf.DT_NEEDED) }, "DT_NEEDED"},
		{"procedure linkage table", func(b []byte) { b[dynamicAt] = byte(elf.DT_JMPREL) }, "procedure linkage"},
		{"other relocation", func(b []byte) { b[0x708] = byte(elf.R_X86_64_GLOB_DAT) }, "R_X86_64_GLOB_DAT"},
		{"relocation target outside", func(b []byte) { le.PutUint64(b[0x700:], 0x7fc) }, "outside every segment"},
		{"relocation to outside", func(b []byte) { le.PutUint64(b[0x710:], 1<<40) }, "outside the image"},
		{"relocation table outside", func(b []byte) { le.PutUint64(b[dynamicAt+24:], 1<<40) }, "relocations:"},
		{"undefined symbol", func(b []byte) { le.PutUint16(b[0x41e:], 0) }, `undefined symbol "query"`},
		{"too many symbols", func(b []byte) { le.PutUint32(b[0x604:], 1<<31) }, "at most"},
		{"symbols outside", func(b []byte) { le.PutUint32(b[0x604:], 60000) }, "symbol"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := object()
			c.spoil(raw)
			if _, err := Load(raw); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestEveryTruncationIsRefusedOrLoads(t *testing.T) {
	raw := object()
	for n := 0; n < len(raw); n += 7 {
		if _, err := Load(raw[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(raw))
		}
	}
}

// FuzzLoad maps and relocates hostile objects; nothing of them is run.
func FuzzLoad(f *testing.F) {
	f.Add(object())
	f.Add(slices.Concat(object()[:0x1000], make([]byte, pages.Size)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		im, err := Load(raw)
		if err != nil {
			return
		}
		if at, err := im.Function("query"); err == nil && !im.IsCode(at) {
			t.Error("function outside the code")
		}
		for _, s := range im.segments {
			if b, err := im.virtual(s.address, s.memory); err != nil || uint64(len(b)) != s.memory {
				t.Errorf("segment at %#x unreadable: %v", s.address, err)
			}
		}
		runtime.KeepAlive(im)
	})
}
