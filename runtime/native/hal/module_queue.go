package hal

import (
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Imports: queue operations. Each is done when its function returns.

// queue reads the arguments that all queue operations begin with: device,
// affinity, what to wait for, what to signal. Nothing of it matters here, but a
// failed fence to wait for would be the module's own failure, which it reports.
func queue(c *vm.Call) {
	c.Ref()
	c.I64()
	c.Ref()
	c.Ref()
}

func queueBarrier(c *vm.Call) error { return nil }

func (d *Device) queueAlloca(c *vm.Call) error {
	queue(c)
	c.I64()
	c.I32()
	c.I32()
	size := c.I64()
	if b, ok := c.Expected().(*Buffer); ok && d.allocator.Retake(b) {
		c.ReturnRef(b)
		return nil
	}
	b, err := d.allocator.Transient(size)
	if err != nil {
		return err
	}
	c.ReturnRef(b)
	return nil
}

func (d *Device) queueDealloca(c *vm.Call) error {
	queue(c)
	b := vm.Arg[*Buffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	d.allocator.Release(b)
	return nil
}

func (d *Device) queueExecute(c *vm.Call) error {
	queue(c)
	cb := vm.Arg[*CommandBuffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	return d.execute(c, cb, nil)
}

func (d *Device) queueExecuteIndirect(c *vm.Call) error {
	queue(c)
	cb := vm.Arg[*CommandBuffer](c)
	c.I64()
	table, err := d.readTable(c)
	if err != nil {
		return err
	}
	defer clear(table)
	return d.execute(c, cb, table)
}

func (d *Device) execute(c *vm.Call, cb *CommandBuffer, table []Buffer) error {
	cb.renumber(c)
	if err := d.executor.execute(c.Context(), cb, table); err != nil {
		return err
	}
	if cb.oneShot {
		d.spare = cb.recycle()
	}
	return nil
}

// readTable reads a span of buffer ranges; an entry may be null.
func (d *Device) readTable(c *vm.Call) ([]Buffer, error) {
	d.table = d.table[:0]
	for range c.Span() {
		b, offset, length := vm.Optional[*Buffer](c), c.I64(), c.I64()
		if c.Err() != nil {
			return nil, c.Err()
		}
		var entry Buffer
		if b != nil {
			bytes, err := b.span(offset, length)
			if err != nil {
				return nil, err
			}
			entry = Buffer{bytes, b.storage, b.constant}
		}
		d.table = append(d.table, entry)
	}
	return d.table, c.Err()
}

func queueCopy(c *vm.Call) error {
	queue(c)
	source, sourceOffset := vm.Arg[*Buffer](c), c.I64()
	target, targetOffset, length := vm.Arg[*Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	return copyRange(target, targetOffset, source, sourceOffset, length)
}

func queueRead(c *vm.Call) error {
	queue(c)
	source, sourceOffset := vm.Arg[*File](c), c.I64()
	target, targetOffset, length := vm.Arg[*Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	return copyRange(target, targetOffset, source.contents, sourceOffset, length)
}

func queueWrite(c *vm.Call) error {
	queue(c)
	source, sourceOffset := vm.Arg[*Buffer](c), c.I64()
	target, targetOffset, length := vm.Arg[*File](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	return copyRange(target.contents, targetOffset, source, sourceOffset, length)
}

func copyRange(target *Buffer, targetOffset uint64, source *Buffer, sourceOffset, length uint64) error {
	from, err := source.span(sourceOffset, length)
	if err != nil {
		return err
	}
	to, err := target.writable(targetOffset, length)
	if err != nil {
		return err
	}
	copy(to, from)
	return nil
}

func queueFill(c *vm.Call) error {
	queue(c)
	target, offset, length, pattern, size := vm.Arg[*Buffer](c), c.I64(), c.I64(), c.I64(), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	if err := checkPattern(size); err != nil {
		return err
	}
	to, err := target.writable(offset, length)
	if err != nil {
		return err
	}
	vm.Fill(to, pattern, int(size))
	return nil
}

func queueUpdate(c *vm.Call) error {
	queue(c)
	source, sourceOffset := vm.Arg[*vm.Buffer](c), c.I64()
	target, targetOffset, length := vm.Arg[*Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	from, err := hostBytes(source, sourceOffset, length)
	if err != nil {
		return err
	}
	to, err := target.writable(targetOffset, length)
	if err != nil {
		return err
	}
	copy(to, from)
	return nil
}
