package jinja

import (
	"math/big"
	"slices"
	"strconv"
)

// endsTuple reports whether an expression list can't go on.
func (p *parser) endsTuple(ends []string) bool {
	t := p.peek()
	return t.kind == tokVarEnd || t.kind == tokBlockEnd || p.is(tokOperator, ")") || t.kind == tokName && slices.Contains(ends, t.text)
}

// tuple parses expressions with commas between them: a tuple, or if there is no comma
// the one expression. condition allows x if y.
func (p *parser) tuple(condition bool, ends ...string) expression {
	e := p.expressions(condition, ends)
	if e == nil {
		p.fail("expected an expression, found %q", p.peek())
	}
	return e
}

// expressions is tuple, or nil if there is nothing.
func (p *parser) expressions(condition bool, ends []string) expression {
	var items []expression
	tuple := false
	for !p.endsTuple(ends) {
		items = append(items, p.expression(condition))
		if !p.skip(tokOperator, ",") {
			break
		}
		tuple = true
	}
	switch {
	case tuple:
		return &listExpr{kind: tupleKind, items: items}
	case items == nil:
		return nil
	}
	return items[0]
}

func (p *parser) expression(condition bool) expression {
	return nested(p, func() expression {
		if !condition {
			return p.or()
		}
		return p.conditional()
	})
}

func (p *parser) conditional() expression {
	e := p.or()
	for p.skip(tokName, "if") {
		c := &conditionExpr{then: e, test: p.or()}
		if p.skip(tokName, "else") {
			c.orElse = nested(p, p.conditional)
		}
		e = c
	}
	return e
}

func (p *parser) or() expression {
	e := p.and()
	for p.skip(tokName, "or") {
		e = &logicExpr{left: e, right: p.and(), or: true}
	}
	return e
}

func (p *parser) and() expression {
	e := p.not()
	for p.skip(tokName, "and") {
		e = &logicExpr{left: e, right: p.not()}
	}
	return e
}

