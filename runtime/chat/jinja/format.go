package jinja

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// conversion is a specifier of the % operator or a field of str.format.
type conversion struct {
	flags     string // of the % operator; of format: fill, alignment, sign
	width     int
	precision int // -1: none
	verb      byte
	group     string // "," or "_" between thousands
	fill      rune
	align     byte // < > ^ =, 0 if not given
	plus      byte // + or space before a number that isn't negative
	alternate bool
}

// substitute is a format in which each directive is replaced; one begins with a character
// of marks, which are ASCII. replace writes what the directive at an offset stands for and
// returns where it ends.
func (m *machine) substitute(format Text, marks string, replace func(b *builder, at int) (end int)) Text {
	b := m.builder()
	for at := 0; at < len(format.s); {
		i := strings.IndexAny(format.s[at:], marks)
		if i < 0 {
			b.write(format.slice(at, len(format.s)))
			break
		}
		b.write(format.slice(at, at+i))
		at = replace(b, at+i)
	}
	return b.text()
}

var percentSpec = regexp.MustCompile(`^%(?:\(([^()]*)\))?([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?(.)`)

// percent is format % values: values is a tuple, a mapping, or one value.
func (m *machine) percent(format Text, values Value) Value {
	m.scan(len(format.s))
	args := []Value{values}
	if l, ok := values.(*List); ok && l.kind == tupleKind {
		args = l.items
	}
	mapping, _ := values.(*Dict)
	next := func() Value {
		if len(args) == 0 {
			m.fail("not enough arguments for format string")
		}
		v := args[0]
		args = args[1:]
		return v
	}
	named := false
	text := m.substitute(format, "%", func(b *builder, at int) int {
		spec := percentSpec.FindStringSubmatch(format.s[at:])
		if spec == nil {
			m.fail("incomplete format")
		}
		isNamed := strings.HasPrefix(spec[0], "%(")
		end := at + len(spec[0])
		if spec[5] == "%" {
			b.plain("%")
			return end
		}
		value := next
		if isNamed {
			named = true
			value = func() Value {
				if mapping == nil {
					m.fail("format requires a mapping")
				}
				v, ok := mapping.Get(spec[1])
				if !ok {
					m.fail("format: no key '%s'", spec[1])
				}
				return v
			}
		}
		c := conversion{flags: spec[2], precision: -1, verb: spec[5][0], fill: ' ', align: '>'}
		c.width = m.formatNumber(spec[3], next)
		if strings.Contains(spec[0], ".") && spec[4] != "" {
			c.precision = m.formatNumber(spec[4], next)
		} else if strings.Contains(strings.TrimPrefix(spec[0], "%("+spec[1]+")"), ".") {
			c.precision = 0
		}
		c.readFlags()
		b.write(m.convert(c, value()))
		return end
	})
	if !named && mapping == nil && len(args) > 0 {
		m.fail("not all arguments converted during string formatting")
	}
	return text
}

// formatNumber reads a width or precision, which * takes from the arguments.
func (m *machine) formatNumber(s string, next func() Value) int {
	if s == "*" {
		return m.intOf(next(), "a width")
	}
	n, _ := strconv.Atoi(s)
	if len(s) > 6 {
		m.fail("a width of %s is too large", s)
	}
	return n
}

// readFlags takes what the flags of the % operator say.
func (c *conversion) readFlags() {
	if strings.Contains(c.flags, "0") && c.verb != 's' && c.verb != 'r' {
		c.fill, c.align = '0', '='
	}
	if strings.Contains(c.flags, "-") {
		c.fill, c.align = ' ', '<'
	}
	if c.width < 0 {
		c.width, c.fill, c.align = -c.width, ' ', '<'
	}
	c.alternate = strings.Contains(c.flags, "#")
	switch {
	case strings.Contains(c.flags, "+"):
		c.plus = '+'
	case strings.Contains(c.flags, " "):
		c.plus = ' '
	}
}

