// Package vmfb reads the container that iree-compile writes: an optional ZIP
// wrapper, a FlatBuffer (file identifier "IREE") that describes a VM module, and
// constant data after it. Everything is checked against the size of the file; the
// bytecode itself is checked by package vm.
package vmfb

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The bytecode version of IREE 3.13. A vmfb has no compatibility window: another
// major version isn't readable, a later minor version may use unknown instructions.
const (
	BytecodeMajor = 17
	BytecodeMinor = 0
)

// ErrVersion marks errors about a module that another version of IREE compiled.
var ErrVersion = errors.New("compiled by another version of IREE; recompile it with iree-compile 3.13.0")

// Module is a VM module. Byte slices alias the file.
type Module struct {
	Name         string
	Types        []string // "i32", "!hal.buffer", …; bytecode refers to them by index
	Dependencies []Dependency
	Imports      []Import
	Exports      []Export
	Functions    []Function
	Rodata       [][]byte
	GlobalBytes  int // of the module's state
	GlobalRefs   int // references in the module's state
}

// Dependency is another module that this one calls.
type Dependency struct {
	Name     string
	Version  uint32 // at least this one
	Optional bool
}

// Import is a function of another module that this one calls.
type Import struct {
	Name     string    // "hal.command_buffer.create"
	Type     Signature // calling convention
	Optional bool
}

// Export is a function that can be called by name.
type Export struct {
	Name        string
	Function    int    // index in Functions
	Declaration string // "sync func @main(%input0: tensor<4xf32>) -> …", "" if not recorded
}

// Function is the bytecode of a function.
type Function struct {
	Type       Signature
	Code       []byte
	Cells      int // 32-bit registers
	References int // reference registers
}

const (
	zipMagic       = 0x04034b50
	zipHeader      = 30 // bytes of a ZIP local file header before its two variable fields
	identifier     = "IREE"
	rodataAlign    = 64
	maxRegisters   = 1 << 15
	maxReferences  = 1 << 14
	maxGlobalBytes = 1 << 24
	maxGlobalRefs  = 1 << 20
)

// Parse reads a module. The result refers to data, which must not change.
func Parse(data []byte) (*Module, error) {
	root, external, err := unwrap(data)
	if err != nil {
		return nil, err
	}
	r := &reader{data: root, budget: 2*len(root) + 1<<16}
	m := readModule(r, external)
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// unwrap finds the FlatBuffer and the constant data after it.
func unwrap(data []byte) (root, external []byte, err error) {
	start := 0
	if len(data) >= zipHeader && binary.LittleEndian.Uint32(data) == zipMagic {
		start = zipHeader + int(binary.LittleEndian.Uint16(data[26:])) + int(binary.LittleEndian.Uint16(data[28:]))
	}
	if len(data) < start+4 {
		return nil, nil, fmt.Errorf("vmfb: file of %d bytes ends before the module", len(data))
	}
	start += 4
	n := uint64(binary.LittleEndian.Uint32(data[start-4:]))
	if n > uint64(len(data)-start) {
		return nil, nil, fmt.Errorf("vmfb: the module claims %d bytes, the file has %d", n, len(data)-start)
	}
	end := start + int(n)
	root = data[start:end]
	if n < 8 || string(root[4:8]) != identifier {
		return nil, nil, fmt.Errorf("vmfb: not a compiled IREE module: file identifier %q, want %q", root[min(4, n):min(8, n)], identifier)
	}
	if base := (end + rodataAlign - 1) &^ (rodataAlign - 1); base < len(data) {
		external = data[base:]
	}
	return root, external, nil
}
