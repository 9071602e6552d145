package jinja

import (
	"slices"
	"strings"
	"unicode"
)

// self is the receiver of a method of strings.
func (m *machine) self(a []Value) Text { return m.textOf(a[0], "the receiver") }

// textMethod is a method that only needs its receiver.
func textMethod(name string, f func(m *machine, t Text) Value) *builtin {
	return newBuiltin(name, "self", func(m *machine, a []Value) Value { return f(m, m.self(a)) })
}

// textPredicate is a method that asks of a string that isn't empty whether each
// character is of a class.
func textPredicate(name string, in func(rune) bool) *builtin {
	return textMethod(name, func(_ *machine, t Text) Value {
		return t.s != "" && strings.IndexFunc(t.s, func(r rune) bool { return !in(r) }) < 0
	})
}

// stripMethod cuts white space, or the characters given, off the ends.
func stripMethod(name string, left, right bool) *builtin {
	return newBuiltin(name, "self chars?", func(m *machine, a []Value) Value {
		return m.self(a).trim(m.stripSet(or(a[1], nil)), left, right)
	})
}

func (m *machine) stripSet(chars Value) func(rune) bool {
	if chars == nil {
		return isSpace
	}
	set := m.textOf(chars, "the characters to strip").s
	return func(r rune) bool { m.scan(len(set)); return strings.ContainsRune(set, r) }
}

// affixMethod asks for one of several ends of a part of the string.
func affixMethod(name string, has func(s, affix string) bool) *builtin {
	return newBuiltin(name, "self affix start? end?", func(m *machine, a []Value) Value {
		t := m.part(m.self(a), a[2], a[3])
		affixes := []Value{a[1]}
		if l, ok := a[1].(*List); ok && l.kind == tupleKind {
			affixes = l.items
		}
		return slices.ContainsFunc(affixes, func(v Value) bool { return has(t.s, m.textOf(v, "what a string is compared with").s) })
	})
}

// part is t[start:end].
func (m *machine) part(t Text, start, end Value) Text {
	if !given(start) && !given(end) {
		return t
	}
	return m.slice(t, [3]Value{or(start, nil), or(end, nil)}).(Text)
}

// findMethod finds a string, and gives the number of the character where it is. It
// fails where missing says so, else gives -1.
func findMethod(name string, find func(s, sub string) int, fails bool) *builtin {
	return newBuiltin(name, "self sub start? end?", func(m *machine, a []Value) Value {
		t := m.self(a)
		at := find(m.part(t, a[2], a[3]).s, m.textOf(a[1], "what to find").s)
		if at < 0 && fails {
			m.fail("substring not found")
		}
		if at < 0 {
			return int64(-1)
		}
		from, _, _ := m.bounds([3]Value{or(a[2], nil)}, m.runeCount(t))
		return int64(from + m.runeCount(m.part(t, a[2], a[3]).slice(0, at)))
	})
}

// padMethod fills a string up to a width.
func padMethod(name string, left func(t Text, missing, width int) int) *builtin {
	return newBuiltin(name, "self width fillchar?", func(m *machine, a []Value) Value {
		t := m.self(a)
		fill := m.textOf(or(a[2], Plain(" ")), "the fill character")
		width := m.intOf(a[1], "the width")
		return m.pad(t, fill, width, left)
	})
}

func (m *machine) pad(t, fill Text, width int, left func(t Text, missing, width int) int) Text {
	missing := width - m.runeCount(t)
	if m.runeCount(fill) != 1 {
		m.fail("the fill character must be exactly one character long")
	}
	if missing <= 0 {
		return t
	}
	l := left(t, missing, width)
	return m.concat(m.concat(m.repeatText(fill, l), t), m.repeatText(fill, missing-l))
}

// centered is what Python's center puts on the left.
func centered(_ Text, missing, width int) int { return missing/2 + missing&width&1 }

