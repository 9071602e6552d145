package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/cmd/internal/cli/clitest"
)

// TestProgressOnTerminal: however narrow the terminal, steps are one line that never
// wraps, only notes stay, and nothing but erasing is asked of the terminal: no colours,
// with or without NO_COLOR.
func TestProgressOnTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	for columns := 1; columns <= 80; columns++ {
		terminal := clitest.NewTerminal(t, columns, 24)
		p := NewProgress("mlxc-test", terminal.Tty)
		p.Step("compile", 1, 3)
		p.Step(strings.Repeat("a long name ", 20), 5e6, 270e6)
		p.Step("x\x1b[31m\ny", 0, 0)
		p.beat()
		p.Close()
		fmt.Fprintln(terminal.Tty, "$")
		shown := terminal.Shown(t)
		lines, wraps, err := clitest.Screen(shown, columns)
		if want := []string{"$", ""}; err != nil || wraps > 0 || !slices.Equal(lines, want) {
			t.Errorf("%d columns: %v, %d wraps, %q remain of %q, want %q", columns, err, wraps, lines, shown, want)
		}
	}
	t.Setenv("NO_COLOR", "1")
	terminal := clitest.NewTerminal(t, 20, 24)
	p := NewProgress("mlxc-test", terminal.Tty)
	talk(p)
	terminal.Resize(t, 16, 24)
	p.beat()
	p.Close()
	shown := regexp.MustCompile(`\d s`).ReplaceAllString(terminal.Shown(t), "0 s") // a slow machine's time
	const erase = "\r\x1b[K"
	if want := erase + strings.Join([]string{
		"compile 0/3  0 s", "compile 1/3  0 s", "compile 3/3  0 s", "weights 5/270…  0 s",
		"mlxc-test: remark\r\n" + erase + "self-check: d…  0 s", "self-chec…  0 s", ""}, erase); shown != want {
		t.Errorf("%q, want %q", shown, want)
	}
}

// A terminal that can't redraw a line gets plain ones.
func TestProgressOnDumbTerminal(t *testing.T) {
	for _, kind := range []string{"dumb", ""} {
		t.Setenv("TERM", kind)
		terminal := clitest.NewTerminal(t, 80, 24)
		p := NewProgress("mlxc-test", terminal.Tty)
		talk(p)
		p.Close()
		if got, want := terminal.Shown(t), "mlxc-test: compile 0/3\r\nmlxc-test: compile 3/3\r\nmlxc-test: weights 5/270 MB\r\nmlxc-test: remark\r\nmlxc-test: self-check: decode\r\n"; got != want {
			t.Errorf("TERM=%s: %q, want %q", kind, got, want)
		}
	}
}
