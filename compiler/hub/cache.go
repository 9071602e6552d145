package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/runtime/atomicfile"
)

// store is the part of a cache that belongs to one repository, laid out as HF's library
// does it: contents lie in blobs/DIGEST, snapshots/COMMIT/PATH are links to them, and
// refs/REVISION holds the commit that a branch or tag was last resolved to.
type store struct{ dir string }

// storeOf is the repository's part of the cache at root.
func storeOf(root string, r Ref) store {
	return store{filepath.Join(root, storePrefix+r.Org+"--"+r.Name)}
}

func (s store) blob(digest string) string     { return filepath.Join(s.dir, "blobs", digest) }
func (s store) snapshot(commit string) string { return filepath.Join(s.dir, "snapshots", commit) }
func (s store) ref(revision string) string {
	return filepath.Join(s.dir, "refs", filepath.FromSlash(revision))
}
func (s store) lockFile() string { return filepath.Join(s.dir, "lock") }
func (s store) listing(commit string) string {
	return filepath.Join(s.dir, "listings", commit+".json")
}

// has reports whether the content of a file is there, and may be read.
func (s store) has(f File) bool {
	info, err := os.Stat(s.blob(f.Digest))
	return err == nil && info.Mode().IsRegular() && info.Size() == f.Size && unix.Access(s.blob(f.Digest), unix.R_OK) == nil
}

// commit is what a revision was last resolved to, "" if that isn't known.
func (s store) commit(revision string) string {
	if commitID.MatchString(revision) {
		return revision
	}
	const most = 128
	text, err := rawfile.Read(s.ref(revision), most)
	if commit := strings.TrimSpace(string(text)); err == nil && commitID.MatchString(commit) {
		return commit
	}
	return ""
}

// readListing reads the listing that writeListing has kept.
func (s store) readListing(commit string) (Listing, bool) {
	data, err := rawfile.Read(s.listing(commit), maxListing)
	if err != nil {
		return Listing{}, false
	}
	l, err := parseListing(data)
	return l, err == nil && l.Commit == commit
}

// keep remembers a listing, and what the revision was resolved to.
func (s store) keep(revision string, l Listing) error {
	if err := replaceFile(s.listing(l.Commit), l.marshal()); err != nil {
		return err
	}
	if commitID.MatchString(revision) {
		return nil
	}
	return replaceFile(s.ref(revision), []byte(l.Commit))
}

// scan lists a snapshot by its links: the files that are there, perhaps not all of the
// commit's.
func (s store) scan(commit string) Listing {
	l := Listing{Commit: commit}
	root := s.snapshot(commit)
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error { // what can't be read isn't there
		if err != nil || e.Type() != fs.ModeSymlink || len(l.Files) == maxFiles {
			return nil
		}
		target, err := os.Readlink(name)
		rel, relErr := filepath.Rel(root, name)
		f := File{Path: filepath.ToSlash(rel), Digest: filepath.Base(target)}
		if info, statErr := os.Stat(s.blob(f.Digest)); errors.Join(err, relErr, statErr) == nil && digestForm.MatchString(f.Digest) && checkPath(f.Path) == nil {
			f.Size = info.Size()
			l.Files = append(l.Files, f)
		}
		return nil
	})
	l.sort()
	return l
}

// link makes the snapshot's entry for a file whose content is at blob.
func (s store) link(commit string, f File, blob string) error {
	name := filepath.Join(s.snapshot(commit), filepath.FromSlash(f.Path))
	target := blob
	if blob == s.blob(f.Digest) { // relative, so that the cache can be moved
		target = filepath.FromSlash(strings.Repeat("../", 2+strings.Count(f.Path, "/")) + path.Join("blobs", f.Digest))
	}
	if old, err := os.Readlink(name); err == nil && old == target {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	fresh := name + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(target, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, name)
}

// lock makes this process the only one that changes the store, and notes that it is in
// use. It waits, and tells waiting once, while another one does.
func (s store) lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	for first := true; ; first = false {
		f, err := s.tryLock()
		if err != nil {
			return nil, err
		}
		if f != nil {
			now := time.Now()
			_ = os.Chtimes(s.lockFile(), now, now) // List tells it, no more
			return func() { f.Close() }, nil       // which ends the lock, as the process's end would
		}
		if first {
			waiting()
		}
		const poll = 100 * time.Millisecond
		if err := wait(ctx, poll); err != nil {
			return nil, err
		}
	}
}

// tryLock returns the locked file, nil if another process has locked it, or has removed
// the store meanwhile.
func (s store) tryLock() (*os.File, error) {
	if err := os.MkdirAll(filepath.Join(s.dir, "blobs"), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.lockFile(), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	mine, mineErr := f.Stat()
	there, thereErr := os.Stat(s.lockFile())
	switch {
	case err == nil && mineErr == nil && thereErr == nil && os.SameFile(mine, there):
		return f, nil
	case err == nil, errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
		f.Close()
		return nil, nil
	}
	f.Close()
	return nil, fmt.Errorf("%s can't be locked: %w", f.Name(), err)
}

// replaceFile puts a small file in its place, whole or not at all, and makes its folder.
func replaceFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(name, data, 0o666)
}

// space refuses what doesn't fit on the cache's file system.
func (s store) space(needed int64) error {
	var info unix.Statfs_t
	if err := unix.Statfs(s.dir, &info); err != nil {
		return fmt.Errorf("%s: %w", s.dir, err)
	}
	if free := int64(info.Bavail) * int64(info.Bsize); needed > free {
		return fmt.Errorf("%s: not enough disk space: %s needed, %s is available on its file system; free space there or choose another folder with --cache-dir", s.dir, megabytes(needed), megabytes(free))
	}
	return nil
}
