// Package lineedit reads messages that a person types at a terminal: with history,
// arrows, Emacs' control keys, wide and combining characters, and pasted text of many
// lines as one message.
//
// golang.org/x/term has such a reader, too; it counts every character as one column,
// drops what is typed beyond 4,096 characters, gives pasted lines one by one, and tells
// Ctrl-C and Ctrl-D apart in no way.
package lineedit

import (
	"errors"
	"io"
)

// ErrInterrupted: Ctrl-C was typed.
var ErrInterrupted = errors.New("interrupted")

// maxMessage bounds a message, in characters; what goes beyond it is not taken.
const maxMessage = 1 << 20

// maxHistory is how many messages the arrows lead back.
const maxHistory = 1000

// Editor reads messages from a terminal. It is used by one goroutine.
type Editor struct {
	// In are the bytes that keys make.
	In io.Reader
	// Out shows what is typed.
	Out io.Writer
	// Raw lets the terminal hand over each key as it is pressed, until restore is
	// called. It isn't called while In is not being read, so that what the program
	// prints in between, and Ctrl-C then, are as in any other program.
	Raw func() (restore func() error, err error)
	// Size are columns and rows of the terminal.
	Size func() (columns, rows int)

	history [][]rune
	keys    parser
	buffer  buffer
	screen  screen
	// at is the place in history that is shown, len(history) for the new message, which
	// is kept in draft meanwhile.
	at    int
	draft []rune
}

// Codes of the terminal: bracketed paste (xterm), and a bell.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
	bell     = "\a"
)

// Read shows the prompt and returns the message when it is entered. io.EOF: Ctrl-D on
// an empty line, or the end of the input; ErrInterrupted: Ctrl-C, with what had been
// typed until then.
func (e *Editor) Read(prompt string) (message string, err error) {
	restore, err := e.Raw()
	if err != nil {
		return "", err
	}
	defer func() {
		if rerr := restore(); err == nil {
			err = rerr
		}
	}()
	e.buffer = buffer{}
	e.at, e.draft = len(e.history), nil
	e.screen = screen{prompt: prompt}
	if err := e.show(pasteOn); err != nil {
		return "", err
	}
	err = e.edit()
	text := string(e.buffer.text)
	e.buffer.cursor = len(e.buffer.text)
	end := "\r\n" + pasteOff
	if errors.Is(err, ErrInterrupted) {
		end = "^C" + end
	}
	if serr := e.show(end); err == nil {
		err = serr
	}
	if err == nil {
		e.remember()
	}
	return text, err
}

// edit handles keys until the message is entered or given up.
func (e *Editor) edit() error {
	buf := make([]byte, 4096)
	for {
		for {
			k, ok := e.keys.next()
			if !ok {
				break
			}
			done, err := e.press(k)
			if done || err != nil {
				return err
			}
		}
		if !e.keys.pasting {
			if err := e.show(""); err != nil {
				return err
			}
		}
		n, err := e.In.Read(buf)
		e.keys.feed(buf[:n])
		if n == 0 && err != nil {
			return err
		}
	}
}

// press handles one key; done: the message is entered.
func (e *Editor) press(k key) (done bool, err error) {
	switch k.name {
	case "text":
		if !e.buffer.insert(k.text) {
			return false, e.show(bell)
		}
		return false, nil
	case "enter":
		return true, nil
	case "interrupt":
		return false, ErrInterrupted
	case "delete or end":
		if len(e.buffer.text) == 0 {
			return false, io.EOF
		}
		e.buffer.delete(e.buffer.next())
	case "previous":
		e.recall(e.at - 1)
	case "next":
		e.recall(e.at + 1)
	case "clear screen":
		e.screen.row = 0
		return false, e.write("\x1b[H\x1b[2J")
	default:
		if act := edits[k.name]; act != nil {
			act(&e.buffer)
		}
	}
	return false, nil
}

// recall shows a place of the history.
func (e *Editor) recall(at int) {
	if at < 0 || at > len(e.history) {
		return
	}
	if e.at == len(e.history) {
		e.draft = e.buffer.text
	}
	e.at = at
	text := e.draft
	if at < len(e.history) {
		text = e.history[at]
	}
	e.buffer = buffer{text: append([]rune(nil), text...), cursor: len(text)}
}

// remember puts the message at the end of the history, once.
func (e *Editor) remember() {
	text := e.buffer.text
	last := len(e.history) - 1
	if len(text) == 0 || last >= 0 && string(e.history[last]) == string(text) {
		return
	}
	e.history = append(e.history, text)
	if len(e.history) > maxHistory {
		e.history = e.history[1:]
	}
}

// show draws the message, then writes what comes after it.
func (e *Editor) show(after string) error {
	columns, rows := e.Size()
	return e.write(e.screen.draw(e.buffer, columns, rows) + after)
}

func (e *Editor) write(s string) error {
	_, err := io.WriteString(e.Out, s)
	return err
}
