package jinja

import "math/big"

// Value is a value of a template, one of: nil (None), bool, int64, *big.Int (beyond
// int64), float64, Text, *List, *Dict, Undefined, *namespace, *generator, *loop,
// *macro, *function. Lists and dicts are not modified once made.
type Value any

// Undefined is what a name, attribute or element that isn't there gives: printed as
// nothing, false, and an error when anything else is done with it.
type Undefined struct{ message string }

// sequence is which of Python's types a List is.
type sequence int

const (
	listKind sequence = iota
	tupleKind
	rangeKind
	keysKind // what a dict's keys(), values() and items() give
	valuesKind
	itemsKind
)

// List is a sequence.
type List struct {
	kind  sequence
	items []Value
}

// NewList is a list of values.
func NewList(items ...Value) *List { return &List{listKind, items} }

func newTuple(items ...Value) *List { return &List{tupleKind, items} }

// indexed reports whether elements of the sequence can be asked for.
func (l *List) indexed() bool { return l.kind <= rangeKind }

// generator gives its items once. As in Python it is true, has no length and no
// elements to ask for.
type generator struct{ items []Value }

// namespace is what templates may assign attributes of.
type namespace struct{ attributes *Dict }

// function is a builtin that is a value: a global, or a method with its receiver.
type function struct {
	*builtin
	receiver []Value // none, or one
}

// typeName is Python's name of a value's type.
func typeName(v Value) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case Text:
		return "str"
	case *List:
		return [...]string{"list", "tuple", "range", "dict_keys", "dict_values", "dict_items"}[v.kind]
	case *Dict:
		return "dict"
	case Undefined:
		return "Undefined"
	case *namespace:
		return "Namespace"
	case *generator:
		return "generator"
	case *loop:
		return "LoopContext"
	case *macro:
		return "Macro"
	}
	return "function"
}

// described is a value in an error message: jinja2's object_type_repr.
func described(v Value) string {
	if v == nil {
		return "None"
	}
	return typeName(v) + " object"
}

// truth is Python's bool().
func truth(v Value) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case Text:
		return v.s != ""
	case *List:
		return len(v.items) > 0
	case *Dict:
		return v.Len() > 0
	}
	return true
}

// iterate gives the items of anything that has some.
func (m *machine) iterate(v Value) []Value {
	items, ok := m.items(v)
	if !ok {
		m.fail("'%s' object is not iterable", typeName(v))
	}
	return items
}

func (m *machine) items(v Value) (items []Value, ok bool) {
	switch v := v.(type) {
	case *List:
		return v.items, true
	case *generator:
		items := v.items
		v.items = nil
		return items, true
	case *Dict:
		return v.keys, true
	case Text:
		return m.characters(v), true
	case Undefined:
		return nil, true
	}
	return nil, false
}

func (m *machine) characters(t Text) []Value {
	m.alloc(64 * len(t.s))
	items := make([]Value, 0, len(t.s))
	for i, r := range t.s {
		items = append(items, t.slice(i, i+len(string(r))))
	}
	return items
}

// list makes a list, within the limits.
func (m *machine) list(kind sequence, items []Value) *List {
	m.alloc(16 * len(items))
	return &List{kind, items}
}

// length is Python's len().
func (m *machine) length(v Value) int64 {
	switch v := v.(type) {
	case Text:
		return int64(m.runeCount(v))
	case *List:
		return int64(len(v.items))
	case *Dict:
		return int64(v.Len())
	case Undefined:
		return 0
	case *loop:
		return int64(len(v.items))
	}
	m.fail("object of type '%s' has no len()", typeName(v))
	return 0
}

// Items are a list's values.
func (l *List) Items() []Value { return l.items }

// Append and Prepend add a value to a list that no template has seen.
func (l *List) Append(v Value) { l.items = append(l.items, v) }

func (l *List) Prepend(v Value) { l.items = append([]Value{v}, l.items...) }
