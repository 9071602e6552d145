// Package rawfile maps files into memory read-only, and says what a file is that
// isn't what its name promises.
package rawfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// File is a mapped file. Data stays valid until Close, unless another process truncates
// the file: reading what is gone ends this process, except within Guarded.
type File struct {
	Name string // base name
	Data []byte

	close sync.Once
}

// Open maps the regular file at path. Errors are those of the os package.
func Open(path string) (*File, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file := &File{Name: filepath.Base(path)}
	if info.Size() == 0 {
		return file, nil
	}
	if info.Size() > math.MaxInt {
		return nil, &os.PathError{Op: "map", Path: path, Err: unix.EFBIG}
	}
	file.Data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	mapped.Store(file, mappingOf(path, file.Data))
	return file, nil
}

// ErrTooLong is what Read's error wraps for a file beyond the limit.
var ErrTooLong = errors.New("too long")

// Read reads the regular file at path, of at most limit bytes. Errors are those of
// the os package, or wrap ErrTooLong.
func Read(path string, limit int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &os.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: the limit is %d bytes", ErrTooLong, limit)}
	}
	return data, nil
}

// kinds are what stands in the place of a file.
var kinds = map[fs.FileMode]string{
	fs.ModeDir: "a directory", fs.ModeNamedPipe: "a pipe", fs.ModeSocket: "a socket",
	fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
}

// open opens a regular file. Opening a pipe would wait for a writer, so it looks first.
func open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: fmt.Errorf("not a regular file but %s", kinds[info.Mode().Type()])}
	}
	return os.Open(path)
}

// Close unmaps the file: Data must not be touched any more. Closing twice is fine.
func (f *File) Close() error {
	var err error
	f.close.Do(func() {
		if f.Data != nil {
			mapped.Delete(f)
			err = unix.Munmap(f.Data)
			f.Data = nil
		}
	})
	return err
}

// impostors are the contents that are found under the names of weight files.
var impostors = []struct{ prefix, what string }{
	{"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself; run git lfs pull"},
	{"<!doctype html", "an HTML page (a saved error or login page?); download the file again"},
	{"<html", "an HTML page (a saved error or login page?); download the file again"},
	{"<?xml", "an XML document (a saved error page?); download the file again"},
	{"PK\x03\x04", "a zip archive (a PyTorch file?); convert it to SafeTensors"},
	{"\x80\x02", "a Python pickle; convert it to SafeTensors"},
	{"GGUF", "a GGUF file; give it a name that ends in .gguf"},
	{"\x1f\x8b", "gzip-compressed; decompress it"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed; decompress it"},
}

// Impostor says what data is if it starts like a file that has nothing to do with
// what is wanted ("weights"), in words that end a sentence "NAME is …". It is "" if
// data is none of those that Impostor knows.
func Impostor(data []byte, wanted string) string {
	if len(data) == 0 {
		return "an empty file; download it again"
	}
	head := bytes.ToLower(bytes.TrimLeft(data[:min(len(data), 256)], "\ufeff \t\r\n"))
	for _, i := range impostors {
		if bytes.HasPrefix(head, bytes.ToLower([]byte(i.prefix))) {
			return i.what
		}
	}
	if len(data) < 4096 && printable(data) {
		return fmt.Sprintf("text, not %s: %.60q; download the file again", wanted, data)
	}
	return ""
}

// printable reports whether data is plain ASCII text.
func printable(data []byte) bool {
	for _, c := range data {
		if (c < ' ' || c > '~') && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}