func textMethodTable() map[string]*builtin {
	return builtins(
		stripMethod("strip", true, true), stripMethod("lstrip", true, false), stripMethod("rstrip", false, true),
		affixMethod("startswith", strings.HasPrefix), affixMethod("endswith", strings.HasSuffix),
		findMethod("find", strings.Index, false), findMethod("rfind", strings.LastIndex, false),
		findMethod("index", strings.Index, true), findMethod("rindex", strings.LastIndex, true),
		padMethod("center", centered),
		padMethod("ljust", func(_ Text, _, _ int) int { return 0 }),
		padMethod("rjust", func(_ Text, missing, _ int) int { return missing }),
		newBuiltin("zfill", "self width", func(m *machine, a []Value) Value {
			t, sign := m.self(a), 0
			if t.s != "" && strings.ContainsRune("+-", rune(t.s[0])) {
				sign = 1
			}
			zeros, _ := m.repeat(Plain("0"), m.intOf(a[1], "the width")-m.runeCount(t))
			return m.concat(m.concat(t.slice(0, sign), zeros.(Text)), t.slice(sign, len(t.s)))
		}),
		textMethod("upper", func(m *machine, t Text) Value { return upper(m, t) }),
		textMethod("lower", func(m *machine, t Text) Value { return lower(m, t) }),
		textMethod("capitalize", func(m *machine, t Text) Value { return capitalize(m, t) }),
		textMethod("title", func(m *machine, t Text) Value { return title(m, t) }),
		textMethod("swapcase", func(m *machine, t Text) Value {
			return t.mapRunes(m, func(_ int, r rune) string {
				if unicode.IsUpper(r) {
					return lowerRune(r)
				}
				return upperRune(r)
			})
		}),
		textPredicate("isspace", isSpace),
		textPredicate("isalpha", unicode.IsLetter),
		textPredicate("isdigit", unicode.IsDigit),
		textPredicate("isdecimal", unicode.IsDigit),
		textPredicate("isnumeric", unicode.IsNumber),
		textPredicate("isalnum", isAlphanumeric),
		textMethod("isascii", func(_ *machine, t Text) Value {
			return strings.IndexFunc(t.s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
		}),
		textMethod("isprintable", func(_ *machine, t Text) Value {
			return strings.IndexFunc(t.s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}),
		textMethod("isupper", func(_ *machine, t Text) Value { return isUpper(t.s) }),
		textMethod("islower", func(_ *machine, t Text) Value { return isLower(t.s) }),
		newBuiltin("split", "self sep? maxsplit?", func(m *machine, a []Value) Value { return m.splitCall(a, false) }),
		newBuiltin("rsplit", "self sep? maxsplit?", func(m *machine, a []Value) Value { return m.splitCall(a, true) }),
		newBuiltin("splitlines", "self keepends?", func(m *machine, a []Value) Value {
			return m.textList(splitLines(m, m.self(a), m.intOf(or(a[1], false), "keepends") != 0))
		}),
		newBuiltin("partition", "self sep", func(m *machine, a []Value) Value { return m.partition(a, false) }),
		newBuiltin("rpartition", "self sep", func(m *machine, a []Value) Value { return m.partition(a, true) }),
		newBuiltin("replace", "self old new count?", func(m *machine, a []Value) Value {
			return m.self(a).replace(m, m.textOf(a[1], "the old string").s, m.textOf(a[2], "the new string"), m.intOf(or(a[3], int64(-1)), "the count"))
		}),
		newBuiltin("join", "self iterable", func(m *machine, a []Value) Value {
			return m.join(m.iterate(a[1]), m.self(a), true)
		}),
		newBuiltin("count", "self sub start? end?", func(m *machine, a []Value) Value {
			return int64(strings.Count(m.part(m.self(a), a[2], a[3]).s, m.textOf(a[1], "what to count").s))
		}),
		newBuiltin("removeprefix", "self prefix", func(m *machine, a []Value) Value {
			t := m.self(a)
			return t.slice(len(t.s)-len(strings.TrimPrefix(t.s, m.textOf(a[1], "the prefix").s)), len(t.s))
		}),
		newBuiltin("removesuffix", "self suffix", func(m *machine, a []Value) Value {
			t := m.self(a)
			return t.slice(0, len(strings.TrimSuffix(t.s, m.textOf(a[1], "the suffix").s)))
		}),
		newBuiltin("expandtabs", "self tabsize?", func(m *machine, a []Value) Value {
			return expandTabs(m, m.self(a), m.intOf(or(a[1], int64(8)), "the tab size"))
		}),
		&builtin{name: "format", raw: func(m *machine, c call) Value { return m.format(c) }},
	)
}

// textList is a list of strings.
func (m *machine) textList(parts []Text) Value {
	items := make([]Value, len(parts))
	for i, p := range parts {
		items[i] = p
	}
	m.alloc(32 * len(items))
	return m.list(listKind, items)
}

// join puts a separator between values, which must be strings where only says so.
func (m *machine) join(items []Value, separator Text, only bool) Text {
	b := m.builder()
	for i, item := range items {
		if i > 0 {
			b.write(separator)
		}
		t, ok := item.(Text)
		if !ok && only {
			m.fail("sequence item %d: expected str instance, %s found", i, typeName(item))
		}
		if !ok {
			t = m.text(item)
		}
		b.write(t)
	}
	return b.text()
}

func (m *machine) partition(a []Value, fromRight bool) Value {
	t, sep := m.self(a), m.textOf(a[1], "the separator")
	if sep.s == "" {
		m.fail("empty separator")
	}
	find := strings.Index
	if fromRight {
		find = strings.LastIndex
	}
	switch i := find(t.s, sep.s); {
	case i >= 0:
		return newTuple(t.slice(0, i), t.slice(i, i+len(sep.s)), t.slice(i+len(sep.s), len(t.s)))
	case fromRight:
		return newTuple(Text{}, Text{}, t)
	}
	return newTuple(t, Text{}, Text{})
}
