package jinja

import (
	"slices"
	"strings"
)

// sequenceFilters are the filters of sequences and mappings.
func sequenceFilters() []*builtin {
	return []*builtin{
		newBuiltin("length", "value", func(m *machine, a []Value) Value { return m.length(a[0]) }),
		newBuiltin("list", "value", func(m *machine, a []Value) Value { return m.list(listKind, m.iterate(a[0])) }),
		newBuiltin("first", "value", func(m *machine, a []Value) Value {
			if items := m.iterate(a[0]); len(items) > 0 {
				return items[0]
			}
			return Undefined{"No first item, sequence was empty."}
		}),
		newBuiltin("last", "value", func(m *machine, a []Value) Value {
			items := m.reversible(a[0])
			if len(items) > 0 {
				return items[len(items)-1]
			}
			return Undefined{"No last item, sequence was empty."}
		}),
		newBuiltin("reverse", "value", func(m *machine, a []Value) Value {
			if t, ok := a[0].(Text); ok {
				return m.slice(t, [3]Value{nil, nil, int64(-1)})
			}
			items := slices.Clone(m.list(listKind, m.iterate(a[0])).items)
			slices.Reverse(items)
			if _, ok := a[0].(*generator); ok {
				return &List{listKind, items}
			}
			return &generator{items}
		}),
		newBuiltin("join", "value d? attribute?", func(m *machine, a []Value) Value {
			items := m.iterate(a[0])
			if path := or(a[2], nil); path != nil {
				items = m.each(items, m.attributeOf(path, nil))
			}
			return m.join(items, m.text(or(a[1], Text{})), false)
		}),
		newBuiltin("items", "value", func(m *machine, a []Value) Value {
			switch v := a[0].(type) {
			case *Dict:
				return &generator{m.pairs(v)}
			case Undefined:
				return &generator{}
			}
			m.fail("Can only get item pairs from a mapping.")
			return nil
		}),
		newBuiltin("dictsort", "value case_sensitive? by? reverse?", func(m *machine, a []Value) Value {
			d, ok := a[0].(*Dict)
			by := m.textOf(or(a[2], Plain("key")), "by").s
			if at := slices.Index([]string{"key", "value"}, by); !ok || at < 0 {
				m.fail(`dictsort needs a mapping, and "key" or "value" to sort by`)
			} else {
				key := func(v Value) Value { return m.folded(v.(*List).items[at], !truth(or(a[1], false))) }
				return m.sorted(m.pairs(d), key, m.intOf(or(a[3], false), "reverse") != 0)
			}
			return nil
		}),
		newBuiltin("sort", "value reverse? case_sensitive? attribute?", func(m *machine, a []Value) Value {
			return m.sorted(m.iterate(a[0]), m.sortKey(or(a[3], nil), !truth(or(a[2], false))), m.intOf(or(a[1], false), "reverse") != 0)
		}),
		newBuiltin("unique", "value case_sensitive? attribute?", func(m *machine, a []Value) Value {
			of := m.attributeOf(or(a[2], nil), nil)
			seen := map[string]bool{}
			return m.keep(a[0], func(v Value) bool {
				h := m.hashKey(m.folded(of(v), !truth(or(a[1], false))))
				m.alloc(len(h) + 16)
				was := seen[h]
				seen[h] = true
				return !was
			})
		}),
		extremum("min", func(order int) bool { return order < 0 }),
		extremum("max", func(order int) bool { return order > 0 }),
		newBuiltin("sum", "value attribute? start?", func(m *machine, a []Value) Value {
			of := m.attributeOf(or(a[1], nil), nil)
			total := or(a[2], int64(0))
			for _, v := range m.iterate(a[0]) {
				total = m.binary("+", total, of(v))
			}
			return total
		}),
		newBuiltin("groupby", "value attribute default? case_sensitive?", func(m *machine, a []Value) Value {
			return m.groupBy(m.iterate(a[0]), m.attributeOf(a[1], or(a[2], nil)), !truth(or(a[3], false)))
		}),
		newBuiltin("batch", "value linecount fill_with?", func(m *machine, a []Value) Value {
			return m.batch(m.iterate(a[0]), m.intOf(a[1], "the line count"), or(a[2], nil))
		}),
		newBuiltin("slice", "value slices fill_with?", func(m *machine, a []Value) Value {
			return m.columns(m.iterate(a[0]), m.intOf(a[1], "the number of slices"), or(a[2], nil))
		}),
		{name: "map", raw: mapFilter},
		{name: "select", raw: selectFilter(false, true)}, {name: "reject", raw: selectFilter(false, false)},
		{name: "selectattr", raw: selectFilter(true, true)}, {name: "rejectattr", raw: selectFilter(true, false)},
	}
}

