package hal

import (
	"fmt"
	"slices"
)

// View is a buffer with the type and shape of the tensor in it.
type View struct {
	buffer   *Buffer
	element  uint32 // IREE's element type: kind << 24 | bits
	encoding uint32 // DenseRowMajor
	shape    []int64
}

// DenseRowMajor is the encoding of every tensor here.
const DenseRowMajor = 1

// IREE's element types.
const (
	Float32  = 0x21000020
	Float16  = 0x21000010
	BFloat16 = 0x22000010
	Float64  = 0x21000040
	Bool     = 0x13000008
	Int8     = 0x10000008 // signless, as signed integers of StableHLO become
	Int16    = 0x10000010
	Int32    = 0x10000020
	Int64    = 0x10000040
	Uint8    = 0x12000008
	Uint16   = 0x12000010
	Uint32   = 0x12000020
	Uint64   = 0x12000040
)

// NewView describes a buffer.
func NewView(b *Buffer, element uint32, shape []int64) *View {
	return &View{b, element, DenseRowMajor, shape}
}

// TypeName is "!hal.buffer_view".
func (*View) TypeName() string { return "!hal.buffer_view" }

// Buffer that holds the tensor.
func (v *View) Buffer() *Buffer { return v.buffer }

// Element is IREE's element type.
func (v *View) Element() uint32 { return v.element }

// Shape of the tensor.
func (v *View) Shape() []int64 { return v.shape }

// check says how a view differs from what a module wants of an argument.
func (v *View) check(what string, element, encoding uint32, shape []int64) error {
	if v.element != element || v.encoding != encoding {
		return fmt.Errorf("%s has element type %#08x in encoding %d, expected is %#08x in %d", what, v.element, v.encoding, element, encoding)
	}
	if !slices.Equal(v.shape, shape) {
		return fmt.Errorf("%s has shape %v, expected is %v", what, v.shape, shape)
	}
	return nil
}
