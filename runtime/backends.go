package runtime

import (
	"fmt"
	"slices"
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
	if reason := Lacks(name); reason != "" {
		return nil, absentError(name, reason, b)
	}
	return nil, fmt.Errorf("runtime: device %q is unknown: there are %s", name, strings.Join(DeviceNames(), ", "))
}

// absent are devices that targets list and this version doesn't have.
var absent = map[string]string{"iree": "IREE's own runtime, which this version of mlxc doesn't have yet"}

// Lacks says why a device that targets list can't be named, "" of all other names.
func Lacks(device string) string { return absent[device] }

// driverFlag tells iree-compile for which driver of IREE's runtime a module is.
const driverFlag = "--iree-hal-target-device="

// absentError says what a bundle needs that can't be had, and what can run it instead.
func absentError(device, reason string, b *bundle.Bundle) error {
	c := &b.Manifest.Compile
	if !slices.Contains(c.Devices, device) {
		return fmt.Errorf("runtime: device %s is %s; %s is for %s", device, reason, b.Path, strings.Join(c.Devices, ", "))
	}
	driver := "local-task"
	for _, f := range c.Flags {
		if name, ok := strings.CutPrefix(f, driverFlag); ok && name != "local" {
			driver = name
		}
	}
	processor := c.Target
	if c.GPU != "" {
		processor += " " + c.GPU
	}
	return fmt.Errorf("runtime: %s is compiled for %s and needs device %s, %s; until then, after tar xf, a graph of it runs with IREE %.6s: iree-run-module --device=%s --module=modules/decode.vmfb --function=decode, and an --input for each argument that mlxc-run inspect --json lists; --device reference evaluates the graphs on this machine, slowly",
		b.Path, processor, device, reason, c.Compiler, driver)
}

// DeviceNames are the names that --device takes.
func DeviceNames() []string {
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = b.Name()
	}
	return names
}
