package checkpoint

import (
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// packed reads a quantised matrix as it is stored: codes, scales, biases.
type packed struct {
	bits, group    int
	centre         int             // 0: there are biases
	super          int             // groups that share super-scales, 0: there are none
	scale          func() ir.DType // may be slow; Invalid: it can't be handed out so
	codes          func(dst []byte, from, to int)
	scales, biases reader // biases is nil if there are none
	// Of super-groups; scales and biases write bytes too, as UI8 and I8.
	superScales, superBiases reader
}

// Packed says how a matrix is handed out.
func (s *store) Packed(name string) (Packed, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := s.tensors[name].packed
	if p == nil || s.closed {
		return Packed{}, false
	}
	scale := p.scale()
	return Packed{p.bits, p.group, p.centre, p.super, scale}, scale != ir.Invalid
}

// ReadCodes reads rows of codes.
func (s *store) ReadCodes(dst []byte, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) {
		return part{"codes", width * p.bits / 8, p.codes}, nil
	})
}

// ReadScales reads rows of scales.
func (s *store) ReadScales(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) { return p.ofGroups(p.scales, d, width) })
}

// ReadBiases reads rows of biases.
func (s *store) ReadBiases(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) { return p.ofGroups(p.biases, d, width) })
}

// ReadSuperScales reads rows of super-groups' scales.
func (s *store) ReadSuperScales(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) { return p.ofSuperGroups(p.superScales, d, width) })
}

// ReadSuperBiases reads rows of super-groups' biases.
func (s *store) ReadSuperBiases(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) { return p.ofSuperGroups(p.superBiases, d, width) })
}

// ofGroups reads what each group of a row has one of.
func (p *packed) ofGroups(read reader, d ir.DType, width int) (part, error) {
	switch bytes := p.super != 0 && (d == ir.UI8 || d == ir.I8); {
	case read == nil:
		return part{}, fmt.Errorf("it has no biases, but a centre, %d", p.centre)
	case bytes:
		return part{d.String(), width / p.group, func(dst []byte, from, to int) { read(dst, d, from, to) }}, nil
	}
	return numbers(read, d, width/p.group)
}

func (p *packed) ofSuperGroups(read reader, d ir.DType, width int) (part, error) {
	if read == nil {
		return part{}, fmt.Errorf("it has no such numbers of super-groups")
	}
	return numbers(read, d, width/p.group/p.super)
}

func (s *store) readPacked(dst []byte, name string, from, to int, pick func(p *packed, width int) (part, error)) error {
	return s.readPart(dst, name, from, to, func(t stored) (part, error) {
		if t.packed == nil {
			return part{}, fmt.Errorf("%s is not quantised", t.DType)
		}
		_, width := t.rows()
		return pick(t.packed, width)
	})
}
