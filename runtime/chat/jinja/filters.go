package jinja

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// filters are jinja2's, without those that are random or make HTML; tojson is
// transformers'. They are filled by init, since map looks filters up.
var filters map[string]*builtin

func init() {
	filters = builtins(append(sequenceFilters(),
		newBuiltin("abs", "value", func(m *machine, a []Value) Value {
			if n, ok := number(a[0]); ok && m.order(a[0], int64(0), "<") >= 0 {
				return m.arithmetic("+", n, numeric{})
			} else if ok {
				return m.arithmetic("-", numeric{}, n)
			}
			m.defined(a[0])
			m.fail("bad operand type for abs(): '%s'", typeName(a[0]))
			return nil
		}),
		newBuiltin("attr", "value name", func(m *machine, a []Value) Value {
			if d, ok := a[0].(*Dict); ok { // an element isn't an attribute
				if f := method(d, m.textOf(a[1], "the name").s); f != nil {
					return f
				}
				return Undefined{"'dict object' has no attribute '" + a[1].(Text).s + "'"}
			}
			return m.attribute(a[0], m.textOf(a[1], "the name").s)
		}),
		newBuiltin("default", "value default_value? boolean?", func(_ *machine, a []Value) Value {
			if _, undefined := a[0].(Undefined); undefined || truth(or(a[2], false)) && !truth(a[0]) {
				return or(a[1], Text{})
			}
			return a[0]
		}),
		newBuiltin("escape", "value", func(m *machine, a []Value) Value { return escapeHTML(m, m.text(a[0])) }),
		textFilter("capitalize", capitalize), textFilter("lower", lower), textFilter("upper", upper),
		textFilter("title", titleWords), textFilter("safe", func(_ *machine, t Text) Text { return t }),
		textFilter("string", func(_ *machine, t Text) Text { return t }),
		newBuiltin("center", "value width?", func(m *machine, a []Value) Value {
			return m.pad(m.text(a[0]), Plain(" "), m.intOf(or(a[1], int64(80)), "the width"), centered)
		}),
		newBuiltin("trim", "value chars?", func(m *machine, a []Value) Value {
			return m.text(a[0]).trim(m.stripSet(or(a[1], nil)), true, true)
		}),
		newBuiltin("replace", "value old new count?", func(m *machine, a []Value) Value {
			limit := -1
			if n := or(a[3], nil); n != nil {
				limit = m.intOf(n, "the count")
			}
			return m.text(a[0]).replace(m, m.text(a[1]).s, m.text(a[2]), limit)
		}),
		newBuiltin("indent", "value width? first? blank?", func(m *machine, a []Value) Value {
			return m.indent(m.textOf(a[0], "what is indented"), or(a[1], int64(4)), truth(or(a[2], false)), truth(or(a[3], false)))
		}),
		newBuiltin("truncate", "value length? killwords? end? leeway?", func(m *machine, a []Value) Value {
			leeway := 5
			if n := or(a[4], nil); n != nil {
				leeway = m.intOf(n, "the leeway")
			}
			return m.truncate(m.textOf(a[0], "what is truncated"), m.intOf(or(a[1], int64(255)), "the length"), truth(or(a[2], false)), m.textOf(or(a[3], Plain("...")), "the end"), leeway)
		}),
		newBuiltin("wordcount", "value", func(m *machine, a []Value) Value {
			words := strings.FieldsFunc(m.text(a[0]).s, func(r rune) bool { return !isWord(r) })
			return int64(len(words))
		}),
		newBuiltin("urlencode", "value", func(m *machine, a []Value) Value { return m.urlEncode(a[0]) }),
		newBuiltin("int", "value default? base?", func(m *machine, a []Value) Value {
			if v, ok := m.toInt(a[0], m.intOf(or(a[2], int64(10)), "the base")); ok {
				return v
			}
			return or(a[1], int64(0))
		}),
		newBuiltin("float", "value default?", func(m *machine, a []Value) Value {
			if f, ok := m.toFloat(a[0]); ok {
				return f
			}
			return or(a[1], 0.0)
		}),
		newBuiltin("round", "value precision? method?", func(m *machine, a []Value) Value {
			return m.round(a[0], m.intOf(or(a[1], int64(0)), "the precision"), m.textOf(or(a[2], Plain("common")), "the method").s)
		}),
		&builtin{name: "format", raw: func(m *machine, c call) Value {
			value := m.text(c.positional[0])
			if len(c.keywords) == 0 {
				return m.percent(value, newTuple(c.positional[1:]...))
			}
			if len(c.positional) > 1 {
				m.fail("format can't take arguments by position and by name at the same time")
			}
			d := NewDict()
			for _, k := range c.keywords {
				d.Set(Plain(k.name), k.value)
			}
			return m.percent(value, d)
		}},
		newBuiltin("tojson", "value ensure_ascii? indent? separators? sort_keys?", (*machine).toJSON),
	)...)
	for alias, name := range map[string]string{"d": "default", "e": "escape", "forceescape": "escape", "count": "length"} {
		filters[alias] = filters[name]
	}
}

// textFilter is a filter of the str() of its value.
func textFilter(name string, f func(*machine, Text) Text) *builtin {
	return newBuiltin(name, "value", func(m *machine, a []Value) Value { return f(m, m.text(a[0])) })
}

var htmlEscapes = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;"}

func escapeHTML(m *machine, t Text) Text {
	return t.mapRunes(m, func(_ int, r rune) string {
		if e, ok := htmlEscapes[r]; ok {
			return e
		}
		return string(r)
	})
}

// titleWords makes the first letter of each word a capital, as the filter does: words
// begin after white space and -({[<.
func titleWords(m *machine, t Text) Text {
	start := true
	return t.mapRunes(m, func(i int, r rune) string {
		was := start
		start = isSpace(r) || strings.ContainsRune("-({[<", r)
		if was {
			return upperRune(r)
		}
		return lowerRune(r)
	})
}

