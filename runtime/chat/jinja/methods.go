package jinja

import "slices"

// textMethods, dictMethods, listMethods and loopMethods are the methods of those types,
// globals the functions that every template may call.
var textMethods, dictMethods, listMethods, loopMethods, globals map[string]*builtin

// What they do looks methods up: so they are no initial values.
func init() {
	textMethods, dictMethods, listMethods, loopMethods, globals = textMethodTable(), dictMethodTable(), listMethodTable(), loopMethodTable(), globalTable()
}

// method is the bound method of a value, nil if its type has none of that name.
func method(of Value, name string) Value {
	var b *builtin
	switch of.(type) {
	case Text:
		b = textMethods[name]
	case *Dict:
		b = dictMethods[name]
	case *List:
		b = listMethods[name]
	case *loop:
		b = loopMethods[name]
	}
	if b == nil {
		return nil
	}
	return &function{b, []Value{of}}
}

// isMethod reports whether any type has the method.
func isMethod(name string) bool {
	for _, t := range []map[string]*builtin{textMethods, dictMethods, listMethods, loopMethods} {
		if t[name] != nil {
			return true
		}
	}
	return slices.Contains(mutators, name)
}

// mutators are methods that would modify a list or a dict. As in transformers' sandbox
// a template may name but not call them.
var mutators = []string{"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update"}

func dictMethodTable() map[string]*builtin {
	return builtins(
		newBuiltin("get", "self key default?", func(m *machine, a []Value) Value {
			if v, ok := a[0].(*Dict).get(m.hashKey(a[1])); ok {
				return v
			}
			return or(a[2], nil)
		}),
		newBuiltin("keys", "self", func(m *machine, a []Value) Value { return m.list(keysKind, a[0].(*Dict).keys) }),
		newBuiltin("values", "self", func(m *machine, a []Value) Value { return m.list(valuesKind, a[0].(*Dict).values) }),
		newBuiltin("items", "self", func(m *machine, a []Value) Value { return m.list(itemsKind, m.pairs(a[0].(*Dict))) }),
		newBuiltin("copy", "self", func(_ *machine, a []Value) Value { return a[0] }),
	)
}

// pairs are the items of a dict as tuples.
func (m *machine) pairs(d *Dict) []Value {
	m.alloc(64 * d.Len())
	items := make([]Value, d.Len())
	for i, k := range d.keys {
		items[i] = newTuple(k, d.values[i])
	}
	return items
}

func listMethodTable() map[string]*builtin {
	return builtins(
		newBuiltin("count", "self value", func(m *machine, a []Value) Value {
			n := int64(0)
			for _, v := range a[0].(*List).items {
				if m.equal(v, a[1]) {
					n++
				}
			}
			return n
		}),
		newBuiltin("index", "self value", func(m *machine, a []Value) Value {
			i := slices.IndexFunc(a[0].(*List).items, func(v Value) bool { return m.equal(v, a[1]) })
			if i < 0 {
				m.fail("the value is not in the list")
			}
			return int64(i)
		}),
		newBuiltin("copy", "self", func(_ *machine, a []Value) Value { return a[0] }),
	)
}
