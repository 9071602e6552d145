// Package params is the functions that modules import under the name
// "io_parameters" (of IREE 3.13): tensors that live outside the module, each named
// by a scope and a key.
package params

import (
	"encoding/binary"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// Version of the imports.
const Version = 0

// Provider finds a parameter. The bytes are not copied where their place in memory
// allows it and must not change; writable ones are those that a module may scatter
// into. ok is false if there's no such parameter.
type Provider func(scope, key string) (p Parameter, ok bool)

// Parameter is the bytes of one tensor.
type Parameter struct {
	Bytes    []byte
	Writable bool
}

// Library is what modules import; provide may be nil.
func Library(allocator *hal.Allocator, provide Provider) vm.Library {
	m := module{allocator, provide}
	return vm.Library{Name: "io_parameters", Version: Version, Functions: []vm.Function{
		{Name: "load", Type: "0rIrrrIiirrr_r", Run: m.load},
		{Name: "gather", Type: "0rIrrrrrrr_v", Run: m.gather},
		{Name: "scatter", Type: "0rIrrrrrrr_v", Run: m.scatter},
	}}
}

type module struct {
	allocator *hal.Allocator
	provide   Provider
}

// queue reads device, affinity and the two fences, which don't matter here.
func queue(c *vm.Call) {
	c.Ref()
	c.I64()
	c.Ref()
	c.Ref()
}

// load returns a list with a buffer for each of the listed ranges.
func (m module) load(c *vm.Call) error {
	queue(c)
	scope := vm.Optional[*vm.Buffer](c)
	c.I64()
	c.I32()
	c.I32()
	spans, err := readSpans(c, scope)
	if err != nil {
		return err
	}
	buffers := make([]vm.Ref, len(spans))
	for i, s := range spans {
		p, err := m.find(s)
		if err != nil {
			return err
		}
		if buffers[i], err = m.buffer(p); err != nil {
			return err
		}
	}
	c.ReturnRef(vm.NewList(buffers...))
	return nil
}

// buffer wraps the parameter in place if it's aligned, else copies it.
func (m module) buffer(p Parameter) (*hal.Buffer, error) {
	if b, err := hal.Wrap(p.Bytes, p.Bytes); err == nil {
		return b, nil
	}
	b, err := m.allocator.Allocate(uint64(len(p.Bytes)))
	if err == nil {
		copy(b.Bytes(), p.Bytes)
	}
	return b, err
}

// gather copies parameter ranges into a buffer.
func (m module) gather(c *vm.Call) error {
	queue(c)
	scope, target := vm.Optional[*vm.Buffer](c), vm.Arg[*hal.Buffer](c)
	return m.transfer(c, scope, target, func(p Parameter, inBuffer []byte) error {
		copy(inBuffer, p.Bytes)
		return nil
	})
}

// scatter copies parts of a buffer to parameters.
func (m module) scatter(c *vm.Call) error {
	queue(c)
	source := vm.Arg[*hal.Buffer](c)
	return m.transfer(c, vm.Optional[*vm.Buffer](c), source, func(p Parameter, inBuffer []byte) error {
		if !p.Writable {
			return fmt.Errorf("the parameter can't be written")
		}
		copy(p.Bytes, inBuffer)
		return nil
	})
}

func (m module) transfer(c *vm.Call, scope *vm.Buffer, b *hal.Buffer, move func(p Parameter, inBuffer []byte) error) error {
	spans, err := readSpans(c, scope)
	if err != nil {
		return err
	}
	for _, s := range spans {
		p, err := m.find(s)
		if err != nil {
			return err
		}
		inBuffer, err := part(b.Bytes(), s.bufferOffset, s.length)
		if err != nil {
			return fmt.Errorf("%s: in the buffer: %w", s, err)
		}
		if err := move(p, inBuffer); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// find returns the range of a parameter that a span names.
func (m module) find(s span) (Parameter, error) {
	var p Parameter
	ok := m.provide != nil
	if ok {
		p, ok = m.provide(s.scope, s.key)
	}
	if !ok {
		return p, fmt.Errorf("%s: no such parameter", s)
	}
	var err error
	if p.Bytes, err = part(p.Bytes, s.offset, s.length); err != nil {
		return p, fmt.Errorf("%s: %w", s, err)
	}
	return p, nil
}

// span is a range of a parameter and where it is in a buffer.
type span struct {
	scope, key                   string
	offset, bufferOffset, length uint64
}

func (s span) String() string { return fmt.Sprintf("parameter %q of scope %q", s.key, s.scope) }

// Sizes of the tables' entries.
const (
	keySize  = 8  // {offset, length} in the key data, 32 bits each
	spanSize = 24 // {parameter offset, buffer offset, length}, 64 bits each
)

// readSpans reads the three tables that end the arguments: keys, key data, spans.
func readSpans(c *vm.Call, scope *vm.Buffer) ([]span, error) {
	keys, data, table := vm.Arg[*vm.Buffer](c), vm.Arg[*vm.Buffer](c), vm.Arg[*vm.Buffer](c)
	if c.Err() != nil {
		return nil, c.Err()
	}
	n := len(table.Bytes) / spanSize
	if len(keys.Bytes)/keySize < n {
		return nil, fmt.Errorf("%d parameter ranges with %d keys", n, len(keys.Bytes)/keySize)
	}
	spans := make([]span, n)
	for i := range spans {
		k, s := keys.Bytes[i*keySize:], table.Bytes[i*spanSize:]
		key, err := part(data.Bytes, uint64(binary.LittleEndian.Uint32(k)), uint64(binary.LittleEndian.Uint32(k[4:])))
		if err != nil {
			return nil, fmt.Errorf("parameter key %d: %w", i, err)
		}
		spans[i] = span{key: string(key), offset: binary.LittleEndian.Uint64(s), bufferOffset: binary.LittleEndian.Uint64(s[8:]), length: binary.LittleEndian.Uint64(s[16:])}
		if scope != nil {
			spans[i].scope = string(scope.Bytes)
		}
	}
	return spans, nil
}

// part returns a range of bytes.
func part(b []byte, offset, length uint64) ([]byte, error) {
	if n := uint64(len(b)); offset > n || length > n-offset {
		return nil, fmt.Errorf("range of %d bytes at %d of %d", length, offset, n)
	}
	return b[offset : offset+length : offset+length], nil
}