// convert formats one value for the % operator.
func (m *machine) convert(c conversion, v Value) Text {
	switch c.verb {
	case 's':
		return m.padded(c, m.cut(m.text(v), c.precision), "")
	case 'r', 'a':
		b := m.builder()
		m.repr(b, v)
		return m.padded(c, m.cut(b.text(), c.precision), "")
	case 'c':
		if n, ok := number(v); ok && !n.float {
			code := m.intOf(v, "a character")
			if !utf8.ValidRune(rune(code)) {
				m.fail("%%c: %d is no character", code)
			}
			return m.padded(c, Plain(string(rune(code))), "")
		}
		t := m.textOf(v, "a character")
		if m.runeCount(t) != 1 {
			m.fail("%%c requires int or char")
		}
		return m.padded(c, t, "")
	case 'i', 'u':
		c.verb = 'd'
	}
	n, ok := number(v)
	if !ok {
		m.defined(v)
		m.fail("%%%c format: a real number is required, not %s", c.verb, typeName(v))
	}
	if c.verb == 'd' && n.float {
		n = numeric{i: bigOf(math.Trunc(n.f))}
	}
	return m.formatNumeric(c, n)
}

// cut is the first n characters.
func (m *machine) cut(t Text, n int) Text {
	if n < 0 {
		return t
	}
	return t.slice(0, m.runeOffset(t, n))
}

// padded fills a text up to the width; sign is what stands before zeros.
func (m *machine) padded(c conversion, t Text, sign string) Text {
	b := m.builder()
	missing := c.width - m.runeCount(t) - len(sign)
	fill := func(n int) { b.write(m.repeatText(Plain(string(c.fill)), max(0, n))) }
	left := map[byte]int{'>': missing, '^': missing / 2}[c.align]
	fill(left)
	b.plain(sign)
	if c.align == '=' {
		fill(missing)
		left = missing
	}
	b.write(t)
	fill(missing - left)
	return b.text()
}

var integerVerbs = map[byte]int{'d': 10, 'x': 16, 'X': 16, 'o': 8, 'b': 2}

func (m *machine) formatNumeric(c conversion, n numeric) Text {
	digits, negative := "", false
	if base, ok := integerVerbs[c.verb]; ok {
		if n.float {
			m.fail("%%%c format: an integer is required, not float", c.verb)
		}
		digits, negative = new(big.Int).Abs(n.big()).Text(base), n.big().Sign() < 0
		if c.precision > len(digits) {
			digits = strings.Repeat("0", min(c.precision, maxDigits)-len(digits)) + digits
		}
		if prefix := map[byte]string{'x': "0x", 'X': "0X", 'o': "0o", 'b': "0b"}[c.verb]; c.alternate {
			digits = prefix + digits
		}
		if c.verb == 'X' {
			digits = strings.ToUpper(digits)
		}
	} else {
		f := n.asFloat()
		digits, negative = m.formatFloat(c, math.Abs(f)), math.Signbit(f)
	}
	if c.group != "" {
		digits = grouped(digits, c.group)
	}
	sign := ""
	switch {
	case negative:
		sign = "-"
	case c.plus != 0:
		sign = string(c.plus)
	}
	return m.padded(c, Plain(digits), sign)
}

func (m *machine) formatFloat(c conversion, f float64) string {
	precision := c.precision
	if precision < 0 {
		precision = 6
	}
	if precision > 1000 {
		m.fail("a precision of %d is too large", precision)
	}
	verb := c.verb
	scale := ""
	if verb == '%' {
		f, verb, scale = f*100, 'f', "%"
	}
	if strings.IndexByte("eEfFgG", verb) < 0 {
		m.fail("unsupported format character '%c'", verb)
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return strings.TrimPrefix(floatString(f), "-") + scale
	}
	s := ""
	switch lower := verb | 0x20; lower {
	case 'g':
		s = shortFloat(f, max(precision, 1))
	default:
		s = strconv.FormatFloat(f, lower, precision, 64)
	}
	if verb < 'a' {
		s = strings.ToUpper(s)
	}
	return s + scale
}