// reversible gives the items of what Python can reverse.
func (m *machine) reversible(v Value) []Value {
	if _, ok := v.(*generator); ok {
		m.fail("'generator' object is not reversible")
	}
	return m.iterate(v)
}

// each applies f to all items.
func (m *machine) each(items []Value, f func(Value) Value) []Value {
	m.alloc(16 * len(items))
	out := make([]Value, len(items))
	for i, v := range items {
		m.step(1)
		out[i] = f(v)
	}
	return out
}

// keep is a generator of the items of v that f holds for.
func (m *machine) keep(v Value, f func(Value) bool) Value {
	var kept []Value
	for _, item := range m.iterate(v) {
		m.step(1)
		if f(item) {
			m.alloc(16)
			kept = append(kept, item)
		}
	}
	return &generator{kept}
}

// attributeOf looks up a path such as "function.name" or 0; nil is the value itself.
// What is undefined becomes otherwise, unless that is nil.
func (m *machine) attributeOf(path, otherwise Value) func(Value) Value {
	if path == nil {
		return func(v Value) Value { return v }
	}
	parts := []Value{path}
	if t, ok := path.(Text); ok {
		parts = nil
		for _, p := range strings.Split(t.s, ".") {
			if i, ok := parseInt(p, 10); ok && strings.Trim(p, "0123456789") == "" {
				parts = append(parts, i)
			} else {
				parts = append(parts, Plain(p))
			}
		}
	}
	return func(v Value) Value {
		for _, p := range parts {
			v = m.item(v, p)
			if _, undefined := v.(Undefined); undefined && otherwise != nil {
				v = otherwise
			}
		}
		return v
	}
}

// folded is a string in lower case if fold says so; anything else as it is.
func (m *machine) folded(v Value, fold bool) Value {
	if t, ok := v.(Text); ok && fold {
		return lower(m, t)
	}
	return v
}

// sortKey is what sort compares: the value, or a list of its attributes.
func (m *machine) sortKey(paths Value, fold bool) func(Value) Value {
	t, ok := paths.(Text)
	if !ok {
		of := m.attributeOf(paths, nil)
		return func(v Value) Value { return m.folded(of(v), fold) }
	}
	var of []func(Value) Value
	for _, p := range strings.Split(t.s, ",") {
		of = append(of, m.attributeOf(Plain(p), nil))
	}
	return func(v Value) Value {
		key := make([]Value, len(of))
		for i, f := range of {
			key[i] = m.folded(f(v), fold)
		}
		return &List{listKind, key}
	}
}

// sorted sorts stably.
func (m *machine) sorted(items []Value, key func(Value) Value, reverse bool) *List {
	type pair struct{ key, value Value }
	pairs := make([]pair, len(items))
	for i, k := range m.each(items, key) {
		pairs[i] = pair{k, items[i]}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		if reverse {
			a, b = b, a
		}
		return m.order(a.key, b.key, "<")
	})
	out := make([]Value, len(items))
	for i, p := range pairs {
		out[i] = p.value
	}
	return m.list(listKind, out)
}

// extremum is min or max: the first value that is better than all others.
func extremum(name string, better func(order int) bool) *builtin {
	return newBuiltin(name, "value case_sensitive? attribute?", func(m *machine, a []Value) Value {
		of := m.attributeOf(or(a[2], nil), nil)
		key := func(v Value) Value { return m.folded(of(v), !truth(or(a[1], false))) }
		items := m.iterate(a[0])
		if len(items) == 0 {
			return Undefined{"No aggregated item, sequence was empty."}
		}
		best := items[0]
		for _, v := range items[1:] {
			if better(m.order(key(v), key(best), map[string]string{"min": "<", "max": ">"}[name])) {
				best = v
			}
		}
		return best
	})
}

