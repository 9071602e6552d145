package ir

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// int reads an integer.
func (p *parser) int() int {
	text := p.take(numberToken, "an integer")
	n, err := strconv.Atoi(text)
	if err != nil {
		p.fail("%.40q is not an integer", text)
	}
	return n
}

func (p *parser) bool() bool {
	if p.accept("true") {
		return true
	}
	p.expect("false")
	return false
}

// intList reads [1, 2].
func (p *parser) intList() []int {
	out := []int{}
	p.list("[", "]", func() { out = append(out, p.int()) })
	return out
}

// intArray reads array<i64: 1, 2>.
func (p *parser) intArray() []int {
	out := []int{}
	p.expect("array", "<", "i64")
	if p.accept(":") {
		for more := true; more; more = p.accept(",") {
			out = append(out, p.int())
		}
	}
	p.expect(">")
	return out
}

// attrMap reads {key = value, …}.
func (p *parser) attrMap() map[string]any {
	out := map[string]any{}
	p.deeper(func() {
		p.list("{", "}", func() {
			key := p.take(wordToken, "an attribute name")
			if _, ok := out[key]; ok {
				p.fail("attribute %.60q is there twice", key)
			}
			p.expect("=")
			out[key] = p.attr()
		})
	})
	return out
}

// attr reads an attribute value: what attrText writes.
func (p *parser) attr() any {
	switch {
	case p.tok.kind == stringToken:
		return p.take(stringToken, "a string")
	case p.tok.kind == numberToken:
		return p.numberAttr()
	case p.is("{"):
		return p.attrMap()
	case p.is("true"), p.is("false"):
		return p.bool()
	case p.is("array"):
		return p.intArray()
	case p.is("tensor"):
		return p.typ()
	case p.is("dense"):
		return p.tensor()
	}
	text := p.take(wordToken, "an attribute value")
	d, err := ParseDType(text)
	if err != nil {
		p.fail("%.40q is no attribute value", text)
	}
	return d
}

// numberAttr reads 1 : i64, 1 : index or 0.5 : f64.
func (p *parser) numberAttr() any {
	text := p.take(numberToken, "a number")
	p.expect(":")
	if p.accept("f64") {
		return p.f64(text)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		p.fail("%.40q is not an integer", text)
	}
	if p.accept("index") {
		return Index(n)
	}
	p.expect("i64")
	return n
}

// f64 is the value of a decimal with a point, or of 16 hexadecimal digits.
func (p *parser) f64(text string) float64 {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		bits, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 {
			p.fail("%.40q is not the bits of an f64", text)
		}
		return math.Float64frombits(bits)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.Contains(text, ".") {
		p.fail("%.40q is not a float", text)
	}
	return v
}

// tensor reads dense<…> : type. The type decides how the elements are read, so
// it is read first.
func (p *parser) tensor() *Tensor {
	p.expect("dense")
	if !p.is("<") {
		p.fail("found %.40q, want <", p.tok.text)
	}
	open := p.tok
	for !p.is(">") && p.tok.kind != endToken {
		p.advance()
	}
	p.expect(">", ":")
	t := p.typ()
	after := p.tok
	p.tok = open
	p.advance()
	data := p.elements(t)
	if !p.is(">") {
		p.fail("constant of type %v: found %.40q, want >", t, p.tok.text)
	}
	p.tok = after
	return &Tensor{Type: t, Data: data}
}

// elements reads the elements of a constant: one for all, nested lists, or the
// bytes in hexadecimal.
func (p *parser) elements(t Type) []byte {
	if p.tok.kind != stringToken && !p.is("[") {
		data := make([]byte, t.DType.Size())
		putBits(data, p.element(t.DType))
		return data
	}
	if err := checkConstantType(t); err != nil {
		p.fail("constant of type %v: %v", t, err)
	}
	if p.is("[") {
		return p.nested(t.DType, t.Shape, make([]byte, 0, t.Bytes()))
	}
	text := p.take(stringToken, "a string")
	digits, ok := strings.CutPrefix(text, "0x")
	data, err := hex.DecodeString(digits)
	if !ok || err != nil || len(data) != t.Bytes() || t.DType.Bits() < 8 {
		p.fail("constant of type %v: the string is not 0x and the %d bytes of its elements", t, t.Bytes())
	}
	return data
}

// nested appends the elements of nested lists of that shape to data.
func (p *parser) nested(d DType, shape []int, data []byte) []byte {
	if len(shape) == 0 {
		data = append(data, make([]byte, d.Size())...)
		putBits(data[len(data)-d.Size():], p.element(d))
		return data
	}
	n := 0
	p.list("[", "]", func() {
		data = p.nested(d, shape[1:], data)
		if n++; n > shape[0] {
			p.fail("more elements than the type has")
		}
	})
	if n != shape[0] {
		p.fail("%d elements in a dimension of %d", n, shape[0])
	}
	return data
}

// element reads one element as a bit pattern.
func (p *parser) element(d DType) uint64 {
	if d == I1 {
		if p.bool() {
			return 1
		}
		return 0
	}
	text := p.take(numberToken, "an element")
	if !d.IsFloat() {
		n, err := strconv.ParseInt(text, 10, 64)
		if lo, hi := integerRange(d); err != nil || n < lo || n > hi {
			p.fail("%.40q is not a value of %v", text, d)
		}
		return uint64(n)
	}
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		bits, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 2*d.Size() {
			p.fail("%.40q is not the bits of an %v", text, d)
		}
		return bits
	}
	bits, _ := elementBits(d, p.f64(text))
	return bits
}
