package jinja

// scope holds names; inner scopes see outer ones.
type scope struct {
	outer *scope
	names map[string]Value
}

func (s *scope) inner() *scope { return &scope{outer: s} }

func (s *scope) set(name string, v Value) {
	if s.names == nil {
		s.names = map[string]Value{}
	}
	s.names[name] = v
}

func (s *scope) get(name string) Value {
	for ; s != nil; s = s.outer {
		if v, ok := s.names[name]; ok {
			return v
		}
	}
	if g := globals[name]; g != nil {
		return &function{builtin: g}
	}
	return Undefined{"'" + name + "' is undefined"}
}

func (b block) exec(m *machine, s *scope, out *builder) control {
	for _, n := range b {
		m.step(1)
		if c := n.exec(m, s, out); c != goOn {
			return c
		}
	}
	return goOn
}

// capture is what the block prints, in a scope of its own.
func (b block) capture(m *machine, s *scope) (Text, control) {
	out := m.builder()
	c := b.exec(m, s.inner(), out)
	return out.text(), c
}

func (n *dataNode) exec(_ *machine, _ *scope, out *builder) control {
	out.write(n.text)
	return goOn
}

func (n jumpNode) exec(*machine, *scope, *builder) control { return control(n) }

func (n *outputNode) exec(m *machine, s *scope, out *builder) control {
	m.line = n.line
	out.write(m.text(n.value.eval(m, s)))
	return goOn
}

func (n *ifNode) exec(m *machine, s *scope, out *builder) control {
	for i := range n.arms {
		m.line = n.arms[i].line
		if truth(n.arms[i].test.eval(m, s)) {
			return n.arms[i].body.exec(m, s, out)
		}
	}
	return n.orElse.exec(m, s, out)
}

func (n *setNode) exec(m *machine, s *scope, _ *builder) control {
	m.line = n.line
	n.target.assign(m, s, n.value.eval(m, s))
	return goOn
}

func (n *setBlockNode) exec(m *machine, s *scope, _ *builder) control {
	text, c := n.body.capture(m, s)
	if c != goOn {
		return c // and what was printed is lost
	}
	v := filtered(m, s, n.filter, text)
	m.line = n.line
	n.target.assign(m, s, v)
	return goOn
}

func (n *filterBlockNode) exec(m *machine, s *scope, out *builder) control {
	text, c := n.body.capture(m, s)
	if c != goOn {
		return c
	}
	m.line = n.line
	out.write(m.text(filtered(m, s, n.filter, text)))
	return goOn
}

// capturedName holds the text of a filtered block; no template can name it.
const capturedName = " captured"

func filtered(m *machine, s *scope, filter expression, text Text) Value {
	s = s.inner()
	s.set(capturedName, text)
	return filter.eval(m, s)
}

func (captured) eval(_ *machine, s *scope) Value { return s.get(capturedName) }

func (n *withNode) exec(m *machine, s *scope, out *builder) control {
	m.line = n.line
	in := s.inner()
	for i, t := range n.targets {
		t.assign(m, in, n.values[i].eval(m, s))
	}
	return n.body.exec(m, in, out)
}

func (n *macroNode) exec(_ *machine, s *scope, _ *builder) control {
	s.set(n.name, &macro{n, s})
	return goOn
}

func (n *callNode) exec(m *machine, s *scope, out *builder) control {
	m.line = n.line
	c := n.call.arguments(m, s)
	c.keywords = append(c.keywords, keyword{"caller", &macro{n.caller, s}})
	out.write(m.text(m.call(n.call.f.eval(m, s), c)))
	return goOn
}

func (n *generationNode) exec(m *machine, s *scope, out *builder) control {
	return n.body.exec(m, s.inner(), out)
}

// assign gives the names of a target their values.
func (t target) assign(m *machine, s *scope, v Value) {
	switch {
	case t.tuple != nil:
		items := m.iterate(v)
		if len(items) != len(t.tuple) {
			m.fail("%d values can't be assigned to %d names", len(items), len(t.tuple))
		}
		for i, part := range t.tuple {
			part.assign(m, s, items[i])
		}
	case t.attribute != "":
		ns, ok := s.get(t.name).(*namespace)
		if !ok {
			m.fail("cannot assign attribute on non-namespace object %s", t.name)
		}
		m.alloc(len(t.attribute) + 16)
		ns.set(m, t.attribute, v)
	default:
		m.alloc(16)
		s.set(t.name, v)
	}
}

// set gives an attribute a value; as in transformers none may begin with _.
func (ns *namespace) set(m *machine, name string, v Value) {
	if name[0] == '_' {
		m.fail("a namespace can't have an attribute %s: names with an underscore in front are refused", name)
	}
	ns.attributes.Set(Plain(name), v)
}
