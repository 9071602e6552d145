package jinja

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// maxSource bounds a template's text in bytes, maxNesting its tags and brackets.
const (
	maxSource  = 4 << 20
	maxNesting = 150
)

// Template is a parsed template. It is safe for concurrent use.
type Template struct {
	body block
}

// Parse reads a template. What it cannot render is refused here, by name: unknown
// tags, filters, tests, and functions that nothing defines. Errors are *Error.
func Parse(source string) (*Template, error) {
	if len(source) > maxSource {
		return nil, &Error{1, fmt.Errorf("the template has %d bytes, the limit is %d", len(source), maxSource)}
	}
	if !utf8.ValidString(source) {
		return nil, &Error{1, errors.New("the template is not valid UTF-8")}
	}
	tokens, err := lex(source)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens, names: map[string]bool{"caller": true}}
	body, err := p.template()
	if err != nil {
		return nil, err
	}
	return &Template{body}, p.checkCalls()
}

// parser is a recursive descent over the tokens, in the order of jinja2's grammar.
// Errors travel as panics of *Error to template.
type parser struct {
	tokens []token
	at     int
	depth  int
	loops  int // that a break or continue may mean
	names  map[string]bool
	calls  []called
	macros []*macroNode // being parsed, the innermost last
}

// called is a call by name, of a function or, after a dot, of a method.
type called struct {
	name   string
	method bool
	line   int
}

func (p *parser) template() (body block, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			panic(r)
		}
	}()
	body, _ = p.until()
	return body, nil
}

func (p *parser) fail(format string, args ...any) {
	panic(&Error{p.peek().line, fmt.Errorf(format, args...)})
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokEOF {
		p.at++
	}
	return t
}

// is reports whether the next token is that operator or name.
func (p *parser) is(k kind, text string) bool {
	t := p.peek()
	return t.kind == k && t.text == text
}

// skip passes the token if it is next.
func (p *parser) skip(k kind, text string) bool {
	if p.is(k, text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(k kind, text string) token {
	if !p.is(k, text) {
		p.fail("expected %q, found %q", text, p.peek())
	}
	return p.next()
}

func (p *parser) expectKind(k kind, what string) token {
	if p.peek().kind != k {
		p.fail("expected %s, found %q", what, p.peek())
	}
	return p.next()
}

func (p *parser) name() string { return p.expectKind(tokName, "a name").text }

// nested runs f one level down.
func nested[T any](p *parser, f func() T) T {
	if p.depth++; p.depth > maxNesting {
		p.fail("tags or brackets are nested more than %d deep", maxNesting)
	}
	out := f()
	p.depth--
	return out
}

// until parses text, output and blocks up to one of the end tags, whose name it
// returns; without end tags up to the end of the template.
func (p *parser) until(ends ...string) (block, string) {
	var body block
	for {
		switch t := p.next(); t.kind {
		case tokData:
			body = append(body, &dataNode{Plain(t.text)})
		case tokVarBegin:
			body = append(body, &outputNode{t.line, p.tuple(true)})
			p.expectKind(tokVarEnd, "}}")
		case tokBlockBegin:
			name := p.name()
			if slices.Contains(ends, name) {
				return body, name
			}
			body = append(body, p.statement(name, ends))
			p.expectKind(tokBlockEnd, "%}")
		default: // the end
			if len(ends) > 0 {
				p.fail("the template ends where a tag is open: %s is missing", ends[len(ends)-1])
			}
			return body, ""
		}
	}
}

// body parses the end of a tag and what follows up to one of the end tags.
func (p *parser) body(ends ...string) (block, string) {
	p.skip(tokOperator, ":")
	p.expectKind(tokBlockEnd, "%}")
	type result struct {
		b   block
		end string
	}
	r := nested(p, func() result { b, end := p.until(ends...); return result{b, end} })
	return r.b, r.end
}

// refusedTags are tags of jinja2 that have no meaning in a chat template.
var refusedTags = []string{"autoescape", "block", "extends", "from", "import", "include"}

func (p *parser) statement(name string, ends []string) statement {
	if parse, ok := tags[name]; ok {
		return parse(p)
	}
	if slices.Contains(refusedTags, name) {
		p.fail("the tag %s is not supported in a chat template", name)
	}
	if len(ends) > 0 {
		p.fail("unknown tag %s, where %s may end the open one", name, ends)
	}
	p.fail("unknown tag %s", name)
	return nil
}

// checkCalls refuses calls of functions and methods that nothing can define. A name
// that the template compares with defined is allowed.
func (p *parser) checkCalls() error {
	for _, c := range p.calls {
		if p.names[c.name] || !c.method && globals[c.name] != nil || c.method && isMethod(c.name) {
			continue
		}
		err := fmt.Errorf("unknown function %s", c.name)
		if c.method {
			err = fmt.Errorf("unknown method %s", c.name)
		}
		return &Error{c.line, err}
	}
	return nil
}
