package compiler

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mlxc/mlxc/compiler/checkpoint"
)

// CacheDir is dir, or where compiled modules and bundles are kept unless one is named.
func CacheDir(dir string) (string, error) {
	if dir != "" {
		return dir, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for compiled modules: %w; name one with --cache-dir", err)
	}
	return filepath.Join(user, "mlxc"), nil
}

// HubDir is where a cache folder keeps models of the hub.
func HubDir(cacheDir string) string { return filepath.Join(cacheDir, "hub") }

// EmitCached returns the path of the bundle in the cache, which it makes unless it's
// there; o.Output is not used. It removes what other versions of the checkpoint or of the
// program have left.
func EmitCached(ctx context.Context, o Options) (string, error) {
	key, err := fingerprint(o)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(o.CacheDir, "bench")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("%w; choose another folder with --cache-dir", err)
	}
	name := o.name() + "-" + strings.ReplaceAll(o.Precision, ":", "-")
	o.Output = filepath.Join(dir, name+"-"+key+".tar")
	if _, err := os.Stat(o.Output); err == nil {
		return o.Output, nil
	}
	older := regexp.MustCompile(`^` + regexp.QuoteMeta(name) + `-[0-9a-f]{16}\.tar$`)
	files, _ := os.ReadDir(dir) // what can't be read isn't removed
	for _, f := range files {
		if older.MatchString(f.Name()) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
	o.Progress.Note(fmt.Sprintf("emitting %s with --precision %s", cmp.Or(o.Source, o.Checkpoint), o.Precision))
	return o.Output, Emit(ctx, o)
}

// fingerprint tells versions of a checkpoint, of the program and of its options apart:
// names, sizes and times of files, not their content.
func fingerprint(o Options) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, o.Generator, o.Source, o.Target.Name, o.Levels, o.Precision, o.KV, o.Context, o.Graphs, o.Flags, o.NoTokenizer, o.Tokenizer)
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, path := range append([]string{self, o.Checkpoint}, checkpoint.Parts(o.Checkpoint)...) {
		if err := addFiles(h, path); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// addFiles adds a file, or the files of a folder.
func addFiles(h io.Writer, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	files := []string{abs}
	inside, _ := os.ReadDir(abs) // empty if it's a file
	for _, f := range inside {
		files = append(files, filepath.Join(abs, f.Name()))
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d %d\n", f, info.Size(), info.ModTime().UnixNano())
	}
	return nil
}
