package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of Parse, far above what lower emits.
const (
	maxText  = 64 << 20 // bytes of text
	maxDepth = 64       // nested regions or attribute dictionaries
	maxFuncs = 1024     // functions of a module
)

// Parse reads the text of a module in the form that Print writes it, and verifies
// it: Parse(Print(m)) equals m. Of MLIR's syntax it knows only what Print uses.
// Errors name the line.
func Parse(text string) (m *Module, err error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("ir: the text has %d bytes, the limit is %d", len(text), maxText)
	}
	p := &parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*syntaxError)
			if !ok {
				panic(r)
			}
			m, err = nil, e
		}
	}()
	p.advance()
	m = p.module()
	return m, Verify(m)
}

// syntaxError stops parsing; Parse returns it.
type syntaxError struct {
	line int
	msg  string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("ir: line %d: %s", e.line, e.msg) }

// parser reads one module. tok is the next token.
type parser struct {
	text   string
	tok    token
	scopes []map[string]*Value // from the function's to the innermost block's
	items  int                 // comma-separated things read of the current op
	depth  int
}

func (p *parser) fail(format string, args ...any) {
	line := 1 + strings.Count(p.text[:p.tok.start], "\n")
	panic(&syntaxError{line, fmt.Sprintf(format, args...)})
}

func (p *parser) advance() { p.tok = scan(p.text, p.tok.end) }

// is reports whether the next token is that word or punctuation.
func (p *parser) is(text string) bool {
	return p.tok.text == text && (p.tok.kind == wordToken || p.tok.kind == punctToken)
}

// accept takes the next token if it is that word or punctuation.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

// expect takes those tokens.
func (p *parser) expect(texts ...string) {
	for _, text := range texts {
		if !p.accept(text) {
			p.fail("found %.40q, want %q", p.tok.text, text)
		}
	}
}

// take takes a token of that kind and returns its text.
func (p *parser) take(kind tokenKind, what string) string {
	if p.tok.kind != kind {
		p.fail("found %.40q, want %s", p.tok.text, what)
	}
	text := p.tok.text
	p.advance()
	return text
}

// item begins one of the comma-separated things after the name of an op.
func (p *parser) item() {
	if p.items > 0 {
		p.expect(",")
	}
	p.items++
}

// nextItemIs begins an item if it is a token of that kind.
func (p *parser) nextItemIs(kind tokenKind) bool {
	if p.items == 0 && p.tok.kind != kind {
		return false
	}
	p.item()
	return true
}

// list reads open element, element, … close.
func (p *parser) list(open, shut string, element func()) {
	p.expect(open)
	if p.accept(shut) {
		return
	}
	for more := true; more; more = p.accept(",") {
		element()
	}
	p.expect(shut)
}

// deeper runs f one level of nesting down.
func (p *parser) deeper(f func()) {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested deeper than %d levels", maxDepth)
	}
	f()
	p.depth--
}

func (p *parser) module() *Module {
	m := &Module{}
	p.expect("module")
	if p.tok.kind == symbolToken {
		m.Name = p.take(symbolToken, "a name")
	}
	if p.accept("attributes") {
		m.Attrs = p.attrMap()
	}
	p.expect("{")
	for !p.accept("}") {
		if len(m.Funcs) == maxFuncs {
			p.fail("more than %d functions", maxFuncs)
		}
		m.Funcs = append(m.Funcs, p.function())
	}
	if p.tok.kind != endToken {
		p.fail("found %.40q after the module", p.tok.text)
	}
	return m
}

func (p *parser) function() *Func {
	f := &Func{Body: &Block{}}
	p.expect("func.func")
	f.Private = p.accept("private")
	f.Name = p.take(symbolToken, "a function name")
	p.scoped(func() {
		p.list("(", ")", func() {
			f.Args = append(f.Args, p.typedName())
			var attrs map[string]any
			if p.is("{") {
				attrs = p.attrMap()
			}
			f.ArgAttrs = append(f.ArgAttrs, attrs)
		})
		if p.accept("->") {
			f.Results = p.resultTypes()
		}
		if f.NoInline = p.accept("attributes"); f.NoInline {
			p.expect("{", "no_inline", ",", "noinline", "}")
		}
		p.expect("{")
		p.ops(f.Body)
		p.expect("}")
	})
	return f
}

// ops reads operations into b up to the closing brace.
func (p *parser) ops(b *Block) {
	for !p.is("}") {
		b.Ops = append(b.Ops, p.op())
	}
}

