package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
)

// tensors are the F32 tensors of one file: name to values, all of rank 1.
type tensors map[string][]float32

// weights is a SafeTensors file of the tensors.
func weights(t *testing.T, all tensors) []byte {
	t.Helper()
	raw := rawTensors{}
	for name, values := range all {
		var data []byte
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		raw[name] = rawTensor{"F32", []int{len(values)}, data}
	}
	return raw.file(t)
}

type rawTensor struct {
	dtype string
	shape []int
	data  []byte
}

// rawTensors are the tensors of one file, by name.
type rawTensors map[string]rawTensor

// file is a SafeTensors file of the tensors.
func (all rawTensors) file(t testing.TB) []byte {
	t.Helper()
	header, data := map[string]any{}, []byte{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, begin := all[name], len(data)
		data = append(data, x.data...)
		header[name] = map[string]any{"dtype": x.dtype, "shape": x.shape, "data_offsets": []int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// index is an index that places each tensor.
func index(t *testing.T, files map[string]string) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"total_size": 1}, "weight_map": files})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// directory writes a checkpoint of the files, and config.json.
func directory(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	files["config.json"] = []byte("{}")
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read is the whole rank-1 tensor.
func read(t *testing.T, c Checkpoint, name string) []float32 {
	t.Helper()
	for _, x := range c.Tensors() {
		if x.Name == name {
			values := make([]float32, x.Shape[0])
			raw := make([]byte, 4*len(values))
			if err := c.ReadRows(raw, ir.F32, name, 0, len(values)); err != nil {
				t.Fatal(err)
			}
			ir.Widen(values, ir.F32, raw)
			return values
		}
	}
	t.Fatalf("no tensor %s", name)
	return nil
}

const shard1, shard2 = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"

// Which files are the model: field case A4 and what stands behind it. want holds
// every tensor with its first value; an empty want is a refusal with the class.
func TestIndexAndFiles(t *testing.T) {
	a, b := weights(t, tensors{"a": {1}}), weights(t, tensors{"b": {2, 3}})
	both := weights(t, tensors{"a": {1}, "b": {2, 3}})
	ab := index(t, map[string]string{"a": shard1, "b": shard2})
	for _, c := range []struct {
		name  string
		files map[string][]byte
		want  tensors
		notes []string // a fragment of each
		class string
		says  []string
	}{
		{name: "one file", files: map[string][]byte{"model.safetensors": both},
			want: tensors{"a": {1}, "b": {2, 3}}},
		{name: "shards", files: map[string][]byte{IndexName: ab, shard1: a, shard2: b},
			want: tensors{"a": {1}, "b": {2, 3}}},
		{name: "(a) a stray file of another precision", files: map[string][]byte{IndexName: ab, shard1: a, shard2: b, "model.safetensors": weights(t, tensors{"a": {9}})},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{"model.safetensors is ignored: the weights are in " + shard1 + ", " + shard2}},
		{name: "(b) a stale index", files: map[string][]byte{IndexName: ab, "model.safetensors": both},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{IndexName + " is stale: none of the files that it names (" + shard1 + ", " + shard2 + ") is there"}},
		{name: "(b) a stale index beside other shards", files: map[string][]byte{IndexName: index(t, map[string]string{"a": "old.safetensors", "b": "old.safetensors"}), shard1: a, shard2: b},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{"is stale"}},
		{name: "(c) a stale index, a tensor lost", files: map[string][]byte{IndexName: ab, "model.safetensors": a},
			class: archs.MissingTensor, says: []string{"b: ", "promises it in " + shard2, "none of the files that are there (model.safetensors)"}},
		{name: "(d) a tensor in the other shard", files: map[string][]byte{IndexName: index(t, map[string]string{"a": shard2, "b": shard2}), shard1: a, shard2: b, "extra.safetensors": a},
			class: archs.MissingTensor, says: []string{"a: ", "promises it in " + shard2}},
		{name: "(d) two tensors swapped", files: map[string][]byte{IndexName: index(t, map[string]string{"a": shard2, "b": shard1}), shard1: a, shard2: b},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{"is wrong about 2 tensors: a is in " + shard1 + ", not in " + shard2}},
		{name: "(e) twice, different", files: map[string][]byte{IndexName: ab, shard1: both, shard2: weights(t, tensors{"b": {2, 4}})},
			class: archs.BadSafeTensors, says: []string{"tensor b is in " + shard1 + " and in " + shard2 + ", with different contents"}},
		{name: "(e) twice, the same", files: map[string][]byte{IndexName: ab, shard1: both, shard2: b},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{"1 tensors are in two files, with the same contents: b"}},
		{name: "(f) an unusual name", files: map[string][]byte{"weights.fp32.safetensors": both},
			want: tensors{"a": {1}, "b": {2, 3}}},
		{name: "two unusual names", files: map[string][]byte{"x.safetensors": both, "y.safetensors": both},
			class: archs.MissingFile, says: []string{"several files could be meant: x.safetensors, y.safetensors"}},
		{name: "shards without an index", files: map[string][]byte{shard1: a, shard2: b},
			want: tensors{"a": {1}, "b": {2, 3}}},
		{name: "a shard lost, no index", files: map[string][]byte{shard2: b},
			class: archs.MissingFile, says: []string{shard1, "1 of 2 shards"}},
		{name: "a shard lost", files: map[string][]byte{IndexName: ab, shard1: both},
			class: archs.MissingFile, says: []string{shard2, "places tensor b in it", "1 of the index's 2 files"}},
		{name: "an index alone", files: map[string][]byte{IndexName: ab},
			class: archs.MissingFile, says: []string{shard1, "0 of the index's 2 files"}},
		{name: "a bad index", files: map[string][]byte{IndexName: []byte("{"), "model.safetensors": both},
			class: archs.BadSafeTensors, says: []string{IndexName, "cut off"}},
		{name: "an index as LFS pointer", files: map[string][]byte{IndexName: []byte("version https://git-lfs.github.com/spec/v1\n"), "model.safetensors": both},
			class: archs.MissingFile, says: []string{IndexName, "git lfs pull"}},
		{name: "GGUF beside", files: map[string][]byte{"model.safetensors": both, "m.gguf": nil},
			want: tensors{"a": {1}, "b": {2, 3}}, notes: []string{"m.gguf is ignored"}},
		{name: "PyTorch only", files: map[string][]byte{"pytorch_model.bin": nil},
			class: archs.MissingFile, says: []string{"only pytorch_model.bin; convert"}},
		{name: "nothing", files: map[string][]byte{},
			class: archs.MissingFile, says: []string{"no .safetensors and no .gguf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Open(directory(t, c.files))
			if c.class != "" {
				if archs.Class(err) != c.class || !strings.HasPrefix(err.Error(), c.class+": ") {
					t.Fatalf("Open = %v, want class %s", err, c.class)
				}
				for _, s := range c.says {
					if !strings.Contains(err.Error(), s) {
						t.Errorf("Open = %v, want %q in it", err, s)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			if len(got.Tensors()) != len(c.want) {
				t.Errorf("tensors %v", got.Tensors())
			}
			for name, want := range c.want {
				if v := read(t, got, name); !slices.Equal(v, want) {
					t.Errorf("%s = %v, want %v", name, v, want)
				}
			}
			if len(got.Notes()) != len(c.notes) {
				t.Errorf("notes %q, want %q", got.Notes(), c.notes)
			}
			for i, n := range got.Notes() {
				if i < len(c.notes) && !strings.Contains(n, c.notes[i]) {
					t.Errorf("note %q, want %q", n, c.notes[i])
				}
			}
		})
	}
}

// Weights that are none: field case A5, through Open.
func TestNotWeights(t *testing.T) {
	good := weights(t, tensors{"model.norm.weight": make([]float32, 64)})
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"LFS", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 269060552\n"), "model.safetensors: is a Git LFS pointer, not the file itself; run git lfs pull"},
		{"cut", good[:len(good)-100], "model.safetensors: truncated: tensor model.norm.weight needs bytes 81–337, file ends at 237"},
		{"HTML", []byte("<!DOCTYPE html><html><body>404</body></html>"), "model.safetensors: is an HTML page"},
		{"empty", nil, "model.safetensors: is an empty file"},
		{"length", bytes.Repeat([]byte{0xff}, 100), "model.safetensors: header: its length field says 18446744073709551615 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := directory(t, map[string][]byte{"model.safetensors": c.data})
			start := time.Now()
			_, err := Open(dir)
			if err == nil || !strings.HasPrefix(err.Error(), "bad_safetensors: "+c.want) {
				t.Errorf("Open = %v, want %q", err, c.want)
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// The inputs of the oracle that must be refused here; the others are for archs.
func TestBadOracle(t *testing.T) {
	here := []string{archs.BadSafeTensors, archs.MissingFile, archs.BadConfig, archs.BadQuantization}
	found := 0
	for _, name := range oracle.BadNames(t) {
		bad := oracle.LoadBad(t, name)
		c, err := Open(bad.Dir)
		if !slices.Contains(here, bad.Error) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				c.Close()
			}
			continue
		}
		found++
		if archs.Class(err) != bad.Error {
			t.Errorf("%s: %v, want class %s", name, err, bad.Error)
			continue
		}
		for _, m := range bad.Mentions {
			if !strings.Contains(err.Error(), m) {
				t.Errorf("%s: %v, want %q in it", name, err, m)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d cases", found)
	}
}

// Tensors at odd addresses, field case A6, and rows of them; run with -race to have
// checkptr watch.
func TestOddAddresses(t *testing.T) {
	header := `{"u":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"f":{"dtype":"F32","shape":[4,4],"data_offsets":[3,67]}}`
	if len(header)%2 == 0 {
		header += " "
	}
	data := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), []byte{1, 2, 3})
	if len(data)%2 == 1 {
		t.Fatal("the F32 tensor is meant to be at an even offset plus three")
	}
	for i := range 16 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)+0.5))
	}
	c, err := Open(directory(t, map[string][]byte{"model.safetensors": data}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, d := range []ir.DType{ir.F32, ir.F16, ir.BF16} {
		dst := make([]byte, 2*4*d.Size())
		if err := c.ReadRows(dst, d, "f", 1, 3); err != nil {
			t.Fatal(err)
		}
		back := make([]byte, 2*4*4)
		convert(back, ir.F32, dst, sameType[d])
		for i := range 8 {
			if v := math.Float32frombits(binary.LittleEndian.Uint32(back[4*i:])); v != float32(4+i)+0.5 {
				t.Errorf("%s: element %d = %v", d, i, v)
			}
		}
	}
	for _, bad := range []struct {
		d        ir.DType
		name     string
		from, to int
		size     int
		want     string
	}{
		{ir.F32, "u", 0, 3, 12, "tensor u: U8 can't be read as numbers"},
		{ir.F32, "x", 0, 1, 4, "tensor x: not in the checkpoint"},
		{ir.I32, "f", 0, 1, 16, "can't be converted to i32"},
		{ir.F32, "f", 3, 5, 32, "rows [3, 5) of 4"},
		{ir.F32, "f", -1, 1, 32, "rows [-1, 1) of 4"},
		{ir.F32, "f", 2, 1, 0, "rows [2, 1) of 4"},
		{ir.F32, "f", 0, 1, 15, "rows [0, 1) take 16 bytes as f32, not 15"},
	} {
		if err := c.ReadRows(make([]byte, bad.size), bad.d, bad.name, bad.from, bad.to); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("ReadRows(%+v) = %v", bad, err)
		}
	}
}

// A tensor of very many empty rows takes no time, a scalar is one row.
func TestEmptyRows(t *testing.T) {
	header := `{"e":{"dtype":"F32","shape":[1099511627776,0],"data_offsets":[0,0]},"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`
	data := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), []byte{0, 0, 0x80, 0x3f})
	c, err := Open(directory(t, map[string][]byte{"model.safetensors": data}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.ReadRows(nil, ir.F16, "e", 0, 1<<40); err != nil {
		t.Error(err)
	}
	one := make([]byte, 2)
	if err := c.ReadRows(one, ir.BF16, "s", 0, 1); err != nil || one[1] != 0x3f || one[0] != 0x80 {
		t.Errorf("scalar % x, %v", one, err)
	}
}

// Reads from many goroutines while another closes: each is right or says closed.
func TestConcurrentClose(t *testing.T) {
	values := make([]float32, 10_000)
	for i := range values {
		values[i] = float32(i)
	}
	c, err := Open(directory(t, map[string][]byte{"model.safetensors": weights(t, tensors{"a": values})}))
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			dst := make([]byte, 4*len(values))
			for range 50 {
				if err := c.ReadRows(dst, ir.F32, "a", 0, len(values)); err != nil {
					if !strings.Contains(err.Error(), "closed") {
						t.Error(err)
					}
					return
				}
				if dst[4*9999+3] != 0x46 { // 9999 = 0x461c3c00
					t.Error("wrong value")
				}
			}
		})
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	readers.Wait()
}

