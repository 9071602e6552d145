package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// The weights of an f32 bundle are the checkpoint's own bytes, fused ones one after
// the other, and the manifest says what the config says.
func TestBundleHoldsTheCheckpoint(t *testing.T) {
	dir, path := oracle.Load(t, "llama").Dir, filepath.Join(t.TempDir(), "b.tar")
	exit, _, stderr := emit("--precision", "f32", "--no-self-check", "--iree-compile", script(t, "echo compiled > \"$out\"\n"), "--cache-dir", t.TempDir(), "-o", path, dir)
	if exit != 0 {
		t.Fatal(stderr)
	}
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	source, err := safetensors.Open(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	tensors := map[string][]byte{}
	for _, s := range source.Tensors {
		tensors[s.Name] = s.Data
	}
	fused := map[string][]string{
		"qkv":     {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
		"gate_up": {"mlp.gate_proj", "mlp.up_proj"},
	}
	for i, w := range b.Manifest.Weights {
		want := tensors[w.Name]
		for part, names := range fused {
			if layer, ok := strings.CutSuffix(w.Name, part+".weight"); ok {
				for _, n := range names {
					want = append(slices.Clip(want), tensors[layer+n+".weight"]...)
				}
			}
		}
		got := b.Weight(i)
		if len(w.Shape) == 3 {
			got = untiled(got, w.Shape)
		}
		if len(want) == 0 || len(got) < len(want) || !bytes.Equal(got[:len(want)], want) || len(bytes.Trim(got[len(want):], "\x00")) > 0 {
			t.Errorf("%s: %d bytes are not the checkpoint's %d and zeros", w.Name, len(got), len(want))
		}
	}
	m := b.Manifest
	got := fmt.Sprint(m.Model.ModelType, m.Model.Vocab, m.Model.Context, m.Model.Slots, m.Model.BOS, m.Stop, m.Plan, len(m.Graphs), m.Model.Parameters)
	if want := "llama101 128 9 1 [{2 [config.json]}] {tiled f32 f32} 5 47466"; got != want {
		t.Errorf("manifest: %s, want %s", got, want)
	}
	if text, err := b.Text("decode"); err != nil || !bytes.HasPrefix(text, []byte("module @decode")) {
		t.Errorf("text of decode: %.40q, %v", text, err)
	}
}

// untiled are the f32 of [tiles, in, lanes] as rows of in.
func untiled(data []byte, shape []int) []byte {
	tiles, in, lanes := shape[0], shape[1], shape[2]
	var rows []byte
	for r := range tiles * lanes {
		for i := range in {
			at := 4 * ((r/lanes*in+i)*lanes + r%lanes)
			rows = append(rows, data[at:at+4]...)
		}
	}
	return rows
}
