package checkpoint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/gguf"
	"github.com/mlxc/mlxc/ir"
)

// TestParts: what file names say.
func TestParts(t *testing.T) {
	for name, want := range map[string]struct{ parts, model string }{
		"m.gguf":                       {"", "m"},
		"a/b/m.Q4_K_M.gguf":            {"", "m.Q4_K_M"},
		"m-00001-of-00001.gguf":        {"m-00001-of-00001.gguf", "m"},
		"m-00002-of-00003.gguf":        {"m-00001-of-00003.gguf m-00002-of-00003.gguf m-00003-of-00003.gguf", "m"},
		"q/m-00001-of-00002.gguf":      {"q/m-00001-of-00002.gguf q/m-00002-of-00002.gguf", "m"},
		"m-of-00002.gguf":              {"", "m-of-00002"},
		"-00001-of-00002.gguf":         {"", "-00001-of-00002"},
		"m-1-of-2.gguf":                {"", "m-1-of-2"},
		"m-00003-of-00002.gguf":        {"", "m-00003-of-00002"},
		"m-00000-of-00002.gguf":        {"", "m-00000-of-00002"},
		"m-00001-of-01001.gguf":        {"", "m-00001-of-01001"},
		"m-00001-of-00002.safetensors": {"", "m-00001-of-00002.safetensors"},
		"checkpoint":                   {"", "checkpoint"},
	} {
		if got := strings.Join(Parts(name), " "); got != want.parts {
			t.Errorf("parts of %s: %s, want %s", name, got, want.parts)
		}
		if got := ModelName(name); got != want.model {
			t.Errorf("model of %s: %s, want %s", name, got, want.model)
		}
	}
}

