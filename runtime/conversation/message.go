package conversation

import "github.com/mlxc/mlxc/runtime/chat"

// Roles that a conversation itself gives to messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// system is the content of the system message that a conversation begins with, "" if it
// doesn't.
func system(messages []chat.Message) string {
	if len(messages) == 0 || messages[0].Role != RoleSystem {
		return ""
	}
	return messages[0].Content
}

// WithSystem returns the messages with another system message at their beginning, or
// none if text is "".
func WithSystem(messages []chat.Message, text string) []chat.Message {
	if len(messages) > 0 && messages[0].Role == RoleSystem {
		messages = messages[1:]
	}
	var all []chat.Message
	if text != "" {
		all = append(all, chat.Message{Role: RoleSystem, Content: text})
	}
	return append(all, messages...)
}
