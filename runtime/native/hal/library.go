package hal

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/mlxc/mlxc/runtime/native/elf"
	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/trampoline"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// The interface between IREE's runtime and the kernels that it embeds
// (runtime/src/iree/hal/local/executable_library.h, version 6 of IREE 3.13):
// C structs, here as Go structs of the same layout or as offsets.

// libraryVersion of the interface; a library of another one isn't called.
const libraryVersion = 6

// queryFunction is the one symbol that an executable exports.
const queryFunction = "iree_hal_executable_library_query"

// environment is what all dispatches of an executable share.
type environment struct {
	constants     uintptr // *uint32, from the module
	importThunk   uintptr // imports are not supported
	importFuncs   uintptr
	importContext uintptr
	processor     [8]uint64
}

// dispatchState is what all workgroups of a dispatch share.
type dispatchState struct {
	sizeX, sizeY   uint32 // of a workgroup: 1
	sizeZ          uint16
	constantCount  uint16
	countX, countY uint32 // workgroups
	countZ         uint16
	maxConcurrency uint8
	bindingCount   uint8
	constants      uintptr // *uint32
	bindings       uintptr // *address
	lengths        uintptr // *uint64
}

// workgroupState is of one workgroup.
type workgroupState struct {
	x, y        uint32
	z, _        uint16
	processor   uint32
	localMemory uintptr
	localSize   uint32
	_           uint32
}

// The layouts must be C's.
var (
	_ [96]byte = [unsafe.Sizeof(environment{})]byte{}
	_ [48]byte = [unsafe.Sizeof(dispatchState{})]byte{}
	_ [32]byte = [unsafe.Sizeof(workgroupState{})]byte{}
)

// Offsets in the library table and its header, export table and attributes.
const (
	librarySize    = 128
	libraryHeader  = 0
	libraryImports = 8
	libraryExports = 24

	headerSize      = 24
	headerVersion   = 0
	headerSanitizer = 20

	exportsFunctions  = 8
	exportsAttributes = 16
	exportsNames      = 40

	attributesSize      = 64
	attributeLocalPages = 8
	attributeConstants  = 10
	attributeBindings   = 11
	localMemoryPage     = 4096
	maxExports          = 1 << 16
	maxLocalMemoryPages = 1 << 12
)

// Executable is a loaded kernel library.
type Executable struct {
	image     *elf.Image
	env       *environment
	constants []byte // env points at it
	kernels   []kernel
}

// kernel is an exported function and what it takes.
type kernel struct {
	name        string
	entry       uintptr
	constants   int
	bindings    int
	localMemory int // bytes
	executable  *Executable
	cost        cost
}

// TypeName is "!hal.executable".
func (*Executable) TypeName() string { return "!hal.executable" }

// loadExecutable loads an embedded ELF file and asks it for its kernels, on the
// given stack: this is the first time that code of the module runs.
func loadExecutable(raw, constants []byte, processor uint64, stack *trampoline.Stack) (*Executable, error) {
	image, err := elf.Load(raw)
	if err != nil {
		return nil, err
	}
	query, err := image.Function(queryFunction)
	if err != nil {
		return nil, err
	}
	// The copy is aligned as the kernels' reads of uint32 want it.
	e := &Executable{image: image, env: &environment{}, constants: append(make([]byte, 0, len(constants)+4), constants...)}
	e.env.constants = pages.Address(e.constants)
	e.env.processor[0] = processor
	library := stack.Call(query, libraryVersion, uintptr(unsafe.Pointer(e.env)), 0)
	if library == 0 {
		return nil, fmt.Errorf("hal: the executable doesn't offer library version %d: %w", libraryVersion, vmfb.ErrVersion)
	}
	if err := e.read(library); err != nil {
		return nil, fmt.Errorf("hal: executable library: %w", err)
	}
	runtime.KeepAlive(e)
	return e, nil
}

// read takes the kernels from the library table in the image.
func (e *Executable) read(library uintptr) error {
	table, err := e.image.Bytes(library, librarySize)
	if err != nil {
		return err
	}
	header, err := e.image.Bytes(word(table, libraryHeader), headerSize)
	if err != nil {
		return err
	}
	if v := binary.LittleEndian.Uint32(header[headerVersion:]); v != libraryVersion {
		return fmt.Errorf("version %d, supported is %d: %w", v, libraryVersion, vmfb.ErrVersion)
	}
	if s := binary.LittleEndian.Uint32(header[headerSanitizer:]); s != 0 {
		return fmt.Errorf("compiled with sanitizer %d, which isn't supported", s)
	}
	if n := binary.LittleEndian.Uint32(table[libraryImports:]); n != 0 {
		return fmt.Errorf("%d imports: kernels that call the host aren't supported", n)
	}
	return e.readExports(table[libraryExports:])
}

func (e *Executable) readExports(exports []byte) error {
	n := uint64(binary.LittleEndian.Uint32(exports))
	if n > maxExports {
		return fmt.Errorf("%d kernels: at most %d are supported", n, maxExports)
	}
	functions, err := e.image.Bytes(word(exports, exportsFunctions), 8*n)
	if err != nil {
		return err
	}
	attributes, err := e.image.Bytes(word(exports, exportsAttributes), attributesSize*n)
	if err != nil {
		return err
	}
	names, err := e.image.Bytes(word(exports, exportsNames), 8*n)
	if err != nil {
		return err
	}
	e.kernels = make([]kernel, n)
	for i := range e.kernels {
		k := &e.kernels[i]
		*k = kernel{executable: e, entry: word(functions, 8*i)}
		if k.name, err = e.image.String(word(names, 8*i)); err != nil {
			return err
		}
		if !e.image.IsCode(k.entry) {
			return fmt.Errorf("kernel %q isn't in the code of the executable", k.name)
		}
		if err := k.readAttributes(attributes[attributesSize*i:]); err != nil {
			return fmt.Errorf("kernel %q: %w", k.name, err)
		}
	}
	return nil
}

func (k *kernel) readAttributes(a []byte) error {
	localPages := binary.LittleEndian.Uint16(a[attributeLocalPages:])
	if localPages > maxLocalMemoryPages {
		return fmt.Errorf("%d pages of local memory: at most %d are supported", localPages, maxLocalMemoryPages)
	}
	k.localMemory = int(localPages) * localMemoryPage
	k.constants, k.bindings = int(a[attributeConstants]), int(a[attributeBindings])
	return nil
}

// word reads a pointer.
func word(b []byte, at int) uintptr { return uintptr(binary.LittleEndian.Uint64(b[at:])) }
