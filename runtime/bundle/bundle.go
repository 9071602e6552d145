package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
)

// Bundle is an opened, mapped bundle. It is safe for concurrent use; slices that it
// hands out are read-only memory and end with Close. A file that another process makes
// shorter meanwhile ends this process as soon as what is gone is touched: replace a bundle
// by renaming, as mlxc-emit does, never by writing over it.
type Bundle struct {
	Manifest Manifest
	Path     string

	file  *os.File
	data  []byte // the file, mapped
	spans []span // of Manifest.Entries
	index map[string]int

	memory *memory // shared with copies
}

// Open maps the bundle at path and checks everything but the digests of weights, which
// Verify checks, and of modules, which Modules does: structure, sizes, alignment, the
// manifest's consistency and the sha256 of every other entry.
func Open(path string) (*Bundle, error) {
	if path == "" { // a script's variable without a value
		return nil, errors.New("bundle: the path is empty; give a bundle that mlxc-emit has made")
	}
	file, data, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	b, err := parse(data)
	if err != nil {
		unix.Munmap(data)
		file.Close()
		return nil, fmt.Errorf("bundle: %s: %w", path, err)
	}
	b.Path, b.file = path, file
	return b, nil
}

func mapFile(path string) (*os.File, []byte, error) {
	// O_NONBLOCK: opening a pipe would wait for somebody to write to it.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	data, err := mapOpened(f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, data, nil
}

func mapOpened(f *os.File) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() < 3*block || st.Size() > maxFileSize {
		return nil, fmt.Errorf("%s: not an mlxc bundle: %s of %d bytes", f.Name(), kindOf(st.Mode()), st.Size())
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return data, nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}

// parse checks a whole file in memory.
func parse(data []byte) (*Bundle, error) {
	slot, err := slotOf(data)
	if err != nil {
		return nil, err
	}
	m, err := decode(data[block : block+slot])
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	manifest, spans, size, err := layout(slot, m.Entries)
	if err != nil {
		return nil, fmt.Errorf("manifest.toml: %w", err)
	}
	if size != int64(len(data)) {
		return nil, fmt.Errorf("the file has %d bytes, its manifest describes %d: truncated or damaged; copy it again, or emit it again with mlxc-emit", len(data), size)
	}
	b := &Bundle{Manifest: m, memory: &memory{}, data: data, spans: spans, index: make(map[string]int, len(spans))}
	if err := b.checkFrame(manifest); err != nil {
		return nil, err
	}
	for i, e := range m.Entries {
		b.index[e.Name] = i
	}
	return b, b.verify(context.Background(), b.entries(func(name string) bool {
		return !strings.HasPrefix(name, weightDir) && !isModule(name)
	}))
}

// entries are the indices of those whose names are wanted, in file order.
func (b *Bundle) entries(wanted func(name string) bool) []int {
	var list []int
	for i, e := range b.Manifest.Entries {
		if wanted(e.Name) {
			list = append(list, i)
		}
	}
	return list
}

// slotOf is the size of the manifest slot, from the first header.
func slotOf(data []byte) (int64, error) {
	const notBundle = "not an mlxc bundle: the first tar entry is not %s"
	if len(data) < 3*block || !bytes.HasPrefix(data, []byte(manifestName+"\x00")) {
		return 0, fmt.Errorf(notBundle, manifestName)
	}
	var slot int64
	if _, err := fmt.Sscanf(string(data[124:135]), "%o", &slot); err != nil || slot <= 0 || slot > maxManifest {
		return 0, fmt.Errorf(notBundle+" of 1 to %d bytes", manifestName, maxManifest)
	}
	if int64(len(data)) < slot+3*block {
		return 0, fmt.Errorf("truncated: the manifest slot needs %d bytes, the file has %d", slot+3*block, len(data))
	}
	return slot, nil
}

// checkFrame compares what lies between the payloads with what the writer puts there.
func (b *Bundle) checkFrame(manifest span) error {
	at := int64(0)
	for i, s := range append([]span{manifest}, b.spans...) {
		if !bytes.Equal(b.data[at:s.start], make([]byte, s.start-at)) || !bytes.Equal(b.data[s.start:s.off], s.header) {
			name := manifestName
			if i > 0 {
				name = b.Manifest.Entries[i-1].Name
			}
			return fmt.Errorf("the tar header of %s at byte %d is not the one that mlxc-emit writes: damaged, or repacked by another tool; emit it again with mlxc-emit", name, s.start)
		}
		at = s.off + s.size
	}
	if tail := b.data[at:]; !bytes.Equal(tail, make([]byte, len(tail))) {
		return fmt.Errorf("the end of the tar at byte %d is damaged", at)
	}
	return nil
}

