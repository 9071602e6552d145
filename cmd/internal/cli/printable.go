package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// Printable is s in one line, with what would steer a terminal or hide text escaped as
// in a Go string: names in checkpoints and bundles come from anywhere.
func Printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// Harmless is a text of several lines without what would steer a terminal: a model's
// answer may hold anything.
func Harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// Text is where a model's text goes: Out, and if that is a terminal, what is Harmless of
// it. No character may be split between two writes.
func (s IO) Text() io.Writer {
	out := s.Out
	if o, ok := out.(*output); ok {
		out = o.Writer
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return harmless{s.Out}
	}
	return s.Out
}

type harmless struct{ io.Writer }

func (h harmless) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.Writer, Harmless(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// message is an error in one line. Joined errors have a line each.
func message(err error) string {
	return Printable(strings.ReplaceAll(err.Error(), "\n", "; "))
}