func TestSideFiles(t *testing.T) {
	dir := directory(t, map[string][]byte{
		"model.safetensors": weights(t, tensors{"a": {1}}), "tokenizer.json": []byte(` {"version":"1.0"}`), "chat_template.jinja": []byte("{{ x }}"),
		"tokenizer_config.json": []byte("version https://git-lfs.github.com/spec/v1\n"), "generation_config.json": []byte("Entry not found"),
	})
	if err := os.Mkdir(filepath.Join(dir, templateDir), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"rag.jinja": "{{ y }}", "notes.txt": "no template"} {
		if err := os.WriteFile(filepath.Join(dir, templateDir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, f := range []struct{ name, want, fails string }{
		{name: "tokenizer.json", want: ` {"version":"1.0"}`},
		{name: "chat_template.jinja", want: "{{ x }}"},
		{name: "generation_config.json", fails: `generation_config.json: is text, not a JSON object: "Entry not found"`},
		{name: "tokenizer_config.json", fails: "missing_file: tokenizer_config.json: is a Git LFS pointer"},
		{name: "../../etc/passwd", fails: "not one of the side files"},
		{name: "additional_chat_templates/rag.jinja", want: "{{ y }}"},
		{name: "additional_chat_templates/../x.jinja", fails: "not one of the side files"},
		{name: "additional_chat_templates/a/x.jinja", fails: "not one of the side files"},
	} {
		got, err := c.File(f.name)
		if string(got) != f.want || (err == nil) != (f.fails == "") || err != nil && !strings.Contains(err.Error(), f.fails) {
			t.Errorf("File(%s) = %q, %v", f.name, got, err)
		}
	}
	if names, err := c.MoreTemplates(); err != nil || !slices.Equal(names, []string{"additional_chat_templates/rag.jinja"}) {
		t.Errorf("MoreTemplates = %q, %v", names, err)
	}
	if string(c.Config()) != "{}" {
		t.Errorf("Config = %s", c.Config())
	}
}

func TestOpenRefuses(t *testing.T) {
	model := weights(t, tensors{"a": {1}})
	alone := t.TempDir()
	write := func(dir, name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(alone, "model.safetensors", model)
	// with is a checkpoint one of whose files is made by put.
	with := func(name string, put func(path string) error) string {
		t.Helper()
		dir := directory(t, map[string][]byte{"model.safetensors": model})
		path := filepath.Join(dir, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	folder := func(path string) error { return os.Mkdir(path, 0o700) }
	loop := func(path string) error { return os.Symlink(filepath.Base(path), path) }
	long := func(path string) error { return os.WriteFile(path, make([]byte, maxConfig+1), 0o600) }
	for _, c := range []struct{ path, class, says string }{
		{filepath.Join(alone, "absent"), archs.MissingFile, filepath.Join(alone, "absent")},
		{filepath.Join(alone, "model.safetensors"), archs.MissingFile, "give the directory"},
		{alone, archs.MissingFile, alone + ": config.json isn't there"},
		{with("model.safetensors", folder), archs.MissingFile, "model.safetensors: not a regular file but a directory"},
		{with("model.safetensors", loop), archs.MissingFile, "model.safetensors: too many levels of symbolic links"},
		{filepath.Join(with("loop", loop), "loop"), archs.MissingFile, "loop: too many levels of symbolic links"},
		{filepath.Join(with("x.gguf", folder), "x.gguf", "y.gguf"), archs.MissingFile, "y.gguf: no such file"},
		{with("config.json", folder), archs.MissingFile, "config.json: not a regular file but a directory"},
		{with("config.json", long), archs.BadConfig, "config.json: too long: the limit is 16777216 bytes"},
	} {
		_, err := Open(c.path)
		if archs.Class(err) != c.class || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Open(%s) = %v, want %s: … %q", c.path, err, c.class, c.says)
		}
	}
	if _, err := ReadConfig(filepath.Join(with("config.json", long), "config.json")); archs.Class(err) != archs.BadConfig {
		t.Errorf("ReadConfig of a long file: %v", err)
	}
}
