// Package cmd_test runs the built commands against each other, end to end: real
// checkpoints become bundles, bundles become numbers that HF computed.
package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// bin holds the commands, built as they ship: static.
var bin string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mlxc-bin")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		build := exec.Command("go", "build", "-o", dir, "./cmd/...")
		build.Dir = oracle.Root()
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		bin = dir
		return m.Run()
	}())
}

// result is what a command did.
type result struct {
	stdout, stderr string
	code           int
}

// command runs one of the commands. Compiled modules are cached in build/cache.
func command(t *testing.T, name string, args ...string) result {
	t.Helper()
	return commandIn(t, t.Context(), "", name, args...)
}

func commandIn(t *testing.T, ctx context.Context, stdin, name string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Env = append(os.Environ(), "MLXC_CACHE_DIR="+filepath.Join(oracle.Root(), "build", "cache"))
	if os.Getenv("MLXC_IREE_BIN") == "" {
		cmd.Env = append(cmd.Env, "MLXC_IREE_BIN="+filepath.Join(oracle.Root(), "build", "venv", "bin"))
	}
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command that has to succeed and returns its standard output.
func must(t *testing.T, name string, args ...string) string {
	t.Helper()
	r := command(t, name, args...)
	if r.code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s", name, strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// emit makes a bundle in a temporary directory and returns its path.
func emit(t *testing.T, checkpoint string, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bundle.tar")
	must(t, "mlxc-emit", append(flags, "-o", path, checkpoint)...)
	return path
}

// unmarshal decodes a command's JSON output.
func unmarshal(t *testing.T, s string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), v); err != nil {
		t.Fatalf("%v in %s", err, s)
	}
}
