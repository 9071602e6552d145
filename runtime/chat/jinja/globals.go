package jinja

// globalTable has jinja2's functions and transformers'.
func globalTable() map[string]*builtin {
	return builtins(
		newBuiltin("range", "start stop? step?", func(m *machine, a []Value) Value { return m.rangeOf(a) }),
		&builtin{name: "dict", raw: func(m *machine, c call) Value { return m.dictOf(c, "dict") }},
		&builtin{name: "namespace", raw: func(m *machine, c call) Value {
			ns := &namespace{NewDict()}
			d := m.dictOf(c, "namespace")
			for i, k := range d.keys {
				if t, ok := k.(Text); ok && t.s != "" {
					ns.set(m, t.s, d.values[i])
				}
			}
			return ns
		}},
		newBuiltin("raise_exception", "message", func(m *machine, a []Value) Value {
			panic(failure{&RaiseError{m.text(a[0]).s}})
		}),
		newBuiltin("strftime_now", "format", func(m *machine, a []Value) Value {
			return m.strftime(m.textOf(a[0], "the format"))
		}),
	)
}

// maxRange is what jinja2's sandbox allows.
const maxRange = 100_000

func (m *machine) rangeOf(a []Value) Value {
	from, to, step := 0, m.intOf(a[0], "a range's end"), 1
	if given(a[1]) {
		from, to = to, m.intOf(a[1], "a range's end")
	}
	if given(a[2]) {
		step = m.intOf(a[2], "a range's step")
	}
	if step == 0 {
		m.fail("range() arg 3 must not be zero")
	}
	n := max(0, (to-from+step-sign(step))/step)
	if n > maxRange {
		m.fail("Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	m.alloc(16 * n)
	items := make([]Value, n)
	for i := range items {
		items[i] = int64(from + i*step)
	}
	return m.list(rangeKind, items)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// dictOf is Python's dict(mapping or pairs, **keywords).
func (m *machine) dictOf(c call, name string) *Dict {
	d := NewDict()
	if len(c.positional) > 1 {
		m.fail("%s expected at most 1 argument, got %d", name, len(c.positional))
	}
	for _, v := range c.positional {
		m.defined(v)
		pairs := v
		if of, ok := v.(*Dict); ok {
			pairs = newTuple(m.pairs(of)...)
		}
		for _, p := range m.iterate(pairs) {
			pair := m.iterate(p)
			if len(pair) != 2 {
				m.fail("%s needs pairs of a key and a value, found %d values", name, len(pair))
			}
			m.alloc(64)
			d.set(m.hashKey(pair[0]), pair[0], pair[1])
		}
	}
	for _, k := range c.keywords {
		m.alloc(64)
		d.Set(Plain(k.name), k.value)
	}
	return d
}
