package bundle

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a killed writer left goes with the next one; what a living writer holds, what is
// young and what is not of this bundle stays.
func TestForsakenTemporaries(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.tar")
	m, files := sample()
	living, err := Create(path, m)
	if err != nil {
		t.Fatal(err)
	}
	defer living.Abort()
	old := time.Now().Add(-2 * forsaken)
	age := func(name string, made time.Time) {
		if err := os.Chtimes(filepath.Join(dir, name), made, made); err != nil {
			t.Fatal(err)
		}
	}
	for name, made := range map[string]time.Time{
		".b.tar.AAAAAAAA.tmp": old, ".b.tar.BBBBBBBB.tmp": time.Now(),
		".b.tar.CCCC.tmp": old, ".c.tar.DDDDDDDD.tmp": old, "b.tar.EEEEEEEE.tmp": old, ".b.tar.FFFFFFFF.txt": old,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		age(name, made)
	}
	if err := os.Mkdir(filepath.Join(dir, ".b.tar.GGGGGGGG.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	age(".b.tar.GGGGGGGG.tmp", old)
	age(filepath.Base(living.TempPath()), old)
	write(t, path, m, files)
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range left {
		got = append(got, e.Name())
	}
	want := []string{".b.tar.BBBBBBBB.tmp", ".b.tar.CCCC.tmp", ".b.tar.FFFFFFFF.txt", ".b.tar.GGGGGGGG.tmp",
		".c.tar.DDDDDDDD.tmp", "b.tar", "b.tar.EEEEEEEE.tmp", filepath.Base(living.TempPath())}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("%q stay, want %q", got, want)
	}
}

// A bundle's name may be as long as a file's name can be, and of any characters.
func TestOddNames(t *testing.T) {
	m, files := sample()
	for _, name := range []string{strings.Repeat("é", 125) + ".tar", "a b[1]*?'\"\n\\é🙂.tar", "-o", strings.Repeat("x/", 1500) + "b.tar"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, path, m, files)
		b, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
	}
}

// A disk that fills while the bundle is written: the error says where, nothing is left,
// the older bundle stays. The file size limit stands for the disk.
func TestDiskFills(t *testing.T) {
	m, _ := sample()
	path := filepath.Join(t.TempDir(), "b.tar")
	if err := os.WriteFile(path, []byte("older"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, m)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	limitFiles(t, 2*block)
	last := m.Weights[len(m.Weights)-1]
	err = w.Write(WeightEntry(last.Name), func(out io.Writer) error { _, err := out.Write([]byte{1}); return err })
	if !errors.Is(err, unix.EFBIG) || !strings.Contains(err.Error(), w.TempPath()) {
		t.Errorf("got %v", err)
	}
	w.Abort()
	left, _ := os.ReadDir(filepath.Dir(path))
	if data, err := os.ReadFile(path); string(data) != "older" || len(left) != 1 {
		t.Errorf("%q, %v, files %v", data, err, left)
	}
}

// limitFiles is ulimit -f until the test's end.
func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	low := old
	low.Cur = bytes
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &low); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		signal.Reset(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
			t.Error(err)
		}
	})
}
