package runtime

import (
	"fmt"
	"strings"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native"
	"github.com/mlxc/mlxc/runtime/reference"
)

// backends lists what --device can name, in the order in which `mlxc-run --help` does.
var backends = []Backend{
	On(native.Device{}),
	On(reference.Device{}),
}

// BackendFor finds the backend of that name; "" means the bundle's own default, the
// first device that its target lists.
func BackendFor(name string, b *bundle.Bundle) (Backend, error) {
	if name == "" {
		if len(b.Manifest.Compile.Devices) == 0 {
			return nil, fmt.Errorf("runtime: %s names no device that runs it; emit it again with this version of mlxc-emit", b.Path)
		}
		name = b.Manifest.Compile.Devices[0]
	}
	for _, x := range backends {
		if x.Name() == name {
			return x, nil
		}
	}
	return nil, fmt.Errorf("runtime: device %q is unknown: there are %s", name, strings.Join(DeviceNames(), ", "))
}

// DeviceNames are the names that --device takes.
func DeviceNames() []string {
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = b.Name()
	}
	return names
}
