package clitest

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Session is a command that a person uses at a terminal.
type Session struct {
	t        testing.TB
	terminal Terminal
	cmd      *exec.Cmd
	pieces   chan string // what the command shows; closed when it has ended
	shown    string      // of that, what Wait hasn't returned yet
}

// patience is how long a command may take to show something.
const patience = 2 * time.Minute

// Start starts a command on a terminal, which becomes its streams and sends it the
// signals of Ctrl-C and the like. The test's end kills it.
func Start(t testing.TB, terminal Terminal, cmd *exec.Cmd) *Session {
	t.Helper()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal.Tty, terminal.Tty, terminal.Tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(cmd.Environ(), "TERM=xterm")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Tty.Close() // the command has it
	s := &Session{t: t, terminal: terminal, cmd: cmd, pieces: make(chan string, 1<<16)}
	go func() {
		defer close(s.pieces)
		buf := make([]byte, 4096)
		for {
			n, err := terminal.User.Read(buf)
			s.pieces <- string(buf[:n])
			if err != nil { // EIO: the command has ended
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		for range s.pieces {
		}
	})
	return s
}

// Wait waits until the command has shown a text and returns what it has shown up to the
// text's end since the last Wait.
func (s *Session) Wait(text string) string {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		if i := strings.Index(s.shown, text); i >= 0 {
			shown := s.shown[:i+len(text)]
			s.shown = s.shown[len(shown):]
			return shown
		}
		select {
		case piece, ok := <-s.pieces:
			if !ok {
				s.t.Fatalf("the command has ended without showing %q after %q", text, s.shown)
			}
			s.shown += piece
		case <-timeout:
			s.t.Fatalf("the command doesn't show %q after %q", text, s.shown)
		}
	}
}

// Type presses keys.
func (s *Session) Type(keys string) {
	s.t.Helper()
	if _, err := s.terminal.User.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// End waits for the command's end and returns its exit code, -1 after a signal, and what
// it has shown since the last Wait.
func (s *Session) End() (code int, shown string) {
	s.t.Helper()
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	for piece := range s.pieces {
		s.shown += piece
	}
	return s.cmd.ProcessState.ExitCode(), s.shown
}
