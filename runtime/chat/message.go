package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mlxc/mlxc/runtime/chat/jinja"
)

// Message is one message of a conversation.
type Message struct {
	Role      string
	Content   string
	NoContent bool    // there is no content, or it is null
	Extra     []Field // further fields in order; one named content stands for content in parts

	order []string // of all fields in the JSON text; nil: role, content, Extra
}

// Field is a field of a message besides role and content: tool_calls, name,
// reasoning_content, ….
type Field struct {
	Name  string
	Value Value
}

// Value is a JSON value that keeps the order of its keys; the zero Value is null.
type Value struct{ value jinja.Value }

// maxJSON bounds a JSON text in bytes.
const maxJSON = 64 << 20

// ReadValue reads one JSON value.
func ReadValue(text []byte) (Value, error) {
	if len(text) > maxJSON {
		return Value{}, fmt.Errorf("%d bytes of JSON, the limit is %d", len(text), maxJSON)
	}
	v, err := jinja.FromJSON(text)
	return Value{v}, err
}

// ReadObjects reads a JSON list of objects: tools or documents.
func ReadObjects(text []byte) (Value, error) {
	v, err := ReadValue(text)
	if err == nil {
		err = v.checkObjects("it")
	}
	return v, err
}

func (v Value) isZero() bool { return v.value == nil }

// checkObjects refuses anything but null and a list of objects.
func (v Value) checkObjects(name string) error {
	if v.isZero() {
		return nil
	}
	list, ok := v.value.(*jinja.List)
	if ok {
		for _, item := range list.Items() {
			_, object := item.(*jinja.Dict)
			ok = ok && object
		}
	}
	if !ok {
		return fmt.Errorf("%s must be a JSON list of objects", name)
	}
	return nil
}

// ReadMessages reads a JSON list of messages. content may be a string, a list of
// parts, null or absent.
func ReadMessages(text []byte) ([]Message, error) {
	v, err := ReadValue(text)
	if err != nil {
		return nil, err
	}
	if err := v.checkObjects("a conversation"); err != nil || v.isZero() {
		return nil, errors.New(`a conversation must be a JSON list of messages: [{"role": "user", "content": "…"}]`)
	}
	var messages []Message
	for i, item := range v.value.(*jinja.List).Items() {
		m, err := readMessage(item.(*jinja.Dict))
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func readMessage(d *jinja.Dict) (Message, error) {
	m := Message{NoContent: true}
	hasRole := false
	for name, v := range d.All() {
		m.order = append(m.order, name)
		switch text, isText := v.(jinja.Text); {
		case name == "role" && isText:
			m.Role, hasRole = text.String(), true
		case name == "role":
			return m, errors.New("its role is not a string")
		case name == "content" && isText:
			m.Content, m.NoContent = text.String(), false
		case name == "content" && v == nil:
		case name == "content":
			if err := checkParts(v); err != nil {
				return m, err
			}
			fallthrough
		default:
			m.Extra = append(m.Extra, Field{name, Value{v}})
		}
	}
	if !hasRole {
		return m, errors.New("it has no role")
	}
	return m, nil
}

// checkParts refuses content that is neither text nor a list of parts.
func checkParts(v jinja.Value) error {
	if err := (Value{v}).checkObjects("content in parts"); err != nil {
		return fmt.Errorf("%w, or a string", err)
	}
	return nil
}

// names are the fields in order.
func (m *Message) names() []string {
	names := slices.Clone(m.order)
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add("role")
	add("content")
	for _, f := range m.Extra {
		add(f.Name)
	}
	return names
}

// field is a field's value; nil if there is none, or null.
func (m *Message) field(name string) jinja.Value {
	for _, f := range m.Extra {
		if f.Name == name {
			return f.Value.value
		}
	}
	switch {
	case name == "role":
		return roleText(m.Role)
	case name == "content" && !m.NoContent:
		return content(m.Content)
	}
	return nil
}

// roleText is a role as the template's own text, so that a template may make a control
// word of it (<|user|>), unless it could be one itself.
func roleText(role string) jinja.Text {
	odd := func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if strings.IndexFunc(role, odd) >= 0 {
		return content(role)
	}
	return jinja.Plain(role)
}

// content is a text from outside, made valid UTF-8.
func content(s string) jinja.Text {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, string(utf8.RuneError))
	}
	return jinja.Content(s)
}

// reasoningFields are the names that a message's reasoning may have, the first is the
// one that templates read.
var reasoningFields = []string{"reasoning_content", "thinking", "reasoning"}

// value is the message as a template sees it in transformers: fields that are null are
// left out, and reasoning under any name is there as thinking and reasoning_content.
func (m *Message) value() *jinja.Dict {
	d := jinja.NewDict()
	var reasoning jinja.Value
	for _, name := range reasoningFields {
		if reasoning = m.field(name); reasoning != nil {
			d.Set(jinja.Plain("thinking"), reasoning)
			break
		}
	}
	for _, name := range m.names() {
		if v := m.field(name); v != nil {
			d.Set(jinja.Plain(name), v)
		}
	}
	if reasoning != nil {
		d.Set(jinja.Plain("reasoning_content"), reasoning)
	}
	return d
}
