// Package gguf reads the GGUF format (versions 2 and 3, little-endian): metadata and
// tensors of one file, and the block formats in which ggml stores numbers. It knows
// nothing of models.
//
// The format is that of https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
package gguf

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
)

// What a file may hold at most. Counts are also bounded by the bytes that are left:
// nothing is allocated for what the file can't hold.
const (
	maxTensors   = 1 << 20
	maxKeys      = 1 << 16
	maxKeyBytes  = 1<<16 - 1 // of the specification
	maxDims      = 4
	maxDepth     = 4 // arrays of arrays
	maxAlignment = 1 << 20
)

// FormatError is a file that breaks the format.
type FormatError struct {
	File   string // base name
	Detail string
}

// Error returns "file: detail".
func (e *FormatError) Error() string { return e.File + ": " + e.Detail }

// Tensor is one tensor of a file.
type Tensor struct {
	Name string
	Type Type
	// Shape has the outermost dimension first, as [out, in]; the file has it the
	// other way round. Rows of the last dimension are encoded one by one.
	Shape []int
	// Data is the tensor inside the mapped file. It must not be written to, nor
	// touched after File.Close.
	Data []byte
}

// File is an opened file.
type File struct {
	Name    string // base name
	Version int
	Tensors []Tensor // in the file's order
	// Metadata by key: string, bool, an integer or float type of the width in the
	// file, a slice of one of these, or []any for arrays of arrays.
	Metadata map[string]any
	Keys     []string // of Metadata, in the file's order

	raw *rawfile.File
}

// Open maps the file at path and checks its header. Errors are *FormatError, or
// those of the os package.
func Open(path string) (*File, error) {
	raw, err := rawfile.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := Parse(raw.Name, raw.Data)
	if err != nil {
		raw.Close()
		return nil, err
	}
	f.raw = raw
	return f, nil
}

// Close unmaps the file; the tensors' data must not be touched any more.
func (f *File) Close() error {
	if f.raw == nil {
		return nil
	}
	return f.raw.Close()
}

// Tensor finds a tensor, nil if there is none.
func (f *File) Tensor(name string) *Tensor {
	if i := slices.IndexFunc(f.Tensors, func(t Tensor) bool { return t.Name == name }); i >= 0 {
		return &f.Tensors[i]
	}
	return nil
}

// Parse reads a whole file that lies in data; name is for messages. The tensors
// point into data.
func Parse(name string, data []byte) (*File, error) {
	f := &File{Name: name, Metadata: map[string]any{}}
	if err := f.parse(data); err != nil {
		return nil, &FormatError{name, err.Error()}
	}
	return f, nil
}

func (f *File) parse(data []byte) error {
	r := &reader{data: data}
	tensors, keys, err := f.header(r)
	if err != nil {
		return err
	}
	for range keys {
		if err := f.pair(r); err != nil {
			return err
		}
	}
	alignment, err := f.alignment()
	if err != nil {
		return err
	}
	infos := make([]info, 0, tensors)
	names := make(map[string]bool, tensors)
	for range tensors {
		t, err := readInfo(r)
		if err != nil {
			return fmt.Errorf("tensor %d of %d: %w", len(infos)+1, tensors, err)
		}
		if names[t.Name] {
			return fmt.Errorf("tensor %s appears twice", t.Name)
		}
		names[t.Name] = true
		infos = append(infos, t)
	}
	if err := place(infos, data, alignUp(uint64(r.pos), alignment), alignment); err != nil {
		return err
	}
	for _, t := range infos {
		f.Tensors = append(f.Tensors, t.Tensor)
	}
	return nil
}

// header reads magic, version and counts.
func (f *File) header(r *reader) (tensors, keys int, err error) {
	if string(r.data[:min(4, len(r.data))]) != "GGUF" {
		if what := rawfile.Impostor(r.data, "weights"); what != "" {
			return 0, 0, fmt.Errorf("is %s", what)
		}
		return 0, 0, fmt.Errorf("is not GGUF: it starts with %q", r.data[:min(4, len(r.data))])
	}
	r.pos = 4
	version := read[uint32](r)
	nTensors, nKeys := read[uint64](r), read[uint64](r)
	switch {
	case version != 0 && bits.ReverseBytes32(version) < 16:
		return 0, 0, fmt.Errorf("version %d in big-endian order; only little-endian files are supported", bits.ReverseBytes32(version))
	case r.err == nil && version != 2 && version != 3:
		return 0, 0, fmt.Errorf("version %d; supported are 2 and 3", version)
	case r.err != nil:
		return 0, 0, fmt.Errorf("header: %w", r.err)
	case nTensors > maxTensors || nTensors > r.left()/minInfo:
		return 0, 0, fmt.Errorf("header: %d tensors; at most %d are allowed and the %d bytes left hold at most %d", nTensors, maxTensors, r.left(), r.left()/minInfo)
	case nKeys > maxKeys || nKeys > r.left()/minPair:
		return 0, 0, fmt.Errorf("header: %d metadata keys; at most %d are allowed and the %d bytes left hold at most %d", nKeys, maxKeys, r.left(), r.left()/minPair)
	}
	f.Version = int(version)
	return int(nTensors), int(nKeys), nil
}

