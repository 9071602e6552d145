package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Stored is what a cache keeps of one model: every file of every commit that was got.
type Stored struct {
	Name  string // hf:ORG/NAME
	Bytes int64  // that removing it sets free
	Used  time.Time
}

// storePrefix begins the names of stores' folders.
const storePrefix = "models--"

// List is what the cache at root keeps, by name; nothing if there is no cache.
func List(root string) ([]Stored, error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []Stored
	for _, e := range entries {
		repo, ok := strings.CutPrefix(e.Name(), storePrefix)
		org, name, _ := strings.Cut(repo, "--")
		if ok && e.IsDir() && isRepoPart(org) && isRepoPart(name) {
			all = append(all, storeOf(root, Ref{Org: org, Name: name}).stored(Prefix+org+"/"+name))
		}
	}
	return all, nil
}

// stored adds the files of a store; what is only linked, in HF's own cache, isn't its.
func (s store) stored(name string) Stored {
	all := Stored{Name: name}
	for _, path := range []string{s.dir, s.lockFile()} { // the latter tells it, if it's there
		if info, err := os.Stat(path); err == nil {
			all.Used = info.ModTime()
		}
	}
	_ = filepath.WalkDir(s.dir, func(_ string, e fs.DirEntry, err error) error { // what can't be read isn't counted
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			all.Bytes += info.Size()
		}
		return nil
	})
	return all
}

// Remove removes what the cache at root keeps of the model that Stored names. It waits,
// and tells waiting once, while another process gets the model.
func Remove(ctx context.Context, root, name string, waiting func()) error {
	s, err := find(root, name)
	if err != nil {
		return err
	}
	unlock, err := s.lock(ctx, waiting)
	if err != nil {
		return err
	}
	defer unlock()
	return os.RemoveAll(s.dir)
}

// Find is what the cache at root keeps of the model that Stored names.
func Find(root, name string) (Stored, error) {
	s, err := find(root, name)
	if err != nil {
		return Stored{}, err
	}
	return s.stored(name), nil
}

func find(root, name string) (store, error) {
	ref, err := ParseRef(name)
	switch {
	case err != nil:
		return store{}, err
	case name != Prefix+ref.Repo():
		return store{}, fmt.Errorf("%s: a model is kept as a whole: write %s%s", name, Prefix, ref.Repo())
	}
	s := storeOf(root, ref)
	if info, err := os.Lstat(s.dir); err != nil || !info.IsDir() { // a link leads to what isn't the cache's
		return store{}, fmt.Errorf("%s isn't in %s", name, root)
	}
	return s, nil
}
