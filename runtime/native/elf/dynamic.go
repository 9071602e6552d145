package elf

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// maxSymbols of an object; the compiler exports one.
const maxSymbols = 1 << 16

// dynamic is the dynamic section: virtual addresses and sizes.
type dynamic struct {
	relocations, relocationBytes  uint64
	symbolTable, strings, symbols uint64 // symbols is their number
}

// refused are the dynamic tags that ask for what an embedded object never needs.
var refused = map[elf.DynTag]string{
	elf.DT_NEEDED:     "other libraries",
	elf.DT_INIT:       "an initialiser",
	elf.DT_INIT_ARRAY: "an initialiser",
	elf.DT_REL:        "relocations without addends",
	elf.DT_JMPREL:     "a procedure linkage table",
	elf.DT_TEXTREL:    "relocated code",
	dtRelr:            "packed relocations",
}

const dtRelr elf.DynTag = 36

// readDynamic reads the dynamic section and checks what it leads to.
func (im *Image) readDynamic() error {
	var hash uint64
	d := &im.dyn
	fields := map[elf.DynTag]*uint64{
		elf.DT_RELA: &d.relocations, elf.DT_RELASZ: &d.relocationBytes,
		elf.DT_SYMTAB: &d.symbolTable, elf.DT_STRTAB: &d.strings, elf.DT_HASH: &hash,
	}
	section, err := im.virtual(im.dynamic.address, im.dynamic.memory)
	if err != nil {
		return err
	}
	for ; len(section) >= 16; section = section[16:] {
		tag, value := elf.DynTag(binary.LittleEndian.Uint64(section)), binary.LittleEndian.Uint64(section[8:])
		if tag == elf.DT_NULL {
			break
		}
		if what, bad := refused[tag]; bad {
			return fmt.Errorf("elf: %v: an embedded object with %s isn't supported", tag, what)
		}
		if f := fields[tag]; f != nil {
			*f = value
		}
	}
	return im.readSymbols(hash)
}

// readSymbols takes the number of symbols from the hash table and refuses undefined ones.
func (im *Image) readSymbols(hash uint64) error {
	d := &im.dyn
	table, err := im.virtual(hash, 8)
	if err != nil {
		return fmt.Errorf("elf: hash table: %w", err)
	}
	if d.symbols = uint64(binary.LittleEndian.Uint32(table[4:])); d.symbols > maxSymbols {
		return fmt.Errorf("elf: %d symbols: at most %d are supported", d.symbols, maxSymbols)
	}
	if d.strings > im.size || d.symbolTable > im.size {
		return fmt.Errorf("elf: symbol table outside the image")
	}
	for i := uint64(1); i < d.symbols; i++ {
		s, err := im.symbol(i)
		if err != nil {
			return fmt.Errorf("elf: symbol %d: %w", i, err)
		}
		if elf.SectionIndex(s.Shndx) == elf.SHN_UNDEF {
			name, _ := im.String(im.base + uintptr(d.strings+uint64(s.Name)))
			return fmt.Errorf("elf: undefined symbol %q: an embedded object must be complete", name)
		}
	}
	return nil
}
