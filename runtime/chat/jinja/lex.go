package jinja

import (
	"fmt"
	"regexp"
	"strings"
)

// kind of a token.
type kind int

const (
	tokEOF kind = iota
	tokData
	tokBlockBegin // {%
	tokBlockEnd   // %}
	tokVarBegin   // {{
	tokVarEnd     // }}
	tokName
	tokString
	tokInteger
	tokFloat
	tokOperator
)

// token is a piece of a template. text is the data, the name, the unescaped string,
// the digits or the operator.
type token struct {
	kind kind
	text string
	line int
}

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the template"
	case tokBlockEnd:
		return "%}"
	case tokVarEnd:
		return "}}"
	case tokData:
		return "text"
	}
	return t.text
}

// lexer cuts a template into tokens as jinja2 does with trim_blocks and lstrip_blocks.
type lexer struct {
	src          string
	at           int
	line         int
	lineStarting bool // what was read last ends with a newline
	tokens       []token
}

// maxTokens bounds what a template is parsed into.
const maxTokens = 1 << 18

func lex(source string) ([]token, error) {
	l := &lexer{src: strings.TrimSuffix(normalizeNewlines(source), "\n"), line: 1, lineStarting: true}
	for l.at < len(l.src) {
		if err := l.root(); err != nil {
			return nil, err
		}
		if len(l.tokens) > maxTokens {
			return nil, l.errorf("the template has more than %d tokens", maxTokens)
		}
	}
	l.emit(tokEOF, "")
	return l.tokens, nil
}

func normalizeNewlines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (l *lexer) errorf(format string, args ...any) error {
	return &Error{l.line, fmt.Errorf(format, args...)}
}

func (l *lexer) emit(k kind, text string) { l.tokens = append(l.tokens, token{k, text, l.line}) }

// advance passes n bytes.
func (l *lexer) advance(n int) {
	passed := l.src[l.at : l.at+n]
	l.line += strings.Count(passed, "\n")
	l.at += n
	l.lineStarting = strings.HasSuffix(passed, "\n")
}

// rawBegin is the tag that begins a raw block, from its {% on.
var (
	rawBegin = regexp.MustCompile(`^\{%[-+]?[\s\v]*raw[\s\v]*(?:-%\}[\s\v]*|%\})`)
	rawEnd   = regexp.MustCompile(`\{%([-+]?)[\s\v]*endraw[\s\v]*(?:\+%\}|-%\}[\s\v]*|%\}\n?)`)
)

// root reads data up to a tag, and the tag.
func (l *lexer) root() error {
	rest := l.src[l.at:]
	begin := nextTag(rest)
	if begin < 0 {
		l.emit(tokData, rest)
		l.advance(len(rest))
		return nil
	}
	sign := byte(0)
	if c := rest[begin+2:]; c != "" && (c[0] == '-' || c[0] == '+') {
		sign = c[0]
	}
	l.data(rest[:begin], sign, rest[begin+1] == '{')
	l.advance(begin)
	if rest[begin+1] == '%' {
		if raw := rawBegin.FindString(l.src[l.at:]); raw != "" {
			l.advance(len(raw))
			return l.raw()
		}
	}
	kind, end := tokBlockBegin, "%}"
	switch rest[begin+1] {
	case '#':
		l.advance(2)
		if sign != 0 {
			l.advance(1)
		}
		return l.comment()
	case '{':
		kind, end = tokVarBegin, "}}"
	}
	l.emit(kind, rest[begin:begin+2])
	l.advance(2)
	if sign != 0 {
		l.advance(1)
	}
	return l.tag(end)
}

// nextTag is where the next {{, {% or {# is, -1 if there is none.
func nextTag(s string) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '{')
		if i < 0 || at+i+1 >= len(s) {
			return -1
		}
		at += i
		if c := s[at+1]; c == '{' || c == '%' || c == '#' {
			return at
		}
		at++
	}
}

// data emits the text before a tag: without the white space that its sign takes away,
// or, before a block or comment on a line of its own, the line's indent.
func (l *lexer) data(text string, sign byte, variable bool) {
	switch {
	case sign == '-':
		text = strings.TrimRightFunc(text, isSpace)
	case sign == 0 && !variable:
		if nl := strings.LastIndexByte(text, '\n') + 1; nl > 0 || l.lineStarting {
			if strings.TrimFunc(text[nl:], isSpace) == "" {
				text = text[:nl]
			}
		}
	}
	if text != "" {
		l.emit(tokData, text)
	}
}

