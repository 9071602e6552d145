package conversation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Roles that a conversation itself gives to messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Message is one part of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// MaxFile bounds a file of messages, in bytes.
const MaxFile = 16 << 20

// Parse reads messages as Format writes them: a JSON array of {role, content}.
func Parse(data []byte) ([]Message, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var messages []Message
	if err := dec.Decode(&messages); err != nil {
		return nil, fmt.Errorf(`not an array of {"role": …, "content": …}: %w`, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something after the array of messages")
	}
	if len(messages) == 0 {
		return nil, errors.New("there are no messages in it")
	}
	for i, m := range messages {
		if m.Role == "" {
			return nil, fmt.Errorf(`message %d has no "role": it is system, user or assistant, or what else the chat template knows`, i)
		}
	}
	return messages, nil
}

// Format writes messages as JSON, a message a line.
func Format(messages []Message) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for i, m := range messages {
		out.WriteString(map[bool]string{true: "[\n  ", false: ",\n  "}[i == 0])
		if err := e.Encode(m); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // Encode ends the line
	}
	out.WriteString("\n]\n")
	return out.Bytes(), nil
}
