package jinja

// loop is the variable of that name inside a for.
type loop struct {
	items   []Value
	at      int
	depth   int
	changed []Value // of the last loop.changed(…); nil before the first

	node  *forNode
	scope *scope // around the loop
}

func (n *forNode) exec(m *machine, s *scope, out *builder) control {
	m.line = n.line
	n.run(m, s, out, n.iter.eval(m, s), 0)
	return goOn
}

// run renders the body for each item of a value.
func (n *forNode) run(m *machine, s *scope, out *builder, over Value, depth int) {
	items := m.iterate(over)
	if n.test != nil {
		items = n.filter(m, s, items)
	}
	if len(items) == 0 {
		n.orElse.exec(m, s.inner(), out)
		return
	}
	l := &loop{items: items, depth: depth, node: n, scope: s}
	for i, item := range items {
		l.at = i
		in := s.inner()
		in.set("loop", l)
		m.line = n.line
		n.target.assign(m, in, item)
		m.step(1)
		if n.body.exec(m, in, out) == breakLoop {
			break
		}
	}
}

// filter is what the loop's own if leaves of the items.
func (n *forNode) filter(m *machine, s *scope, items []Value) []Value {
	var kept []Value
	for _, item := range items {
		in := s.inner()
		in.set("loop", Undefined{"'loop' is undefined: the condition of a loop can't use it"})
		n.target.assign(m, in, item)
		if truth(n.test.eval(m, in)) {
			m.alloc(16)
			kept = append(kept, item)
		}
	}
	return kept
}

// again is loop(items) in a recursive loop.
func (l *loop) again(m *machine, c call) Value {
	if !l.node.recursive {
		m.fail("the loop is not recursive: it can't be called")
	}
	m.enter()
	defer m.leave()
	a := loopCall.bind(m, c)
	out := m.builder()
	l.node.run(m, l.scope, out, a[0], l.depth+1)
	return out.text()
}

var loopCall = newBuiltin("loop", "iterable", nil)

// attribute is loop.name.
func (l *loop) attribute(m *machine, name string) (Value, bool) {
	n := int64(len(l.items))
	at := int64(l.at)
	switch name {
	case "index":
		return at + 1, true
	case "index0":
		return at, true
	case "revindex":
		return n - at, true
	case "revindex0":
		return n - at - 1, true
	case "first":
		return at == 0, true
	case "last":
		return at == n-1, true
	case "length":
		return n, true
	case "depth":
		return int64(l.depth + 1), true
	case "depth0":
		return int64(l.depth), true
	case "previtem":
		if at == 0 {
			return Undefined{"there is no previous item"}, true
		}
		return l.items[at-1], true
	case "nextitem":
		if at == n-1 {
			return Undefined{"there is no next item"}, true
		}
		return l.items[at+1], true
	}
	return nil, false
}

func loopMethodTable() map[string]*builtin {
	return builtins(
		newBuiltin("cycle", "self *items", func(m *machine, a []Value) Value {
			items := a[1].(*List).items
			if len(items) == 0 {
				m.fail("no items for cycling given")
			}
			return items[a[0].(*loop).at%len(items)]
		}),
		newBuiltin("changed", "self *values", func(m *machine, a []Value) Value {
			l, now := a[0].(*loop), a[1].(*List).items
			if l.changed != nil && m.equalItems(l.changed, now) {
				return false
			}
			l.changed = append([]Value{}, now...)
			return true
		}),
	)
}
