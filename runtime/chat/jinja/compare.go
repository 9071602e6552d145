package jinja

import (
	"math/big"
	"strings"
)

// equal is Python's ==.
func (m *machine) equal(a, b Value) bool {
	m.step(1)
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x.compare(y) == 0
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case Undefined:
		_, ok := b.(Undefined)
		return ok
	case Text:
		b, ok := b.(Text)
		if ok && len(a.s) == len(b.s) {
			m.scan(len(a.s))
		}
		return ok && a.s == b.s
	case *List:
		b, ok := b.(*List)
		return ok && a.kind == b.kind && m.equalItems(a.items, b.items)
	case *Dict:
		b, ok := b.(*Dict)
		return ok && m.equalDicts(a, b)
	}
	return a == b
}

func (m *machine) equalItems(a, b []Value) bool {
	m.enter()
	defer m.leave()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !m.equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (m *machine) equalDicts(a, b *Dict) bool {
	m.enter()
	defer m.leave()
	if a.Len() != b.Len() {
		return false
	}
	for i, k := range a.keys {
		v, ok := b.get(m.hashKey(k))
		if !ok || !m.equal(a.values[i], v) {
			return false
		}
	}
	return true
}

// order compares as Python's < does: -1, 0 or 1. Values of different types have no
// order. sign is the operator, for the message.
func (m *machine) order(a, b Value, sign string) int {
	m.step(1)
	m.defined(a, b)
	if x, ok := number(a); ok {
		if y, ok := number(b); ok {
			return x.compare(y)
		}
	}
	switch x := a.(type) {
	case Text:
		if y, ok := b.(Text); ok {
			m.scan(min(len(x.s), len(y.s)))
			return strings.Compare(x.s, y.s)
		}
	case *List:
		if y, ok := b.(*List); ok && x.kind == y.kind && x.indexed() {
			return m.orderItems(x.items, y.items, sign)
		}
	}
	m.fail("'%s' not supported between instances of '%s' and '%s'", sign, typeName(a), typeName(b))
	return 0
}

func (m *machine) orderItems(a, b []Value, sign string) int {
	m.enter()
	defer m.leave()
	for i := range min(len(a), len(b)) {
		if !m.equal(a[i], b[i]) {
			return m.order(a[i], b[i], sign)
		}
	}
	return len(a) - len(b)
}

// defined fails if one of the values is undefined, with its own message.
func (m *machine) defined(values ...Value) {
	for _, v := range values {
		if u, ok := v.(Undefined); ok {
			m.fail("%s", u.message)
		}
	}
}

// contains is Python's item in set.
func (m *machine) contains(set, item Value) bool {
	switch set := set.(type) {
	case Text:
		item, ok := item.(Text)
		if !ok {
			m.fail("'in <string>' requires string as left operand, not %s", typeName(item))
		}
		m.scan(len(set.s))
		return strings.Contains(set.s, item.s)
	case *Dict:
		_, ok := set.get(m.hashKey(item))
		return ok
	}
	items, ok := m.items(set)
	if !ok {
		m.fail("argument of type '%s' is not iterable", typeName(set))
	}
	for _, v := range items {
		if m.equal(v, item) {
			return true
		}
	}
	return false
}

// same is Python's is, for constants and for what is one object.
func same(a, b Value) bool {
	switch a := a.(type) {
	case Text:
		b, ok := b.(Text)
		return ok && a.s == b.s
	case *big.Int:
		return false
	}
	return a == b
}
