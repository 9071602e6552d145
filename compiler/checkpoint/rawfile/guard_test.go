package rawfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mapped file that is cut while it's read is an error that names it, and only that is.
func TestGuarded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.bin")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read := func() error {
		if !bytes.Equal(f.Data, make([]byte, len(f.Data))) {
			t.Error("other bytes")
		}
		return nil
	}
	if err := Guarded(read); err != nil {
		t.Errorf("a whole file: %v", err)
	}
	other := errors.New("other")
	if err := Guarded(func() error { return other }); err != other {
		t.Errorf("another error became %v", err)
	}
	func() {
		defer func() {
			if r := recover(); r != "a mistake" {
				t.Errorf("another panic became %v", r)
			}
		}()
		Guarded(func() error { panic("a mistake") })
	}()
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if err := Guarded(read); err == nil || !strings.HasPrefix(err.Error(), path+" became shorter while it was read") {
		t.Errorf("a cut file: %v", err)
	}
}