// pair reads one metadata entry.
func (f *File) pair(r *reader) error {
	key := r.text(maxKeyBytes)
	kind := valueType(read[uint32](r))
	if r.err != nil {
		return fmt.Errorf("metadata key %d: %w", len(f.Keys)+1, r.err)
	}
	if _, twice := f.Metadata[key]; twice {
		return fmt.Errorf("metadata: %s appears twice", key)
	}
	value := r.value(kind, 0)
	if r.err != nil {
		return fmt.Errorf("metadata: %s: %w", key, r.err)
	}
	f.Metadata[key] = value
	f.Keys = append(f.Keys, key)
	return nil
}

// alignment of tensors: a power of two.
func (f *File) alignment() (uint64, error) {
	value, ok := f.Metadata["general.alignment"]
	if !ok {
		return 32, nil
	}
	a, ok := value.(uint32)
	if !ok || bits.OnesCount32(a) != 1 || a > maxAlignment {
		return 0, fmt.Errorf("metadata: general.alignment is %v; it must be a uint32 power of two of at most %d", value, maxAlignment)
	}
	return uint64(a), nil
}

// info is a tensor as the header describes it; offset counts from the start of the
// data section.
type info struct {
	Tensor
	offset, size uint64
}

// minInfo and minPair are the fewest bytes that a tensor's description and a
// metadata entry take.
const (
	minInfo = 8 + 4 + 4 + 8
	minPair = 8 + 4 + 1
)

func readInfo(r *reader) (info, error) {
	var t info
	t.Name = r.text(maxKeyBytes)
	dims := read[uint32](r)
	if r.err == nil && dims > maxDims {
		return t, fmt.Errorf("%s has %d dimensions, at most %d are allowed", t.Name, dims, maxDims)
	}
	elements := uint64(1)
	for range dims {
		d := read[uint64](r)
		hi, lo := bits.Mul64(elements, d)
		if hi != 0 || lo > math.MaxInt64/8 || d > math.MaxInt64/8 {
			return t, fmt.Errorf("%s is too large", t.Name)
		}
		elements = lo
		t.Shape = append(t.Shape, int(d))
	}
	slices.Reverse(t.Shape)
	t.Type = Type(read[uint32](r))
	t.offset = read[uint64](r)
	if r.err != nil {
		return t, r.err
	}
	layout, ok := layouts[t.Type]
	if !ok {
		return t, fmt.Errorf("%s has the unknown type %d", t.Name, t.Type)
	}
	if row := t.rowElements(); row%layout.elements != 0 {
		return t, fmt.Errorf("%s: rows of %d elements don't fill blocks of %d (%s)", t.Name, row, layout.elements, t.Type)
	}
	t.size = elements / uint64(layout.elements) * uint64(layout.bytes)
	return t, nil
}

// place gives each tensor its data and checks that tensors follow each other at
// aligned offsets, without overlap or hole, inside the file.
func place(infos []info, data []byte, base, alignment uint64) error {
	order := make([]*info, len(infos))
	for i := range infos {
		order[i] = &infos[i]
	}
	slices.SortStableFunc(order, func(a, b *info) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.size, b.size))
	})
	end := uint64(0)
	for i, t := range order {
		switch want := alignUp(end, alignment); {
		case t.offset%alignment != 0:
			return fmt.Errorf("tensor %s: offset %d is not a multiple of the alignment %d", t.Name, t.offset, alignment)
		case t.offset != want && i > 0:
			return misfit(order[i-1], t, want)
		case t.offset != want:
			return fmt.Errorf("tensor %s: %d bytes between it and the header belong to no tensor", t.Name, t.offset)
		case base+t.offset+t.size > uint64(len(data)):
			return fmt.Errorf("truncated: tensor %s needs bytes %d–%d, file ends at %d; download it again", t.Name, base+t.offset, base+t.offset+t.size, len(data))
		}
		end = t.offset + t.size
		t.Data = data[base+t.offset:][:t.size:t.size]
	}
	if rest := uint64(len(data)); len(order) > 0 && rest > base+alignUp(end, alignment) {
		last := order[len(order)-1]
		return fmt.Errorf("tensor %s: as %s %v it has %d bytes, but %d more follow it and belong to no tensor", last.Name, last.Type, last.Shape, last.size, rest-base-end)
	}
	return nil
}

// misfit says that a tensor doesn't end where the next one begins, mostly because
// its own shape or type is wrong: offsets say where the others are.
func misfit(t, next *info, want uint64) error {
	what := fmt.Sprintf("%d bytes between them belong to no tensor", next.offset-want)
	if next.offset < want {
		what = "they overlap"
	}
	return fmt.Errorf("tensor %s: as %s %v it has %d bytes and reaches to data offset %d, but the next, %s, begins at %d: %s; its shape or type, or that offset, is damaged", t.Name, t.Type, t.Shape, t.size, want, next.Name, next.offset, what)
}

func alignUp(n, alignment uint64) uint64 { return (n + alignment - 1) &^ (alignment - 1) }

// rowElements is the extent of the last dimension, 1 for a scalar.
func (t *Tensor) rowElements() int {
	if len(t.Shape) == 0 {
		return 1
	}
	return t.Shape[len(t.Shape)-1]
}
