package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/mlxc/mlxc/runtime/atomicfile"
)

// Writer makes a bundle in a temporary file beside its final path. Nothing is at
// that path, or the older file stays there, until Commit.
type Writer struct {
	manifest Manifest
	path     string
	file     *atomicfile.File
	slot     int64
	spans    []span
	index    map[string]int

	mu      sync.Mutex
	written []bool
}

// Create starts a bundle. m says everything but m.Entries' digests: names and sizes
// of all entries are known beforehand, so that they can be written in any order. The
// disk space is checked first.
func Create(path string, m Manifest) (*Writer, error) {
	w := &Writer{manifest: m, path: path, index: map[string]int{}, written: make([]bool, len(m.Entries))}
	w.manifest.Format = m.formatVersion()
	w.manifest.Compile.Fleet = slices.Clone(m.Compile.Fleet) // Seal writes to it
	w.manifest.Entries = make([]Entry, len(m.Entries))
	for i, e := range m.Entries {
		w.manifest.Entries[i] = Entry{e.Name, e.Size, strings.Repeat("0", sha256.Size*2)}
		w.index[e.Name] = i
	}
	if err := w.manifest.Validate(); err != nil {
		return nil, fmt.Errorf("bundle: %s: %w", path, err)
	}
	text, err := encode(&w.manifest)
	if err != nil {
		return nil, fmt.Errorf("bundle: %s: %w", path, err)
	}
	w.slot = slotSize(sealLength + len(text))
	manifest, spans, size, err := layout(w.slot, w.manifest.Entries)
	if err != nil {
		return nil, fmt.Errorf("bundle: %s: %w", path, err)
	}
	w.spans = spans
	if err := CheckOutput(path, size); err != nil {
		return nil, err
	}
	if w.file, err = atomicfile.Create(path, 0o666); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := w.frame(manifest, size); err != nil {
		w.Abort()
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return w, nil
}

// frame writes the headers; holes read as the zeros that a tar has there.
func (w *Writer) frame(manifest span, size int64) error {
	if err := w.file.Truncate(size); err != nil {
		return err
	}
	for _, s := range append([]span{manifest}, w.spans...) {
		if _, err := w.file.WriteAt(s.header, s.start); err != nil {
			return err
		}
	}
	return nil
}

// Write writes one entry: fill gets a writer that takes exactly the entry's size.
// Calls for different entries may run at the same time.
func (w *Writer) Write(name string, fill func(io.Writer) error) error {
	i, ok := w.index[name]
	if !ok {
		return fmt.Errorf("bundle: %s: entry %s is not in the manifest", w.path, name)
	}
	s := w.spans[i]
	out := &entryWriter{w: io.NewOffsetWriter(w.file, s.off), left: s.size}
	h := sha256.New()
	if err := fill(io.MultiWriter(out, h)); err != nil {
		return err
	}
	if out.left != 0 {
		return fmt.Errorf("bundle: %s: entry %s: %d of %d bytes are missing", w.path, name, out.left, s.size)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.manifest.Entries[i].SHA256 = hex.EncodeToString(h.Sum(nil))
	w.written[i] = true
	return nil
}

// entryWriter refuses to write beyond its entry.
type entryWriter struct {
	w    io.Writer
	left int64
}

func (e *entryWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > e.left {
		return 0, fmt.Errorf("bundle: entry is longer than the manifest says")
	}
	n, err := e.w.Write(p)
	e.left -= int64(n)
	return n, err
}

// Seal writes the manifest, with what the self-check of each level has found, in their
// order; nothing is known of levels that are left out. Afterwards the file TempPath is a
// complete bundle; Seal may be called again.
func (w *Writer) Seal(checks ...SelfCheck) error {
	for i, ok := range w.written {
		if !ok {
			return fmt.Errorf("bundle: %s: entry %s was not written", w.path, w.manifest.Entries[i].Name)
		}
	}
	w.manifest.setChecks(checks)
	text, err := encode(&w.manifest)
	if err != nil {
		return fmt.Errorf("bundle: %s: %w", w.path, err)
	}
	slot, err := sealed(text, w.slot)
	if err != nil {
		return fmt.Errorf("bundle: %s: %w", w.path, err)
	}
	if _, err := w.file.WriteAt(slot, block); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}

// TempPath is where the bundle is until Commit.
func (w *Writer) TempPath() string { return w.file.Name() }

// Commit makes the sealed bundle durable and moves it to its path.
func (w *Writer) Commit() error {
	if err := w.file.Commit(); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}

// Abort removes the temporary file. After Commit it does nothing.
func (w *Writer) Abort() { w.file.Abort() }
