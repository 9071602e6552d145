package lineedit

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// typist gives the editor what a terminal sends, a piece a Read.
type typist struct{ pieces []string }

func (t *typist) Read(p []byte) (int, error) {
	if len(t.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.pieces[0])
	if t.pieces[0] = t.pieces[0][n:]; t.pieces[0] == "" {
		t.pieces = t.pieces[1:]
	}
	return n, nil
}

// open returns an editor on a terminal of that size that gets the pieces.
func open(width, height int, pieces ...string) (*Editor, *vt) {
	v := newVT(width, height)
	return &Editor{In: &typist{pieces}, Out: v, Size: func() (int, int) { return width, height },
		Raw: func() (func() error, error) {
			v.raw = true
			return func() error { v.raw = false; return nil }, nil
		}}, v
}

const (
	left, right, up_, down = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
	home, end, del         = "\x1b[H", "\x1b[F", "\x1b[3~"
)

// TestKeys: what is typed, and the message that comes of it, however the terminal cuts
// the bytes into reads.
func TestKeys(t *testing.T) {
	for _, tc := range []struct{ name, typed, want string }{
		{"plain", "hello\r", "hello"},
		{"line feed enters", "hello\n", "hello"},
		{"arrows", "ac" + left + "b" + right + "d\r", "abcd"},
		{"application arrows", "ac\x1bODb\x1bOCd\r", "abcd"},
		{"home and end", "bc" + home + "a" + end + "d\r", "abcd"},
		{"Ctrl-A and Ctrl-E", "bc\x01a\x05d\r", "abcd"},
		{"Linux console's home and end", "bc\x1b[1~a\x1b[4~d\r", "abcd"},
		{"Ctrl-B and Ctrl-F", "ac\x02b\x06d\r", "abcd"},
		{"beyond both ends", left + "a" + right + right + "b\r", "ab"},
		{"backspace", "abx\x7fc\x08d\r", "abd"},
		{"backspace at the start", "a" + home + "\x7f\r", "a"},
		{"delete", "axb" + left + left + del + "\r", "ab"},
		{"delete at the end", "ab" + del + "\r", "ab"},
		{"Ctrl-D deletes in a line", "xab\x01\x04\r", "ab"},
		{"Ctrl-K", "abcd" + left + left + "\x0b\r", "ab"},
		{"Ctrl-U", "abcd" + left + left + "\x15\r", "cd"},
		{"Ctrl-W", "one two  \x17three\r", "one three"},
		{"Alt-backspace", "one two\x1b\x7fthree\r", "one three"},
		{"Ctrl-W at the start", "one\x01\x17\r", "one"},
		{"words", "one two\x1bb\x1bbx\x1bfy\r", "xoney two"},
		{"Ctrl-arrows", "one two\x1b[1;5D\x1b[1;5Dx\x1b[1;5Cy\r", "xoney two"},
		{"Ctrl-L", "ab\x0cc\r", "abc"},
		{"UTF-8", "gr\u00fc\u00df\x7f\u00dfe 日本🙂\x7f\r", "gr\u00fc\u00dfe 日本"},
		{"a combining mark goes with its letter", "ae\u0301b" + left + "\x7f\r", "ab"},
		{"and is passed with it", "e\u0301" + left + "a\r", "ae\u0301"},
		{"a joined emoji is one", "a👩\u200d💻\x7f\r", "a"},
		{"ill-formed UTF-8", "a\xff\xc3b\r", "a\uFFFD\uFFFDb"},
		{"unknown keys do nothing", "a\x1b[15~\x1b[1;2P\x1bOPb\x1bxc\x00\x1c\r", "abc"},
		{"escape twice before an arrow", "ab\x1b\x1b[Dc\r", "abc"},
		{"a tab", "a\tb\r", "a\tb"},
		{"Alt-Enter", "a\x1b\rb\r", "a\nb"},
		{"lines of their own", "ab\x1b\rcd\x01x\x0b\x05y\r", "ab\nxy"},
		{"a paste of lines", "\x1b[200~one\rtwo\r\n\nthree\r\x1b[201~ four\r", "one\ntwo\n\nthree\n four"},
		{"a paste doesn't act", "a\x1b[200~\x03\x04\x01b\x1b[A\tc\x7f\x1b[201~\r", "ab[A\tc"},
		{"a paste that is empty", "a\x1b[200~\x1b[201~b\r", "ab"},
		{"a paste in the middle", "ad" + left + "\x1b[200~bc\x1b[201~x\r", "abcxd"},
		{"a paste in UTF-8", "\x1b[200~日本🙂語\x1b[201~\r", "日本🙂語"},
	} {
		for _, size := range []int{len(tc.typed), 1, 2, 3, 7} {
			e, v := open(40, 10, cut(tc.typed, size)...)
			got, err := e.Read("> ")
			if err != nil || got != tc.want {
				t.Errorf("%s, in reads of %d: %q, %v; want %q", tc.name, size, got, err, tc.want)
			}
			if v.raw || v.pasting {
				t.Errorf("%s: the terminal is not as it was", tc.name)
			}
		}
	}
}

