package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/sample"
)

// FuzzSession: a bundle with any consistent manifest and any text for its decode graph is
// refused, or runs on the reference device: a prompt, two tokens more, a sequence cut
// back, a second one, and what inspect says.
func FuzzSession(f *testing.F) {
	seed, err := bundle.Open(tinyBundle(f))
	if err != nil {
		f.Fatal(err)
	}
	defer seed.Close()
	manifest, err := json.Marshal(seed.Manifest)
	if err != nil {
		f.Fatal(err)
	}
	text, err := seed.Text("decode")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(manifest, text)
	f.Add(manifest, []byte("module @decode {\n}\n"))
	path := filepath.Join(f.TempDir(), "b.tar")
	f.Fuzz(func(t *testing.T, manifest, text []byte) {
		var m bundle.Manifest
		if json.Unmarshal(manifest, &m) != nil || !affordable(text) {
			return
		}
		if !rebuild(t, path, m, seed, text) {
			return
		}
		b, err := bundle.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if err := inspect(io.Discard, b); err != nil {
			t.Error(err)
		}
		converse(t, b)
	})
}

// tinyBundle is one of the oracle's checkpoints as a bundle.
func tinyBundle(f *testing.F) string {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		f.Fatal(err)
	}
	o := compiler.Options{
		Checkpoint: oracle.Load(f, "llama").Dir, Output: filepath.Join(f.TempDir(), "tiny.tar"), Generator: "fuzz", Target: row, Precision: "f32", Context: 32,
		Graphs:   []lower.GraphKind{{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Decode, Rows: 1}},
		CacheDir: os.Getenv("MLXC_CACHE_DIR"), NoSelfCheck: true, Progress: noProgress{},
	}
	if o.CacheDir == "" {
		o.CacheDir = filepath.Join(oracle.Root(), "build", "cache")
	}
	if o.IREECompile, err = iree.Find("iree-compile", ""); err != nil {
		f.Fatal(err)
	}
	if err := compiler.Emit(f.Context(), o); err != nil {
		f.Fatal(err)
	}
	return o.Output
}

type noProgress struct{}

func (noProgress) Note(string)               {}
func (noProgress) Step(string, int64, int64) {}

// affordable reports whether no tensor of the text has more than a megabyte: the
// evaluator makes what it's asked for.
func affordable(text []byte) bool {
	m, err := ir.Parse(string(text))
	if err != nil {
		return true // refused before anything is made
	}
	for _, f := range m.Funcs {
		if !affordableOps(f.Body.Ops) {
			return false
		}
	}
	return true
}

func affordableOps(ops []*ir.Op) bool {
	for _, op := range ops {
		for _, r := range op.Results {
			if r.Type.Bytes() > 1<<20 {
				return false
			}
		}
		for _, region := range op.Regions {
			if !affordableOps(region.Ops) {
				return false
			}
		}
	}
	return true
}

// rebuild writes a bundle of the manifest: entries are the seed's of the same name,
// zeros beyond, but for the text of decode. It reports whether the writer took the
// manifest.
func rebuild(t *testing.T, path string, m bundle.Manifest, seed *bundle.Bundle, text []byte) bool {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	packed, total := z.EncodeAll(text, nil), int64(0)
	for i := range m.Entries {
		e := &m.Entries[i]
		if e.Name == bundle.MLIR("decode") {
			e.Size = int64(len(packed))
		}
		if total += e.Size; e.Size < 0 || total > 4<<20 {
			return false
		}
	}
	w, err := bundle.Create(path, m)
	if err != nil {
		return false
	}
	defer w.Abort()
	for _, e := range m.Entries {
		data, _ := seed.Entry(e.Name)
		if e.Name == bundle.MLIR("decode") {
			data = packed
		}
		data = append(bytes.Clone(data), make([]byte, e.Size)...)[:e.Size]
		if err := w.Write(e.Name, func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(m.SelfCheck); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return true
}

// converse runs the bundle for at most a second.
func converse(t *testing.T, b *bundle.Bundle) {
	if b.Manifest.StateBytes() > 16<<20 || b.Manifest.Model.Vocab > 1<<16 {
		return
	}
	runtime.Tokenizer(b)
	backend, err := runtime.BackendFor("reference", b)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	s, err := backend.Open(ctx, b, runtime.Options{Threads: 1})
	if err != nil {
		return
	}
	defer s.Close()
	for range 2 {
		slot, err := s.Open(ctx, sample.Spec{})
		if err != nil {
			return
		}
		step, err := s.Prefill(ctx, slot, []int32{1, 2, 3})
		if err != nil || step.Err != nil {
			return
		}
		for range 2 {
			if steps, err := s.Decode(ctx, []runtime.Slot{slot}); err != nil || steps[0].Err != nil {
				return
			}
		}
		if logits, err := s.Logits(slot); err != nil || len(logits) != b.Manifest.Model.Vocab {
			t.Errorf("%d logits, %v", len(logits), err)
		}
		if s.Truncate(slot, 1) == nil && s.Len(slot) != 1 {
			t.Errorf("%d tokens, cut back to 1", s.Len(slot))
		}
	}
}