// groupBy gives pairs of a value and all items that have it, sorted by it.
func (m *machine) groupBy(items []Value, of func(Value) Value, fold bool) Value {
	key := func(v Value) Value { return m.folded(of(v), fold) }
	var groups, group []Value
	flush := func() {
		if group != nil {
			groups = append(groups, newTuple(of(group[0]), m.list(listKind, group)))
		}
	}
	for _, v := range m.sorted(items, key, false).items {
		if group != nil && !m.equal(key(group[0]), key(v)) {
			flush()
			group = nil
		}
		group = append(group, v)
	}
	flush()
	return m.list(listKind, groups)
}

// batch gives lists of n items; the last one is filled up.
func (m *machine) batch(items []Value, n int, fill Value) Value {
	if n < 1 {
		m.fail("batch needs a line count of at least 1")
	}
	var rows []Value
	for row := range slices.Chunk(items, n) {
		if missing := n - len(row); missing > 0 && fill != nil {
			m.alloc(16 * n)
			row = append(slices.Clone(row), slices.Repeat([]Value{fill}, missing)...)
		}
		rows = append(rows, m.list(listKind, row))
	}
	return &generator{rows}
}

// columns gives n lists of nearly equal length; the short ones are filled up.
func (m *machine) columns(items []Value, n int, fill Value) Value {
	if n < 1 {
		m.fail("slice needs at least 1 slice")
	}
	m.alloc(16 * n)
	size, longer := len(items)/n, len(items)%n
	var columns []Value
	for i, at := 0, 0; i < n; i++ {
		end := at + size
		if i < longer {
			end++
		}
		column := slices.Clone(items[at:end])
		if i >= longer && fill != nil {
			column = append(column, fill)
		}
		columns = append(columns, m.list(listKind, column))
		at = end
	}
	return &generator{columns}
}

// mapFilter applies a filter to each item, or looks an attribute up.
func mapFilter(m *machine, c call) Value {
	value := c.positional[0]
	if !truth(value) {
		return &generator{}
	}
	if len(c.positional) == 1 {
		path, ok := c.take("attribute")
		if !ok {
			m.fail("map requires a filter argument")
		}
		otherwise, _ := c.take("default")
		if len(c.keywords) > 0 {
			m.fail("map: unexpected keyword argument '%s'", c.keywords[0].name)
		}
		return &generator{m.each(m.iterate(value), m.attributeOf(path, otherwise))}
	}
	f := m.named(filters, c.positional[1], "filter")
	rest := call{c.positional[2:], c.keywords}
	return &generator{m.each(m.iterate(value), func(v Value) Value { return f.call(m, []Value{v}, rest) })}
}

// named looks a filter or test up that a template names in a string.
func (m *machine) named(table map[string]*builtin, name Value, what string) *builtin {
	t := m.textOf(name, "the name of a "+what)
	f := table[t.s]
	if f == nil {
		m.fail("No %s named '%s'.", what, t.s)
	}
	return f
}

// selectFilter keeps the items, or those with an attribute, for which a test has an
// outcome; without a test, which are true.
func selectFilter(byAttribute, outcome bool) func(*machine, call) Value {
	return func(m *machine, c call) Value {
		value, args := c.positional[0], c.positional[1:]
		if !truth(value) {
			return &generator{}
		}
		of := func(v Value) Value { return v }
		if byAttribute {
			if len(args) == 0 {
				m.fail("Missing parameter for attribute name")
			}
			of, args = m.attributeOf(args[0], nil), args[1:]
		}
		holds := func(v Value) bool { return truth(v) }
		if len(args) > 0 {
			test, rest := m.named(tests, args[0], "test"), call{args[1:], c.keywords}
			holds = func(v Value) bool { return truth(test.call(m, []Value{v}, rest)) }
		}
		return m.keep(value, func(v Value) bool { return holds(of(v)) == outcome })
	}
}
