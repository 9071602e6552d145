package jinja

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
)

// maxJSONDepth bounds how deep JSON may be nested.
const maxJSONDepth = 100

// FromJSON reads one JSON value as Python's json.loads does: objects keep the order of
// their keys, of equal keys the last one counts, numbers without point and exponent
// are ints. All strings, keys too, are content.
func FromJSON(data []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := fromJSON(d, 0)
	if err == io.EOF {
		err = errors.New("the JSON text ends too early")
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("text after the JSON value")
	}
	return v, nil
}

func fromJSON(d *json.Decoder, depth int) (Value, error) {
	if depth > maxJSONDepth {
		return nil, fmt.Errorf("the JSON is nested more than %d deep", maxJSONDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case string:
		return Content(t), nil
	case json.Number:
		return fromNumber(t.String())
	case json.Delim:
		if t == '[' {
			return listFromJSON(d, depth)
		}
		return dictFromJSON(d, depth)
	}
	return t, nil // a bool, or nil
}

func fromNumber(s string) (Value, error) {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if errors.Is(err, strconv.ErrRange) {
			err = nil // Python reads infinity
		}
		return f, err
	}
	i, ok := new(big.Int).SetString(s, 10)
	if !ok || len(s) > maxDigits {
		return nil, fmt.Errorf("a number of %d digits is too long", len(s))
	}
	return normalInt(i), nil
}

func listFromJSON(d *json.Decoder, depth int) (Value, error) {
	l := NewList()
	for d.More() {
		v, err := fromJSON(d, depth+1)
		if err != nil {
			return nil, err
		}
		l.items = append(l.items, v)
	}
	_, err := d.Token()
	return l, err
}

func dictFromJSON(d *json.Decoder, depth int) (Value, error) {
	dict := NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := fromJSON(d, depth+1)
		if err != nil {
			return nil, err
		}
		dict.Set(Content(key.(string)), v)
	}
	_, err := d.Token()
	return dict, err
}

// jsonWriter writes a value as Python's json.dumps does.
type jsonWriter struct {
	*builder
	ascii, sorted bool
	indent        *Text // nil: all on one line
	comma, colon  Text
}

// toJSON is transformers' filter of that name: nothing of HTML is escaped, and
// characters beyond ASCII only if that is asked for.
func (m *machine) toJSON(a []Value) Value {
	w := &jsonWriter{builder: m.builder(), ascii: truth(or(a[1], false)), sorted: truth(or(a[4], false)), comma: Plain(", "), colon: Plain(": ")}
	switch indent := or(a[2], nil).(type) {
	case nil:
	case Text:
		w.indent = &indent
	default:
		spaces := m.repeatText(Plain(" "), max(0, m.intOf(indent, "the indent")))
		w.indent = &spaces
	}
	if w.indent != nil {
		w.comma = Plain(",")
	}
	if separators := or(a[3], nil); separators != nil {
		s := m.iterate(separators)
		if len(s) != 2 {
			m.fail("tojson needs two separators, not %d", len(s))
		}
		w.comma, w.colon = m.textOf(s[0], "a separator"), m.textOf(s[1], "a separator")
	}
	w.value(a[0], 0)
	return w.text()
}

func (w *jsonWriter) value(v Value, depth int) {
	m := w.m
	m.enter()
	defer m.leave()
	m.step(1)
	switch v := v.(type) {
	case nil:
		w.plain("null")
	case bool:
		w.plain(strconv.FormatBool(v))
	case int64, *big.Int:
		s, _ := scalarString(v)
		w.plain(s)
	case float64:
		w.plain(jsonFloat(v))
	case Text:
		w.string(v)
	case *List:
		if v.kind > tupleKind {
			m.fail("Object of type %s is not JSON serializable", typeName(v))
		}
		w.list(v, depth+1)
	case *Dict:
		w.dict(v, depth+1)
	default:
		m.fail("Object of type %s is not JSON serializable", typeName(v))
	}
}

func jsonFloat(f float64) string {
	s := floatString(f)
	if name, ok := map[string]string{"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[s]; ok {
		return name
	}
	return s
}

// newline begins a line, if there are lines.
func (w *jsonWriter) newline(depth int) {
	if w.indent == nil {
		return
	}
	w.plain("\n")
	for range depth {
		w.write(*w.indent)
	}
}

func (w *jsonWriter) list(l *List, depth int) {
	if len(l.items) == 0 {
		w.plain("[]")
		return
	}
	w.plain("[")
	for i, v := range l.items {
		if i > 0 {
			w.write(w.comma)
		}
		w.newline(depth)
		w.value(v, depth)
	}
	w.newline(depth - 1)
	w.plain("]")
}

func (w *jsonWriter) dict(d *Dict, depth int) {
	if d.Len() == 0 {
		w.plain("{}")
		return
	}
	pairs := w.m.pairs(d)
	if w.sorted {
		pairs = w.m.sorted(pairs, func(v Value) Value { return v.(*List).items[0] }, false).items
	}
	w.plain("{")
	for i, p := range pairs {
		pair := p.(*List).items
		if i > 0 {
			w.write(w.comma)
		}
		w.newline(depth)
		w.string(w.key(pair[0]))
		w.write(w.colon)
		w.value(pair[1], depth)
	}
	w.newline(depth - 1)
	w.plain("}")
}

// key is a dict's key as a string, of the scalars that JSON turns into one.
func (w *jsonWriter) key(k Value) Text {
	switch k := k.(type) {
	case Text:
		return k
	case nil:
		return Plain("null")
	case bool:
		return Plain(strconv.FormatBool(k))
	case float64:
		return Plain(jsonFloat(k))
	case int64, *big.Int:
		s, _ := scalarString(k)
		return Plain(s)
	}
	w.m.fail("keys must be str, int, float, bool or None, not %s", typeName(k))
	return Text{}
}

var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\f': `\f`, '\b': `\b`}

func (w *jsonWriter) string(t Text) {
	w.plain(`"`)
	w.write(t.mapRunes(w.m, func(_ int, r rune) string {
		e, ok := jsonEscapes[r]
		switch {
		case ok:
			return e
		case r < ' ', w.ascii && r > '~' && r < 0x10000:
			return fmt.Sprintf(`\u%04x`, r)
		case w.ascii && r > '~':
			r -= 0x10000
			return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		return string(r)
	}))
	w.plain(`"`)
}
