package safetensors

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// file is the bytes of a file with the given header and n bytes of data 0, 1, 2, …
func file(header string, n int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for i := range n {
		b = append(b, byte(i))
	}
	return b
}

const twoTensors = `{"b":{"dtype":"F32","shape":[2,1],"data_offsets":[3,11]},` +
	`"__metadata__":{"format":"pt"},"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}  `

func TestParse(t *testing.T) {
	f, err := Parse("m.safetensors", file(twoTensors, 11))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tensors) != 2 || f.Metadata["format"] != "pt" {
		t.Fatalf("got %+v", f)
	}
	a, b := f.Tensors[0], f.Tensors[1]
	if a.Name != "a" || a.DType != "U8" || string(a.Data) != "\x00\x01\x02" {
		t.Errorf("a = %+v", a)
	}
	if b.Name != "b" || len(b.Shape) != 2 || b.Shape[0] != 2 || b.Data[0] != 3 || len(b.Data) != 8 || cap(b.Data) != 8 {
		t.Errorf("b = %+v", b)
	}
}

// Every dtype of the format, an empty tensor and a scalar included.
func TestDTypes(t *testing.T) {
	for dtype, bits := range dtypeBits {
		size := strconv.Itoa(int(bits)) // of 8 elements, in bytes
		header := `{"t":{"dtype":"` + dtype + `","shape":[4,2],"data_offsets":[0,` + size + `]},` +
			`"empty":{"dtype":"` + dtype + `","shape":[0,7],"data_offsets":[` + size + `,` + size + `]}}`
		if f, err := Parse("m", file(header, int(bits))); err != nil || len(f.Tensors) != 2 {
			t.Errorf("%s: %v", dtype, err)
		}
	}
	if f, err := Parse("m", file(`{"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`, 4)); err != nil || len(f.Tensors[0].Shape) != 0 {
		t.Errorf("scalar: %v", err)
	}
}

