package clitest

import (
	"fmt"
	"strings"
)

// Screen plays what a command has sent to a terminal so many columns wide, and returns
// the lines that are to be seen in the end, without blanks at their ends. It knows what a
// progress line needs: characters of one column, CR, LF and "erase to the end of the
// line"; anything else is an error. Each wrap of a line adds one to wraps.
func Screen(sent string, columns int) (lines []string, wraps int, err error) {
	screen := [][]rune{nil}
	at := 0 // column
	for len(sent) > 0 {
		last := len(screen) - 1
		if rest, ok := strings.CutPrefix(sent, "\x1b[K"); ok {
			screen[last], sent = screen[last][:min(at, len(screen[last]))], rest
			continue
		}
		r := []rune(sent)[0]
		sent = sent[len(string(r)):]
		switch {
		case r == '\r':
			at = 0
		case r == '\n':
			screen = append(screen, nil)
		case r < ' ' || r == 0x7f:
			return nil, 0, fmt.Errorf("%q before %.20q", r, sent)
		default:
			if at == columns {
				screen, at, wraps = append(screen, nil), 0, wraps+1
				last++
			}
			for len(screen[last]) <= at {
				screen[last] = append(screen[last], ' ')
			}
			screen[last][at] = r
			at++
		}
	}
	for _, line := range screen {
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return lines, wraps, nil
}
