package main

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// payload is where the content of a tar entry lies.
type payload struct{ offset, size int64 }

// payloads are the entries of a bundle as the standard library sees them.
func payloads(t testing.TB, path string) map[string]payload {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]payload{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		offset, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			t.Fatal(err)
		}
		all[h.Name] = payload{offset, h.Size}
	}
}

func overwrite(path string, offset int64, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt(content, offset)
	return err
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

// damaged is a copy of the bundle that a test may damage.
type damaged struct {
	path  string
	whole []byte
	run   []string // a command line that runs it
}

func newDamaged(t *testing.T) damaged {
	t.Helper()
	d := damaged{path: filepath.Join(t.TempDir(), "b.tar")}
	var err error
	if d.whole, err = os.ReadFile(scriptedBundle(t)); err == nil {
		err = os.WriteFile(d.path, d.whole, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.run = []string{d.path, "--prompt-ids", "314", "-n", "2"}
	return d
}

// write puts bytes into the file.
func (d damaged) write(t *testing.T, at int64, content []byte) {
	t.Helper()
	if err := overwrite(d.path, at, content); err != nil {
		t.Fatal(err)
	}
}

// works checks that the bundle is whole again.
func (d damaged) works(t *testing.T) {
	t.Helper()
	if code, stdout, stderr := call("", d.run...); code != 0 || stdout != " Paris.\n" {
		t.Fatalf("the whole bundle: exit code %d, %q, %s", code, stdout, stderr)
	}
}

// refused checks that the command says in one line that the bundle is bad.
func (d damaged) refused(t *testing.T, what string) {
	t.Helper()
	code, stdout, stderr := call("", d.run...)
	if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "mlxc-run: bundle: "+d.path+": ") {
		t.Errorf("%s: exit code %d, stdout %q, stderr %q", what, code, stdout, stderr)
	}
}

// TestFlippedBits: outside of the weights any bit is noticed; one of a weight is
// noticed by verify and --verify, and does no harm without.
func TestFlippedBits(t *testing.T) {
	d := newDamaged(t)
	for name, e := range payloads(t, d.path) {
		weight := strings.HasPrefix(name, "weights/")
		// In the tar header: name, size, checksum, padding. Then the content.
		for _, at := range []int64{-512, -388, -364, -1, 0, e.size/3 | 3, e.size - 1} {
			bit := byte(1) << (uint64(at) % 8)
			what := fmt.Sprintf("bit %#x of byte %d of %s", bit, at, name)
			d.write(t, e.offset+at, []byte{d.whole[e.offset+at] ^ bit})
			if weight && at >= 0 {
				d.found(t, what, name)
			} else {
				d.refused(t, what)
			}
			d.write(t, e.offset+at, d.whole[e.offset+at:][:1])
		}
	}
	d.works(t)
}

// found checks that verify names the damaged entry, and that running ends as it should.
func (d damaged) found(t *testing.T, what, entry string) {
	t.Helper()
	for _, args := range [][]string{{"verify", d.path}, append([]string{"--verify"}, d.run...)} {
		if code, stdout, stderr := call("", args...); code != 1 || stdout != "" || !strings.Contains(stderr, "entry "+entry+" at byte ") {
			t.Errorf("%s: %s: exit code %d, stdout %q, stderr %q", what, args[0], code, stdout, stderr)
		}
	}
	if code, _, stderr := call("", d.run...); code != 0 && !strings.Contains(stderr, "non-finite logits") {
		t.Errorf("%s: exit code %d, %q", what, code, stderr)
	}
}

// TestTruncated: a bundle that ends early is refused, wherever that is.
func TestTruncated(t *testing.T) {
	d := newDamaged(t)
	cuts := []int64{0, 1, 511, 512, 513, 1535, 1536}
	for _, e := range payloads(t, d.path) {
		cuts = append(cuts, e.offset-512, e.offset, e.offset+1, e.offset+e.size/2, e.offset+e.size)
	}
	size := int64(len(d.whole))
	cuts = append(cuts, size-1, size-512, size-1024)
	slices.Sort(cuts)
	for _, cut := range slices.Backward(slices.Compact(cuts)) {
		if err := os.Truncate(d.path, cut); err != nil {
			t.Fatal(err)
		}
		d.refused(t, fmt.Sprintf("cut at %d of %d bytes", cut, size))
	}
	// Longer than it should be, by a copy that was appended to.
	if err := os.WriteFile(d.path, append(slices.Clone(d.whole), 0), 0o644); err != nil {
		t.Fatal(err)
	}
	d.refused(t, "one byte longer")
}
