package elf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

// Limits on what a file may ask for, far above what the compiler makes.
const (
	maxImage    = 1 << 26 // bytes of address space
	maxSegments = 64
)

// file is what the program headers of an object say, checked against the file.
type file struct {
	raw      []byte
	segments []segment // PT_LOAD, ascending, on disjoint pages
	relro    []segment // PT_GNU_RELRO
	dynamic  segment
	size     uint64 // bytes of address space, whole pages
}

type segment struct {
	address, memory uint64 // virtual address and size
	offset, bytes   uint64 // in the file
	protection      pages.Protection
}

func (s segment) end() uint64 { return s.address + s.memory }

// contains says whether n bytes at address lie in the segment.
func (s segment) contains(address, n uint64) bool {
	return address >= s.address && n <= s.memory && address-s.address <= s.memory-n
}

func parse(raw []byte) (*file, error) {
	h, err := header(raw)
	if err != nil {
		return nil, err
	}
	f := &file{raw: raw}
	if int(h.Phnum) > maxSegments || h.Phentsize != 56 || h.Phoff > uint64(len(raw)) {
		return nil, fmt.Errorf("elf: program header table: %d entries of %d bytes at %d", h.Phnum, h.Phentsize, h.Phoff)
	}
	programs := make([]elf.Prog64, h.Phnum)
	if err := binary.Read(bytes.NewReader(raw[h.Phoff:]), binary.LittleEndian, programs); err != nil {
		return nil, fmt.Errorf("elf: program header table runs over the end of the file")
	}
	for i, p := range programs {
		if err := f.add(p); err != nil {
			return nil, fmt.Errorf("elf: program header %d: %w", i, err)
		}
	}
	if f.dynamic.memory == 0 {
		return nil, fmt.Errorf("elf: no dynamic section")
	}
	return f, f.inSegments()
}

// header checks that the file is of the one kind that is supported.
func header(raw []byte) (elf.Header64, error) {
	var h elf.Header64
	if !bytes.HasPrefix(raw, []byte(elf.ELFMAG)) {
		return h, fmt.Errorf("elf: not an ELF file: begins with %q", raw[:min(4, len(raw))])
	}
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, &h); err != nil {
		return h, fmt.Errorf("elf: header runs over the end of the file")
	}
	class, data := elf.Class(h.Ident[elf.EI_CLASS]), elf.Data(h.Ident[elf.EI_DATA])
	if class != elf.ELFCLASS64 || data != elf.ELFDATA2LSB {
		return h, fmt.Errorf("elf: %v %v: only 64-bit little-endian files are supported", class, data)
	}
	if machine := elf.Machine(h.Machine); machine != elf.EM_X86_64 {
		return h, fmt.Errorf("elf: made for %v: only x86-64 is supported here; compile for the llvm-cpu target of this machine, or run it on one of that kind", machine)
	}
	if kind := elf.Type(h.Type); kind != elf.ET_DYN {
		return h, fmt.Errorf("elf: %v: only shared objects are supported", kind)
	}
	return h, nil
}

func (f *file) add(p elf.Prog64) error {
	s := segment{address: p.Vaddr, memory: p.Memsz, offset: p.Off, bytes: p.Filesz}
	switch kind := elf.ProgType(p.Type); kind {
	case elf.PT_LOAD:
		return f.addLoad(s, elf.ProgFlag(p.Flags))
	case elf.PT_DYNAMIC:
		if f.dynamic.memory != 0 {
			return fmt.Errorf("second dynamic section")
		}
		f.dynamic = s
	case elf.PT_GNU_RELRO:
		f.relro = append(f.relro, s)
	case elf.PT_TLS, elf.PT_INTERP:
		return fmt.Errorf("%v isn't supported", kind)
	}
	return nil
}

func (f *file) addLoad(s segment, flags elf.ProgFlag) error {
	switch flags {
	case elf.PF_R:
		s.protection = pages.Read
	case elf.PF_R | elf.PF_W:
		s.protection = pages.ReadWrite
	case elf.PF_R | elf.PF_X:
		s.protection = pages.ReadExecute
	default:
		return fmt.Errorf("segment flags %v: only R, R+W and R+X are supported", flags)
	}
	if s.address > maxImage || s.memory > maxImage-s.address {
		return fmt.Errorf("segment of %d bytes at %#x: an image has at most %d bytes", s.memory, s.address, maxImage)
	}
	if s.bytes > s.memory || s.offset > uint64(len(f.raw)) || s.bytes > uint64(len(f.raw))-s.offset {
		return fmt.Errorf("segment content of %d bytes at %d isn't in the file or larger than the segment", s.bytes, s.offset)
	}
	if n := len(f.segments); n > 0 && pages.Round(f.segments[n-1].end()) > s.address&^(pages.Size-1) {
		return fmt.Errorf("segment at %#x shares a page with the one before", s.address)
	}
	f.segments = append(f.segments, s)
	f.size = pages.Round(s.end())
	return nil
}

// inSegments checks that the parts that aren't segments themselves lie in one.
func (f *file) inSegments() error {
	for _, s := range append(f.relro, f.dynamic) {
		if s.memory > math.MaxUint64-s.address || f.segmentOf(s.address, s.memory) == nil {
			return fmt.Errorf("elf: %d bytes at %#x lie outside every segment", s.memory, s.address)
		}
	}
	return nil
}

// segmentOf returns the segment that holds n bytes at a virtual address, or nil.
func (f *file) segmentOf(address, n uint64) *segment {
	for i := range f.segments {
		if f.segments[i].contains(address, n) {
			return &f.segments[i]
		}
	}
	return nil
}
