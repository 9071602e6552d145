package vmfb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// Executable is code for a device, as it lies in a module's constant data.
type Executable struct {
	Format  string   // as drivers are told: "cuda-nvptx-fb"
	Kernels []string // what can be dispatched; nil for the ELF images of CPUs, which name them inside
	Code    [][]byte // one piece or several; it aliases the file
}

// container is how a driver's executables lie: a header, then a FlatBuffer with tables
// of kernels and of pieces of code (runtime/src/iree/schemas/*_executable_def.fbs of
// IREE 3.13).
type container struct {
	format, identifier string
	kernel             int   // field of a kernel's name, in field 0 of the root
	pieces             int   // field of the root
	code               []int // fields that lead from a piece to its code
	unit               int   // bytes of an element of the code
}

var containers = []container{
	{"cuda-nvptx-fb", "CDA1", 7, 1, []int{0}, 1},   // PTX text
	{"rocm-hsaco-fb", "HIP1", 1, 1, []int{0}, 1},   // ELF
	{"metal-msl-fb", "MTL1", 1, 1, []int{0, 1}, 1}, // Metal source
	{"vulkan-spirv-fb", "VKE1", 1, 3, []int{0}, 4}, // SPIR-V
}

const (
	containerHeader = 64 // identifier, u32 version, u64 size of the FlatBuffer, zeros
	elfIdentifier   = "\x7fELF"
	elfFormat       = "embedded-elf-" // and the architecture
)

// Executables are those of a module, in the order in which they lie. The format that the
// host program names must be that of the data.
func (m *Module) Executables() ([]Executable, error) {
	var list []Executable
	for _, data := range m.Rodata {
		x, err := m.executable(data)
		if err != nil {
			return nil, err
		}
		if x != nil {
			list = append(list, *x)
		}
	}
	return list, nil
}

// executable reads constant data, nil if they aren't one.
func (m *Module) executable(data []byte) (*Executable, error) {
	if bytes.HasPrefix(data, []byte(elfIdentifier)) {
		i := slices.IndexFunc(m.Rodata, func(d []byte) bool { return bytes.HasPrefix(d, []byte(elfFormat)) })
		if i < 0 {
			return nil, fmt.Errorf("vmfb: an ELF image, but no constant %s*, the name of its format", elfFormat)
		}
		return &Executable{Format: string(m.Rodata[i]), Code: [][]byte{data}}, nil
	}
	for _, c := range containers {
		if len(data) < containerHeader || string(data[:4]) != c.identifier {
			continue
		}
		if !slices.ContainsFunc(m.Rodata, func(d []byte) bool { return string(d) == c.format }) {
			return nil, fmt.Errorf("vmfb: an executable %s, but no constant %s, the name of its format", c.identifier, c.format)
		}
		return c.read(data)
	}
	return nil, nil
}

func (c container) read(data []byte) (*Executable, error) {
	n := binary.LittleEndian.Uint64(data[8:])
	if n > uint64(len(data)-containerHeader) {
		return nil, fmt.Errorf("vmfb: an executable %s claims %d bytes, there are %d", c.identifier, n, len(data)-containerHeader)
	}
	body := data[containerHeader : containerHeader+n]
	if n < 8 || string(body[4:8]) != c.identifier {
		return nil, fmt.Errorf("vmfb: an executable %s holds something else", c.identifier)
	}
	r := &reader{data: body, budget: 2*len(body) + 1<<16}
	x := &Executable{Format: c.format}
	for _, k := range r.root().tables(0) {
		x.Kernels = append(x.Kernels, k.str(c.kernel))
	}
	last := len(c.code) - 1
	for _, piece := range r.root().tables(c.pieces) {
		for _, field := range c.code[:last] {
			piece = piece.table(field)
		}
		at, n := piece.vector(c.code[last], c.unit)
		x.Code = append(x.Code, r.bytes(at, n*c.unit))
	}
	return x, r.err
}
