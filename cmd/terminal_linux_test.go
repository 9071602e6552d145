package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/cmd/internal/cli/clitest"
	"github.com/mlxc/mlxc/golden/oracle"
)

// TestProgressOnTerminal: what mlxc-emit leaves on a terminal are its remarks, a line
// each; of the steps that it redraws nothing stays, and nothing wraps.
func TestProgressOnTerminal(t *testing.T) {
	const columns = 120
	c := oracle.Load(t, "llama")
	terminal := clitest.NewTerminal(t, columns, 24)
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "mlxc-emit"), "--precision", "f32", "--no-tokenizer", "--context", "64",
		"--graphs", "decode", "--no-self-check", "-o", "out.tar", c.Dir)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TERM=xterm", "MLXC_CACHE_DIR="+t.TempDir(), "MLXC_IREE_BIN="+filepath.Join(oracle.Root(), "build", "venv", "bin"))
	cmd.Stdout, cmd.Stderr = terminal.Tty, terminal.Tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	shown := terminal.Shown(t)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	lines, wraps, err := clitest.Screen(shown, columns)
	if err != nil || wraps > 0 || !strings.Contains(shown, "compile 0/1") || !strings.Contains(shown, "weights ") {
		t.Errorf("%v, %d wraps in %q", err, wraps, shown)
	}
	last := len(lines) - 1
	if last < 1 || lines[last] != "" || !strings.HasPrefix(lines[last-1], "mlxc-emit: out.tar: ") {
		t.Errorf("%q remain, want remarks, the last one of out.tar", lines)
	}
	for _, line := range lines[:last] {
		if !strings.HasPrefix(line, "mlxc-emit: ") {
			t.Errorf("%q remains of %q", line, shown)
		}
	}
}
