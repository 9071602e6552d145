package rawfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.bin")
	if err := os.WriteFile(path, []byte("weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil || f.Name != "w.bin" || string(f.Data) != "weights" {
		t.Fatalf("Open = %+v, %v", f, err)
	}
	for range 2 {
		if err := f.Close(); err != nil || f.Data != nil {
			t.Errorf("Close = %v, data %q", err, f.Data)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "absent"), "no such file"},
		{dir, "not a regular file but a directory"},
		{"/dev/null", "not a regular file but a device"},
		{pipe, "not a regular file but a pipe"},
	} {
		if _, err := Open(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%s) = %v, want %q", c.path, err, c.want)
		}
		if _, err := Read(c.path, 100); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Read(%s) = %v, want %q", c.path, err, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(path, 5); err != nil || string(b) != "12345" {
		t.Errorf("Read = %q, %v", b, err)
	}
	if _, err := Read(path, 4); !errors.Is(err, ErrTooLong) {
		t.Errorf("Read over the limit = %v", err)
	}
}

func TestImpostor(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"", "empty"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "run git lfs pull"},
		{"<!DOCTYPE html><html>", "HTML"},
		{"\ufeff\n <HTML>", "HTML"},
		{"Entry not found", `text, not weights: "Entry not found"`},
		{"PK\x03\x04rest", "zip"},
		{"GGUF\x03", "GGUF"},
		{"\x10\x00\x00\x00\x00\x00\x00\x00{}", ""},
	} {
		if got := Impostor([]byte(c.data), "weights"); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("Impostor(%q) = %q, want %q", c.data, got, c.want)
		}
	}
}
