package iree

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What stays in the cache, by name; a name is shortened to its first letter where it
// is an entry's: 32 times that letter.
func TestPrune(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	type file struct {
		path string
		age  time.Duration
		kb   int
	}
	entry := func(letter string) string { return strings.Repeat(letter, 32) }
	for _, c := range []struct {
		name  string
		files []file
		want  []string
	}{
		{"within the limit", []file{{entry("a") + "/m.vmfb", 29 * day, 5}, {entry("b") + "/m.vmfb", 0, 5}}, []string{"a", "b"}},
		{"unused for a month", []file{{entry("a") + "/m.vmfb", 31 * day, 1}, {entry("b") + "/m.vmfb", 0, 1}}, []string{"b"}},
		{"too much: the longest unused goes", []file{{entry("a") + "/m.vmfb", 3 * day, 5}, {entry("b") + "/m.vmfb", 2 * day, 4}, {entry("c") + "/m.vmfb", 0, 5}}, []string{"b", "c"}},
		{"too much, all in use", []file{{entry("a") + "/m.vmfb", time.Hour, 8}, {entry("b") + "/m.vmfb", 0, 8}}, []string{"a", "b"}},
		{"left by a killed compiler", []file{{"tmp-mlxc-1/m.mlir", 2 * day, 1}, {"tmp-mlxc-2/m.mlir", time.Hour, 1}}, []string{"tmp-mlxc-2"}},
		{"logs", []file{{"logs/old.log", 31 * day, 1}, {"logs/new.log", 29 * day, 1}}, []string{"logs", "logs/new.log"}},
		{"not the cache's", []file{{"tmp-9/x", 99 * day, 99}, {"photos/x", 99 * day, 99}, {entry("g") + "/x", 99 * day, 99}, {"logs/notes.txt", 99 * day, 1}},
			[]string{"g", "logs", "logs/notes.txt", "photos", "tmp-9"}},
	} {
		dir := t.TempDir()
		for _, f := range c.files {
			path := filepath.Join(dir, f.path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, make([]byte, f.kb<<10), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, p := range []string{path, filepath.Dir(path)} {
				if err := os.Chtimes(p, now, now.Add(-f.age)); err != nil {
					t.Fatal(err)
				}
			}
		}
		prune(dir, now, 10<<10)
		paths, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		logs, _ := filepath.Glob(filepath.Join(dir, "logs", "*"))
		var got []string
		for _, p := range append(paths, logs...) {
			name, _ := filepath.Rel(dir, p)
			if len(name) == 32 {
				name = name[:1]
			}
			got = append(got, name)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v stay, want %v", c.name, got, c.want)
		}
	}
	prune(filepath.Join(t.TempDir(), "absent"), now, 1)
}

// What a living process is at work on stays however old it is; what a dead one has left
// goes when nobody can be about to take hold of it.
func TestPruneUnfinished(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"tmp-mlxc-held": 99 * time.Hour, "tmp-mlxc-dead": 2 * time.Hour, "tmp-mlxc-new": time.Minute} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	release, err := hold(filepath.Join(dir, "tmp-mlxc-held"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tmp-mlxc-held tmp-mlxc-new", "tmp-mlxc-new"} {
		prune(dir, now, 10<<10)
		left, _ := os.ReadDir(dir)
		var got []string
		for _, e := range left {
			got = append(got, e.Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v stay, want %v", got, want)
		}
		release()
	}
}

// A module that is taken from the cache counts as used now.
func TestUseIsRecorded(t *testing.T) {
	d := driver(t, copies)
	old := time.Now().Add(-29 * 24 * time.Hour)
	for range 2 {
		got, err := d.Compile(t.Context(), jobs("decode"))
		if err != nil {
			t.Fatal(err)
		}
		entry := filepath.Dir(got[0].Path)
		info, err := os.Stat(entry)
		if err != nil || time.Since(info.ModTime()) > time.Minute {
			t.Errorf("last used %v, %v", info.ModTime(), err)
		}
		if err := os.Chtimes(entry, old, old); err != nil {
			t.Fatal(err)
		}
	}
}