func isWord(r rune) bool { return r == '_' || isAlphanumeric(r) }

// isAlphanumeric is Python's str.isalnum of one character.
func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// indent puts width spaces, or that text, in front of lines.
func (m *machine) indent(t Text, width Value, first, blank bool) Value {
	by, ok := width.(Text)
	if !ok {
		by = m.repeatText(Plain(" "), max(0, m.intOf(width, "the width")))
	}
	b := m.builder()
	for i, line := range splitLines(m, m.concat(t, Plain("\n")), false) {
		if i > 0 {
			b.plain("\n")
		}
		if i == 0 && first || i > 0 && (blank || line.s != "") {
			b.write(by)
		}
		b.write(line)
	}
	return b.text()
}

func (m *machine) truncate(t Text, length int, killWords bool, end Text, leeway int) Value {
	keep := length - m.runeCount(end)
	if keep < 0 || leeway < 0 {
		m.fail("truncate needs a length of at least its end's %d and a leeway of at least 0", m.runeCount(end))
	}
	if m.runeCount(t) <= length+leeway {
		return t
	}
	head := t.slice(0, m.runeOffset(t, keep))
	if i := strings.LastIndexByte(head.s, ' '); i >= 0 && !killWords {
		head = head.slice(0, i)
	}
	return m.concat(head, end)
}

// urlEncode quotes a string, or the pairs of a mapping, in UTF-8.
func (m *machine) urlEncode(v Value) Value {
	d, isDict := v.(*Dict)
	pairs, isList := v.(*List)
	if isDict {
		pairs = newTuple(m.pairs(d)...)
	}
	if !isDict && !isList {
		return m.percentEncode(m.text(v), "/")
	}
	b := m.builder()
	for i, p := range pairs.items {
		pair := m.iterate(p)
		if len(pair) != 2 {
			m.fail("urlencode needs pairs, not %d values", len(pair))
		}
		if i > 0 {
			b.plain("&")
		}
		b.write(m.percentEncode(m.text(pair[0]), "").replace(m, "%20", Plain("+"), -1))
		b.plain("=")
		b.write(m.percentEncode(m.text(pair[1]), "").replace(m, "%20", Plain("+"), -1))
	}
	return b.text()
}

func (m *machine) percentEncode(t Text, safe string) Text {
	const hex = "0123456789ABCDEF"
	return t.mapRunes(m, func(_ int, r rune) string {
		if r < 0x80 && (isAlphanumeric(r) || strings.ContainsRune("_.-~"+safe, r)) {
			return string(r)
		}
		var b strings.Builder
		for _, c := range []byte(string(r)) {
			b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
		}
		return b.String()
	})
}

// toInt is Python's int(), and of what it refuses int(float()).
func (m *machine) toInt(v Value, base int) (Value, bool) {
	if t, ok := v.(Text); ok {
		if i, ok := parseInt(t.s, base); ok {
			return i, true
		}
	} else if n, ok := number(v); ok && !n.float {
		return normalInt(n.big()), true
	}
	f, ok := m.toFloat(v)
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, false
	}
	i, _ := big.NewFloat(f).Int(nil)
	return normalInt(i), true
}

// parseInt reads an integer as Python's int(s, base) does.
func parseInt(s string, base int) (Value, bool) {
	s = strings.TrimFunc(s, isSpace)
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || len(digits) > maxDigits || strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return nil, false
	}
	prefix := map[int]string{2: "0b", 8: "0o", 16: "0x"}[base]
	if prefix != "" && strings.HasPrefix(strings.ToLower(digits), prefix) {
		digits = strings.TrimPrefix(digits[2:], "_")
	}
	if base != 0 && (base < 2 || base > 36) {
		return nil, false
	}
	if base != 0 {
		digits = strings.ReplaceAll(digits, "_", "")
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok || strings.ContainsAny(digits, "+-") {
		return nil, false
	}
	if strings.HasPrefix(s, "-") {
		i.Neg(i)
	}
	return normalInt(i), true
}

// toFloat is Python's float().
func (m *machine) toFloat(v Value) (float64, bool) {
	m.defined(v)
	if n, ok := number(v); ok {
		return n.asFloat(), true
	}
	t, ok := v.(Text)
	if !ok {
		return 0, false
	}
	s := strings.TrimFunc(t.s, isSpace)
	if strings.ContainsAny(s, "xXpP") || len(s) > maxDigits {
		return 0, false
	}
	s = strings.ReplaceAll(s, "_", "")
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || math.IsInf(f, 0)
}

// round is jinja2's filter: common (to the nearest, as Python rounds), ceil or floor.
func (m *machine) round(v Value, precision int, method string) Value {
	n, ok := number(v)
	if !ok {
		m.defined(v)
		m.fail("type %s doesn't define __round__ method", typeName(v))
	}
	precision = max(-400, min(400, precision))
	if method == "common" {
		if !n.float && precision >= 0 {
			return normalInt(n.big())
		}
		f := n.asFloat()
		if precision >= 0 {
			f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'f', precision, 64), 64)
			return f
		}
		scale := math.Pow(10, float64(-precision))
		f = math.RoundToEven(f/scale) * scale
		if !n.float {
			return normalInt(bigOf(f))
		}
		return f
	}
	f := map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor}[method]
	if f == nil {
		m.fail("the method of round must be common, ceil or floor, not %s", method)
	}
	scale := math.Pow(10, float64(precision))
	return f(n.asFloat()*scale) / scale
}

func bigOf(f float64) *big.Int {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return new(big.Int)
	}
	i, _ := big.NewFloat(f).Int(nil)
	return i
}
