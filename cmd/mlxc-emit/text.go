package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/compiler/iree"
)

// writeTexts is --mlir-only: the graphs' texts go to a folder, to standard output, or
// are compared with those of --check.
func writeTexts(o *Options, c compiler.Options) error {
	texts, err := compiler.Texts(c)
	if err != nil {
		return err
	}
	if o.Check != "" {
		return checkTexts(o.IO.Out, o.Check, texts)
	}
	if o.Output != "" {
		return compiler.KeepText(o.Output, texts)
	}
	for i, t := range texts {
		if i > 0 {
			fmt.Fprintln(o.IO.Out, "// -----") // what mlir-opt -split-input-file splits at
		}
		if _, err := o.IO.Out.Write(t.Text); err != nil {
			return err
		}
	}
	return nil
}

// maxText bounds a graph's text in bytes; those of the largest models are below 10 MB.
const maxText = 64 << 20

// checkTexts prints the first line in which each text differs from dir's file. A
// file of a graph that isn't emitted any more differs as well.
func checkTexts(out io.Writer, dir string, texts []iree.Job) error {
	stale, err := textFiles(dir)
	if err != nil {
		return fmt.Errorf("--check: %w", err)
	}
	same := true
	for _, t := range texts {
		path := filepath.Join(dir, t.Name+".mlir")
		stale = slices.DeleteFunc(stale, func(s string) bool { return s == path })
		old, err := rawfile.Read(path, maxText)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--check: %w", err)
		}
		if n, was, is := firstDifference(string(old), string(t.Text)); n > 0 {
			fmt.Fprintf(out, "%s:%d\n- %s\n+ %s\n", path, n, was, is)
			same = false
		}
	}
	for _, s := range stale {
		fmt.Fprintf(out, "%s: no such graph is emitted\n", s)
		same = false
	}
	if !same {
		return cli.ErrReported
	}
	return nil
}

// textFiles are the paths of a folder's texts; none if it isn't there.
func textFiles(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".mlir" {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// firstDifference is the number, from 1, of the first line in which two texts differ,
// and the lines; 0 if the texts are the same.
func firstDifference(old, text string) (n int, was, is string) {
	const end = "(end of file)"
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(text, "\n")
	for i := range max(len(a), len(b)) {
		was, is := end, end
		if i < len(a) && a[i] != "" {
			was = a[i]
		}
		if i < len(b) && b[i] != "" {
			is = b[i]
		}
		if was != is {
			return i + 1, strings.TrimSuffix(was, "\n"), strings.TrimSuffix(is, "\n")
		}
	}
	return 0, "", ""
}
