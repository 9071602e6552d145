package elf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/mlxc/mlxc/runtime/native/pages"
)

// Image is an object in memory: relocated, its pages protected. The mapping goes
// when nothing references the Image any more, so keep it as long as its code may run.
type Image struct {
	file
	mapping []byte
	base    uintptr // address of virtual address 0
	dyn     dynamic
}

// Load maps an object and makes it ready to run. It runs nothing.
func Load(raw []byte) (*Image, error) {
	f, err := parse(raw)
	if err != nil {
		return nil, err
	}
	m, err := pages.Map(int(f.size))
	if err != nil {
		return nil, err
	}
	im := &Image{file: *f, mapping: m, base: pages.Address(m)}
	if err := im.fill(); err != nil {
		return nil, errors.Join(err, pages.Unmap(m))
	}
	runtime.AddCleanup(im, func(m []byte) { _ = pages.Unmap(m) }, m)
	return im, nil
}

// fill copies the segments into the mapping, relocates and protects them.
func (im *Image) fill() error {
	for _, s := range im.segments {
		copy(im.mapping[s.address:], im.raw[s.offset:s.offset+s.bytes])
	}
	im.raw = nil
	if err := im.readDynamic(); err != nil {
		return err
	}
	if err := im.relocate(); err != nil {
		return err
	}
	return im.protect()
}

// Bytes returns n bytes at an address that was read from the image.
func (im *Image) Bytes(address uintptr, n uint64) ([]byte, error) {
	return im.virtual(uint64(address-im.base), n)
}

// String returns the zero-terminated string at an address that was read from the image.
func (im *Image) String(address uintptr) (string, error) {
	v := uint64(address - im.base)
	s := im.segmentOf(v, 1)
	if s == nil {
		return "", fmt.Errorf("elf: string address lies outside every segment")
	}
	b := im.mapping[v:s.end()]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", fmt.Errorf("elf: string without end")
	}
	return string(b[:n]), nil
}

// IsCode says whether an address lies in an executable segment.
func (im *Image) IsCode(address uintptr) bool {
	s := im.segmentOf(uint64(address-im.base), 1)
	return s != nil && s.protection == pages.ReadExecute
}

// Function returns the address of an exported function.
func (im *Image) Function(name string) (uintptr, error) {
	for i := range im.dyn.symbols {
		s, err := im.symbol(i)
		if err != nil {
			return 0, err
		}
		at := im.base + uintptr(s.Value)
		if got, err := im.String(im.base + uintptr(im.dyn.strings+uint64(s.Name))); err == nil && got == name && im.IsCode(at) {
			return at, nil
		}
	}
	return 0, fmt.Errorf("elf: no function %q", name)
}

func (im *Image) virtual(address, n uint64) ([]byte, error) {
	if im.segmentOf(address, n) == nil {
		return nil, fmt.Errorf("elf: %d bytes at %#x lie outside every segment", n, address)
	}
	return im.mapping[address : address+n : address+n], nil
}

func (im *Image) symbol(i uint64) (elf.Sym64, error) {
	var s elf.Sym64
	b, err := im.virtual(im.dyn.symbolTable+i*elf.Sym64Size, elf.Sym64Size)
	if err != nil {
		return s, err
	}
	_, err = binary.Decode(b, binary.LittleEndian, &s)
	return s, err
}

// relocate adds the base address where the file asks for it.
func (im *Image) relocate() error {
	const size = 24 // bytes of an Elf64_Rela
	table, err := im.virtual(im.dyn.relocations, im.dyn.relocationBytes)
	if err != nil {
		return fmt.Errorf("elf: relocations: %w", err)
	}
	for ; len(table) >= size; table = table[size:] {
		offset, kind, addend := binary.LittleEndian.Uint64(table), elf.R_X86_64(binary.LittleEndian.Uint32(table[8:])), binary.LittleEndian.Uint64(table[16:])
		if kind != elf.R_X86_64_RELATIVE {
			return fmt.Errorf("elf: relocation %v: only R_X86_64_RELATIVE is supported", kind)
		}
		target, err := im.virtual(offset, 8)
		if err != nil {
			return fmt.Errorf("elf: relocation: %w", err)
		}
		if addend > im.size {
			return fmt.Errorf("elf: relocation to %#x outside the image of %d bytes", addend, im.size)
		}
		binary.LittleEndian.PutUint64(target, uint64(im.base)+addend)
	}
	return nil
}

// protect gives every page the protection of its segment, and none to those
// between segments.
func (im *Image) protect() error {
	end := uint64(0)
	for _, s := range im.segments {
		first, next := s.address&^(pages.Size-1), pages.Round(s.end())
		if err := im.protectRange(end, first, pages.None); err != nil {
			return err
		}
		if err := im.protectRange(first, next, s.protection); err != nil {
			return err
		}
		end = next
	}
	for _, s := range im.relro {
		if err := im.protectRange(s.address&^(pages.Size-1), s.end()&^(pages.Size-1), pages.Read); err != nil {
			return err
		}
	}
	return nil
}

func (im *Image) protectRange(from, to uint64, p pages.Protection) error {
	if from >= to {
		return nil
	}
	return pages.Protect(im.mapping[from:to], p)
}