// Entry is the content of an entry; an error wrapping fs.ErrNotExist if the bundle
// has none of that name.
func (b *Bundle) Entry(name string) ([]byte, error) {
	i, ok := b.index[name]
	if !ok {
		return nil, fmt.Errorf("bundle: %s: entry %s: %w", b.Path, name, fs.ErrNotExist)
	}
	return b.payload(i), nil
}

// Modules are the compiled modules of a level, by their names, after a check of their
// digests: of several levels those that aren't used cost nothing.
func (b *Bundle) Modules(ctx context.Context, l Level) (map[string][]byte, error) {
	modules, names := map[string][]byte{}, map[string]bool{}
	for _, g := range b.Manifest.Graphs {
		name := b.Manifest.VMFB(l, g.Module)
		code, err := b.Entry(name)
		if err != nil {
			return nil, err
		}
		modules[g.Module], names[name] = code, true
	}
	if err := b.verify(ctx, b.entries(func(name string) bool { return names[name] })); err != nil {
		return nil, fmt.Errorf("bundle: %s: %w", b.Path, err)
	}
	return modules, nil
}

// Weight is the content of weight i of the manifest. It begins at a page where the
// system's pages are at most PageSize, or at a multiple of 64 bytes after LoadWeights.
func (b *Bundle) Weight(i int) []byte {
	if r := b.memory.resident.Load(); r != nil {
		return r.weights[i]
	}
	return b.payload(len(b.spans) - len(b.Manifest.Weights) + i)
}

func (b *Bundle) payload(i int) []byte {
	s := b.spans[i]
	return b.data[s.off : s.off+s.size : s.off+s.size]
}

// maxText bounds the StableHLO text of one graph; that of a large model has megabytes.
const maxText = 128 << 20

// Text is the StableHLO text of a graph.
func (b *Bundle) Text(graph string) ([]byte, error) {
	packed, err := b.Entry(MLIR(graph))
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxText), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("bundle: %s: %s: %w", b.Path, MLIR(graph), err)
	}
	return text, nil
}

// Verify checks the sha256 of every entry, weights included.
func (b *Bundle) Verify(ctx context.Context) error {
	if err := b.verify(ctx, b.entries(func(string) bool { return true })); err != nil {
		return fmt.Errorf("bundle: %s: %w", b.Path, err)
	}
	return nil
}

// verify checks the digests of entries, on all processors; the error is that of the
// first bad one.
func (b *Bundle) verify(ctx context.Context, entries []int) error {
	errs := make([]error, len(entries))
	next := make(chan int)
	done := make(chan struct{})
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		go func() {
			for i := range next {
				errs[i] = b.digest(ctx, entries[i])
			}
			done <- struct{}{}
		}()
	}
	for i := range entries {
		next <- i
	}
	close(next)
	for range workers {
		<-done
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Bundle) digest(ctx context.Context, i int) error {
	const step = 16 << 20
	h := sha256.New()
	for p := b.payload(i); len(p) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(step, len(p))
		h.Write(p[:n])
		p = p[n:]
	}
	e := b.Manifest.Entries[i]
	if sum := hex.EncodeToString(h.Sum(nil)); sum != e.SHA256 {
		return fmt.Errorf("entry %s at byte %d: sha256 is %s, the manifest says %s: the file is damaged; copy it again, or emit it again with mlxc-emit", e.Name, b.spans[i].off, sum, e.SHA256)
	}
	return nil
}

// WeightBytes is the size of all weights together.
func (b *Bundle) WeightBytes() int64 {
	var n int64
	for _, e := range b.Manifest.Entries {
		if strings.HasPrefix(e.Name, weightDir) {
			n += e.Size
		}
	}
	return n
}

// Size is the size of the file.
func (b *Bundle) Size() int64 { return int64(len(b.data)) }

// Close ends the mapping; slices of it must not be used afterwards.
func (b *Bundle) Close() error {
	if b.data == nil {
		return nil
	}
	errs := []error{unix.Munmap(b.data), b.file.Close()}
	if r := b.memory.resident.Swap(nil); r != nil {
		errs = append(errs, unix.Munmap(r.mapping))
	}
	b.data = nil
	return errors.Join(errs...)
}
