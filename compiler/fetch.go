package compiler

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/hub"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// Fetch returns the options with a checkpoint of the hub (hf:ORG/NAME) got into the cache
// and replaced by its path there, name and source; a local checkpoint stays as it is.
// What can be known to fail is refused before weights are got: of the model, and if a
// bundle is to be emitted, of its output and tools, too.
func Fetch(ctx context.Context, o Options, emit bool) (Options, error) {
	if !hub.Is(o.Checkpoint) {
		return o, checkLocal(o.Checkpoint)
	}
	ref, err := hub.ParseRef(o.Checkpoint)
	if err != nil {
		return o, err
	}
	settings, err := hub.FromEnv()
	if err != nil {
		return o, err
	}
	s, err := hub.Fetch(ctx, ref, hub.Options{
		Settings: settings, CacheDir: HubDir(o.CacheDir), Progress: o.Progress,
		Preflight: func(p hub.Preview) error { return preflight(ctx, o, p, emit) },
	})
	if err != nil {
		return o, err
	}
	o.Checkpoint, o.Name, o.Source = s.Path, s.Name, s.Source
	return o, nil
}

// checkLocal says of a path that isn't there that it could be meant for the hub.
func checkLocal(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // what else is wrong is said when it is opened
	}
	if _, err := hub.ParseRef(hub.Prefix + path); err != nil {
		return nil
	}
	return archs.Errorf(archs.MissingFile, "%s: no such file or directory; give the directory of a checkpoint or a .gguf file, or, if the hub's model is meant, %s%s", path, hub.Prefix, path)
}

// preflight refuses a checkpoint of the hub before its weights are there.
func preflight(ctx context.Context, o Options, p hub.Preview, emit bool) error {
	if p.Dir != "" {
		if err := preflightFiles(o, p.Dir); err != nil {
			return err
		}
	} else if p.Architecture != "" {
		if _, err := archs.FindGGUF(p.Architecture); err != nil {
			return err
		}
	}
	if !emit {
		return nil
	}
	if o.Output != "" {
		least := int64(0)
		if sameFileSystem(filepath.Dir(o.Output), p.Cache) {
			least = p.Missing
		}
		if cmp.Or(o.Precision, o.Target.DefaultPrecision) == lower.Keep {
			least += p.Weights
		}
		if err := bundle.CheckOutput(o.Output, least); err != nil {
			return err
		}
	}
	_, err := findToolchain(ctx, o)
	return err
}

// sameFileSystem reports whether two folders share their space.
func sameFileSystem(a, b string) bool {
	var of [2]unix.Stat_t
	return unix.Stat(a, &of[0]) == nil && unix.Stat(b, &of[1]) == nil && of[0].Dev == of[1].Dev
}

// preflightFiles lowers the model as far as its config.json alone allows, and reads its
// tokenizer.
func preflightFiles(o Options, dir string) error {
	alone := o
	alone.Checkpoint, alone.Progress = filepath.Join(dir, bundle.Config), silent{o.Progress}
	if alone.Precision == lower.Keep || strings.HasPrefix(alone.Precision, lower.Mixed+":") {
		alone.Precision = "" // they need the weights
	}
	if _, err := readModel(alone); err != nil {
		return err
	}
	if o.NoTokenizer {
		return nil
	}
	text, err := checkpoint.ReadSideFile(dir, bundle.TokenizerJSON)
	if text == nil || err != nil {
		return err
	}
	_, err = parseTokenizer(text)
	return err
}
