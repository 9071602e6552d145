package lineedit

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Terminal returns an editor of the terminal that tty is. Keys are read through in,
// which reads from tty and may give up earlier.
func Terminal(tty *os.File, in io.Reader, out io.Writer) *Editor {
	fd := int(tty.Fd())
	return &Editor{
		In: in, Out: out,
		Raw: func() (func() error, error) {
			state, err := term.MakeRaw(fd)
			if err != nil {
				return nil, err
			}
			return func() error { return term.Restore(fd, state) }, nil
		},
		Size: func() (columns, rows int) {
			columns, rows, err := term.GetSize(fd)
			if err != nil || columns == 0 || rows == 0 {
				return 80, 24
			}
			return columns, rows
		},
	}
}
