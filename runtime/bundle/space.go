package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrNoSpace is what CheckOutput's error wraps when there is too little.
var ErrNoSpace = errors.New("not enough disk space")

// CheckOutput reports whether a file of size bytes can be made at path: its folder
// must be there and writable, and size more bytes must fit on its file system and
// under the process's file size limit.
func CheckOutput(path string, size int64) error {
	dir := filepath.Dir(path)
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return fmt.Errorf("bundle: %s is %s; choose another output with -o", path, kindOf(st.Mode()))
	case errors.Is(err, unix.ENAMETOOLONG):
		return fmt.Errorf("bundle: %s: %w; choose another output with -o", path, unix.ENAMETOOLONG)
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("bundle: %s: folder %s cannot be written: %w; choose another output with -o", path, dir, err)
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return fmt.Errorf("bundle: %s: %w", dir, err)
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
