package target

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed *.toml
var rows embed.FS

// maxFile is the size in bytes up to which a target file is read.
const maxFile = 1 << 20

// Names lists the built-in targets, sorted.
func Names() []string {
	entries, err := rows.ReadDir(".")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	slices.Sort(names)
	return names
}

// Load returns a built-in target by name, or reads a target file: whatever ends in
// .toml or contains a path separator is a path.
func Load(name string) (*Row, error) {
	if !strings.HasSuffix(name, ".toml") && !strings.ContainsRune(name, filepath.Separator) {
		return builtin(name, nil)
	}
	data, err := readFile(name)
	if err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	return parse(name, data, nil)
}

func readFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path) // opening a pipe would wait for a writer
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes: not a target file", path, maxFile)
	}
	return data, nil
}

// builtin reads a row of the program; heirs are the files that inherit it.
func builtin(name string, heirs []string) (*Row, error) {
	data, err := rows.ReadFile(name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("target: unknown target %q (supported: %s, or the path of a target file: ./my.toml)", name, list(Names()))
	}
	return parse(name+".toml", data, heirs)
}

// parse decodes a row over the one that it inherits.
func parse(file string, data []byte, heirs []string) (*Row, error) {
	var head struct {
		Inherits string `toml:"inherits"`
	}
	if _, err := toml.Decode(string(data), &head); err != nil {
		return nil, syntaxError(file, err)
	}
	row := &Row{}
	if head.Inherits != "" {
		if len(heirs) > len(Names()) {
			return nil, fmt.Errorf("target: %s: inherits itself through %s", file, list(heirs))
		}
		base, err := builtin(head.Inherits, append(heirs, file))
		if err != nil {
			return nil, fmt.Errorf("target: %s: inherits: %w", file, err)
		}
		row = base
		row.Name = ""
	}
	meta, err := toml.Decode(string(data), row)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("target: %s: unknown key %s (llvm-cpu.toml and cuda.toml in the sources show all keys)", file, keys[0])
	}
	if err := row.check(); err != nil {
		return nil, fmt.Errorf("target: %s: %w", file, err)
	}
	return row, nil
}

func syntaxError(file string, err error) error {
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return fmt.Errorf("target: %s: line %d: %s", file, pe.Position.Line, pe.Message)
	}
	return fmt.Errorf("target: %s: %w", file, err)
}