// Each breach of the format is named, at once and without a large allocation.
func TestRefused(t *testing.T) {
	tensor := func(fields string) string { return `{"t":{` + fields + `}}` }
	length := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "an empty file"},
		{"LFS", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"), "is a Git LFS pointer, not the file itself; run git lfs pull"},
		{"HTML", []byte("<!DOCTYPE html><html><head>"), "an HTML page"},
		{"error page", []byte("Entry not found"), `"Entry not found"`},
		{"seven bytes", make([]byte, 7), "truncated: the header length needs 8 bytes, the file has 7"},
		{"length 2^64-1", append(length(1<<64-1), twoTensors...), "header: its length field says 18446744073709551615 bytes, at most 100000000"},
		{"length 2^62", append(length(1<<62), twoTensors...), "header: its length field says 4611686018427387904 bytes"},
		{"header cut", file(twoTensors, 11)[:60], "truncated: the header needs bytes 8–150, the file ends at 60"},
		{"data cut", file(twoTensors, 10), "truncated: tensor b needs bytes 153–161, file ends at 160"},
		{"trailing bytes", file(twoTensors, 12), "1 bytes after tensor b belong to no tensor"},
		{"not JSON", file("hello, world!", 0), "header: invalid character"},
		{"cut JSON", file(`{"a":{"dtype":"U8"`, 0), "header: the JSON is cut off"},
		{"array", file(`[]`, 0), "header: [ where { belongs"},
		{"two values", file(`{}{}`, 0), "header: more than one JSON value"},
		{"not UTF-8", file("{\"\xff\":{}}", 0), "header: not UTF-8"},
		{"duplicate", file(`{"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1), "header: t appears twice"},
		{"number for object", file(`{"t":1}`, 0), "tensor t: 1 where { belongs"},
		{"array for dtype", file(tensor(`"dtype":[1],"shape":[1],"data_offsets":[0,1]`), 1), "tensor t: [ where a string belongs"},
		{"no shape", file(tensor(`"dtype":"U8","data_offsets":[0,1]`), 1), "tensor t: it must have dtype, shape and data_offsets"},
		{"one offset", file(tensor(`"dtype":"U8","shape":[1],"data_offsets":[0]`), 1), "tensor t: it must have"},
		{"three offsets", file(tensor(`"dtype":"U8","shape":[1],"data_offsets":[0,1,2]`), 1), "tensor t: more than 2 numbers"},
		{"negative dim", file(tensor(`"dtype":"U8","shape":[-1],"data_offsets":[0,1]`), 1), "tensor t: -1 is not a size"},
		{"fraction", file(tensor(`"dtype":"U8","shape":[1.0],"data_offsets":[0,1]`), 1), "tensor t: 1.0 is not a size"},
		{"string dim", file(tensor(`"dtype":"U8","shape":["1"],"data_offsets":[0,1]`), 1), "tensor t: 1 is not a size"},
		{"rank 65", file(tensor(`"dtype":"U8","shape":[`+strings.Repeat("1,", 64)+`1],"data_offsets":[0,1]`), 1), "tensor t: more than 64 numbers"},
		{"unknown dtype", file(tensor(`"dtype":"Q9","shape":[1],"data_offsets":[0,1]`), 1), `tensor t: dtype "Q9"`},
		{"wrong size", file(tensor(`"dtype":"F32","shape":[2],"data_offsets":[0,4]`), 4), "tensor t: F32 [2] takes 8 bytes, its data_offsets are [0, 4]"},
		{"backwards", file(tensor(`"dtype":"U8","shape":[1],"data_offsets":[1,0]`), 1), "tensor t: U8 [1] takes 1 bytes"},
		{"overflow", file(tensor(`"dtype":"F64","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,0]`), 0), "is too large"},
		{"half a byte", file(tensor(`"dtype":"F4","shape":[3],"data_offsets":[0,2]`), 2), "not whole bytes"},
		{"overlap", file(`{"t":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"u":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3), "tensor u overlaps tensor t"},
		{"hole", file(`{"t":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"u":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}}`, 5), "1 bytes between it and tensor t belong to no tensor"},
		{"hole in front", file(tensor(`"dtype":"U8","shape":[1],"data_offsets":[1,2]`), 2), "between it and the header"},
		{"metadata", file(`{"__metadata__":{"n":1}}`, 0), "header: a number where a string belongs (at byte "},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "model.safetensors")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			allocated := testing.AllocsPerRun(1, func() {
				f, err := Open(path)
				var fe *FormatError
				if f != nil || !errors.As(err, &fe) || fe.File != "model.safetensors" || !strings.Contains(err.Error(), c.want) {
					t.Errorf("Open = %v, want %q", err, c.want)
				}
			})
			if allocated > 1000 || time.Since(start) > time.Second {
				t.Errorf("%v allocations, %v", allocated, time.Since(start))
			}
		})
	}
}

func TestParseIndex(t *testing.T) {
	index, err := ParseIndex("i.json", []byte(`{"metadata":{"total_size":1e9},"weight_map":{"a":"x-1.safetensors","b":"x-2.safetensors"}}`))
	if err != nil || len(index) != 2 || index["b"] != "x-2.safetensors" {
		t.Fatalf("got %v, %v", index, err)
	}
	for _, c := range []struct{ text, want string }{
		{`{}`, "no weight_map"},
		{``, "cut off"},
		{`{"weight_map":{"a":1}}`, "tensor a: 1 where a string belongs"},
		{`{"weight_map":{"a":"../x"}}`, `tensor a is in "../x"`},
		{`{"weight_map":{"a":"/x"}}`, `tensor a is in "/x"`},
		{`{"weight_map":{"a":""}}`, `tensor a is in ""`},
		{`{"weight_map":{"a":"x","a":"y"}}`, "a appears twice"},
		{`{"weight_map":[]}`, "[ where { belongs"},
	} {
		var fe *FormatError
		if _, err := ParseIndex("i.json", []byte(c.text)); !errors.As(err, &fe) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// Whatever Parse accepts covers the data section, tensor by tensor.
func FuzzParse(f *testing.F) {
	f.Add(file(twoTensors, 11))
	f.Add(file(twoTensors, 10))
	f.Add(file(`{"t":{"dtype":"F4","shape":[2],"data_offsets":[0,1],"x":[{}]}}`, 1))
	f.Add(file(`{"t":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0))
	f.Add([]byte("version https://git-lfs.github.com/spec/v1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Parse("f", data)
		if err != nil {
			return
		}
		covered := 8 + int(binary.LittleEndian.Uint64(data))
		names := map[string]bool{}
		for _, x := range got.Tensors {
			if len(x.Data) > 0 && &x.Data[0] != &data[covered] {
				t.Fatalf("%s is not at %d", x.Name, covered)
			}
			covered += len(x.Data)
			if names[x.Name] {
				t.Fatalf("%s twice", x.Name)
			}
			names[x.Name] = true
		}
		if covered != len(data) {
			t.Fatalf("%d of %d bytes covered", covered, len(data))
		}
	})
}

// Whatever ParseIndex accepts names files beside it.
func FuzzParseIndex(f *testing.F) {
	f.Add([]byte(`{"metadata":{},"weight_map":{"a":"x.safetensors"}}`))
	f.Add([]byte(`{"weight_map":{"a":"../x"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		index, err := ParseIndex("i", data)
		for _, file := range index {
			if err != nil || filepath.Base(file) != file {
				t.Fatalf("%q, %v", file, err)
			}
		}
	})
}