func (p *parser) op() *Op {
	var names []string
	if p.tok.kind == valueToken {
		for more := true; more; more = p.accept(",") {
			names = append(names, p.take(valueToken, "a value"))
		}
		p.expect("=")
	}
	def := p.opName()
	op := &parsedOp{Op: &Op{Name: def.name}}
	if def.attrs != nil {
		op.Attrs = map[string]any{}
	}
	p.items = 0
	for _, piece := range def.form {
		piece.parse(p, op)
	}
	if len(names) != len(op.types) {
		p.fail("%s: %d results have names, %d have types", def.name, len(names), len(op.types))
	}
	for i, name := range names {
		v := p.define(name, op.types[i])
		v.Def = op.Op
		op.Results = append(op.Results, v)
	}
	return op.Op
}

// opName reads the name of an op, quoted where it has the generic form.
func (p *parser) opName() *opDef {
	quoted := p.tok.kind == stringToken
	if !quoted && p.tok.kind != wordToken {
		p.fail("found %.40q, want an operation", p.tok.text)
	}
	def := opSpellings[p.tok.text]
	if def == nil || def.generic != quoted {
		p.fail("%.60q is not an operation that ir knows", p.tok.text)
	}
	p.advance()
	return def
}

// scoped runs f with a scope of its own for the names of values.
func (p *parser) scoped(f func()) {
	p.deeper(func() {
		p.scopes = append(p.scopes, map[string]*Value{})
		f()
		p.scopes = p.scopes[:len(p.scopes)-1]
	})
}

// define makes the value of that name in the innermost scope. A name that is not
// a number becomes the value's hint.
func (p *parser) define(name string, t Type) *Value {
	scope := p.scopes[len(p.scopes)-1]
	if scope[name] != nil {
		p.fail("%%%s is defined twice", name)
	}
	v := &Value{Type: t}
	if isHint(name) {
		v.Hint = name
	}
	scope[name] = v
	return v
}

// value reads the name of a defined value.
func (p *parser) value() *Value {
	name := p.take(valueToken, "a value")
	for _, scope := range slices.Backward(p.scopes) {
		if v := scope[name]; v != nil {
			return v
		}
	}
	p.fail("%%%s is not defined", name)
	return nil
}

// values reads %a, %b, … as long as a value follows the comma.
func (p *parser) values() []*Value {
	vs := []*Value{p.value()}
	for p.is(",") && scan(p.text, p.tok.end).kind == valueToken {
		p.advance()
		vs = append(vs, p.value())
	}
	return vs
}

// typedName reads %name: type and defines the value.
func (p *parser) typedName() *Value {
	name := p.take(valueToken, "a value")
	p.expect(":")
	return p.define(name, p.typ())
}

// typedNames reads (%a: type, %b: type).
func (p *parser) typedNames(open, shut string) []*Value {
	var vs []*Value
	p.list(open, shut, func() { vs = append(vs, p.typedName()) })
	return vs
}

// typ reads tensor<4x8xf32>.
func (p *parser) typ() Type {
	if !p.is("tensor") {
		p.fail("found %.40q, want a tensor type", p.tok.text)
	}
	p.advance()
	if !p.is("<") {
		p.fail("found %.40q, want a tensor type", p.tok.text)
	}
	const longest = maxRank*20 + 10
	inner, _, ok := strings.Cut(p.text[p.tok.end:min(len(p.text), p.tok.end+longest)], ">")
	if !ok {
		p.fail("the tensor type does not end")
	}
	dims := strings.Split(inner, "x")
	d, err := ParseDType(dims[len(dims)-1])
	t := Type{DType: d}
	for _, dim := range dims[:len(dims)-1] {
		n, numErr := strconv.Atoi(dim)
		if numErr != nil || !isDigit(dim[0]) {
			err = fmt.Errorf("ir: dimension %q", dim)
		}
		t.Shape = append(t.Shape, n)
	}
	if err == nil {
		err = checkType(t)
	}
	if err != nil {
		p.fail("tensor<%s>: %v", inner, err)
	}
	p.tok.end += len(inner) + 1
	p.advance()
	return t
}

// types reads type, type, ….
func (p *parser) types() []Type {
	ts := []Type{p.typ()}
	for p.accept(",") {
		ts = append(ts, p.typ())
	}
	return ts
}

// typeTuple reads (type, type).
func (p *parser) typeTuple() []Type {
	var ts []Type
	p.list("(", ")", func() { ts = append(ts, p.typ()) })
	return ts
}

// resultTypes reads a type, or several in parentheses.
func (p *parser) resultTypes() []Type {
	if p.is("(") {
		return p.typeTuple()
	}
	return []Type{p.typ()}
}

// checkTypes checks the stated types of operands.
func (p *parser) checkTypes(op *parsedOp, stated []Type) {
	if !equalTypes(typesOf(op.Operands), stated) {
		p.fail("%s: the text states operand types %s", describe(op.Op), typeList(stated))
	}
}

// onlyType is the one stated result type.
func (p *parser) onlyType(op *parsedOp) Type {
	if len(op.types) != 1 {
		p.fail("%s: %d result types, want 1", op.Name, len(op.types))
	}
	return op.types[0]
}
