package ir

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// listElements is the largest number of elements that print one by one; larger
// constants print as one hexadecimal string.
const listElements = 32

// denseText is a tensor as in stablehlo.constant: dense<0.5>, dense<[1, 2]> or
// dense<"0x0102">.
func denseText(t *Tensor) string {
	var b strings.Builder
	b.WriteString("dense<")
	switch {
	case t.isSplat():
		b.WriteString(elementText(t.Type.DType, t.bitsAt(0)))
	case t.Type.DType.Bits() >= 8 && t.Type.Elements() > listElements:
		fmt.Fprintf(&b, `"0x%s"`, strings.ToUpper(hex.EncodeToString(t.Data)))
	default:
		i := 0
		writeElements(&b, t, t.Type.Shape, &i)
	}
	b.WriteString(">")
	return b.String()
}

// writeElements writes the elements from *i on as nested lists of that shape.
func writeElements(b *strings.Builder, t *Tensor, shape []int, i *int) {
	if len(shape) == 0 {
		b.WriteString(elementText(t.Type.DType, t.bitsAt(*i)))
		*i++
		return
	}
	b.WriteByte('[')
	for k := range shape[0] {
		if k > 0 {
			b.WriteString(", ")
		}
		writeElements(b, t, shape[1:], i)
	}
	b.WriteByte(']')
}

// elementText is one element, given as bit pattern, in a form that reads back to
// the same bits.
func elementText(d DType, bits uint64) string {
	switch {
	case d == I1:
		return strconv.FormatBool(bits != 0)
	case d.IsFloat():
		return floatText(d, bits)
	}
	return strconv.FormatInt(intOf(d, bits), 10)
}

// floatText is the shortest decimal that reads back to the same bits, else
// hexadecimal. MLIR reads a decimal as f64 and rounds that to the element type.
func floatText(d DType, bits uint64) string {
	v := float64(floatOf(d, bits))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return hexBits(d, bits)
	}
	const digitsOfF32 = 9
	for digits := 1; digits <= digitsOfF32; digits++ {
		text := strconv.FormatFloat(v, 'g', digits, 64)
		read, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		if back, _ := elementBits(d, read); back == bits {
			return withPoint(text)
		}
	}
	return hexBits(d, bits)
}

// hexBits is a bit pattern as MLIR writes floats that have no decimal.
func hexBits(d DType, bits uint64) string {
	return fmt.Sprintf("0x%0*X", 2*d.Size(), bits)
}

// f64Text is a float attribute, which has type f64.
func f64Text(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprintf("0x%016X : f64", math.Float64bits(v))
	}
	return withPoint(strconv.FormatFloat(v, 'g', -1, 64)) + " : f64"
}

// withPoint gives a number the decimal point that MLIR demands of a float.
func withPoint(text string) string {
	if strings.Contains(text, ".") {
		return text
	}
	if mantissa, exp, ok := strings.Cut(text, "e"); ok {
		return mantissa + ".0e" + exp
	}
	return text + ".0"
}

// attrText is an attribute value: what Op says attributes may be.
func attrText(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v) + " : i64"
	case Index:
		return strconv.Itoa(int(v)) + " : index"
	case float64:
		return f64Text(v)
	case string:
		return quote(v)
	case []int:
		return "array<i64" + prefixed(": ", joinInts(v)) + ">"
	case DType:
		return v.String()
	case Type:
		return v.String()
	case *Tensor:
		return denseText(v) + " : " + v.Type.String()
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, key := range sortedKeys(v) {
			parts = append(parts, key+" = "+attrText(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("<%T is no attribute value>", v)
}

// quote is a string as MLIR writes it: what is not printable ASCII as \XX.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%02X`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func joinInts(v []int) string {
	parts := make([]string, len(v))
	for i, n := range v {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}

// prefixed puts prefix before s unless s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
