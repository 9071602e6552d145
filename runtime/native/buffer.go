package native

import (
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/hal"
)

// Buffer is a tensor in this process's memory.
type Buffer struct {
	typ   ir.Type
	view  *hal.View // nil once released or donated
	giver *Program  // whose result it is and which gets the memory back, or nil
}

var _ device.Buffer = (*Buffer)(nil)

// elementOf maps element types to IREE's. Sub-byte types would be packed differently
// there than in a Tensor.
var elementOf = map[ir.DType]uint32{
	ir.F32: hal.Float32, ir.F16: hal.Float16, ir.BF16: hal.BFloat16, ir.I1: hal.Bool,
	ir.I8: hal.Int8, ir.I16: hal.Int16, ir.I32: hal.Int32, ir.I64: hal.Int64,
	ir.UI8: hal.Uint8, ir.UI16: hal.Uint16, ir.UI32: hal.Uint32,
}

func elementNumber(t ir.Type) (uint32, error) {
	n, ok := elementOf[t.DType]
	if !ok {
		return 0, fmt.Errorf("native: buffers of %s aren't supported", t.DType)
	}
	return n, nil
}

func newBuffer(t ir.Type, b *hal.Buffer) *Buffer {
	return &Buffer{typ: t, view: hal.NewView(b, elementOf[t.DType], shapeOf(t))}
}

func shapeOf(t ir.Type) []int64 {
	shape := make([]int64, t.Rank())
	for i, d := range t.Shape {
		shape[i] = int64(d)
	}
	return shape
}

// checkView says how a result differs from its type.
func checkView(v *hal.View, t ir.Type) error {
	sameShape := slices.EqualFunc(v.Shape(), t.Shape, func(a int64, b int) bool { return a == int64(b) })
	if v.Element() != elementOf[t.DType] || !sameShape || len(v.Buffer().Bytes()) != t.Bytes() {
		return fmt.Errorf("element type %#x, shape %v in %d bytes, the manifest says %v", v.Element(), v.Shape(), len(v.Buffer().Bytes()), t)
	}
	return nil
}

// Type of the tensor.
func (b *Buffer) Type() ir.Type { return b.typ }

// Write replaces the content. Uploaded buffers can't be written.
func (b *Buffer) Write(data []byte) error {
	if b.view == nil {
		return fmt.Errorf("native: write: %w", errReleased)
	}
	if b.view.Buffer().Constant() {
		return fmt.Errorf("native: write to an uploaded %v, which is constant", b.typ)
	}
	if len(data) != b.typ.Bytes() {
		return fmt.Errorf("native: write of %d bytes to %v, which has %d", len(data), b.typ, b.typ.Bytes())
	}
	copy(b.view.Buffer().Bytes(), data)
	return nil
}

// Read copies the content out.
func (b *Buffer) Read(dst []byte) error {
	if b.view == nil {
		return fmt.Errorf("native: read: %w", errReleased)
	}
	if len(dst) != b.typ.Bytes() {
		return fmt.Errorf("native: read of %v, which has %d bytes, into %d", b.typ, b.typ.Bytes(), len(dst))
	}
	copy(dst, b.view.Buffer().Bytes())
	return nil
}

// CopySlot copies index from of dimension axis over index to.
func (b *Buffer) CopySlot(axis, from, to int) error {
	if b.view == nil {
		return fmt.Errorf("native: copy: %w", errReleased)
	}
	return device.CopySlot(b.typ, b.view.Buffer().Bytes(), axis, from, to)
}

// ClearSlot zeroes index slot of dimension axis.
func (b *Buffer) ClearSlot(axis, slot int) error {
	if b.view == nil {
		return fmt.Errorf("native: copy: %w", errReleased)
	}
	return device.ClearSlot(b.typ, b.view.Buffer().Bytes(), axis, slot)
}

// donate ends the buffer and returns its view for the result v that took its place,
// nil if v is in other memory. It's the same view so that the next call of a graph
// can be seen to have the same arguments.
func (b *Buffer) donate(v *hal.View) *hal.View {
	own := b.view
	if own == nil || !v.Buffer().SharesMemory(own.Buffer()) {
		return nil
	}
	b.view = nil
	return own
}

// Release drops the buffer. A result and its memory are used again by later calls;
// any other's memory goes when nothing refers to it any more.
func (b *Buffer) Release() {
	if b.giver != nil && b.view != nil {
		b.giver.allocator.Drop(b.view.Buffer())
		b.giver.spent = append(b.giver.spent, b)
	}
	b.view = nil
}
