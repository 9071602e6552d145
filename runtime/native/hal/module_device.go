package hal

import (
	"errors"
	"fmt"
	"path"

	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Imports: devices, executables and fences. Arguments are read in the order of the
// calling convention; those that don't matter here are read and dropped.

// deviceID is what modules match with a pattern such as "local*".
const deviceID = "local"

// executableFormat of the modules that run here.
const executableFormat = "embedded-elf-x86_64"

func deviceCount(c *vm.Call) error {
	c.Return(1)
	return nil
}

func (d *Device) getDevice(c *vm.Call) error {
	if c.I32() == 0 {
		c.ReturnRef(d)
	} else {
		c.ReturnRef(nil)
	}
	return nil
}

// query answers what a module asks about the device.
func (d *Device) query(c *vm.Call) error {
	c.Ref()
	category, key := text(c), text(c)
	if c.Err() != nil {
		return c.Err()
	}
	value, ok := d.property(category, key)
	c.Return(flag(ok))
	c.Return(value)
	return nil
}

func (d *Device) property(category, key string) (value uint64, ok bool) {
	switch category + "/" + key {
	case "hal.device/concurrency":
		return 1, true
	case "hal.dispatch/concurrency":
		return uint64(d.executor.Threads()), true
	}
	switch category {
	case "hal.device.id":
		matched, err := path.Match(key, deviceID)
		return flag(matched), err == nil
	case "hal.executable.format":
		return flag(key == executableFormat), true
	case "hal.cpu":
		return flag(d.processor.Has(key)), true
	}
	return 0, false
}

func (d *Device) createExecutable(c *vm.Call) error {
	c.Ref()
	c.I64()
	format, data, constants := text(c), vm.Arg[*vm.Buffer](c), vm.Optional[*vm.Buffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	if format != executableFormat {
		return fmt.Errorf("%q: %w", format, errUnsupportedFormat)
	}
	var words []byte
	if constants != nil {
		words = constants.Bytes
	}
	e, err := loadExecutable(data.Bytes, words, d.processor.Word(), d.executor.workers[0].stack)
	if err != nil {
		return err
	}
	for i := range e.kernels {
		d.executor.reserve(e.kernels[i].localMemory)
	}
	c.ReturnRef(e)
	return nil
}

func lookupFunction(c *vm.Call) error {
	e, name := vm.Arg[*Executable](c), text(c)
	if c.Err() != nil {
		return c.Err()
	}
	for i := range e.kernels {
		if e.kernels[i].name == name {
			c.Return(uint64(i))
			return nil
		}
	}
	return fmt.Errorf("the executable has no kernel %q", name)
}

func createFence(c *vm.Call) error {
	c.ReturnRef(&Fence{})
	return nil
}

// joinFences returns the first failed fence, or null: all is signalled.
func joinFences(c *vm.Call) error {
	c.I64()
	failed, err := firstFailed(c)
	if failed == nil {
		c.ReturnRef(nil)
	} else {
		c.ReturnRef(failed)
	}
	return err
}

func awaitFences(c *vm.Call) error {
	c.I32()
	c.I64()
	failed, err := firstFailed(c)
	if failed == nil {
		c.Return(0)
	} else {
		c.Return(uint64(failed.failure))
	}
	return err
}

// firstFailed reads a span of fences.
func firstFailed(c *vm.Call) (*Fence, error) {
	var failed *Fence
	for range c.Span() {
		if f := vm.Optional[*Fence](c); f != nil && f.failure != 0 && failed == nil {
			failed = f
		}
	}
	return failed, c.Err()
}

func queryFence(c *vm.Call) error {
	f := vm.Arg[*Fence](c)
	if c.Err() != nil {
		return c.Err()
	}
	c.Return(uint64(f.failure))
	return nil
}

func failFence(c *vm.Call) error {
	f, code := vm.Arg[*Fence](c), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	const unknownStatus = 2
	if f.failure = code; code == 0 {
		f.failure = unknownStatus
	}
	return nil
}

func fileFromMemory(c *vm.Call) error {
	c.Ref()
	c.I64()
	access, b, offset, length := c.I32(), vm.Arg[*vm.Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	const readAccess = 1
	if access&^readAccess != 0 {
		return errors.New("files in memory can only be read")
	}
	contents, err := (&Buffer{bytes: b.Bytes, constant: true}).subspan(offset, length)
	if err != nil {
		return err
	}
	c.ReturnRef(&File{contents})
	return nil
}

// text reads a string argument.
func text(c *vm.Call) string {
	if b := vm.Arg[*vm.Buffer](c); b != nil {
		return string(b.Bytes)
	}
	return ""
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
