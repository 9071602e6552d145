package jinja

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds integers, as Python bounds those that it reads and prints.
const maxDigits = 4300

// numeric is an int or, if float, a float64. A bool counts as an int.
type numeric struct {
	i     *big.Int // nil: small
	small int64
	f     float64
	float bool
}

func number(v Value) (numeric, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return numeric{small: 1}, true
		}
		return numeric{}, true
	case int64:
		return numeric{small: v}, true
	case *big.Int:
		return numeric{i: v}, true
	case float64:
		return numeric{f: v, float: true}, true
	}
	return numeric{}, false
}

func (n numeric) big() *big.Int {
	if n.i != nil {
		return n.i
	}
	return big.NewInt(n.small)
}

func (n numeric) asFloat() float64 {
	switch {
	case n.float:
		return n.f
	case n.i != nil:
		f, _ := new(big.Float).SetInt(n.i).Float64()
		return f
	}
	return float64(n.small)
}

func (n numeric) compare(o numeric) int {
	switch {
	case n.float != o.float && (n.float && math.Abs(n.f) < math.MaxInt64 || o.float && math.Abs(o.f) < math.MaxInt64):
		return new(big.Float).SetPrec(2000).Set(n.exact()).Cmp(o.exact())
	case n.float || o.float:
		a, b := n.asFloat(), o.asFloat()
		switch {
		case a < b:
			return -1
		case a == b:
			return 0
		}
		return 1 // NaN is equal to nothing
	}
	return n.big().Cmp(o.big())
}

func (n numeric) exact() *big.Float {
	if n.float {
		return big.NewFloat(n.f)
	}
	return new(big.Float).SetPrec(2000).SetInt(n.big())
}

// normalInt is int64 if it fits.
func normalInt(v *big.Int) Value {
	if v.IsInt64() {
		return v.Int64()
	}
	return v
}

// arithmetic is a op b of two numbers; op is one of + - * / // % **.
func (m *machine) arithmetic(op string, a, b numeric) Value {
	if op == "/" || a.float || b.float || op == "**" && b.big().Sign() < 0 {
		x, y := a.asFloat(), b.asFloat()
		if math.IsInf(x, 0) && !a.float || math.IsInf(y, 0) && !b.float {
			m.fail("int too large to convert to float")
		}
		return m.floatArithmetic(op, x, y)
	}
	x, y, z := a.big(), b.big(), new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "**":
		if bits := int64(x.BitLen()); !y.IsInt64() || bits > 1 && y.Int64() > maxDigits*4/bits {
			m.fail("the power is too large")
		}
		z.Exp(x, y, nil)
	default:
		if y.Sign() == 0 {
			m.fail("integer division or modulo by zero")
		}
		rest := new(big.Int)
		z.DivMod(x, y, rest) // rest ≥ 0; Python's has the sign of y
		if rest.Sign() != 0 && y.Sign() < 0 {
			z.Add(z, big.NewInt(-1))
			rest.Add(rest, y)
		}
		if op == "%" {
			z = rest
		}
	}
	if z.BitLen() > maxDigits*3 {
		m.fail("the number is too large")
	}
	return normalInt(z)
}

func (m *machine) floatArithmetic(op string, x, y float64) Value {
	if y == 0 && (op == "/" || op == "//" || op == "%") {
		m.fail("division by zero")
	}
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "**":
		return m.power(x, y)
	}
	rest := math.Mod(x, y)
	if rest != 0 && (rest < 0) != (y < 0) {
		rest += y
	}
	if op == "%" {
		return rest
	}
	return math.Floor((x-rest)/y + 0.5)
}

// power is Python's ** of floats, without complex numbers.
func (m *machine) power(x, y float64) Value {
	f := math.Pow(x, y)
	finite := func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }
	if !finite(f) && finite(x) && finite(y) {
		m.fail("%v ** %v is no float", x, y)
	}
	return f
}

// floatString is Python's repr of a float.
func floatString(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		return s
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
