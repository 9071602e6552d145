package hal

import (
	"encoding/binary"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Imports: allocators, buffers and buffer views.

func (d *Device) deviceAllocator(c *vm.Call) error {
	c.ReturnRef(d.allocator)
	return nil
}

func (d *Device) allocate(c *vm.Call) error {
	c.Ref()
	c.I64()
	c.I32()
	c.I32()
	b, err := d.allocator.Allocate(c.I64())
	if err != nil {
		return err
	}
	c.ReturnRef(b)
	return nil
}

// importBuffer makes constant data of the module a device buffer without a copy.
func importBuffer(c *vm.Call) error {
	c.Ref()
	try := c.I32() != 0
	c.I64()
	c.I32()
	c.I32()
	source, offset, length := vm.Arg[*vm.Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	b, err := (&Buffer{source.Bytes, &storage{bytes: source.Bytes, owner: source}, source.Constant}).subspan(offset, length)
	if err != nil {
		return err
	}
	if a := pages.Address(b.bytes); a%Alignment != 0 {
		if !try {
			return fmt.Errorf("constant data at %#x isn't aligned to %d bytes", a, Alignment)
		}
		c.ReturnRef(nil) // the module copies it then
		return nil
	}
	c.ReturnRef(b)
	return nil
}

func selectAllocator(c *vm.Call) error {
	c.I32()
	c.I32()
	c.I64()
	if c.Span() == 0 {
		return fmt.Errorf("no device to select from")
	}
	c.ReturnRef(c.Ref())
	c.Return(c.I64())
	return nil
}

// discardAllocation says no: who owns an allocation is the garbage collector's business.
func discardAllocation(c *vm.Call) error {
	c.Return(0)
	return nil
}

func assertBuffer(c *vm.Call) error {
	b, message := vm.Arg[*Buffer](c), text(c)
	c.Ref()
	minimum := c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	if n := uint64(len(b.bytes)); n < minimum {
		return fmt.Errorf("%s has %d bytes, expected are at least %d", message, n, minimum)
	}
	return nil
}

func bufferLength(c *vm.Call) error {
	b := vm.Arg[*Buffer](c)
	if c.Err() != nil {
		return c.Err()
	}
	c.Return(uint64(len(b.bytes)))
	return nil
}

// maxLoad is the number of bytes that buffer.load and buffer.store move.
const maxLoad = 4

func loadBuffer(c *vm.Call) error {
	b, offset, n := vm.Arg[*Buffer](c), c.I64(), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	bytes, err := b.span(offset, uint64(n))
	if err != nil {
		return err
	}
	if n > maxLoad {
		return fmt.Errorf("load of %d bytes: at most %d are supported", n, maxLoad)
	}
	var word [maxLoad]byte
	copy(word[:], bytes)
	c.Return(uint64(binary.LittleEndian.Uint32(word[:])))
	return nil
}

func storeBuffer(c *vm.Call) error {
	value, b, offset, n := c.I32(), vm.Arg[*Buffer](c), c.I64(), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	bytes, err := b.writable(offset, uint64(n))
	if err != nil {
		return err
	}
	if n > maxLoad {
		return fmt.Errorf("store of %d bytes: at most %d are supported", n, maxLoad)
	}
	var word [maxLoad]byte
	binary.LittleEndian.PutUint32(word[:], value)
	copy(bytes, word[:])
	return nil
}

func subspan(c *vm.Call) error {
	b, offset, length := vm.Arg[*Buffer](c), c.I64(), c.I64()
	if c.Err() != nil {
		return c.Err()
	}
	s, err := b.subspan(offset, length)
	if err != nil {
		return err
	}
	c.ReturnRef(s)
	return nil
}

func createView(c *vm.Call) error {
	b, offset, length := vm.Arg[*Buffer](c), c.I64(), c.I64()
	element, encoding := c.I32(), c.I32()
	shape := dimensions(c)
	if c.Err() != nil {
		return c.Err()
	}
	s, err := b.subspan(offset, length)
	if err != nil {
		return err
	}
	c.ReturnRef(&View{s, element, encoding, shape})
	return nil
}

func assertView(c *vm.Call) error {
	v, message := vm.Arg[*View](c), text(c)
	element, encoding := c.I32(), c.I32()
	if c.Err() != nil {
		return c.Err()
	}
	return v.check(message, element, encoding, dimensions(c))
}

// dimensions reads a span of tensor dimensions.
func dimensions(c *vm.Call) []int64 {
	shape := make([]int64, c.Span())
	for i := range shape {
		shape[i] = int64(c.I64())
	}
	return shape
}

// view reads a view argument for functions that return a property of it.
func view(c *vm.Call) (*View, error) {
	v := vm.Arg[*View](c)
	return v, c.Err()
}

func viewBuffer(c *vm.Call) error {
	v, err := view(c)
	if err == nil {
		c.ReturnRef(v.buffer)
	}
	return err
}

func viewElement(c *vm.Call) error {
	v, err := view(c)
	if err == nil {
		c.Return(uint64(v.element))
	}
	return err
}

func viewEncoding(c *vm.Call) error {
	v, err := view(c)
	if err == nil {
		c.Return(uint64(v.encoding))
	}
	return err
}

func viewRank(c *vm.Call) error {
	v, err := view(c)
	if err == nil {
		c.Return(uint64(len(v.shape)))
	}
	return err
}

func viewDimension(c *vm.Call) error {
	v, err := view(c)
	if err != nil {
		return err
	}
	i := c.I32()
	if uint64(i) >= uint64(len(v.shape)) {
		return fmt.Errorf("dimension %d of a tensor of rank %d", i, len(v.shape))
	}
	c.Return(uint64(v.shape[i]))
	return nil
}