// partsOf is a directory with the parts of a model of testdata.
func partsOf(t *testing.T, first string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range Parts(first) {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestGGUFParts: a split file reads as the whole one, by its first part and by its folder.
func TestGGUFParts(t *testing.T) {
	whole := open(t, "testdata/tiny.gguf")
	for _, first := range []string{"tiny-00001-of-00003.gguf", "meta-00001-of-00002.gguf"} {
		dir := partsOf(t, first)
		for _, path := range []string{filepath.Join(dir, first), dir} {
			c := open(t, path)
			if !bytes.Equal(c.Config(), whole.Config()) {
				t.Errorf("%s: config %s, want %s", path, c.Config(), whole.Config())
			}
			for _, name := range sideFiles {
				got, err := c.File(name)
				if want, _ := whole.File(name); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %s: %s, %v, want %s", path, name, got, err, want)
				}
			}
			sameRows(t, c, whole)
			files := map[string]bool{}
			for _, x := range c.Tensors() {
				files[x.File] = true
			}
			if n := len(Parts(first)); len(files) != n && !(strings.HasPrefix(first, "meta") && len(files) == n-1) {
				t.Errorf("%s: tensors are in %v", path, files)
			}
		}
	}
}

// sameRows holds that two checkpoints have the same tensors with the same numbers.
func sameRows(t *testing.T, got, want Checkpoint) {
	t.Helper()
	tensors := want.Tensors()
	if len(got.Tensors()) != len(tensors) {
		t.Fatalf("%d tensors, want %d", len(got.Tensors()), len(tensors))
	}
	for i, x := range got.Tensors() {
		if w := tensors[i]; x.Name != w.Name || x.DType != w.DType || !slices.Equal(x.Shape, w.Shape) {
			t.Errorf("%+v, want %+v", x, w)
			continue
		}
		rows, width := x.rows()
		a, b := make([]byte, 4*rows*width), make([]byte, 4*rows*width)
		for c, dst := range map[Checkpoint][]byte{got: a, want: b} {
			if err := c.ReadRows(dst, ir.F32, x.Name, 0, rows); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: other numbers", x.Name)
		}
	}
}

// TestGGUFPartsRefused: parts that are missing, renamed or of another model are refused,
// by the file that is wrong.
func TestGGUFPartsRefused(t *testing.T) {
	const first, second, third = "tiny-00001-of-00003.gguf", "tiny-00002-of-00003.gguf", "tiny-00003-of-00003.gguf"
	const no, count, total = "split.no\x02\x00\x00\x00", "split.count\x02\x00\x00\x00", "split.tensors.count\x05\x00\x00\x00"
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	rename := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	patch := func(name, from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(data, []byte(from)) || len(from) != len(to) {
				t.Fatalf("%s: no %q, %v", name, from, err)
			}
			if err := os.WriteFile(path, bytes.Replace(data, []byte(from), []byte(to), 1), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, string)
		open   string // in the folder; "" is the folder
		want   string
	}{
		{"a part is missing", remove(second), first, "missing_file: " + second + ": it isn't there, but " + first + " is the first of 3 parts of a model; download it, too"},
		{"the last is missing", remove(third), "", "missing_file: " + third + ": it isn't there"},
		{"the first is missing", remove(first), "", "missing_file: " + first + ": it isn't there, but parts are of the model that it begins (" + second + ", " + third + "); download it, too"},
		{"not the first", func(*testing.T, string) {}, second, "missing_file: " + second + ": metadata: split.no: it is part 2 of a model of 3; give the first, " + first},
		{"another name", rename(first, "tiny.gguf"), "tiny.gguf", "missing_file: tiny.gguf: metadata: split.no: it is part 1 of a model of 3, but isn't called NAME-00001-of-00003.gguf"},
		{"another number in the name", rename(second, "tiny-00001-of-00004.gguf"), "tiny-00001-of-00004.gguf", "missing_file: tiny-00001-of-00004.gguf: metadata: split.no: it is part 2 of a model of 3, but isn't called NAME-00002-of-00003.gguf"},
		{"two models", rename(first, "other.gguf"), "", "it holds 2 GGUF models (other.gguf, " + first + "); give one of them"},
		{"another's part", func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, third))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, second), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, first, "bad_gguf: " + second + ": metadata: split.no: it is 2, and would be 1 in part 2 of 3 of the model that " + first + " begins: the files are of different models"},
		{"another's number of parts", patch(third, count+"\x03", count+"\x04"), first, "bad_gguf: " + third + ": metadata: split.count: it is 4, and would be 3 in part 3 of 3"},
		{"another's number of tensors", patch(third, total+"\x0c", total+"\x0d"), first, "bad_gguf: " + third + ": metadata: split.tensors.count: it is 13, and would be 12 in part 3 of 3"},
		{"no split.no", patch(second, "split.no", "split.on"), first, "bad_gguf: " + second + ": metadata: split.no: it is <nil>, and would be 1"},
		{"no number", patch(first, "split.no", "split.on"), first, "bad_gguf: " + first + ": metadata: split.no: <nil> is not the number of one of 3 parts"},
		{"another type", patch(first, count, "split.count\x03\x00\x00\x00"), first, "bad_gguf: " + first + ": metadata: split.count: 3 is not how many parts a model has (supported: a uint16 of at most 1000)"},
		{"too many parts", patch(first, count+"\x03\x00", count+"\x03\x10"), first, "metadata: split.count: 4099 is not how many parts"},
		{"tensors of another type", patch(first, total, "split.tensors.count\x06\x00\x00\x00"), first, "bad_gguf: " + first + ": metadata: split.tensors.count: "},
		{"a tensor twice", patch(second, "blk.0.attn_v.weight", "blk.0.attn_q.weight"), first, "bad_gguf: " + second + ": tensor blk.0.attn_q.weight is in an earlier part"},
		{"cut", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, third), 700); err != nil {
				t.Fatal(err)
			}
		}, first, "bad_gguf: " + third + ": truncated: tensor output.weight needs bytes "},
		{"not GGUF", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, second), []byte("version https://git-lfs.github.com/spec/v1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, first, "bad_gguf: " + second + ": is a Git LFS pointer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := partsOf(t, first)
			c.change(t, dir)
			m, err := Open(filepath.Join(dir, c.open))
			if err == nil {
				m.Close()
				t.Fatal("it is accepted")
			}
			if archs.Class(err) == "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestPartsAgree: metadata that a later part has, too, is that of the first.
func TestPartsAgree(t *testing.T) {
	var parts []*gguf.File
	for _, name := range Parts("testdata/tiny-00001-of-00003.gguf") {
		f, err := gguf.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		parts = append(parts, f)
	}
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"general.architecture", "llama", ""},
		{"general.architecture", "gemma", "bad_gguf: tiny-00003-of-00003.gguf: metadata: general.architecture: it is gemma, and would be llama in part 3 of 3"},
		{"tokenizer.ggml.token_type", []int32{1}, "tokenizer.ggml.token_type: it is [1], and would be [3 3 4 5 1 1 1 1 1 1 1 1] in part 3"},
		{"of its own", "x", ""},
	} {
		last := parts[2]
		last.Keys, last.Metadata[c.key] = append(last.Keys, c.key), c.value
		if err := checkParts(parts); (err == nil) != (c.want == "") || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s %v: %v, want %q", c.key, c.value, err, c.want)
		}
		last.Keys = last.Keys[:len(last.Keys)-1]
		delete(last.Metadata, c.key)
	}
}
