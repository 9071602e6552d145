package jinja

import "strings"

// builtin is a filter, test, method or global function. Its parameters are bound as
// Python binds them; those left out are absent.
type builtin struct {
	name     string
	params   []string
	required int
	variadic bool // the last parameter takes the rest, as a tuple
	run      func(m *machine, a []Value) Value
	raw      func(m *machine, c call) Value // in place of run: takes the arguments as they are
}

// absent is the value of a parameter that isn't given.
type absent struct{}

// newBuiltin reads the parameters from a signature: "value old count?" has one that
// may be left out, "*items" takes all that follow.
func newBuiltin(name, signature string, run func(m *machine, a []Value) Value) *builtin {
	b := &builtin{name: name, run: run}
	for _, p := range strings.Fields(signature) {
		if rest, ok := strings.CutPrefix(p, "*"); ok {
			b.variadic, p = true, rest
		} else if optional, ok := strings.CutSuffix(p, "?"); ok {
			p = optional
		} else {
			b.required++
		}
		b.params = append(b.params, p)
	}
	return b
}

// builtins is a table by name.
func builtins(all ...*builtin) map[string]*builtin {
	t := make(map[string]*builtin, len(all))
	for _, b := range all {
		t[b.name] = b
	}
	return t
}

// call runs the builtin with the receiver in front of the arguments.
func (b *builtin) call(m *machine, receiver []Value, c call) Value {
	m.step(1)
	if len(receiver) > 0 {
		c.positional = append(receiver[:len(receiver):len(receiver)], c.positional...)
	}
	if b.raw != nil {
		return b.raw(m, c)
	}
	return b.run(m, b.bind(m, c))
}

// bind puts the arguments in the order of the parameters.
func (b *builtin) bind(m *machine, c call) []Value {
	a := make([]Value, len(b.params))
	for i := range a {
		a[i] = absent{}
	}
	n := len(a)
	if b.variadic {
		n--
		a[n] = newTuple(c.positional[min(n, len(c.positional)):]...)
	} else if len(c.positional) > n {
		m.fail("%s() takes at most %d arguments, %d were given", b.name, n, len(c.positional))
	}
	copy(a[:n], c.positional)
	for _, k := range c.keywords {
		i := 0
		for i < n && b.params[i] != k.name {
			i++
		}
		if i == n {
			m.fail("%s() got an unexpected keyword argument '%s'", b.name, k.name)
		}
		if _, free := a[i].(absent); !free {
			m.fail("%s() got multiple values for argument '%s'", b.name, k.name)
		}
		a[i] = k.value
	}
	for i := range b.required {
		if _, missing := a[i].(absent); missing {
			m.fail("%s() is missing its argument '%s'", b.name, b.params[i])
		}
	}
	return a
}

// or is an argument, or its default if it is absent.
func or(a, otherwise Value) Value {
	if _, ok := a.(absent); ok {
		return otherwise
	}
	return a
}

func given(a Value) bool {
	_, ok := a.(absent)
	return !ok
}

// textOf is an argument that must be a string.
func (m *machine) textOf(v Value, what string) Text {
	t, ok := v.(Text)
	if !ok {
		m.defined(v)
		m.fail("%s must be a string, not %s", what, typeName(v))
	}
	m.scan(len(t.s))
	return t
}

// intOf is an argument that must be an int; beyond int32 it is the nearest of those.
func (m *machine) intOf(v Value, what string) int {
	const most = 1<<31 - 1
	n, ok := number(v)
	if !ok || n.float {
		m.defined(v)
		m.fail("%s must be an integer, not %s", what, typeName(v))
	}
	if n.i != nil {
		return most * n.i.Sign()
	}
	return int(max(-most, min(most, n.small)))
}
