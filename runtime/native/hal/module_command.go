package hal

import (
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Imports: recording of command buffers.

func (d *Device) createCommandBuffer(c *vm.Call) error {
	c.Ref()
	const oneShot = 1
	modes := c.I32()
	cb := d.spare
	if d.spare = nil; cb == nil {
		cb = &CommandBuffer{}
	}
	cb.oneShot = modes&oneShot != 0 && !c.Recording()
	c.ReturnRef(cb)
	return nil
}

func (d *Device) finalize(c *vm.Call) error {
	cb := vm.Arg[*CommandBuffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	if cb.finalized {
		return errFinalized
	}
	cb.finalize(d.executor.Threads())
	return nil
}

func recordBarrier(c *vm.Call) error {
	cb := vm.Arg[*CommandBuffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	if cb.finalized {
		return errFinalized
	}
	cb.barrier = true
	return nil
}

func recordDispatch(c *vm.Call) error {
	cb, k, err := dispatchTarget(c)
	if err != nil {
		return err
	}
	d := dispatch{kernel: k, workgroups: [3]uint32{c.I32(), c.I32(), c.I32()}}
	return finishDispatch(c, cb, d)
}

// recordIndirectDispatch records a dispatch whose workgroup counts, three 32-bit
// integers, are in a buffer.
func recordIndirectDispatch(c *vm.Call) error {
	cb, k, err := dispatchTarget(c)
	if err != nil {
		return err
	}
	counts := &binding{slot: c.I32(), buffer: vm.Optional[*Buffer](c), offset: c.I64(), length: 12}
	return finishDispatch(c, cb, dispatch{kernel: k, counts: counts})
}

func dispatchTarget(c *vm.Call) (*CommandBuffer, *kernel, error) {
	cb, e, function := vm.Arg[*CommandBuffer](c), vm.Arg[*Executable](c), c.I64()
	if c.Err() != nil {
		return nil, nil, c.Err()
	}
	if function >= uint64(len(e.kernels)) {
		return nil, nil, fmt.Errorf("kernel %d of %d", function, len(e.kernels))
	}
	return cb, &e.kernels[function], nil
}

// finishDispatch reads flags, constants and bindings.
func finishDispatch(c *vm.Call, cb *CommandBuffer, d dispatch) error {
	c.I64()
	constants, bindings := cb.someConstants[:0], cb.someBindings[:0]
	for i := range c.Span() {
		constants = append(constants, c.I32())
		if s := c.Symbol(); !s.Known() {
			cb.numbers = append(cb.numbers, number{len(cb.constants) + i, s})
		}
	}
	for range c.Span() {
		c.I32()
		bindings = append(bindings, binding{slot: c.I32(), buffer: vm.Optional[*Buffer](c), offset: c.I64(), length: c.I64()})
	}
	cb.someConstants, cb.someBindings = constants, bindings
	if c.Err() != nil {
		return c.Err()
	}
	return cb.addDispatch(d, constants, bindings)
}

func recordCopy(c *vm.Call) error {
	cb := vm.Arg[*CommandBuffer](c)
	source, target := &binding{slot: c.I32()}, binding{slot: c.I32()}
	source.buffer, source.offset = vm.Optional[*Buffer](c), c.I64()
	target.buffer, target.offset = vm.Optional[*Buffer](c), c.I64()
	source.length = c.I64()
	target.length = source.length
	if c.Err() != nil {
		return c.Err()
	}
	return cb.addTransfer(transfer{target, source, func(target, source []byte) { copy(target, source) }})
}

func recordFill(c *vm.Call) error {
	cb, buffer := vm.Arg[*CommandBuffer](c), vm.Optional[*Buffer](c)
	target := binding{buffer: buffer, offset: c.I64(), length: c.I64(), slot: c.I32()}
	pattern, size := c.I64(), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	if err := checkPattern(size); err != nil {
		return err
	}
	return cb.addTransfer(transfer{target, nil, func(target, _ []byte) { vm.Fill(target, pattern, int(size)) }})
}

func checkPattern(size uint32) error {
	if !slices.Contains([]uint32{1, 2, 4, 8}, size) {
		return fmt.Errorf("fill pattern of %d bytes: supported are 1, 2, 4 and 8", size)
	}
	return nil
}

// recordUpdate records a copy of host bytes, which are taken now.
func recordUpdate(c *vm.Call) error {
	cb, source, sourceOffset := vm.Arg[*CommandBuffer](c), vm.Arg[*vm.Buffer](c), c.I64()
	target := binding{buffer: vm.Optional[*Buffer](c), offset: c.I64(), length: c.I64(), slot: c.I32()}
	if c.Err() != nil {
		return c.Err()
	}
	bytes, err := hostBytes(source, sourceOffset, target.length)
	if err != nil {
		return err
	}
	snapshot := slices.Clone(bytes)
	return cb.addTransfer(transfer{target, nil, func(target, _ []byte) { copy(target, snapshot) }})
}

// hostBytes returns a range of a buffer of the virtual machine.
func hostBytes(b *vm.Buffer, offset, length uint64) ([]byte, error) {
	return (&Buffer{bytes: b.Bytes}).span(offset, length)
}
