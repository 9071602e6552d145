package iree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The cache keeps itself small. An entry's folder carries the time of its last use;
// what was used within the last day, by any process, stays.
const (
	inUse      = 24 * time.Hour
	maxUnused  = 30 * 24 * time.Hour // then an entry or a log goes
	cacheLimit = 1 << 30             // bytes, beyond which the entries longest unused go
)

// unfinished begins the names of folders that become entries. A process that was
// killed leaves its own behind.
const unfinished = "tmp-mlxc-"

// forsaken is the age from which a folder that no process holds was left behind: one
// that was just made isn't held yet.
const forsaken = time.Hour

var entryName = regexp.MustCompile(`^[0-9a-f]{32}$`)

// cached is something in the cache that may go.
type cached struct {
	path  string
	used  time.Time
	bytes int64
}

// prune removes from the cache what is old or too much. It touches nothing that
// isn't the cache's own, and what can't be removed stays: the next run tries again.
func prune(dir string, now time.Time, limit int64) {
	entries := list(dir, func(e fs.DirEntry) bool { return e.IsDir() && entryName.MatchString(e.Name()) })
	for _, work := range list(dir, func(e fs.DirEntry) bool { return e.IsDir() && strings.HasPrefix(e.Name(), unfinished) }) {
		age := forsaken
		if release, err := hold(work.path); err == nil {
			release()
		} else if errors.Is(err, unix.EWOULDBLOCK) {
			continue // a living process is at work there
		} else {
			age = inUse // this file system can't tell
		}
		work.removeUnused(now, age)
	}
	for _, log := range list(filepath.Join(dir, "logs"), func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".log" }) {
		log.removeUnused(now, maxUnused)
	}
	total := int64(0)
	slices.SortFunc(entries, func(a, b cached) int { return b.used.Compare(a.used) })
	for _, e := range entries { // the latest used first
		age := maxUnused
		if total += e.bytes; total > limit {
			age = inUse
		}
		e.removeUnused(now, age)
	}
}

// hold marks a folder as that of a living process, until release or the process's end:
// an error wraps EWOULDBLOCK if another process has done so.
func hold(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// list is what a folder holds that is wanted.
func list(dir string, wanted func(fs.DirEntry) bool) []cached {
	all, _ := os.ReadDir(dir)
	var found []cached
	for _, e := range all {
		if info, err := e.Info(); err == nil && wanted(e) {
			path := filepath.Join(dir, e.Name())
			found = append(found, cached{path, info.ModTime(), size(path)})
		}
	}
	return found
}

// size is the bytes of the files in a folder, or of a file.
func size(path string) (bytes int64) {
	filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

// removeUnused removes what wasn't used for so long. It looks again: another process
// may have used it since.
func (c cached) removeUnused(now time.Time, age time.Duration) {
	if now.Sub(c.used) <= age {
		return
	}
	if info, err := os.Stat(c.path); err == nil && now.Sub(info.ModTime()) > age {
		os.RemoveAll(c.path)
	}
}

// touch says that an entry is in use.
func touch(entry string) {
	now := time.Now()
	os.Chtimes(entry, now, now)
}
