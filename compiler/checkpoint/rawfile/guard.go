package rawfile

import (
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"
)

// mapped are the mappings of the open files, by *File.
var mapped sync.Map

// mapping is where a file is in memory.
type mapping struct {
	path        string
	start, size uintptr
}

func mappingOf(path string, data []byte) mapping {
	return mapping{path, uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data))}
}

// Guarded calls read. If it touches a part of a mapped file that isn't there any more,
// since another process has made the file shorter, Guarded returns an error that names
// the file. It guards this goroutine alone, and Go code alone.
func Guarded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		fault, ok := r.(interface{ Addr() uintptr })
		if !ok {
			panic(r)
		}
		path := at(fault.Addr())
		if path == "" {
			panic(r)
		}
		err = fmt.Errorf("%s became shorter while it was read, or its disk failed: another process may still be writing it; try again when the file is complete", path)
	}()
	return read()
}

// at is the path of the file that is mapped at an address, "" if none is.
func at(address uintptr) (path string) {
	mapped.Range(func(_, value any) bool {
		if m := value.(mapping); address-m.start < m.size {
			path = m.path
		}
		return path == ""
	})
	return path
}
