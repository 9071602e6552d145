package native

import (
	"testing"

	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/params"
	"github.com/mlxc/mlxc/runtime/native/vm"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// FuzzLoadModule reads and decodes hostile modules against the real imports. It
// doesn't start them: that would run the machine code in them.
func FuzzLoadModule(f *testing.F) {
	f.Add(readFile(f, "vmfb/testdata/parameters.vmfb"))
	allocator := hal.NewAllocator()
	device, parameters := hal.NewDevice(nil, allocator).Library(), params.Library(allocator, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := vmfb.Parse(data)
		if err != nil {
			return
		}
		in, err := vm.New(m, device, parameters)
		if err != nil || in.Decode() != nil {
			return
		}
		if _, ok := in.Declaration("main"); len(m.Exports) == 0 && ok {
			t.Error("a function that isn't exported")
		}
	})
}
