package checkpoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/ir"
)

// reader writes rows [from, to) of one tensor to dst as d. Arguments are checked.
type reader func(dst []byte, d ir.DType, from, to int)

// store is what the kinds of checkpoints share: tensors under HF names, each with a
// reader, over mapped memory that Close takes away.
type store struct {
	tensors map[string]stored
	notes   []string
	release func() error

	// mu is held for reading while mapped memory is in use, for writing to unmap it.
	mu     sync.RWMutex
	closed bool
}

type stored struct {
	Tensor
	read   reader          // nil: the type isn't one of floats
	packed *packed         // nil: not a quantised matrix
	number func() ir.DType // may be slow; nil: the codec's
}

func (s *store) add(t stored) {
	if s.tensors == nil {
		s.tensors = map[string]stored{}
	}
	s.tensors[t.Name] = t
}

func (s *store) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// Tensors lists all tensors, sorted by name.
func (s *store) Tensors() []Tensor {
	list := make([]Tensor, 0, len(s.tensors))
	for _, name := range slices.Sorted(maps.Keys(s.tensors)) {
		t := s.tensors[name]
		t.Opaque = t.read == nil
		list = append(list, t.Tensor)
	}
	return list
}

// Notes are the remarks for the user.
func (s *store) Notes() []string { return slices.Clone(s.notes) }

// Close unmaps the files once all reads are done; later reads fail.
func (s *store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.release()
}

// ReadRows checks the request and lets the tensor's reader do it.
func (s *store) ReadRows(dst []byte, d ir.DType, name string, from, to int) error {
	return s.readPart(dst, name, from, to, func(t stored) (p part, err error) {
		if t.read == nil {
			return p, fmt.Errorf("%s can't be read as numbers; supported are %s", t.DType, strings.Join(slices.Sorted(maps.Keys(codecs)), ", "))
		}
		_, width := t.rows()
		return numbers(t.read, d, width)
	})
}

// Number is the type that holds a tensor's numbers.
func (s *store) Number(name string) ir.DType {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if number := s.tensors[name].number; number != nil && !s.closed {
		return number()
	}
	if c, ok := codecs[s.tensors[name].DType]; ok {
		return c.number
	}
	return ir.F32
}

// part is what a row of one tensor is read as.
type part struct {
	as       string // for messages
	rowBytes int
	read     func(dst []byte, from, to int)
}

// numbers are rows of so many elements of type d.
func numbers(read reader, d ir.DType, width int) (part, error) {
	if sameType[d] == "" {
		return part{}, fmt.Errorf("can't be converted to %s; supported are f32, f16, bf16", d)
	}
	return part{d.String(), width * d.Size(), func(dst []byte, from, to int) { read(dst, d, from, to) }}, nil
}

// readPart checks a request for rows of the part that pick chooses, and reads them.
func (s *store) readPart(dst []byte, name string, from, to int, pick func(stored) (part, error)) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fail := func(format string, args ...any) error {
		return fmt.Errorf("checkpoint: tensor %s: "+format, append([]any{name}, args...)...)
	}
	t, ok := s.tensors[name]
	switch {
	case s.closed:
		return fail("the checkpoint is closed")
	case !ok:
		return fail("not in the checkpoint")
	}
	p, err := pick(t)
	if err != nil {
		return fail("%w", err)
	}
	if rows, _ := t.rows(); from < 0 || from > to || to > rows {
		return fail("rows [%d, %d) of %d", from, to, rows)
	}
	if want := (to - from) * p.rowBytes; len(dst) != want {
		return fail("rows [%d, %d) take %d bytes as %s, not %d", from, to, want, p.as, len(dst))
	}
	if len(dst) > 0 { // rows may be many and empty
		p.read(dst, from, to)
	}
	return nil
}

// rows is the extent of the first dimension, and the number of elements in one
// row; a scalar is one row of one element.
func (t Tensor) rows() (rows, width int) {
	if len(t.Shape) == 0 {
		return 1, 1
	}
	width = 1
	for _, d := range t.Shape[1:] {
		width *= d
	}
	return t.Shape[0], width
}

// plainRows reads a SafeTensors tensor.
func plainRows(t *safetensors.Tensor) reader {
	c, ok := codecs[t.DType]
	if !ok {
		return nil
	}
	_, width := Tensor{Shape: t.Shape}.rows()
	size := width * c.size
	return func(dst []byte, d ir.DType, from, to int) {
		convert(dst, d, t.Data[from*size:to*size], t.DType)
	}
}
