package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/cmd/internal/lineedit"
)

// Prompts of a message's first line and of the others.
const (
	firstPrompt = "> "
	nextPrompt  = ". "
)

// block begins and ends a message of several lines.
const block = `"""`

// lines are the messages of a person at a terminal, or of a pipe.
type lines struct {
	talk   io.Writer
	editor *lineedit.Editor // nil: not at a terminal
	pipe   *bufio.Scanner
	// interrupted: the last line was empty and ended by Ctrl-C.
	interrupted bool
}

// newLines reads standard input. A person is there if it and standard error, where the
// prompt is drawn, are terminals that can draw.
func newLines(ctx context.Context, s cli.IO) *lines {
	l := &lines{talk: s.Err}
	in, out := terminal(s.In), terminal(s.Err)
	if kind := os.Getenv("TERM"); in != nil && out != nil && kind != "" && kind != "dumb" {
		l.editor = lineedit.Terminal(in, cli.Input(ctx, in), out)
		return l
	}
	l.pipe = bufio.NewScanner(cli.Input(ctx, s.In))
	l.pipe.Buffer(nil, maxPrompt)
	return l
}

// terminal is a stream that is a terminal, nil if it isn't.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

func (l *lines) terminal() bool { return l.editor != nil }

// read returns the next message that isn't empty; io.EOF: there is none.
func (l *lines) read() (string, error) {
	for {
		text, err := l.line(firstPrompt)
		if rest, ok := strings.CutPrefix(text, block); ok && err == nil {
			text, err = l.rest(rest)
		}
		switch {
		case errors.Is(err, lineedit.ErrInterrupted):
			if l.interrupted && text == "" {
				return "", io.EOF
			}
			if l.interrupted = text == ""; l.interrupted {
				fmt.Fprintln(l.talk, "Ctrl-C once more, or Ctrl-D, ends the chat.")
			}
			continue
		case err != nil:
			return "", err
		}
		l.interrupted = false
		if strings.TrimSpace(text) != "" {
			return text, nil
		}
	}
}

// rest reads on until a line ends with three quotes.
func (l *lines) rest(text string) (string, error) {
	for {
		if body, ok := strings.CutSuffix(text, block); ok {
			return strings.Trim(body, "\n"), nil
		}
		line, err := l.line(nextPrompt)
		if errors.Is(err, io.EOF) {
			return "", refuse("a message that begins with %s has no %s at its end", block, block)
		}
		if err != nil {
			return text, err
		}
		if len(text)+len(line) > maxPrompt {
			return "", fmt.Errorf("a message of more than %d bytes", maxPrompt)
		}
		text += "\n" + line
	}
}

// line reads one line, or what is pasted or typed as one.
func (l *lines) line(prompt string) (string, error) {
	if l.editor != nil {
		return l.editor.Read(prompt)
	}
	if l.pipe.Scan() {
		return l.pipe.Text(), nil
	}
	if err := l.pipe.Err(); errors.Is(err, bufio.ErrTooLong) {
		return "", fmt.Errorf("standard input: a line of more than %d bytes", maxPrompt)
	} else if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return "", io.EOF
}
