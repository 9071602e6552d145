package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Check compares the pages of a command with those in the folder docs of the source
// tree, or, to update, writes them.
func Check(t *testing.T, root *cobra.Command, folder string, update bool) {
	t.Helper()
	if err := compare(Pages(root), root.Name(), folder, update); err != nil {
		t.Error(err)
	}
}

// compare joins what is wrong with the pages below folder that are of the command of
// that name, or repairs it.
func compare(pages map[string]string, command, folder string, update bool) error {
	errs := []error{leftovers(pages, command, folder, update)}
	for name, want := range pages {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if update {
			errs = append(errs, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(want), 0o644))
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("%w: run `make docs`", err))
		} else if string(got) != want {
			line, a, b := firstDifference(string(got), want)
			errs = append(errs, fmt.Errorf("%s:%d: %q, the command says %q: run `make docs`", path, line, a, b))
		}
	}
	return errors.Join(errs...)
}

// leftovers are pages of sub-commands that are gone.
func leftovers(pages map[string]string, command, folder string, update bool) error {
	var errs []error
	for _, pattern := range []string{"cli/%s.md", "cli/%s-*.md", "man/%s.1", "man/%s-*.1"} {
		files, err := filepath.Glob(filepath.Join(folder, fmt.Sprintf(pattern, command)))
		errs = append(errs, err)
		for _, file := range files {
			if _, ok := pages[filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file)]; ok {
				continue
			}
			if update {
				errs = append(errs, os.Remove(file))
			} else {
				errs = append(errs, fmt.Errorf("%s is of no command: run `make docs`", file))
			}
		}
	}
	return errors.Join(errs...)
}

// firstDifference is the first line, counted from 1, in which two texts differ.
func firstDifference(a, b string) (line int, inA, inB string) {
	as, bs := slices.Collect(strings.Lines(a)), slices.Collect(strings.Lines(b))
	for line < len(as) && line < len(bs) && as[line] == bs[line] {
		line++
	}
	at := func(lines []string) string {
		if line < len(lines) {
			return strings.TrimSuffix(lines[line], "\n")
		}
		return ""
	}
	return line + 1, at(as), at(bs)
}
