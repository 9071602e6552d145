package jinja

import (
	"slices"
	"strings"
)

func (e constExpr) eval(*machine, *scope) Value { return e.value }

func (e *nameExpr) eval(m *machine, s *scope) Value {
	m.step(1)
	return s.get(e.name)
}

func (e *listExpr) eval(m *machine, s *scope) Value {
	items := make([]Value, len(e.items))
	for i, item := range e.items {
		items[i] = item.eval(m, s)
	}
	return m.list(e.kind, items)
}

func (e *dictExpr) eval(m *machine, s *scope) Value {
	m.alloc(64 * len(e.keys))
	d := NewDict()
	for i, k := range e.keys {
		key := k.eval(m, s)
		m.line = e.line
		d.set(m.hashKey(key), key, e.values[i].eval(m, s))
	}
	return d
}

func (e *attributeExpr) eval(m *machine, s *scope) Value {
	of := e.of.eval(m, s)
	m.line = e.line
	return m.attribute(of, e.name)
}

func (e *itemExpr) eval(m *machine, s *scope) Value {
	of, index := e.of.eval(m, s), e.index.eval(m, s)
	m.line = e.line
	return m.item(of, index)
}

func (e *sliceExpr) eval(m *machine, s *scope) Value {
	of := e.of.eval(m, s)
	var bounds [3]Value
	for i, b := range e.bounds {
		if b != nil {
			bounds[i] = b.eval(m, s)
		}
	}
	m.line = e.line
	return m.slice(of, bounds)
}

func (e *callExpr) eval(m *machine, s *scope) Value {
	f := e.f.eval(m, s)
	c := e.arguments(m, s)
	return m.call(f, c)
}

func (e *callExpr) arguments(m *machine, s *scope) call {
	c := e.args.eval(m, s)
	m.line = e.line
	return c
}

// eval evaluates the arguments from left to right.
func (a *arguments) eval(m *machine, s *scope) call {
	var c call
	for _, e := range a.positional {
		c.positional = append(c.positional, e.eval(m, s))
	}
	for _, k := range a.keywords {
		c.keywords = append(c.keywords, keyword{k.name, k.value.eval(m, s)})
	}
	if a.rest != nil {
		rest := m.iterate(a.rest.eval(m, s))
		m.alloc(16 * len(rest))
		c.positional = append(c.positional, rest...)
	}
	if a.keywordRest != nil {
		d, ok := a.keywordRest.eval(m, s).(*Dict)
		if !ok {
			m.fail("the argument after ** must be a mapping")
		}
		m.alloc(32 * d.Len())
		for i, k := range d.keys {
			c.keywords = append(c.keywords, keyword{m.textOf(k, "a keyword").s, d.values[i]})
		}
	}
	return c
}

func (e *filterExpr) eval(m *machine, s *scope) Value {
	of := e.of.eval(m, s)
	c := e.args.eval(m, s)
	m.line = e.line
	return e.filter.call(m, []Value{of}, c)
}

func (e *testExpr) eval(m *machine, s *scope) Value {
	of := e.of.eval(m, s)
	c := e.args.eval(m, s)
	m.line = e.line
	return truth(e.test.call(m, []Value{of}, c))
}

func (e *conditionExpr) eval(m *machine, s *scope) Value {
	switch {
	case truth(e.test.eval(m, s)):
		return e.then.eval(m, s)
	case e.orElse != nil:
		return e.orElse.eval(m, s)
	}
	return Undefined{"the inline if-expression evaluated to false and no else section was defined"}
}

func (e *logicExpr) eval(m *machine, s *scope) Value {
	left := e.left.eval(m, s)
	if truth(left) == e.or {
		return left
	}
	return e.right.eval(m, s)
}

func (e *notExpr) eval(m *machine, s *scope) Value { return !truth(e.of.eval(m, s)) }