func (l *lexer) comment() error {
	i := strings.Index(l.src[l.at:], "#}")
	if i < 0 {
		return l.errorf("a comment has no end: #} is missing")
	}
	strip := i > 0 && l.src[l.at+i-1] == '-'
	keep := i > 0 && l.src[l.at+i-1] == '+'
	l.advance(i)
	l.end(2, strip, !keep)
	return nil
}

// end passes n bytes of a tag's end, and after them all white space, or one newline.
func (l *lexer) end(n int, strip, newline bool) {
	rest := l.src[l.at+n:]
	switch {
	case strip:
		n += len(rest) - len(strings.TrimLeftFunc(rest, isSpace))
	case newline && strings.HasPrefix(rest, "\n"):
		n++
	}
	l.advance(n)
}

func (l *lexer) raw() error {
	m := rawEnd.FindStringSubmatchIndex(l.src[l.at:])
	if m == nil {
		return l.errorf("a raw block has no end: endraw is missing")
	}
	rest := l.src[l.at:]
	sign := byte(0)
	if m[2] < m[3] {
		sign = rest[m[2]]
	}
	l.data(rest[:m[0]], sign, false)
	l.advance(m[1])
	return nil
}

// The tokens of expressions; operators sorted so that the longest is tried first.
var (
	floatToken   = regexp.MustCompile(`^(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)`)
	integerToken = regexp.MustCompile(`^(?:0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*)`)
	nameToken    = regexp.MustCompile(`^[\pL\p{Nl}_][\pL\pN\p{Mn}\p{Mc}\p{Pc}_]*`)
	stringToken  = regexp.MustCompile(`^(?s:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")`)
	operators    = []string{"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";"}
	closing      = map[string]string{"(": ")", "[": "]", "{": "}"}
)

// tag reads the tokens of a block or variable up to its end.
func (l *lexer) tag(end string) error {
	var open []string // the closing brackets that are owed
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		if len(open) == 0 && l.tagEnd(rest, end) {
			return nil
		}
		if n := len(rest) - len(strings.TrimLeftFunc(rest, isSpace)); n > 0 {
			l.advance(n)
			continue
		}
		if len(l.tokens) > maxTokens {
			return nil // lex says so
		}
		n, err := l.word(rest)
		if err != nil {
			return err
		}
		if n == 0 {
			if n, err = l.operator(rest, &open); err != nil {
				return err
			}
		}
		l.advance(n)
	}
	return l.errorf("the template ends inside a tag: %s is missing", end)
}

func (l *lexer) tagEnd(rest, end string) bool {
	kind := tokBlockEnd
	if end == "}}" {
		kind = tokVarEnd
	}
	switch {
	case strings.HasPrefix(rest, "-"+end):
		l.emit(kind, end)
		l.end(3, true, false)
	case end == "%}" && strings.HasPrefix(rest, "+"+end):
		l.emit(kind, end)
		l.end(3, false, false)
	case strings.HasPrefix(rest, end):
		l.emit(kind, end)
		l.end(2, false, end == "%}")
	default:
		return false
	}
	return true
}

// word reads a number, name or string; 0 if there is none.
func (l *lexer) word(rest string) (int, error) {
	afterDot := l.at > 0 && l.src[l.at-1] == '.'
	if w := floatToken.FindString(rest); w != "" && !afterDot {
		l.emit(tokFloat, strings.ReplaceAll(w, "_", ""))
		return len(w), nil
	}
	if w := integerToken.FindString(rest); w != "" {
		l.emit(tokInteger, strings.ReplaceAll(w, "_", ""))
		return len(w), nil
	}
	if w := nameToken.FindString(rest); w != "" {
		l.emit(tokName, w)
		return len(w), nil
	}
	if w := stringToken.FindString(rest); w != "" {
		s, err := unescape(w[1 : len(w)-1])
		if err != nil {
			return 0, l.errorf("string %s: %w", w, err)
		}
		l.emit(tokString, s)
		return len(w), nil
	}
	return 0, nil
}

func (l *lexer) operator(rest string, open *[]string) (int, error) {
	for _, op := range operators {
		if !strings.HasPrefix(rest, op) {
			continue
		}
		if c, ok := closing[op]; ok {
			*open = append(*open, c)
		} else if strings.Contains(")]}", op) {
			n := len(*open)
			if n == 0 || (*open)[n-1] != op {
				return 0, l.errorf("unexpected %q", op)
			}
			*open = (*open)[:n-1]
		}
		l.emit(tokOperator, op)
		return len(op), nil
	}
	return 0, l.errorf("unexpected %q", []rune(rest)[0])
}
