package bundle

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrNoSpace is what CheckSpace's error wraps when there is too little.
var ErrNoSpace = errors.New("not enough disk space")

// CheckSpace reports whether size more bytes fit on the file system that path will
// be on, and under the process's file size limit.
func CheckSpace(path string, size int64) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &fs); err != nil {
		return fmt.Errorf("bundle: %s: %w", filepath.Dir(path), err)
	}
	free := int64(fs.Bavail) * int64(fs.Bsize)
	where := "is available on its file system; free space there or choose another output"
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && limit.Cur < uint64(free) {
		free, where = int64(limit.Cur), "is what the file size limit allows (ulimit -f)"
	}
	if size > free {
		return fmt.Errorf("bundle: %s: %w: %s needed, %s %s", path, ErrNoSpace, megabytes(size), megabytes(free), where)
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