func (e *compareExpr) eval(m *machine, s *scope) Value {
	left := e.first.eval(m, s)
	for _, c := range e.rest {
		right := c.right.eval(m, s)
		m.line = e.line
		if !m.compare(c.op, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (m *machine) compare(op string, a, b Value) bool {
	switch op {
	case "==":
		return m.equal(a, b)
	case "!=":
		return !m.equal(a, b)
	case "in":
		return m.contains(b, a)
	case "not in":
		return !m.contains(b, a)
	}
	if isNaN(a) || isNaN(b) {
		return false
	}
	o := m.order(a, b, op)
	switch op {
	case "<":
		return o < 0
	case "<=":
		return o <= 0
	case ">":
		return o > 0
	}
	return o >= 0
}

func isNaN(v Value) bool {
	f, ok := v.(float64)
	return ok && f != f
}

func (e *concatExpr) eval(m *machine, s *scope) Value {
	b := m.builder()
	for _, item := range e.items {
		v := item.eval(m, s)
		m.line = e.line
		b.write(m.text(v))
	}
	return b.text()
}

func (e *unaryExpr) eval(m *machine, s *scope) Value {
	v := e.of.eval(m, s)
	m.line = e.line
	n, ok := number(v)
	switch {
	case !ok:
		m.defined(v)
		m.fail("bad operand type for unary %s: '%s'", map[bool]string{true: "-", false: "+"}[e.negate], typeName(v))
	case n.float && e.negate:
		return -n.f
	case n.float:
		return n.f
	case e.negate:
		return m.arithmetic("-", numeric{}, n)
	}
	return normalInt(n.big())
}

func (e *binaryExpr) eval(m *machine, s *scope) Value {
	a, b := e.left.eval(m, s), e.right.eval(m, s)
	m.line = e.line
	return m.binary(e.op, a, b)
}

// binary is a op b for the operators of arithmetic, which strings and lists have too.
func (m *machine) binary(op string, a, b Value) Value {
	m.step(1)
	if _, ok := a.(Text); !ok || op != "%" {
		m.defined(a, b)
	}
	x, isNumber := number(a)
	y, bothNumbers := number(b)
	switch {
	case isNumber && bothNumbers:
		return m.arithmetic(op, x, y)
	case op == "*" && bothNumbers && !y.float:
		if v, ok := m.repeat(a, m.intOf(b, "a factor")); ok {
			return v
		}
	case op == "*" && isNumber && !x.float:
		if v, ok := m.repeat(b, m.intOf(a, "a factor")); ok {
			return v
		}
	}
	switch a := a.(type) {
	case Text:
		if op == "%" {
			return m.percent(a, b)
		}
		if b, ok := b.(Text); ok && op == "+" {
			return m.concat(a, b)
		}
		if op == "+" {
			m.fail(`can only concatenate str (not "%s") to str`, typeName(b))
		}
	case *List:
		if b, ok := b.(*List); ok && op == "+" && a.kind == b.kind && a.kind <= tupleKind {
			return m.list(a.kind, append(a.items[:len(a.items):len(a.items)], b.items...))
		}
		if op == "+" {
			m.fail(`can only concatenate %s (not "%s") to %[1]s`, typeName(a), typeName(b))
		}
	}
	m.fail("unsupported operand type(s) for %s: '%s' and '%s'", op, typeName(a), typeName(b))
	return nil
}

func (m *machine) concat(a, b Text) Text {
	out := m.builder()
	out.write(a)
	out.write(b)
	return out.text()
}

// repeat is a string or list n times.
func (m *machine) repeat(v Value, n int) (Value, bool) {
	n = max(n, 0)
	switch v := v.(type) {
	case Text:
		return m.repeatText(v, n), true
	case *List:
		if v.kind > tupleKind {
			return nil, false
		}
		if n *= len(v.items); n == 0 {
			return &List{kind: v.kind}, true
		}
		m.alloc(16 * n)
		return &List{v.kind, slices.Repeat(v.items, n/len(v.items))}, true
	}
	return nil, false
}

func (m *machine) repeatText(t Text, n int) Text {
	m.alloc(n * (len(t.s) + 16*len(t.runs)))
	if n == 0 || t.s == "" {
		return Text{}
	}
	b := &builder{m: m}
	b.b.WriteString(strings.Repeat(t.s, n))
	for i := 0; i < n && len(t.runs) > 0; i++ {
		for _, r := range t.runs {
			b.mark(i*len(t.s)+r.from, i*len(t.s)+r.to)
		}
	}
	return b.text()
}
