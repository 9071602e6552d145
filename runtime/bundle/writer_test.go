package bundle

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

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

// A name that no file can have is refused before anything is done for it.
func TestLongName(t *testing.T) {
	err := CheckOutput(filepath.Join(t.TempDir(), strings.Repeat("x", 256)), 1)
	if !errors.Is(err, unix.ENAMETOOLONG) || !strings.HasSuffix(err.Error(), "; choose another output with -o") {
		t.Errorf("got %v", err)
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