// shortFloat is C's %g without trailing zeros.
func shortFloat(f float64, precision int) string {
	s := strconv.FormatFloat(f, 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	if e < -4 || e >= precision {
		return trim(mantissa) + "e" + exponent
	}
	return trim(strconv.FormatFloat(f, 'f', precision-1-e, 64))
}

// grouped puts a separator between thousands.
func grouped(digits, separator string) string {
	whole, rest := digits, ""
	if i := strings.IndexAny(digits, ".eE%"); i >= 0 {
		whole, rest = digits[:i], digits[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + separator + whole[i:]
	}
	return whole + rest
}

var formatField = regexp.MustCompile(`^\{([^{}\[\].!:]*)((?:\.[^{}\[\].!:]+|\[[^{}\[\]]+\])*)(?:!([rsa]))?(?::([^{}]*))?\}`)

// format is str.format: the receiver stands first.
func (m *machine) format(c call) Value {
	t := m.textOf(c.positional[0], "the format")
	args, auto := c.positional[1:], 0
	return m.substitute(t, "{}", func(b *builder, at int) int {
		if at+1 < len(t.s) && t.s[at+1] == t.s[at] {
			b.write(t.slice(at, at+1))
			return at + 2
		}
		field := formatField.FindStringSubmatch(t.s[at:])
		if field == nil {
			m.fail("the format has a field that is not supported at %q", t.s[at:min(at+20, len(t.s))])
		}
		name := field[1]
		if name == "" {
			name = strconv.Itoa(auto)
			auto++
		}
		b.write(m.formatValue(m.formatPath(m.formatArgument(name, args, c), field[2]), field[3], field[4]))
		return at + len(field[0])
	})
}

func (m *machine) formatArgument(name string, args []Value, c call) Value {
	if i, err := strconv.Atoi(name); err == nil {
		if i < 0 || i >= len(args) {
			m.fail("Replacement index %d out of range for positional args tuple", i)
		}
		return args[i]
	}
	v, ok := c.take(name)
	if !ok {
		m.fail("the format names '%s', which isn't given", name)
	}
	return v
}

var formatStep = regexp.MustCompile(`\.([^.\[]+)|\[([^\]]+)\]`)

func (m *machine) formatPath(v Value, path string) Value {
	for _, step := range formatStep.FindAllStringSubmatch(path, -1) {
		switch i, err := strconv.Atoi(step[2]); {
		case step[1] != "":
			v = m.attribute(v, step[1])
		case err == nil:
			v = m.item(v, int64(i))
		default:
			v = m.item(v, Plain(step[2]))
		}
	}
	return v
}

var formatSpec = regexp.MustCompile(`^(?:(.)?([<>^=]))?([-+ ])?(#)?(0)?(\d*)([,_])?(?:\.(\d+))?([a-zA-Z%])?$`)

func (m *machine) formatValue(v Value, as, spec string) Text {
	if as != "" {
		b := m.builder()
		if as == "s" {
			b.write(m.text(v))
		} else {
			m.repr(b, v)
		}
		v = b.text()
	}
	if spec == "" {
		return m.text(v)
	}
	s := formatSpec.FindStringSubmatch(spec)
	if s == nil {
		m.fail("Invalid format specifier %q", spec)
	}
	c := conversion{precision: -1, fill: ' ', group: s[7], alternate: s[4] != ""}
	for _, r := range s[1] {
		c.fill = r
	}
	if s[2] != "" {
		c.align = s[2][0]
	}
	if s[3] != "" && s[3] != "-" {
		c.plus = s[3][0]
	}
	if s[5] != "" && c.align == 0 {
		c.fill, c.align = '0', '='
	}
	c.width = m.formatNumber(s[6], nil)
	if s[8] != "" {
		c.precision = m.formatNumber(s[8], nil)
	}
	if s[9] != "" {
		c.verb = s[9][0]
	}
	return m.formatAs(c, v)
}

func (m *machine) formatAs(c conversion, v Value) Text {
	align := func(otherwise byte) {
		if c.align == 0 {
			c.align = otherwise
		}
	}
	n, isNumber := number(v)
	if _, isBool := v.(bool); isBool && c.verb == 0 {
		isNumber = false
		v = m.text(v)
	}
	if !isNumber {
		align('<')
		if c.verb != 0 && c.verb != 's' {
			m.fail("Unknown format code '%c' for object of type '%s'", c.verb, typeName(v))
		}
		return m.padded(c, m.cut(m.textOf(v, "what is formatted"), c.precision), "")
	}
	align('>')
	switch {
	case c.verb == 0 && !n.float:
		c.verb = 'd'
	case c.verb == 0 && c.precision < 0:
		s := floatString(math.Abs(n.f))
		if c.group != "" {
			s = grouped(s, c.group)
		}
		sign := ""
		if math.Signbit(n.f) {
			sign = "-"
		} else if c.plus != 0 {
			sign = string(c.plus)
		}
		return m.padded(c, Plain(s), sign)
	case c.verb == 0:
		c.verb = 'g'
	}
	return m.formatNumeric(c, n)
}
