package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// List tells what was got, and nothing else that lies in the folder; Remove removes it,
// and a process that waited for that gets it again, as the only one.
func TestStored(t *testing.T) {
	u := newUser(t, model())
	start := time.Now().Add(-time.Minute)
	if _, err := u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Fatal(err)
	}
	for _, stranger := range []string{"models--x", "models--a--b--c", "datasets--a--b", "models--..--b"} {
		if err := os.Mkdir(filepath.Join(u.cache, stranger), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(u.cache, "models--linked--x")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hf:linked/x", "hf:not/there"} {
		if err := Remove(t.Context(), u.cache, name, nil); err == nil || err.Error() != name+" isn't in "+u.cache {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("where a link leads there is %v, %v", left, err)
	}
	all, err := List(u.cache)
	if err != nil || len(all) != 1 || all[0].Name != "hf:"+repo || all[0].Used.Before(start) || all[0].Bytes < int64(len(noise)) || all[0].Bytes > int64(len(noise))+10_000 {
		t.Fatalf("%+v, %v", all, err)
	}
	if one, err := Find(u.cache, "hf:"+repo); err != nil || one != all[0] {
		t.Errorf("%+v, %v; listed is %+v", one, err, all[0])
	}
	if all, err := List(filepath.Join(u.cache, "nowhere")); err != nil || len(all) > 0 {
		t.Errorf("of no cache: %v, %v", all, err)
	}

	s := store{u.store()}
	unlock, err := s.lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	told := 0
	if err := Remove(ctx, u.cache, "hf:"+repo, func() { told++ }); !errors.Is(err, context.DeadlineExceeded) || told != 1 {
		t.Errorf("while it is got: %v, told %d times", err, told)
	}
	waits, fetched := make(chan bool), make(chan error)
	go func() {
		unlock, err := s.lock(t.Context(), func() { close(waits) })
		if err == nil {
			_, err = os.Stat(filepath.Join(s.dir, "blobs"))
			unlock()
		}
		fetched <- err
	}()
	<-waits
	if err := os.RemoveAll(s.dir); err != nil { // as Remove does, which has the lock
		t.Fatal(err)
	}
	unlock()
	if err := <-fetched; err != nil {
		t.Errorf("after the removal: %v", err)
	}
	if err := Remove(t.Context(), u.cache, "hf:"+repo, nil); err != nil {
		t.Fatal(err)
	}
	if all, err := List(u.cache); err != nil || len(all) > 0 {
		t.Errorf("left are %v, %v", all, err)
	}
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}
