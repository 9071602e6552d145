package jinja

import (
	"math/big"
)

// tests are what stands behind is.
var tests map[string]*builtin

func init() {
	compare := func(op string) func(*machine, []Value) Value {
		return func(m *machine, a []Value) Value { return m.compare(op, a[0], a[1]) }
	}
	remainder := func(m *machine, v Value, by Value) Value { return m.binary("%", v, by) }
	tests = builtins(
		newBuiltin("defined", "value", func(_ *machine, a []Value) Value { return !is[Undefined](a[0]) }),
		newBuiltin("undefined", "value", func(_ *machine, a []Value) Value { return is[Undefined](a[0]) }),
		newBuiltin("none", "value", func(_ *machine, a []Value) Value { return a[0] == nil }),
		newBuiltin("boolean", "value", func(_ *machine, a []Value) Value { return is[bool](a[0]) }),
		newBuiltin("true", "value", func(_ *machine, a []Value) Value { return a[0] == true }),
		newBuiltin("false", "value", func(_ *machine, a []Value) Value { return a[0] == false }),
		newBuiltin("integer", "value", func(_ *machine, a []Value) Value { return is[int64](a[0]) || is[*big.Int](a[0]) }),
		newBuiltin("float", "value", func(_ *machine, a []Value) Value { return is[float64](a[0]) }),
		newBuiltin("number", "value", func(_ *machine, a []Value) Value { _, ok := number(a[0]); return ok }),
		newBuiltin("string", "value", func(_ *machine, a []Value) Value { return is[Text](a[0]) }),
		newBuiltin("mapping", "value", func(_ *machine, a []Value) Value { return is[*Dict](a[0]) }),
		newBuiltin("sequence", "value", func(_ *machine, a []Value) Value {
			l, ok := a[0].(*List)
			return ok && l.indexed() || is[Text](a[0]) || is[*Dict](a[0]) || is[Undefined](a[0])
		}),
		newBuiltin("iterable", "value", func(_ *machine, a []Value) Value {
			return is[*List](a[0]) || is[Text](a[0]) || is[*Dict](a[0]) || is[Undefined](a[0]) || is[*generator](a[0]) || is[*loop](a[0])
		}),
		newBuiltin("callable", "value", func(_ *machine, a []Value) Value {
			return is[*macro](a[0]) || is[*function](a[0]) || is[*loop](a[0]) || is[Undefined](a[0])
		}),
		newBuiltin("escaped", "value", func(*machine, []Value) Value { return false }),
		newBuiltin("lower", "value", func(m *machine, a []Value) Value { return isLower(m.text(a[0]).s) }),
		newBuiltin("upper", "value", func(m *machine, a []Value) Value { return isUpper(m.text(a[0]).s) }),
		newBuiltin("odd", "value", func(m *machine, a []Value) Value { return m.equal(remainder(m, a[0], int64(2)), int64(1)) }),
		newBuiltin("even", "value", func(m *machine, a []Value) Value { return m.equal(remainder(m, a[0], int64(2)), int64(0)) }),
		newBuiltin("divisibleby", "value num", func(m *machine, a []Value) Value { return m.equal(remainder(m, a[0], a[1]), int64(0)) }),
		newBuiltin("sameas", "value other", func(_ *machine, a []Value) Value { return same(a[0], a[1]) }),
		newBuiltin("in", "value seq", func(m *machine, a []Value) Value { return m.contains(a[1], a[0]) }),
		newBuiltin("filter", "value", func(m *machine, a []Value) Value { return filters[m.text(a[0]).s] != nil }),
		newBuiltin("test", "value", func(m *machine, a []Value) Value { return tests[m.text(a[0]).s] != nil }),
	)
	for op, names := range map[string][]string{
		"==": {"==", "eq", "equalto"}, "!=": {"!=", "ne"}, ">": {">", "gt", "greaterthan"}, ">=": {">=", "ge"},
		"<": {"<", "lt", "lessthan"}, "<=": {"<=", "le"},
	} {
		for _, name := range names {
			tests[name] = newBuiltin(name, "value other", compare(op))
		}
	}
}

// is reports whether a value has a type.
func is[T Value](v Value) bool {
	_, ok := v.(T)
	return ok
}
