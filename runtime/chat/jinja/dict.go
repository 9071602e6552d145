package jinja

import (
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Dict is a mapping in the order in which its keys came.
type Dict struct {
	keys, values []Value
	index        map[string]int // by hashKey
}

// NewDict is an empty mapping, which Set fills.
func NewDict() *Dict { return &Dict{index: map[string]int{}} }

// Len is the number of keys.
func (d *Dict) Len() int { return len(d.keys) }

// Set gives a key of text a value.
func (d *Dict) Set(key Text, v Value) { d.set(textKey(key.s), key, v) }

func (d *Dict) set(hash string, key, v Value) {
	if i, ok := d.index[hash]; ok {
		d.values[i] = v
		return
	}
	d.index[hash] = len(d.keys)
	d.keys = append(d.keys, key)
	d.values = append(d.values, v)
}

// Get is the value of a key of text.
func (d *Dict) Get(key string) (Value, bool) { return d.get(textKey(key)) }

func (d *Dict) get(hash string) (Value, bool) {
	i, ok := d.index[hash]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

// All yields the keys that are text, and their values, in order.
func (d *Dict) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i, k := range d.keys {
			if t, ok := k.(Text); ok && !yield(t.s, d.values[i]) {
				return
			}
		}
	}
}

// Copy is a mapping of the same values.
func (d *Dict) Copy() *Dict {
	c := NewDict()
	for i, k := range d.keys {
		c.set(hashOf(k), k, d.values[i])
	}
	return c
}

// hashOf is hashKey for keys that are in a dict already.
func hashOf(k Value) string { return (*machine)(nil).hashKey(k) }

func textKey(s string) string { return "s" + s }

// hashable reports whether hashKey takes a value: what can't be a key is no element of
// a dict, but no error where one is asked for.
func (m *machine) hashable(v Value) bool {
	m.step(1)
	switch v := v.(type) {
	case nil, bool, int64, *big.Int, float64, Text:
		return true
	case *List:
		m.enter()
		defer m.leave()
		return v.kind == tupleKind && !slices.ContainsFunc(v.items, func(v Value) bool { return !m.hashable(v) })
	}
	return false
}

// hashKey tells the keys of a dict apart: equal values, and only they, have the same.
// A value that Python can't hash is an error.
func (m *machine) hashKey(v Value) string {
	switch v := v.(type) {
	case Text:
		return textKey(v.s)
	case nil:
		return "n"
	case bool:
		if v {
			return "i1"
		}
		return "i0"
	case int64:
		return "i" + strconv.FormatInt(v, 10)
	case *big.Int:
		return "i" + v.String()
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return "i" + strconv.FormatInt(int64(v), 10)
		}
		return "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case *List:
		if v.kind != tupleKind {
			break
		}
		if m != nil {
			m.enter()
			defer m.leave()
		}
		var b strings.Builder
		b.WriteByte('t')
		for _, item := range v.items {
			h := m.hashKey(item)
			if m != nil {
				m.alloc(len(h))
			}
			b.WriteString(strconv.Itoa(len(h)))
			b.WriteByte(':')
			b.WriteString(h)
		}
		return b.String()
	case Undefined:
		return "u"
	}
	m.fail("unhashable type: '%s'", typeName(v))
	return ""
}
