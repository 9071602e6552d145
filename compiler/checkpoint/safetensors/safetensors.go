// Package safetensors reads the SafeTensors format: one file with a JSON header in
// front of raw little-endian tensors, and the index that spreads a model over
// several such files. It knows nothing of models.
//
// The format is that of https://github.com/huggingface/safetensors; the checks are
// those of its reference implementation and a few more: duplicate names are
// refused, a rank is at most 64.
package safetensors

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
)

// MaxHeader is the longest header in bytes, as in the reference implementation.
const MaxHeader = 100_000_000

// maxRank is far above any model's.
const maxRank = 64

// FormatError is a file that breaks the format.
type FormatError struct {
	File   string // base name
	Detail string
}

// Error returns "file: detail".
func (e *FormatError) Error() string { return e.File + ": " + e.Detail }

// Tensor is one tensor of a file.
type Tensor struct {
	Name  string
	DType string // "F32", "BF16", …: a key of the format
	Shape []int
	// Data is the tensor inside the mapped file: little-endian, row-major, at any
	// address. It must not be written to, nor touched after File.Close.
	Data []byte
}

// File is an opened file. Its tensors are in the order of their data.
type File struct {
	Name     string // base name
	Tensors  []Tensor
	Metadata map[string]string // the header's __metadata__

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

// Parse reads a whole file that lies in data; name is for messages. The tensors
// point into data.
func Parse(name string, data []byte) (*File, error) {
	fail := func(format string, args ...any) (*File, error) {
		return nil, &FormatError{name, fmt.Sprintf(format, args...)}
	}
	if what := rawfile.Impostor(data, "weights"); what != "" {
		return fail("is %s", what)
	}
	if len(data) < 8 {
		return fail("truncated: the header length needs 8 bytes, the file has %d", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	switch {
	case n > MaxHeader:
		return fail("header: its length field says %d bytes, at most %d are allowed (the file has %d): not SafeTensors, or damaged; download it again", n, MaxHeader, len(data))
	case n > uint64(len(data)-8):
		return fail("truncated: the header needs bytes 8–%d, the file ends at %d; download it again", 8+n, len(data))
	}
	tensors, metadata, err := parseHeader(data[8 : 8+n])
	if err != nil {
		return fail("header: %v", err)
	}
	f := &File{Name: name, Metadata: metadata, Tensors: make([]Tensor, len(tensors))}
	if err := place(tensors, int(8+n), len(data)); err != nil {
		return fail("%v", err)
	}
	for i, t := range tensors {
		f.Tensors[i] = Tensor{t.name, t.dtype, t.shape, data[8+n:][t.begin:t.end:t.end]}
	}
	return f, nil
}

// place sorts tensors by offset and checks that they fill the data section, which
// reaches from base to the end of the file, without overlap or hole.
func place(tensors []entry, base, fileSize int) error {
	slices.SortFunc(tensors, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	size := uint64(fileSize - base)
	end, before := uint64(0), "the header"
	for _, t := range tensors {
		want, err := t.bytes()
		switch {
		case err != nil:
			return fmt.Errorf("tensor %s: %w", t.name, err)
		case t.end < t.begin || t.end-t.begin != want:
			return fmt.Errorf("tensor %s: %s %v takes %d bytes, its data_offsets are [%d, %d]", t.name, t.dtype, t.shape, want, t.begin, t.end)
		case t.begin < end:
			return fmt.Errorf("tensor %s overlaps %s: it begins at data offset %d, which is before %d", t.name, before, t.begin, end)
		case t.begin > end:
			return fmt.Errorf("tensor %s: %d bytes between it and %s belong to no tensor (data offsets %d–%d)", t.name, t.begin-end, before, end, t.begin)
		case t.end > size:
			return fmt.Errorf("truncated: tensor %s needs bytes %d–%d, file ends at %d; download it again", t.name, uint64(base)+t.begin, uint64(base)+t.end, fileSize)
		}
		end, before = t.end, "tensor "+t.name
	}
	if end != size {
		return fmt.Errorf("%d bytes after %s belong to no tensor", size-end, before)
	}
	return nil
}

// dtypeBits is the width of an element of each type of the format.
var dtypeBits = map[string]uint64{
	"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
	"BOOL": 8, "U8": 8, "I8": 8,
	"F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
	"U16": 16, "I16": 16, "F16": 16, "BF16": 16,
	"U32": 32, "I32": 32, "F32": 32,
	"U64": 64, "I64": 64, "F64": 64, "C64": 64,
}

// bytes is the size of the tensor that dtype and shape ask for.
func (t entry) bytes() (uint64, error) {
	width, ok := dtypeBits[t.dtype]
	if !ok {
		return 0, fmt.Errorf("dtype %q is not one of the format's", t.dtype)
	}
	total := width
	for _, d := range t.shape {
		hi, lo := bits.Mul64(total, uint64(d))
		if hi != 0 || lo > math.MaxInt64 {
			return 0, fmt.Errorf("shape %v is too large", t.shape)
		}
		total = lo
	}
	if total%8 != 0 {
		return 0, fmt.Errorf("%s %v is %d bits, not whole bytes", t.dtype, t.shape, total)
	}
	return total / 8, nil
}
