package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// wantFile is a file's content, alone in its folder.
func wantFile(t *testing.T, path, content string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if got := names(t, filepath.Dir(path)); err != nil || string(data) != content || !slices.Equal(got, []string{filepath.Base(path)}) {
		t.Errorf("%q, %v, the folder has %q; want %q alone", data, err, got, content)
	}
}

// The older file stays until Commit, and for ever after Abort.
func TestOlderFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := Write(path, []byte("older"), 0o640); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v, want the permissions 640", info, err)
	}
	for _, end := range []struct {
		do   func(*File) error
		want string
	}{{func(f *File) error { f.Abort(); return nil }, "older"}, {(*File).Commit, "newer"}} {
		f, err := Create(path, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("newer"); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); string(data) != "older" {
			t.Errorf("before the end: %q, %v", data, err)
		}
		if err := end.do(f); err != nil {
			t.Fatal(err)
		}
		f.Abort() // nothing is left to remove
		wantFile(t, path, end.want)
	}
}

// A link's target, also where the link is relative, leads to another link, to nothing yet,
// or its folder is a link.
func TestTarget(t *testing.T) {
	for _, older := range []string{"", "older"} {
		root := t.TempDir()
		for _, dir := range []string{"a/deep", "b"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for link, to := range map[string]string{"link": "b/second", "b/second": "../folder/../f", "folder": "a/deep"} {
			if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "a/f"), []byte(older), 0o666); older != "" && err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(root, "link")
		target, err := Target(link)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(target, []byte("newer"), 0o666); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(link); to != "b/second" {
			t.Errorf("the link is %q now, %v", to, err)
		}
		data, err := os.ReadFile(filepath.Join(root, "a/f"))
		if got := names(t, filepath.Join(root, "a")); err != nil || string(data) != "newer" || !slices.Equal(got, []string{"deep", "f"}) {
			t.Errorf("%q, %v, in %q", data, err, got)
		}
	}
}

// What can't be written is named as the caller has it, and nothing is left.
func TestRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{os.Mkdir("folder", 0o777), unix.Mkfifo("pipe", 0o666), os.Symlink("loop", "loop"), os.Symlink("folder", "tofolder")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	before := names(t, ".")
	if target, err := Target("loop"); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a loop: %q, %v", target, err)
	}
	for path, want := range map[string]string{
		"folder":   "folder can't be written: it is there, and no regular file",
		"tofolder": "tofolder can't be written: it is there, and no regular file",
		"pipe":     "pipe can't be written: it is there, and no regular file",
		"no/f":     "no/f can't be written: no such file or directory",
		"":         " can't be written: no such file or directory",
	} {
		if err := Write(path, nil, 0o666); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", path, err, want)
		}
	}
	if err := Write("no/f", nil, 0o666); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v isn't %v", err, fs.ErrNotExist)
	}
	if got := names(t, "."); !slices.Equal(got, before) {
		t.Errorf("%q are there, before %q", got, before)
	}
}

// What a killed writer left goes with the next one; what a living writer holds, what is
// young and what is not of this path stays.
func TestForsakenTemporaries(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.tar")
	living, err := Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer living.Abort()
	old := time.Now().Add(-2 * forsaken)
	age := func(name string, made time.Time) {
		if err := os.Chtimes(filepath.Join(dir, name), made, made); err != nil {
			t.Fatal(err)
		}
	}
	for name, made := range map[string]time.Time{
		".b.tar.AAAAAAAA.tmp": old, ".b.tar.BBBBBBBB.tmp": time.Now(),
		".b.tar.CCCC.tmp": old, ".c.tar.DDDDDDDD.tmp": old, "b.tar.EEEEEEEE.tmp": old, ".b.tar.FFFFFFFF.txt": old,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		age(name, made)
	}
	if err := os.Mkdir(filepath.Join(dir, ".b.tar.GGGGGGGG.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	age(".b.tar.GGGGGGGG.tmp", old)
	age(filepath.Base(living.Name()), old)
	if err := Write(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want := []string{".b.tar.BBBBBBBB.tmp", ".b.tar.CCCC.tmp", ".b.tar.FFFFFFFF.txt", ".b.tar.GGGGGGGG.tmp",
		".c.tar.DDDDDDDD.tmp", "b.tar", "b.tar.EEEEEEEE.tmp", filepath.Base(living.Name())}
	if slices.Sort(want); !slices.Equal(names(t, dir), want) {
		t.Errorf("%q stay, want %q", names(t, dir), want)
	}
}

// A name may be as long as a file's name can be, and of any characters.
func TestOddNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("é", 127), "a b[1]*?'\"\n\\é🙂.tar", "-o", strings.Repeat("x/", 1500) + "f"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		wantFile(t, path, name)
	}
}
