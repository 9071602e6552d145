package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// start starts the command as a process and waits until it has written to standard
// output, or has read a first line if input is given.
func start(t *testing.T, input string, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	cmd, stderr = exec.CommandContext(t.Context(), "mlxc-run", args...), &bytes.Buffer{}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(input)); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatalf("%v, %s", err, stderr)
	}
	go func() { // what it prints until it ends
		buf := make([]byte, 4096)
		for {
			if _, err := out.Read(buf); err != nil {
				return
			}
		}
	}()
	return cmd, stderr
}

// ended waits for the end of a process and returns its exit code, -1 after a signal.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// Interrupted while it generates, the command prints timings and exits with 128 and
// the signal's number; while it waits for input, it just ends.
func TestInterrupted(t *testing.T) {
	bundle := scriptedBundle(t)
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		cmd, stderr := start(t, "", "-n", "0", bundle, "count: one")
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if got := ended(t, cmd); got != code || !strings.HasSuffix(stderr.String(), "\nfinished: cancelled\n") || !strings.Contains(stderr.String(), "\ndecode ") {
			t.Errorf("%v while generating: exit code %d, want %d; %s", signal, got, code, stderr)
		}
		cmd, stderr = start(t, `{"text": "a"}`+"\n", "tokenize", bundle)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if got := ended(t, cmd); got != code || stderr.String() != "mlxc-run: interrupted\n" {
			t.Errorf("%v while reading: exit code %d, want %d; %s", signal, got, code, stderr)
		}
	}
}
