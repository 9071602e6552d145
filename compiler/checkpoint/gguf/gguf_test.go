package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// writer builds files.
type writer struct{ b []byte }

func (w *writer) u32(v uint32) *writer { w.b = binary.LittleEndian.AppendUint32(w.b, v); return w }
func (w *writer) u64(v uint64) *writer { w.b = binary.LittleEndian.AppendUint64(w.b, v); return w }
func (w *writer) raw(b ...byte) *writer {
	w.b = append(w.b, b...)
	return w
}
func (w *writer) text(s string) *writer { return w.u64(uint64(len(s))).raw([]byte(s)...) }
func (w *writer) head(version uint32, tensors, keys uint64) *writer {
	return w.raw([]byte("GGUF")...).u32(version).u64(tensors).u64(keys)
}
func (w *writer) tensor(name string, kind, offset uint64, dims ...uint64) *writer {
	w.text(name).u32(uint32(len(dims)))
	for _, d := range dims {
		w.u64(d)
	}
	return w.u32(uint32(kind)).u64(offset)
}
func (w *writer) align(n int) *writer {
	for len(w.b)%n != 0 {
		w.b = append(w.b, 0)
	}
	return w
}

// sample holds every kind of value, and two tensors.
func sample(version uint32) []byte {
	w := new(writer).head(version, 2, 8)
	w.text("general.alignment").u32(4).u32(64)
	w.text("s").u32(8).text("é")
	w.text("b").u32(7).raw(1)
	w.text("f").u32(6).u32(math.Float32bits(1.5))
	w.text("d").u32(12).u64(math.Float64bits(-2.5))
	w.text("i8").u32(9).u32(1).u64(3).raw(1, 0xff, 3)
	w.text("strings").u32(9).u32(8).u64(2).text("a").text("bc")
	w.text("nested").u32(9).u32(9).u64(2).u32(7).u64(1).raw(0).u32(5).u64(1).u32(0xffffffff)
	w.tensor("two", uint64(F32), 64, 3, 2)
	w.tensor("one", uint64(Q8_0), 0, 32)
	w.align(64).raw(make([]byte, 34)...).align(64)
	return w.raw(make([]byte, 24)...).b
}

func TestParse(t *testing.T) {
	for version := range uint32(2) {
		f, err := Parse("m.gguf", sample(version+2))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"general.alignment": uint32(64), "s": "é", "b": true, "f": float32(1.5), "d": -2.5, "i8": []int8{1, -1, 3},
			"strings": []string{"a", "bc"}, "nested": []any{[]bool{false}, []int32{-1}},
		}
		if !reflect.DeepEqual(f.Metadata, want) || len(f.Keys) != 8 || f.Keys[1] != "s" || f.Version != int(version)+2 {
			t.Errorf("metadata %v, keys %v", f.Metadata, f.Keys)
		}
		two, one := f.Tensors[0], f.Tensors[1]
		if two.Name != "two" || two.Type != F32 || !slices.Equal(two.Shape, []int{2, 3}) || len(two.Data) != 24 {
			t.Errorf("two = %+v", two)
		}
		if one.Type.String() != "Q8_0" || !slices.Equal(one.Shape, []int{32}) || len(one.Data) != 34 {
			t.Errorf("one = %+v", one)
		}
		if f.Tensor("one") == nil || f.Tensor("three") != nil {
			t.Error("Tensor finds the wrong things")
		}
	}
}

