package jinja

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// text is Python's str() of a value, as {{ }} prints it.
func (m *machine) text(v Value) Text {
	if t, ok := v.(Text); ok {
		return t
	}
	if s, ok := scalarString(v); ok {
		return Plain(s)
	}
	b := m.builder()
	m.repr(b, v)
	return b.text()
}

// scalarString is the str() of what has no parts.
func scalarString(v Value) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "None", true
	case bool:
		if v {
			return "True", true
		}
		return "False", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case *big.Int:
		return v.String(), true
	case float64:
		return floatString(v), true
	case Undefined:
		return "", true
	}
	return "", false
}

// repr appends Python's repr() of a value.
func (m *machine) repr(b *builder, v Value) {
	m.enter()
	defer m.leave()
	m.step(1)
	switch v := v.(type) {
	case Text:
		m.reprText(b, v)
	case *List:
		m.reprList(b, v)
	case *Dict:
		m.reprDict(b, v)
	case *namespace:
		b.plain("<Namespace ")
		m.reprDict(b, v.attributes)
		b.plain(">")
	case *macro:
		b.plain("<Macro '" + v.node.name + "'>")
	case *loop:
		b.plain(fmt.Sprintf("<LoopContext %d/%d>", v.at+1, len(v.items)))
	case Undefined:
		b.plain("Undefined")
	default:
		s, ok := scalarString(v)
		if !ok {
			m.fail("a %s can't be printed: it would show an address", typeName(v))
		}
		b.plain(s)
	}
}

// brackets are what a sequence is printed in.
var brackets = map[sequence][2]string{
	listKind: {"[", "]"}, tupleKind: {"(", ")"}, keysKind: {"dict_keys([", "])"}, valuesKind: {"dict_values([", "])"}, itemsKind: {"dict_items([", "])"},
}

func (m *machine) reprList(b *builder, l *List) {
	if l.kind == rangeKind {
		m.fail("a range can't be printed: make it a list")
	}
	b.plain(brackets[l.kind][0])
	for i, item := range l.items {
		if i > 0 {
			b.plain(", ")
		}
		m.repr(b, item)
	}
	if l.kind == tupleKind && len(l.items) == 1 {
		b.plain(",")
	}
	b.plain(brackets[l.kind][1])
}

func (m *machine) reprDict(b *builder, d *Dict) {
	b.plain("{")
	for i, k := range d.keys {
		if i > 0 {
			b.plain(", ")
		}
		m.repr(b, k)
		b.plain(": ")
		m.repr(b, d.values[i])
	}
	b.plain("}")
}

// reprText quotes a string as Python does: in ' unless it has those and no ".
func (m *machine) reprText(b *builder, t Text) {
	quote := "'"
	if strings.Contains(t.s, "'") && !strings.Contains(t.s, `"`) {
		quote = `"`
	}
	b.plain(quote)
	b.write(t.mapRunes(m, func(_ int, r rune) string { return reprRune(r, quote) }))
	b.plain(quote)
}

var reprEscapes = map[rune]string{'\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func reprRune(r rune, quote string) string {
	if e, ok := reprEscapes[r]; ok {
		return e
	}
	switch {
	case string(r) == quote:
		return `\` + quote
	case unicode.IsPrint(r):
		return string(r)
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