func cut(s string, size int) (pieces []string) {
	for len(s) > size {
		pieces, s = append(pieces, s[:size]), s[size:]
	}
	return append(pieces, s)
}

// TestEndings: how a message ends that isn't entered, and what has been typed then.
func TestEndings(t *testing.T) {
	for _, tc := range []struct {
		name, typed, text string
		err               error
	}{
		{"Ctrl-D", "\x04", "", io.EOF},
		{"Ctrl-D after a deleted line", "abc\x15\x04", "", io.EOF},
		{"end of input", "abc", "abc", io.EOF},
		{"end of input in a paste", "\x1b[200~abcdefgh", "ab", io.EOF},
		{"Ctrl-C", "abc\x03", "abc", ErrInterrupted},
		{"Ctrl-C on an empty line", "\x03", "", ErrInterrupted},
	} {
		e, v := open(40, 10, tc.typed)
		if text, err := e.Read("> "); !errors.Is(err, tc.err) || text != tc.text || v.raw {
			t.Errorf("%s: %q, %v; want %q, %v", tc.name, text, err, tc.text, tc.err)
		}
	}
}

// TestHistory: the arrows lead back through what was entered, and forth to what was
// being typed.
func TestHistory(t *testing.T) {
	e, _ := open(40, 10, "one\rtwo\rtwo\r\r"+ // neither twice nor empty
		up_+up_+up_+"!\r"+ // one!
		"dra"+up_+up_+down+down+down+"ft\r"+
		up_+up_+"\x10\x0e?\r"+ // one!?
		"\x03"+up_+"\r")
	for i, want := range []string{"one", "two", "two", "", "one!", "draft", "one!?", "\x03", "one!?"} {
		got, err := e.Read("> ")
		if want == "\x03" {
			if !errors.Is(err, ErrInterrupted) {
				t.Errorf("line %d: %v", i, err)
			}
		} else if err != nil || got != want {
			t.Errorf("line %d: %q, %v; want %q", i, got, err, want)
		}
	}
	e, _ = open(40, 10)
	for i := range maxHistory + 5 {
		e.buffer.text = []rune(strconv.Itoa(i))
		e.remember()
	}
	if len(e.history) != maxHistory || string(e.history[0]) != "5" {
		t.Errorf("history of %d, from %s", len(e.history), string(e.history[0]))
	}
}

// TestLimit: what doesn't fit is left out, with a bell.
func TestLimit(t *testing.T) {
	long := strings.Repeat("x", maxMessage-1)
	e, v := open(40, 10, "\x1b[200~"+long+"\x1b[201~", "yz\r")
	got, err := e.Read("> ")
	if err != nil || got != long+"y" || v.bells != 1 {
		t.Errorf("%d characters, %v, %d bells", utf8.RuneCountInString(got), err, v.bells)
	}
}

// TestScreen: what the terminal shows after each piece of input, the cursor as "_".
func TestScreen(t *testing.T) {
	for _, tc := range []struct {
		name          string
		width, height int
		pieces        []string
		want          []string // after each piece, rows joined by "|"
	}{
		{"typing", 20, 4, []string{"abc", left + left, "x", "\x0b"}, []string{"> abc_", "> a_bc", "> ax_bc", "> ax_"}},
		{"wrapping", 6, 4, []string{"abc", "d", "e", left + left, "\x15"}, []string{"> abc_", "> abcd|_", "> abcd|e_", "> abc_d|e", "> _de"}},
		{"wide characters", 8, 4, []string{"日本", "語", "x", left + left, "\x7f"}, []string{"> 日本_", "> 日本語|_", "> 日本語|x_", "> 日本_語|x", "> 日_語x"}},
		{"a wide character doesn't fit", 7, 4, []string{"日本", "語", left}, []string{"> 日本_", "> 日本|語_", "> 日本_|語"}},
		{"combining marks", 20, 4, []string{"e\u0301o\u0308", left}, []string{"> e\u0301o\u0308_", "> e\u0301_o\u0308"}},
		{"lines", 20, 4, []string{"ab\x1b\rcd", up_, home, "\x15"}, []string{"> ab|cd_", "> ab|cd_", "> ab|_cd", "> ab|_cd"}},
		{"more lines than rows", 20, 3, []string{"\x1b[200~a\nb\nc\nd\x1b[201~", "\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D", left}, []string{"b|c|d_", "> a|_b|c", "> a_|b|c"}},
		{"clearing", 20, 4, []string{"abc", "\x0c"}, []string{"> abc_", "> abc_"}},
		{"a tab", 20, 4, []string{"a\tb"}, []string{"> a    b_"}},
	} {
		e, v := open(tc.width, tc.height)
		shown := 0
		e.In = &watched{typist{tc.pieces}, func() {
			if shown > 0 && shown <= len(tc.want) {
				if got := v.text(); got != tc.want[shown-1] {
					t.Errorf("%s, piece %d: %q, want %q", tc.name, shown, got, tc.want[shown-1])
				}
			}
			shown++
		}}
		if _, err := e.Read("> "); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if shown != len(tc.want)+1 {
			t.Errorf("%s: %d reads", tc.name, shown)
		}
	}
}

