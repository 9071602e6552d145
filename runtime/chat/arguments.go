package chat

import (
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/runtime/chat/jinja"
)

// argumentsAs says what becomes of a tool call's arguments that are a string.
type argumentsAs int

const (
	parsedArguments argumentsAs = iota
	rawArguments
)

// values are messages as templates see them.
func values(messages []Message, as argumentsAs) ([]*jinja.Dict, error) {
	all := make([]*jinja.Dict, len(messages))
	for i := range messages {
		v := messages[i].value()
		if err := readArguments(v, as); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		all[i] = v
	}
	return all, nil
}

// haveArguments reports whether a message has tool calls.
func haveArguments(messages []Message) bool {
	return slices.ContainsFunc(messages, func(m Message) bool { return m.field("tool_calls") != nil })
}

// readArguments puts the mappings that strings of JSON spell in place of the arguments
// of a message's tool calls. Clients send strings; they must be JSON objects, an empty
// one is {}.
func readArguments(message *jinja.Dict, as argumentsAs) error {
	v, _ := message.Get("tool_calls")
	calls, ok := v.(*jinja.List)
	if !ok {
		return nil
	}
	changed := jinja.NewList()
	for i, item := range calls.Items() {
		call, ok := item.(*jinja.Dict)
		if !ok {
			return fmt.Errorf("tool_calls %d is not an object", i)
		}
		read, err := readCall(call)
		if err != nil {
			return fmt.Errorf("tool_calls %d: %w", i, err)
		}
		changed.Append(read)
	}
	if as == parsedArguments {
		message.Set(jinja.Plain("tool_calls"), changed)
	}
	return nil
}

// readCall reads the arguments of {"function": {"arguments": …}} or {"arguments": …}.
func readCall(call *jinja.Dict) (*jinja.Dict, error) {
	out := call.Copy()
	if v, _ := call.Get("function"); v != nil {
		if function, ok := v.(*jinja.Dict); ok {
			read, err := readCall(function)
			if err != nil {
				return nil, err
			}
			out.Set(jinja.Plain("function"), read)
			return out, nil
		}
	}
	v, _ := call.Get("arguments")
	text, ok := v.(jinja.Text)
	if !ok {
		return out, nil
	}
	if text.String() == "" {
		out.Set(jinja.Plain("arguments"), jinja.NewDict())
		return out, nil
	}
	parsed, err := ReadValue([]byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("its arguments are not JSON: %w", err)
	}
	if _, ok := parsed.value.(*jinja.Dict); !ok {
		return nil, fmt.Errorf("its arguments are not a JSON object: %.40s", text)
	}
	out.Set(jinja.Plain("arguments"), parsed.value)
	return out, nil
}
