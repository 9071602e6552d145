package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// FuzzParse: whatever the bytes are, an error or a bundle whose entries can be read.
func FuzzParse(f *testing.F) {
	for _, path := range []string{sampleFile(f), fleetFile(f)} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:3*block])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := parse(data)
		if err != nil {
			return
		}
		for i := range b.Manifest.Weights {
			b.Weight(i)
		}
		for _, l := range b.Manifest.Levels() {
			b.Modules(t.Context(), l)
		}
		b.Verify(t.Context())
	})
}

// FuzzDecode: the manifest's text alone, past its digest.
func FuzzDecode(f *testing.F) {
	for _, made := range []func() (Manifest, map[string][]byte){sample, fleet} {
		m, files := made()
		for i, e := range m.Entries {
			m.Entries[i].SHA256 = fmt.Sprintf("%x", sha256.Sum256(files[e.Name]))
		}
		text, err := encode(&m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("format = 2\n[[weight]]\nname = \"a\"\nshape = [1, 2]\n")
	f.Fuzz(func(t *testing.T, text string) {
		slot, err := sealed([]byte(text), slotSize(len(text)+sealLength))
		if err != nil {
			return
		}
		m, err := decode(slot)
		if err != nil || m.Validate() != nil {
			return
		}
		if _, _, _, err := layout(int64(len(slot)), m.Entries); err == nil {
			if _, err := encode(&m); err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzFile: a file around any manifest that is consistent, its digests made right, is
// accepted; every part of it can be read; and the writer makes the same file of it.
func FuzzFile(f *testing.F) {
	m, files := sample()
	text, err := encode(&m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text), files[MLIR("decode")])
	f.Add(string(text), zip("func.func @decode"))
	several, _ := fleet()
	levels, err := encode(&several)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(levels), zip("func.func @decode"))
	f.Add(string(bytes.ReplaceAll(text, []byte("size = 12\n"), []byte("size = 0\n"))), []byte(nil))
	f.Fuzz(func(t *testing.T, text string, payload []byte) {
		data, err := around(text, payload)
		if err != nil {
			return
		}
		b, err := parse(data)
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, b)
		path := filepath.Join(t.TempDir(), "b.tar")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if err := opened.LoadWeights(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range b.Manifest.Weights {
			if !bytes.Equal(opened.Weight(i), b.Weight(i)) {
				t.Errorf("weight %d is other bytes in memory", i)
			}
		}
		writtenAgain(t, b, path)
	})
}

// around is a bundle's file: the manifest, with the digests of its entries, whose content
// is the payload over and over.
func around(text string, payload []byte) ([]byte, error) {
	slot, err := sealed([]byte(text), slotSize(len(text)+sealLength))
	if err != nil {
		return nil, err
	}
	m, err := decode(slot)
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, e := range m.Entries {
		if total += e.Size; e.Size < 0 || total > 1<<20 {
			return nil, ErrNoSpace
		}
	}
	content := make([][]byte, len(m.Entries))
	for i := range m.Entries {
		e := &m.Entries[i]
		content[i] = payload
		if len(payload) > 0 && int64(len(payload)) < e.Size {
			content[i] = bytes.Repeat(payload, int(e.Size)/len(payload)+1)
		}
		content[i] = append(slices.Clone(content[i]), make([]byte, e.Size)...)[:e.Size]
		e.SHA256 = fmt.Sprintf("%x", sha256.Sum256(content[i]))
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	whole, err := encode(&m)
	if err != nil {
		return nil, err
	}
	size := slotSize(len(whole) + sealLength)
	if slot, err = sealed(whole, size); err != nil {
		return nil, err
	}
	manifest, spans, end, err := layout(size, m.Entries)
	if err != nil || end > 4<<20 {
		return nil, ErrNoSpace
	}
	data := make([]byte, end)
	copy(data[manifest.start:], manifest.header)
	copy(data[manifest.off:], slot)
	for i, s := range spans {
		copy(data[s.start:], s.header)
		copy(data[s.off:], content[i])
	}
	return data, nil
}

// readAll reads what a bundle holds.
func readAll(t *testing.T, b *Bundle) {
	m := &b.Manifest
	for i, e := range m.Entries {
		data, err := b.Entry(e.Name)
		sum := sha256.Sum256(data)
		if err != nil || int64(len(data)) != e.Size || hex.EncodeToString(sum[:]) != e.SHA256 {
			t.Errorf("entry %d, %s: %d bytes, %v", i, e.Name, len(data), err)
		}
	}
	for i, w := range m.Weights {
		if typ, err := tensorType(w.DType, w.Shape); err != nil || len(b.Weight(i)) != typ.Bytes() {
			t.Errorf("weight %s: %d bytes, %v", w.Name, len(b.Weight(i)), err)
		}
	}
	for _, g := range m.Graphs {
		b.Text(g.Name) // whatever the payload is
	}
	for _, l := range m.Levels() {
		if _, err := b.Modules(t.Context(), l); err != nil && m.Compile.Compiler != "" {
			t.Errorf("level %s: %v", l.CPU, err)
		}
	}
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if m.StateBytes() < 0 || b.WeightBytes() < 0 || len(m.StopIDs()) != len(m.Stop) || b.Digest() == "" {
		t.Errorf("state %d bytes, weights %d, stop ids %v", m.StateBytes(), b.WeightBytes(), m.StopIDs())
	}
}

// writtenAgain checks that the writer makes a bundle of the same content.
func writtenAgain(t *testing.T, b *Bundle, path string) {
	w, err := Create(path, b.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, e := range b.Manifest.Entries {
		data, err := b.Entry(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(e.Name, func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			t.Fatal(err)
		}
	}
	var checks []SelfCheck
	for _, l := range b.Manifest.Levels() {
		checks = append(checks, l.SelfCheck)
	}
	if err := w.Seal(checks...); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !reflect.DeepEqual(again.Manifest, b.Manifest) {
		t.Errorf("written again the manifest is\n%+v\nwant\n%+v", again.Manifest, b.Manifest)
	}
}
