// Package clitest gives tests a terminal: what a command shows on one, and what it does
// with keys.
package clitest

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Terminal is a pseudo-terminal.
type Terminal struct {
	// Tty is the command's end, its standard input, output or error.
	Tty *os.File
	// User is the other end: what is written to it are keys, what is read from it is
	// what the command shows.
	User *os.File
}

// NewTerminal opens a pseudo-terminal of a size; the test's end closes it. Its echo and
// line editing are on, as a shell's are.
func NewTerminal(t testing.TB, columns, rows int) Terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { user.Close() })
	n, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	term := Terminal{Tty: tty, User: user}
	term.Resize(t, columns, rows)
	return term
}

// Resize is what a window manager does.
func (x Terminal) Resize(t testing.TB, columns, rows int) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(x.User.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(columns), Row: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
}

// Shown closes the command's end and returns what is left to read of what it shows, until
// a process that has that end closes it, too.
func (x Terminal) Shown(t testing.TB) string {
	t.Helper()
	if err := x.Tty.Close(); err != nil {
		t.Fatal(err)
	}
	var shown []byte
	for {
		buf := make([]byte, 4096)
		n, err := x.User.Read(buf)
		shown = append(shown, buf[:n]...)
		if err != nil { // EIO: nobody has the other end
			return string(shown)
		}
	}
}
