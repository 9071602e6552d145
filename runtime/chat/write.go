package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/mlxc/mlxc/runtime/chat/jinja"
)

// WriteMessages writes a conversation so that ReadMessages reads it: a JSON list with a
// message a line, fields in their order.
func WriteMessages(messages []Message) ([]byte, error) {
	w := jsonText{bytes.NewBufferString("[")}
	for i := range messages {
		m := &messages[i]
		w.separate(i, "\n  ")
		w.WriteByte('{')
		for k, name := range m.names() {
			w.separate(k, " ")
			if err := w.pair(name, m.field(name)); err != nil {
				return nil, fmt.Errorf("message %d: %w", i, err)
			}
		}
		w.WriteByte('}')
	}
	w.WriteString("\n]\n")
	return w.Bytes(), nil
}

// jsonText writes values with the order of their keys; Go's own encoder has no maps that
// keep it.
type jsonText struct{ *bytes.Buffer }

// separate comes before item i.
func (w jsonText) separate(i int, space string) {
	if i > 0 {
		w.WriteByte(',')
	}
	if i > 0 || space != " " {
		w.WriteString(space)
	}
}

func (w jsonText) pair(key string, v jinja.Value) error {
	if err := w.leaf(key); err != nil {
		return err
	}
	w.WriteString(": ")
	return w.value(v)
}

func (w jsonText) value(v jinja.Value) error {
	switch v := v.(type) {
	case jinja.Text:
		return w.leaf(v.String())
	case *jinja.List:
		w.WriteByte('[')
		for i, item := range v.Items() {
			w.separate(i, " ")
			if err := w.value(item); err != nil {
				return err
			}
		}
		w.WriteByte(']')
		return nil
	case *jinja.Dict:
		w.WriteByte('{')
		i := 0
		for key, item := range v.All() {
			w.separate(i, " ")
			if err := w.pair(key, item); err != nil {
				return err
			}
			i++
		}
		w.WriteByte('}')
		return nil
	}
	return w.leaf(v)
}

// leaf writes what has no parts; numbers beyond float64 have no JSON.
func (w jsonText) leaf(v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	w.Truncate(w.Len() - 1) // Encode ends the line
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1e21 {
		w.WriteString(".0") // else it is read as an int
	}
	return nil
}