func TestRefused(t *testing.T) {
	head := func(version uint32, tensors, keys uint64) *writer { return new(writer).head(version, tensors, keys) }
	deep := head(3, 0, 1).text("k").u32(9)
	for range 5 {
		deep.u32(9).u64(1)
	}
	good := sample(3)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "is an empty file"},
		{"LFS", []byte("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"},
		{"HTML", []byte("<html>"), "HTML"},
		{"other magic", []byte("\x00ggjt12345678901234567890"), `is not GGUF: it starts with "\x00ggj"`},
		{"version 1", head(1, 0, 0).b, "version 1; supported are 2 and 3"},
		{"version 4", head(4, 0, 0).b, "version 4; supported are 2 and 3"},
		{"big-endian", head(3<<24, 0, 0).b, "version 3 in big-endian order"},
		{"header cut", head(3, 0, 0).b[:20], "header: truncated"},
		{"too many tensors", head(3, 1<<63, 0).b, "header: 9223372036854775808 tensors"},
		{"too many keys", head(3, 0, 1<<63).b, "header: 9223372036854775808 metadata keys"},
		{"more keys than bytes", head(3, 0, 2).text("k").u32(4).u32(0).raw(make([]byte, 8)...).b, "header: 2 metadata keys; at most 65536 are allowed and the 25 bytes left hold at most 1"},
		{"key cut", head(3, 0, 1).u64(1 << 40).raw(make([]byte, 50)...).b, "a string of 1099511627776 bytes, at most 65535"},
		{"key twice", head(3, 0, 2).text("k").u32(4).u32(0).text("k").u32(4).u32(0).b, "metadata: k appears twice"},
		{"key not UTF-8", head(3, 0, 1).text("\xff").u32(4).u32(0).b, "not UTF-8"},
		{"unknown value type", head(3, 0, 1).text("k").u32(13).u32(0).b, "metadata: k: unknown value type 13"},
		{"unknown array type", head(3, 0, 1).text("k").u32(9).u32(13).u64(0).b, "metadata: k: unknown value type 13 of an array"},
		{"bad boolean", head(3, 0, 1).text("k").u32(7).raw(2).b, "metadata: k: 2 is not a boolean"},
		{"long string", head(3, 0, 1).text("k").u32(8).u64(1 << 62).b, "metadata: k: truncated"},
		{"long array", head(3, 0, 1).text("k").u32(9).u32(4).u64(1 << 62).b, "metadata: k: truncated: an array of 4611686018427387904 elements, the 0 bytes left hold at most 0"},
		{"nested arrays", deep.b, "metadata: k: arrays nested more than 4 deep"},
		{"alignment 0", head(3, 0, 1).text("general.alignment").u32(4).u32(0).b, "general.alignment is 0"},
		{"alignment 48", head(3, 0, 1).text("general.alignment").u32(4).u32(48).b, "general.alignment is 48"},
		{"alignment as text", head(3, 0, 1).text("general.alignment").u32(8).text("32").b, "general.alignment is 32"},
		{"five dimensions", head(3, 1, 0).tensor("t", 0, 0, 1, 1, 1, 1, 1).b, "t has 5 dimensions"},
		{"too large", head(3, 1, 0).tensor("t", 0, 0, 1<<40, 1<<40).b, "t is too large"},
		{"unknown type", head(3, 1, 0).tensor("t", 4, 0, 32).b, "t has the unknown type 4"},
		{"half a block", head(3, 1, 0).tensor("t", 2, 0, 48, 2).b, "t: rows of 48 elements don't fill blocks of 32 (Q4_0)"},
		{"tensor twice", head(3, 2, 0).tensor("t", 0, 0, 0).tensor("t", 0, 0, 0).align(32).b, "tensor t appears twice"},
		{"odd offset", head(3, 1, 0).tensor("t", 0, 4, 1).align(32).raw(make([]byte, 8)...).b, "tensor t: offset 4 is not a multiple of the alignment 32"},
		{"overlap", head(3, 2, 0).tensor("t", 0, 0, 1).tensor("u", 0, 0, 1).align(32).raw(make([]byte, 4)...).b, "tensor t: as F32 [1] it has 4 bytes and reaches to data offset 32, but the next, u, begins at 0: they overlap"},
		{"too large a size", head(3, 2, 0).tensor("t", 0, 0, 9).tensor("u", 0, 32, 1).align(32).raw(make([]byte, 36)...).b, "tensor t: as F32 [9] it has 36 bytes and reaches to data offset 64, but the next, u, begins at 32: they overlap"},
		{"too small a size", head(3, 2, 0).tensor("t", 0, 0, 1).tensor("u", 0, 64, 1).align(32).raw(make([]byte, 68)...).b, "tensor t: as F32 [1] it has 4 bytes and reaches to data offset 32, but the next, u, begins at 64: 32 bytes between them belong to no tensor"},
		{"hole", head(3, 1, 0).tensor("t", 0, 32, 1).align(32).raw(make([]byte, 36)...).b, "tensor t: 32 bytes between it and the header"},
		{"far away", head(3, 1, 0).tensor("t", 0, 1<<63, 1).align(32).b, "tensor t: 9223372036854775808 bytes between it and the header"},
		{"trailing bytes", head(3, 1, 0).tensor("t", 0, 0, 1).align(32).raw(make([]byte, 33)...).b, "tensor t: as F32 [1] it has 4 bytes, but 29 more follow it"},
		{"data cut", good[:len(good)-1], fmt.Sprintf("truncated: tensor two needs bytes %d–%d, file ends at %d", len(good)-24, len(good), len(good)-1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fe *FormatError
			if f, err := Parse("m.gguf", c.data); f != nil || !errors.As(err, &fe) || fe.File != "m.gguf" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want %q", err, c.want)
			}
		})
	}
	for n := range good {
		if _, err := Parse("m", good[:n]); err == nil {
			t.Errorf("a file cut at %d of %d is accepted", n, len(good))
		}
	}
}

// Whatever Parse accepts is decodable from end to end.
func FuzzParse(f *testing.F) {
	f.Add(sample(3))
	f.Add(sample(2)[:100])
	f.Add(new(writer).head(3, 1, 0).tensor("t", uint64(Q4_1), 0, 32, 2).align(32).raw(make([]byte, 40)...).b)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f", data)
		if err != nil {
			return
		}
		if len(file.Keys) != len(file.Metadata) {
			t.Fatal("keys and metadata differ")
		}
		for _, x := range file.Tensors {
			if !x.Type.Decodable() {
				continue
			}
			n := 1
			for _, d := range x.Shape {
				n *= d
			}
			if x.Type.RowBytes(n) != len(x.Data) {
				t.Fatalf("%s: %d bytes for %d elements", x.Name, len(x.Data), n)
			}
			Decode(make([]float32, n), x.Type, x.Data)
		}
	})
}
