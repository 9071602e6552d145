package jinja

import (
	"slices"
	"unicode/utf8"
)

// attribute is of.name: a method or attribute of the value, else of a mapping the
// element of that key.
func (m *machine) attribute(of Value, name string) Value {
	m.step(1)
	switch v := of.(type) {
	case Undefined:
		m.fail("%s", v.message)
	case *namespace:
		if v, ok := v.attributes.Get(name); ok {
			return v
		}
	case *loop:
		if v, ok := v.attribute(m, name); ok {
			return v
		}
	}
	if f := method(of, name); f != nil {
		return f
	}
	if d, ok := of.(*Dict); ok {
		if v, ok := d.Get(name); ok {
			return v
		}
	}
	return noAttribute(of, name)
}

func noAttribute(of Value, name string) Value {
	if (is[*List](of) || is[*Dict](of)) && slices.Contains(mutators, name) {
		return Undefined{"access to attribute '" + name + "' of '" + typeName(of) + "' object is unsafe: a chat template can't modify values"}
	}
	return Undefined{"'" + described(of) + "' has no attribute '" + name + "'"}
}

// item is of[index], else, where index is a string, of.index.
func (m *machine) item(of, index Value) Value {
	m.step(1)
	m.defined(of)
	switch v := of.(type) {
	case *Dict:
		if !m.hashable(index) {
			break
		}
		if e, ok := v.get(m.hashKey(index)); ok {
			return e
		}
	case *List:
		if i, ok := at(index, len(v.items)); ok && v.indexed() {
			return v.items[i]
		}
	case Text:
		if e, ok := m.character(v, index); ok {
			return e
		}
	}
	if name, ok := index.(Text); ok {
		if f := method(of, name.s); f != nil {
			return f
		}
		if l, ok := of.(*loop); ok {
			if v, ok := l.attribute(m, name.s); ok {
				return v
			}
		}
		if ns, ok := of.(*namespace); ok {
			if v, ok := ns.attributes.Get(name.s); ok {
				return v
			}
		}
		return noAttribute(of, name.s)
	}
	return Undefined{described(of) + " has no element " + m.text(index).s}
}

// at is a position as Python counts it, from the end if it is negative.
func at(index Value, length int) (int, bool) {
	n, ok := number(index)
	if !ok || n.float || n.i != nil {
		return 0, false
	}
	i := n.small
	if i < 0 {
		i += int64(length)
	}
	return int(i), i >= 0 && i < int64(length)
}

func (m *machine) runeCount(t Text) int {
	m.scan(len(t.s))
	return utf8.RuneCountInString(t.s)
}

// runeOffset is the byte where character n of s begins.
func (m *machine) runeOffset(t Text, n int) int {
	m.scan(n)
	at := 0
	for ; n > 0 && at < len(t.s); n-- {
		_, size := utf8.DecodeRuneInString(t.s[at:])
		at += size
	}
	return at
}

func (m *machine) character(t Text, index Value) (Text, bool) {
	i, ok := at(index, m.runeCount(t))
	if !ok {
		return Text{}, false
	}
	from := m.runeOffset(t, i)
	_, size := utf8.DecodeRuneInString(t.s[from:])
	return t.slice(from, from+size), true
}

// slice is of[from:to:step]; bounds left out are nil.
func (m *machine) slice(of Value, bounds [3]Value) Value {
	m.defined(of)
	switch v := of.(type) {
	case Text:
		from, to, step := m.bounds(bounds, m.runeCount(v))
		if step == 1 {
			a := m.runeOffset(v, from)
			return v.slice(a, a+m.runeOffset(Text{s: v.s[a:]}, max(to-from, 0)))
		}
		out := m.builder()
		for _, c := range pick(m, m.characters(v), from, to, step) {
			out.write(c.(Text))
		}
		return out.text()
	case *List:
		if v.indexed() {
			from, to, step := m.bounds(bounds, len(v.items))
			return m.list(v.kind, pick(m, v.items, from, to, step))
		}
	}
	return Undefined{described(of) + " has no slices"}
}

// bounds are Python's slice.indices.
func (m *machine) bounds(bounds [3]Value, length int) (from, to, step int) {
	step = 1
	if bounds[2] != nil {
		if step = m.intOf(bounds[2], "a slice's step"); step == 0 {
			m.fail("slice step cannot be zero")
		}
	}
	low, high := 0, length
	if step < 0 {
		low, high = -1, length-1
	}
	clamp := func(v Value, otherwise int) int {
		if v == nil {
			return otherwise
		}
		i := m.intOf(v, "a slice's bound")
		if i < 0 {
			i += length
		}
		return max(low, min(high, i))
	}
	if step < 0 {
		return clamp(bounds[0], high), clamp(bounds[1], low), step
	}
	return clamp(bounds[0], low), clamp(bounds[1], high), step
}

func pick(m *machine, items []Value, from, to, step int) []Value {
	var out []Value
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		m.alloc(16)
		out = append(out, items[i])
	}
	return out
}
