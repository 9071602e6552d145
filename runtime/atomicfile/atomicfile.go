// Package atomicfile makes files that stand at their path complete or not at all: until
// then nothing is there, or the older file stays.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A file in the making is a hidden one beside its path, ".NAME.RANDOM.tmp", which its
// writer holds (flock). One that nobody holds was left by a process that was killed: the
// next writer of the same path removes it.
const (
	suffix   = ".tmp"
	random   = 8         // characters
	longest  = 200       // bytes of NAME: a file's name may have 255
	forsaken = time.Hour // from then on nobody is about to hold it
)

// File is a file in the making. Its Name is that of the temporary file; Commit or Abort
// ends it.
type File struct {
	*os.File
	path string
}

// Create begins the file at path, with the permissions perm before umask. It will take the
// place of a regular file or of a symbolic link to one (but see Target); what is there
// otherwise is refused.
func Create(path string, perm fs.FileMode) (*File, error) {
	f := &File{path: path}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, f.failed(errors.New("it is there, and no regular file"))
	}
	dir, base := filepath.Split(path)
	prefix := "." + strings.ToValidUTF8(base[:min(len(base), longest)], "") + "."
	removeForsaken(dir, prefix)
	var err error
	if f.File, err = os.OpenFile(dir+prefix+rand.Text()[:random]+suffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm); err != nil {
		return nil, f.failed(err)
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // where there are no locks, nothing is removed either
	return f, nil
}

// Write makes a whole file of data.
func Write(path string, data []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.File.Write(data); err != nil {
		return f.failed(err)
	}
	return f.Commit()
}

// Commit makes the file durable and moves it to its path.
func (f *File) Commit() error {
	if err := f.commit(); err != nil {
		f.Abort()
		return f.failed(err)
	}
	return nil
}

func (f *File) commit() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// Abort removes the temporary file. After Commit it does nothing.
func (f *File) Abort() {
	f.Close()
	os.Remove(f.Name())
}

// failed says what can't be made; the rest of a system's error names a temporary file.
func (f *File) failed(err error) error {
	var cause syscall.Errno
	if errors.As(err, &cause) {
		err = cause
	}
	return fmt.Errorf("%s can't be written: %w", f.path, err)
}

// Target is what path leads to over symbolic links, whether that is there or not: for what
// is to be written where the links lead, as an editor does.
func Target(path string) (string, error) {
	const most = 40 // as Linux has it
	for range most {
		link, err := os.Readlink(path)
		if err != nil { // no link
			return path, nil
		}
		if dir, _ := filepath.Split(path); !filepath.IsAbs(link) {
			link = dir + link // not cleaned: dir/.. may be elsewhere
		}
		path = link
	}
	return "", &fs.PathError{Op: "readlink", Path: path, Err: unix.ELOOP}
}

// removeForsaken removes the temporary files of writers that are no more. What can't be
// told or removed stays.
func removeForsaken(dir, prefix string) {
	files, _ := os.ReadDir(filepath.Join(dir, "."))
	for _, file := range files {
		name := file.Name()
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || !file.Type().IsRegular() || len(rest) != random+len(suffix) || !strings.HasSuffix(rest, suffix) {
			continue
		}
		if info, err := file.Info(); err != nil || time.Since(info.ModTime()) < forsaken {
			continue
		}
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.Remove(f.Name())
		}
		f.Close()
	}
}
