package lineedit

import (
	"fmt"
	"strings"
)

// screen draws the message where it was drawn before.
type screen struct {
	prompt string // without control characters
	row    int    // the row that the cursor is in, of those drawn
}

// draw returns what replaces the rows drawn before by the message's, of which there are
// at most as many as the terminal has: those around the cursor.
func (s *screen) draw(b buffer, width, height int) string {
	width, height = max(width, 4), max(height, 1)
	l := newLayout(width)
	for _, r := range s.prompt {
		l.add(r)
	}
	for i, r := range b.text {
		if i == b.cursor {
			l.mark()
		}
		l.add(r)
	}
	if b.cursor == len(b.text) {
		l.mark()
	}
	first := max(0, min(l.cursorRow-height+1, len(l.rows)-height))
	rows := l.rows[first:min(len(l.rows), first+height)]

	var out strings.Builder
	up(&out, s.row)
	out.WriteString("\r\x1b[J")
	for i, row := range rows {
		if i > 0 {
			out.WriteString("\r\n")
		}
		out.WriteString(row.String())
	}
	s.row = l.cursorRow - first
	up(&out, len(rows)-1-s.row)
	out.WriteByte('\r')
	if l.cursorColumn > 0 {
		fmt.Fprintf(&out, "\x1b[%dC", l.cursorColumn)
	}
	return out.String()
}

func up(out *strings.Builder, rows int) {
	if rows > 0 {
		fmt.Fprintf(out, "\x1b[%dA", rows)
	}
}

// layout cuts a text into the rows of a terminal.
type layout struct {
	width                   int
	rows                    []*strings.Builder
	column                  int // that the next character goes to
	cursorRow, cursorColumn int
}

func newLayout(width int) *layout { return &layout{width: width, rows: []*strings.Builder{{}}} }

func (l *layout) add(r rune) {
	n := columns(r)
	if r == '\n' || l.column+n > l.width {
		l.newRow()
	}
	row := l.rows[len(l.rows)-1]
	switch r {
	case '\n':
	case '\t':
		row.WriteString(tab)
	default:
		row.WriteRune(r)
	}
	l.column += n
}

func (l *layout) newRow() {
	l.rows = append(l.rows, &strings.Builder{})
	l.column = 0
}

// mark puts the cursor where the next character goes: behind a full row it is in the
// next one.
func (l *layout) mark() {
	if l.column == l.width {
		l.newRow()
	}
	l.cursorRow, l.cursorColumn = len(l.rows)-1, l.column
}
