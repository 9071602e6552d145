package archs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits of config.json.
const (
	maxConfigBytes = 4 << 20
	maxConfigDepth = 32
)

// config is a decoded config.json under the eyes of one family. Its readers record
// which keys were read, and the first error, after which they return zeros.
//
// A value is nil, bool, string, json.Number (which may be "NaN", "Infinity" or
// "-Infinity"), []any or map[string]any. null is the same as an absent key.
type config struct {
	row    *Row
	values map[string]any
	read   map[string]bool
	err    error
}

// decodeConfig reads the JSON that Python's json module reads: bare NaN, Infinity
// and -Infinity are numbers, as is HF's {"__float__": "NaN"}. A key that appears
// twice in an object, where Python takes the last, is refused.
func decodeConfig(data []byte) (map[string]any, error) {
	if len(data) > maxConfigBytes {
		return nil, Errorf(BadConfig, "config.json: %d bytes (supported: up to %d)", len(data), maxConfigBytes)
	}
	if !utf8.Valid(data) {
		return nil, Errorf(BadConfig, "config.json: not UTF-8 text")
	}
	d := json.NewDecoder(bytes.NewReader(tagFloats(data)))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err == nil {
		if _, extra := d.Token(); extra != io.EOF {
			err = fmt.Errorf("more text after the end of the value")
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("it ends in the middle of a value")
	}
	if err != nil {
		return nil, Errorf(BadConfig, "config.json: not valid JSON: %v", err)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, Errorf(BadConfig, "config.json: found %s (supported: an object)", describe(v))
	}
	return object, nil
}

// stringOrFloat matches a string, which is to stay as it is, or a bare special float.
var stringOrFloat = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b`)

// tagFloats writes bare special floats, which encoding/json refuses, in HF's tagged form.
func tagFloats(data []byte) []byte {
	return stringOrFloat.ReplaceAllFunc(data, func(t []byte) []byte {
		if t[0] == '"' {
			return t
		}
		return fmt.Appendf(nil, `{"__float__":%q}`, t)
	})
}

// decodeValue decodes one value, at the given depth of nesting.
func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxConfigDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxConfigDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		return decodeObject(d, depth)
	}
	return t, nil
}

// decodeObject decodes the rest of an object whose { has been read.
func decodeObject(d *json.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string)
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("key %q appears twice", key)
		}
		if object[key], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if tag, ok := object["__float__"].(string); ok && len(object) == 1 {
		switch tag {
		case "NaN", "Infinity", "-Infinity":
			return json.Number(tag), nil
		}
	}
	return object, nil
}

// fail records an error of a field.
func (c *config) fail(class, field, format string, args ...any) {
	if c.err == nil {
		c.err = Errorf(class, "config.json: %s %s", field, fmt.Sprintf(format, args...))
	}
}

// spelling is how the family spells a config key.
func (c *config) spelling(key string) string {
	if k, ok := c.row.Keys[key]; ok {
		return k
	}
	return key
}

// value returns a key's value or the class default, nil if there is neither.
func (c *config) value(key string) any {
	spelled := c.spelling(key)
	c.read[spelled] = true
	if v := c.values[spelled]; v != nil {
		return v
	}
	switch v := c.row.Defaults[key].(type) {
	case int, float64:
		return json.Number(fmt.Sprint(v))
	default:
		return v
	}
}

// size reads a required integer in [1, limit].
func (c *config) size(key string, limit int) int {
	v := c.value(key)
	n, ok := integer(v)
	switch {
	case v == nil:
		c.fail(BadConfig, c.spelling(key), "is missing (supported: an integer from 1 to %d)", limit)
	case !ok || n < 1 || n > limit:
		c.fail(BadConfig, c.spelling(key), "is %s (supported: an integer from 1 to %d)", describe(v), limit)
	}
	if c.err != nil {
		return 0
	}
	return n
}

// sizeOr is size with a default for a key that is absent.
func (c *config) sizeOr(key string, limit, absent int) int {
	if c.value(key) == nil {
		return absent
	}
	return c.size(key, limit)
}

// ids reads token ids: an integer, a list of them, or none. Unlike elsewhere null
// isn't absent but "none", as is -1, which old configs use.
func (c *config) ids(key string) []int {
	v := c.value(key)
	if given, ok := c.values[c.spelling(key)]; ok && given == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	var ids []int
	for _, v := range list {
		id, ok := integer(v)
		if !ok || id < -1 || id > math.MaxInt32 {
			c.fail(BadConfig, c.spelling(key), "is %s (supported: a token id or a list of them)", describe(v))
			return nil
		}
		if id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// tokens is ids, of which those that the file itself gives must be in the vocabulary:
// a class default may be beyond that of a tiny model.
func (c *config) tokens(key string, vocab int) []int {
	ids := c.ids(key)
	if _, given := c.values[c.spelling(key)]; given && len(ids) > 0 && slices.Max(ids) >= vocab {
		c.fail(BadConfig, c.spelling(key), "is %d, which is no token: the vocabulary has %d", slices.Max(ids), vocab)
	}
	return ids
}

// float reads a required positive, finite number.
func (c *config) float(key string) float64 {
	v := c.value(key)
	f, ok := float(v)
	switch {
	case v == nil:
		c.fail(BadConfig, c.spelling(key), "is missing (supported: a number above 0)")
	case !ok || f <= 0:
		c.fail(BadConfig, c.spelling(key), "is %s (supported: a finite number above 0)", describe(v))
		return 0
	}
	return f
}

// flag evaluates a switch.
func (c *config) flag(s Switch) bool {
	if s == Always || s == Never {
		return s == Always
	}
	v := c.value(string(s))
	b, ok := v.(bool)
	if !ok {
		c.fail(BadConfig, c.spelling(string(s)), "is %s (supported: true, false)", describe(v))
	}
	return b
}

// integer converts a number without a fractional part, 4.0 included.
func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	if i, err := strconv.Atoi(string(n)); err == nil {
		return i, true
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// float converts a finite number.
func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// describe prints a value for an error message, shortened.
func describe(v any) string {
	const limit = 80
	var text string
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	default:
		data, err := json.Marshal(v)
		if err != nil { // a special float inside
			data = fmt.Append(nil, v)
		}
		text = string(data)
	}
	if len(text) > limit {
		text = text[:limit] + "…"
	}
	return text
}