// watched calls back before each Read.
type watched struct {
	typist
	before func()
}

func (w *watched) Read(p []byte) (int, error) {
	w.before()
	return w.typist.Read(p)
}

// vt is as much of a terminal as the editor needs.
type vt struct {
	width, height int
	rows          [][]string // cells; "" after a wide character
	row, column   int
	raw, pasting  bool
	bells         int
}

func newVT(width, height int) *vt {
	v := &vt{width: width, height: height}
	v.clear(0, 0)
	return v
}

// clear makes the screen empty from a cell on.
func (v *vt) clear(row, column int) {
	for len(v.rows) < v.height {
		v.rows = append(v.rows, make([]string, v.width+1))
	}
	for r := row; r < v.height; r++ {
		for c := range v.rows[r] {
			if r > row || c >= column {
				v.rows[r][c] = " "
			}
		}
	}
}

func (v *vt) Write(p []byte) (int, error) {
	for s := string(p); s != ""; {
		n := sequence([]byte(s))
		v.put(s[:n])
		s = s[n:]
	}
	return len(p), nil
}

func (v *vt) put(s string) {
	count := func() int { return int(must(strconv.Atoi(s[2 : len(s)-1]))) }
	switch {
	case s == bell:
		v.bells++
	case s == "\r":
		v.column = 0
	case s == "\n":
		if v.row++; v.row == v.height {
			v.row--
			v.rows = append(v.rows[1:], make([]string, v.width+1))
			v.clear(v.row, 0)
		}
	case s == pasteOn, s == pasteOff:
		v.pasting = s == pasteOn
	case s == "\x1b[J":
		v.clear(v.row, v.column)
	case s == "\x1b[2J":
		v.clear(0, 0)
	case s == "\x1b[H":
		v.row, v.column = 0, 0
	case s[0] == '\x1b' && s[len(s)-1] == 'A':
		v.row = max(0, v.row-count())
	case s[0] == '\x1b' && s[len(s)-1] == 'C':
		v.column = min(v.width-1, v.column+count())
	case s[0] < ' ':
		panic(fmt.Sprintf("the terminal got %q", s))
	default:
		r, _ := utf8.DecodeRuneInString(s)
		n := columns(r)
		if n == 0 {
			v.rows[v.row][max(0, v.column-1)] += s
			return
		}
		if v.column+n > v.width {
			v.put("\r")
			v.put("\n")
		}
		v.rows[v.row][v.column] = s
		for i := 1; i < n; i++ {
			v.rows[v.row][v.column+i] = ""
		}
		v.column += n
	}
}

// text is the screen with the cursor in it, without what is empty at the ends.
func (v *vt) text() string {
	var rows []string
	for r, cells := range v.rows {
		row := strings.Join(cells, "")
		if r == v.row {
			row = strings.Join(cells[:v.column], "") + "_" + strings.Join(cells[v.column:], "")
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return strings.TrimRight(strings.Join(rows, "|"), "|")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestNames: every key does something.
func TestNames(t *testing.T) {
	elsewhere := []string{"enter", "interrupt", "delete or end", "previous", "next", "clear screen", "new line", "paste"}
	for sent, name := range names {
		if edits[name] == nil && !slices.Contains(elsewhere, name) {
			t.Errorf("%q is %q, which does nothing", sent, name)
		}
		if sequence([]byte(sent)) != len(sent) {
			t.Errorf("%q is not one sequence", sent)
		}
	}
}

// FuzzEditor: whatever a terminal sends, the editor ends and restores the terminal.
func FuzzEditor(f *testing.F) {
	f.Add("ab\x1b[D日\x1b[200~x\r\ny\x1b[201~\x7f\x03", 7, 3)
	f.Fuzz(func(t *testing.T, typed string, width, size int) {
		e, v := open(max(4, width%200), 5, cut(typed, max(1, size%64))...)
		for {
			text, err := e.Read("> ")
			if !utf8.ValidString(text) || v.raw || v.pasting {
				t.Fatalf("%q, raw %v", text, v.raw)
			}
			if errors.Is(err, io.EOF) && len(e.In.(*typist).pieces) == 0 {
				return
			}
		}
	})
}
