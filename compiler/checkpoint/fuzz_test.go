package checkpoint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// readable checks that every tensor's rows and side file can be had, or are refused.
func readable(t *testing.T, c Checkpoint) {
	for _, x := range c.Tensors() {
		if x.Opaque {
			continue
		}
		rows, _ := x.rows()
		checkPacked(t, c, x, 0, rows)
	}
	for _, name := range sideFiles {
		c.File(name)
	}
}

// FuzzIndex: a directory with any index and config beside two files of tensors is
// refused, in a class, or all that the files hold can be read: the index says which
// files, the files say where tensors are.
func FuzzIndex(f *testing.F) {
	one := rawTensors{"a": {"F32", []int{2}, make([]byte, 8)}, "b": {"BF16", []int{2, 2}, make([]byte, 8)}}.file(f)
	two := rawTensors{"c": {"F16", []int{}, make([]byte, 2)}, "d": {"I64", []int{1}, make([]byte, 8)}}.file(f)
	codes := rawTensors{"q.weight": {"U32", []int{2, 4}, make([]byte, 32)}, "q.scales": {"F16", []int{2, 1}, make([]byte, 4)}, "q.biases": {"F16", []int{2, 1}, make([]byte, 4)}}.file(f)
	const first, second = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
	both := `{"metadata":{"total_size":26},"weight_map":{"a":"` + first + `","b":"` + first + `","c":"` + second + `","d":"` + second + `"}}`
	quantised := `{"quantization":{"bits":4,"group_size":32},"quantization_config":{"bits":4,"group_size":32}}`
	f.Add([]byte(both), []byte(`{}`), one, two)
	f.Add([]byte(both), []byte(quantised), one, codes)
	f.Add([]byte(`{"weight_map":{"a":"`+second+`"}}`), []byte(`{}`), one, two)
	f.Add([]byte(`{"weight_map":{"a":"other.safetensors"}}`), []byte(`{}`), one, two)
	f.Add([]byte(`{"weight_map":{}}`), []byte(quantised), codes, two)
	f.Add([]byte(`{"weight_map":{"a":"config.json"}}`), []byte(`{"a":1}`), one, one)
	f.Add([]byte(``), []byte(`{}`), one, two)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, index, config, one, two []byte) {
		for name, data := range map[string][]byte{IndexName: index, "config.json": config, first: one, second: two} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Open(dir)
		if err != nil {
			if archs.Class(err) == "" {
				t.Fatalf("an error without class: %v", err)
			}
			return
		}
		defer c.Close()
		readable(t, c)
	})
}

// FuzzGGUF: whatever newGGUF accepts, of one file or of two parts, gives its config, which
// archs reads or refuses, and every row of every tensor; side files are given or refused,
// and the tokenizer that the vocabulary makes works.
func FuzzGGUF(f *testing.F) {
	for _, names := range [][]string{{"tiny"}, {"tied"}, {"blocks"}, {"few"}, {"meta-00001-of-00002", "meta-00002-of-00002"}} {
		files := [2][]byte{}
		for i, name := range names {
			var err error
			if files[i], err = os.ReadFile("testdata/" + name + ".gguf"); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(files[0], files[1])
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var parts []*gguf.File
		names := Parts("f-00001-of-00002.gguf")
		for i, data := range [][]byte{first, second} {
			if i > 0 && len(data) == 0 {
				break
			}
			file, err := gguf.Parse(names[i], data)
			if err != nil {
				return
			}
			parts = append(parts, file)
		}
		if n, err := partCount(parts[0]); err != nil || n != len(parts) || n > 1 && checkParts(parts) != nil {
			return
		}
		m, err := newGGUF(parts, "")
		if err != nil {
			return
		}
		if !json.Valid(m.Config()) {
			t.Fatalf("config.json %q", m.Config())
		}
		archs.Read(m.Config(), nil)
		for _, x := range m.Tensors() {
			rows, _ := x.rows()
			checkPacked(t, m, x, 0, rows)
		}
		for _, name := range sideFiles {
			data, err := m.File(name)
			if err != nil || data == nil {
				continue
			}
			if !json.Valid(data) && m.Value("tokenizer.huggingface.json") == nil {
				t.Fatalf("%s: %q", name, data)
			}
			if name == "tokenizer.json" {
				encodes(t, data)
			}
		}
	})
}

// encodes checks that a tokenizer.json is refused, or gives ids that decode.
func encodes(t *testing.T, file []byte) {
	tok, err := tokenizer.Parse(file)
	if err != nil {
		return
	}
	for _, o := range []tokenizer.EncodeOptions{{}, {AddSpecial: true, ParseSpecial: true}} {
		tok.Decode(tok.Encode("ab 12 é<s>", o), true)
	}
	if _, err := tokenizer.Load(tok.Marshal()); err != nil {
		t.Errorf("its binary form: %v", err)
	}
}
