package jinja

import "slices"

// macro is a function that a template defines.
type macro struct {
	node  *macroNode
	scope *scope // where it is defined
}

// call is the arguments of a call, evaluated.
type call struct {
	positional []Value
	keywords   []keyword
}

type keyword struct {
	name  string
	value Value
}

// take removes the keyword of a name.
func (c *call) take(name string) (Value, bool) {
	for i, k := range c.keywords {
		if k.name == name {
			c.keywords = slices.Delete(slices.Clone(c.keywords), i, i+1)
			return k.value, true
		}
	}
	return nil, false
}

// call calls anything that can be called.
func (m *machine) call(f Value, c call) Value {
	switch f := f.(type) {
	case *macro:
		return f.call(m, c)
	case *function:
		return f.builtin.call(m, f.receiver, c)
	case *loop:
		return f.again(m, c)
	case Undefined:
		m.fail("%s", f.message)
	}
	m.fail("'%s' object is not callable", typeName(f))
	return nil
}

func (f *macro) call(m *machine, c call) Value {
	m.enter()
	defer m.leave()
	line := m.line
	in := f.scope.inner()
	f.bind(m, in, c)
	out := m.builder()
	f.node.body.exec(m, in, out)
	m.line = line
	return out.text()
}

// bind gives the parameters their values.
func (f *macro) bind(m *machine, in *scope, c call) {
	n := f.node
	for i, p := range n.params {
		if i < len(c.positional) {
			in.set(p.name, c.positional[i])
			continue
		}
		v, ok := c.take(p.name)
		switch {
		case ok:
		case p.value != nil:
			v = p.value.eval(m, in)
		default:
			v = Undefined{"parameter '" + p.name + "' was not provided"}
		}
		in.set(p.name, v)
	}
	hasCaller := slices.ContainsFunc(n.params, func(p parameter) bool { return p.name == "caller" })
	if slices.Contains(n.uses, "caller") && !hasCaller {
		caller, ok := c.take("caller")
		if !ok {
			caller = Undefined{"No caller defined"}
		}
		in.set("caller", caller)
	}
	f.bindRest(m, in, c)
}

// bindRest takes what no parameter takes, or refuses it.
func (f *macro) bindRest(m *machine, in *scope, c call) {
	n := f.node
	if slices.Contains(n.uses, "kwargs") {
		d := NewDict()
		for _, k := range c.keywords {
			d.Set(Plain(k.name), k.value)
		}
		in.set("kwargs", d)
	} else if len(c.keywords) > 0 {
		m.fail("macro '%s' takes no keyword argument '%s'", n.name, c.keywords[0].name)
	}
	rest := c.positional[min(len(c.positional), len(n.params)):]
	if slices.Contains(n.uses, "varargs") {
		in.set("varargs", m.list(tupleKind, rest))
	} else if len(rest) > 0 {
		m.fail("macro '%s' takes not more than %d argument(s)", n.name, len(n.params))
	}
}
