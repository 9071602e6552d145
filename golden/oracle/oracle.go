// Package oracle gives tests the numbers of HF transformers: tiny checkpoints with
// reference logits and tokens, inputs that must be refused, tokenizer rows. They
// lie zstd-compressed in testdata and are rebuilt by ./rebuild.
package oracle

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Case is one oracle case, unpacked.
type Case struct {
	Name string
	Dir  string // config.json, model*.safetensors, or model.gguf; also oracle.safetensors
	// Checkpoint is what is given to mlxc: Dir, or the GGUF in it.
	Checkpoint string
	Runs       []Run // the short and the long prompt
	// Tolerance is the largest absolute logit error that counts as equal.
	Tolerance float64
	// LengthDependent: cached and cache-free results differ in HF (dynamic RoPE past
	// its limit), so chunked prefill need not equal one chunk.
	LengthDependent bool
}

// Run is one prompt with its greedy continuation. Logits[0] is the last prefill
// position, Logits[i] the step that was fed Tokens[i-1]; Tokens[i] = argmax(Logits[i]).
type Run struct {
	Name   string // "short", "long"
	Prompt []int32
	Tokens []int32
	Logits [][]float32
}

// Root is the repository's root directory.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Names lists the cases in testdata.
func Names(t testing.TB) []string { return list(t, "cases") }

// QuantisedNames lists the cases whose matrices are quantised, in MLX's layout or GGUF.
func QuantisedNames(t testing.TB) []string { return list(t, "quantised") }

// BadNames lists the inputs that must be refused.
func BadNames(t testing.TB) []string { return list(t, "bad") }

func list(t testing.TB, kind string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(), "testdata/oracle", kind, "*.tar.zst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("oracle: no %s in testdata/oracle: %v", kind, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".tar.zst")
	}
	sort.Strings(files)
	return files
}

// Load unpacks a case into a temporary directory of t.
func Load(t testing.TB, name string) Case { return load(t, "cases", name) }

// LoadQuantised unpacks a quantised case into a temporary directory of t.
func LoadQuantised(t testing.TB, name string) Case { return load(t, "quantised", name) }

func load(t testing.TB, kind, name string) Case {
	t.Helper()
	c := Case{Name: name, Dir: unpack(t, kind, name), Tolerance: 1e-3}
	c.Checkpoint = c.Dir
	if file := filepath.Join(c.Dir, "model.gguf"); exists(file) {
		c.Checkpoint = file
	}
	var meta struct {
		Noise    float64 `json:"noise_1e-6"`
		CacheMax float64 `json:"cache_diff_long"`
	}
	readJSON(t, filepath.Join(c.Dir, "oracle.json"), &meta)
	if meta.Noise < 1e-4 {
		c.Tolerance = 2e-4
	}
	c.LengthDependent = meta.CacheMax > 1e-2
	tensors := readSafetensors(t, filepath.Join(c.Dir, "oracle.safetensors"))
	for _, n := range []string{"short", "long"} {
		c.Runs = append(c.Runs, Run{
			Name:   n,
			Prompt: int32s(tensors["prompt_"+n].data),
			Tokens: int32s(tensors["tokens_"+n].data),
			Logits: rows(tensors["logits_"+n]),
		})
	}
	return c
}

// Bad is an input that must be refused.
type Bad struct {
	Dir      string
	Error    string   `json:"error"`    // class: the message's prefix
	Mentions []string `json:"mentions"` // what the message must contain
}

// LoadBad unpacks an input that must be refused, without its expected.json.
func LoadBad(t testing.TB, name string) Bad {
	t.Helper()
	b := Bad{Dir: unpack(t, "bad", name)}
	readJSON(t, filepath.Join(b.Dir, "expected.json"), &b)
	if err := os.Remove(filepath.Join(b.Dir, "expected.json")); err != nil {
		t.Fatal(err)
	}
	return b
}

// File returns the content of testdata/<name>, stored there as <name>.zst.
func File(t testing.TB, name string) []byte {
	t.Helper()
	z, err := os.ReadFile(filepath.Join(Root(), "testdata", name+".zst"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := r.DecodeAll(z, nil)
	if err != nil {
		t.Fatalf("oracle: %s: %v", name, err)
	}
	return b
}

func unpack(t testing.TB, kind, name string) string {
	t.Helper()
	dir := t.TempDir()
	tr := tar.NewReader(bytes.NewReader(File(t, "oracle/"+kind+"/"+name+".tar")))
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatalf("oracle: %s: %v", name, err)
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, h.Name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("oracle: %s: %v", path, err)
	}
}

type tensor struct {
	shape []int
	data  []byte
}

// readSafetensors trusts its file: oracle files are our own.
func readSafetensors(t testing.TB, path string) map[string]tensor {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := binary.LittleEndian.Uint64(b)
	var header map[string]struct {
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(b[8:8+n], &header); err != nil {
		t.Fatalf("oracle: %s: %v", path, err)
	}
	out := map[string]tensor{}
	for name, h := range header {
		if name != "__metadata__" {
			out[name] = tensor{h.Shape, b[8+n:][h.Offsets[0]:h.Offsets[1]]}
		}
	}
	return out
}

func int32s(b []byte) []int32 {
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func rows(x tensor) [][]float32 {
	v := make([][]float32, x.shape[0])
	for r := range v {
		v[r] = make([]float32, x.shape[1])
		for i := range v[r] {
			v[r][i] = math.Float32frombits(binary.LittleEndian.Uint32(x.data[4*(r*x.shape[1]+i):]))
		}
	}
	return v
}