func (p *parser) not() expression {
	if p.skip(tokName, "not") {
		return &notExpr{nested(p, p.not)}
	}
	return p.compare()
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

func (p *parser) compare() expression {
	c := &compareExpr{line: p.peek().line, first: p.sum()}
	for {
		t := p.peek()
		op := ""
		switch {
		case t.kind == tokOperator && slices.Contains(comparisons, t.text):
			op = p.next().text
		case p.skip(tokName, "in"):
			op = "in"
		case p.is(tokName, "not") && p.tokens[p.at+1].kind == tokName && p.tokens[p.at+1].text == "in":
			p.at += 2
			op = "not in"
		}
		if op == "" {
			break
		}
		c.rest = append(c.rest, comparison{op, p.sum()})
	}
	if c.rest == nil {
		return c.first
	}
	return c
}

// binary parses operands with any of the operators between them, from left to right.
func (p *parser) binary(operand func() expression, operators ...string) expression {
	e := operand()
	for {
		t := p.peek()
		if t.kind != tokOperator || !slices.Contains(operators, t.text) {
			return e
		}
		p.next()
		e = &binaryExpr{line: t.line, op: t.text, left: e, right: operand()}
	}
}

func (p *parser) sum() expression { return p.binary(p.concat, "+", "-") }

func (p *parser) concat() expression {
	items := []expression{p.product()}
	line := p.peek().line
	for p.skip(tokOperator, "~") {
		items = append(items, p.product())
	}
	if len(items) == 1 {
		return items[0]
	}
	return &concatExpr{line, items}
}

func (p *parser) product() expression { return p.binary(p.power, "*", "/", "//", "%") }

func (p *parser) power() expression {
	return p.binary(func() expression { return p.unary(true) }, "**")
}

func (p *parser) unary(filters bool) expression {
	var e expression
	t := p.peek()
	if p.skip(tokOperator, "-") || p.skip(tokOperator, "+") {
		e = &unaryExpr{t.line, t.text == "-", nested(p, func() expression { return p.unary(false) })}
	} else {
		e = p.primary()
	}
	e = p.postfix(e)
	if filters {
		e = p.filtersAndTests(e)
	}
	return e
}

func (p *parser) primary() expression {
	t := p.next()
	switch t.kind {
	case tokName:
		if v, ok := constants[t.text]; ok {
			return constExpr{v}
		}
		return p.load(t)
	case tokString:
		s := t.text
		for p.peek().kind == tokString {
			s += p.next().text
		}
		return constExpr{Plain(s)}
	case tokInteger:
		return constExpr{p.integer(t.text)}
	case tokFloat:
		f, _ := strconv.ParseFloat(t.text, 64) // too large: infinite, as in Python
		return constExpr{f}
	case tokOperator:
		switch t.text {
		case "(":
			e := nested(p, func() expression { return p.expressions(true, nil) })
			p.expect(tokOperator, ")")
			if e == nil {
				return &listExpr{kind: tupleKind}
			}
			return e
		case "[":
			return &listExpr{kind: listKind, items: p.list("]")}
		case "{":
			return p.dict(t.line)
		}
	}
	p.at--
	p.fail("unexpected %q", t)
	return nil
}

// macroNames are what a macro gets beside its parameters if it uses them.
var macroNames = []string{"varargs", "kwargs", "caller"}

func (p *parser) load(t token) expression {
	if slices.Contains(macroNames, t.text) {
		for _, m := range p.macros {
			m.uses = append(m.uses, t.text)
		}
	}
	return &nameExpr{t.line, t.text}
}

func (p *parser) integer(digits string) Value {
	v, ok := new(big.Int).SetString(digits, 0)
	if !ok || len(digits) > maxDigits {
		p.fail("%s is no number", digits)
	}
	return normalInt(v)
}

// list parses expressions with commas between them up to the closing bracket.
func (p *parser) list(end string) []expression {
	var items []expression
	for !p.is(tokOperator, end) {
		if items != nil {
			p.expect(tokOperator, ",")
			if p.is(tokOperator, end) {
				break
			}
		}
		items = append(items, p.expression(true))
	}
	p.next()
	return items
}

func (p *parser) dict(line int) expression {
	d := &dictExpr{line: line}
	for !p.is(tokOperator, "}") {
		if d.keys != nil {
			p.expect(tokOperator, ",")
			if p.is(tokOperator, "}") {
				break
			}
		}
		d.keys = append(d.keys, p.expression(true))
		p.expect(tokOperator, ":")
		d.values = append(d.values, p.expression(true))
	}
	p.next()
	return d
}

// maxChain bounds what follows one value: a.b.c(d)|e|f.
const maxChain = 200

func (p *parser) postfix(e expression) expression {
	for n := 0; ; n++ {
		if n > maxChain {
			p.fail("more than %d attributes and calls in a row", maxChain)
		}
		switch {
		case p.is(tokOperator, ".") || p.is(tokOperator, "["):
			e = p.subscript(e)
		case p.is(tokOperator, "("):
			e = p.call(e)
		default:
			return e
		}
	}
}

func (p *parser) filtersAndTests(e expression) expression {
	for n := 0; ; n++ {
		if n > maxChain {
			p.fail("more than %d filters and tests in a row", maxChain)
		}
		switch {
		case p.skip(tokOperator, "|"):
			e = p.filter(e)
		case p.is(tokName, "is"):
			e = p.test(e)
		case p.is(tokOperator, "("):
			e = p.call(e)
		default:
			return e
		}
	}
}

func (p *parser) subscript(of expression) expression {
	line := p.peek().line
	if p.skip(tokOperator, ".") {
		if t := p.peek(); t.kind == tokInteger {
			p.next()
			return &itemExpr{line, of, constExpr{p.integer(t.text)}}
		}
		return &attributeExpr{line, of, p.name()}
	}
	p.next()
	var items []expression
	for !p.is(tokOperator, "]") {
		if items != nil {
			p.expect(tokOperator, ",")
		}
		items = append(items, p.sliceOrIndex())
	}
	p.next()
	switch len(items) {
	case 0:
		p.fail("an index is missing")
	case 1:
		if s, ok := items[0].(*sliceExpr); ok {
			s.line, s.of = line, of
			return s
		}
		return &itemExpr{line, of, items[0]}
	}
	for _, i := range items {
		if _, ok := i.(*sliceExpr); ok {
			p.fail("a slice beside another index is not supported")
		}
	}
	return &itemExpr{line, of, &listExpr{kind: tupleKind, items: items}}
}

func (p *parser) sliceOrIndex() expression {
	s := &sliceExpr{}
	for i := range s.bounds {
		if i > 0 && !p.skip(tokOperator, ":") {
			break
		}
		if !p.is(tokOperator, ":") && !p.is(tokOperator, "]") && !p.is(tokOperator, ",") {
			s.bounds[i] = p.expression(true)
		}
		if i == 0 && !p.is(tokOperator, ":") {
			if s.bounds[0] == nil {
				p.fail("an index is missing")
			}
			return s.bounds[0]
		}
	}
	return s
}

// arguments parses the arguments of a call.
func (p *parser) arguments() arguments {
	var a arguments
	p.expect(tokOperator, "(")
	for n := 0; !p.is(tokOperator, ")"); n++ {
		if n > 0 {
			p.expect(tokOperator, ",")
			if p.is(tokOperator, ")") {
				break
			}
		}
		ordered := a.rest == nil && a.keywordRest == nil
		next := p.tokens[min(p.at+1, len(p.tokens)-1)]
		switch {
		case p.is(tokOperator, "*") && ordered:
			p.next()
			a.rest = p.expression(true)
		case p.is(tokOperator, "**") && a.keywordRest == nil:
			p.next()
			a.keywordRest = p.expression(true)
		case p.peek().kind == tokName && next.kind == tokOperator && next.text == "=" && a.keywordRest == nil:
			name := p.name()
			p.next()
			a.keywords = append(a.keywords, keywordExpr{name, p.expression(true)})
		case ordered && a.keywords == nil:
			a.positional = append(a.positional, p.expression(true))
		default:
			p.fail("an argument by position after one by name")
		}
	}
	p.next()
	return a
}

func (p *parser) call(f expression) expression {
	line := p.peek().line
	switch f := f.(type) {
	case *nameExpr:
		p.calls = append(p.calls, called{f.name, false, line})
	case *attributeExpr:
		p.calls = append(p.calls, called{f.name, true, line})
	}
	return &callExpr{line, f, p.arguments()}
}

// dotted is a name that may have dots.
func (p *parser) dotted() string {
	name := p.name()
	for p.skip(tokOperator, ".") {
		name += "." + p.name()
	}
	return name
}

// filters parses any number of filters.
func (p *parser) filters(e expression) expression {
	for n := 0; p.skip(tokOperator, "|"); n++ {
		if n > maxChain {
			p.fail("more than %d filters in a row", maxChain)
		}
		e = p.filter(e)
	}
	return e
}

func (p *parser) filter(of expression) expression {
	line, name := p.peek().line, p.dotted()
	f := &filterExpr{line: line, of: of, filter: filters[name]}
	if f.filter == nil {
		p.at--
		p.fail("unknown filter %s", name)
	}
	if p.is(tokOperator, "(") {
		f.args = p.arguments()
	}
	return f
}

func (p *parser) test(of expression) expression {
	p.next()
	not := p.skip(tokName, "not")
	line, name := p.peek().line, p.dotted()
	t := &testExpr{line: line, of: of, test: tests[name]}
	if t.test == nil {
		p.at--
		p.fail("unknown test %s", name)
	}
	switch next := p.peek(); {
	case p.is(tokOperator, "("):
		t.args = p.arguments()
	case next.kind == tokName && !slices.Contains([]string{"else", "or", "and"}, next.text),
		next.kind == tokString, next.kind == tokInteger, next.kind == tokFloat, p.is(tokOperator, "["), p.is(tokOperator, "{"):
		if next.text == "is" && next.kind == tokName {
			p.fail("tests can't be chained with is")
		}
		t.args.positional = []expression{p.postfix(p.primary())}
	}
	if name == "defined" || name == "undefined" {
		switch of := of.(type) {
		case *nameExpr:
			p.names[of.name] = true
		case *attributeExpr:
			p.names[of.name] = true
		}
	}
	if not {
		return &notExpr{t}
	}
	return t
}
