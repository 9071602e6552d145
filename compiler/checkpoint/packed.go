package checkpoint

import (
	"fmt"

	"github.com/mlxc/mlxc/ir"
)

// packed reads a quantised matrix as it is stored: codes, scales, biases.
type packed struct {
	bits, group    int
	centre         int             // 0: there are biases
	scale          func() ir.DType // may be slow; Invalid: it can't be handed out so
	codes          func(dst []byte, from, to int)
	scales, biases reader // biases is nil if there are none
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
	return Packed{p.bits, p.group, p.centre, scale}, scale != ir.Invalid
}

// ReadCodes reads rows of codes.
func (s *store) ReadCodes(dst []byte, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) {
		return part{"codes", width * p.bits / 8, p.codes}, nil
	})
}

// ReadScales reads rows of scales.
func (s *store) ReadScales(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) {
		return numbers(p.scales, d, width/p.group)
	})
}

// ReadBiases reads rows of biases.
func (s *store) ReadBiases(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPacked(dst, name, from, to, func(p *packed, width int) (part, error) {
		if p.biases == nil {
			return part{}, fmt.Errorf("it has no biases, but a centre, %d", p.centre)
		}
		return numbers(p.biases, d, width/p.group)
	})
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
