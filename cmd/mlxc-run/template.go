package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/conversation"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// TemplateOptions are the flags of what goes through the model's chat template.
type TemplateOptions struct {
	Kwargs           string // a JSON object
	SpecialInContent bool
}

func (o *TemplateOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Kwargs, "template-kwargs", "", "more variables of the chat template, a `JSON` object such as {\"enable_thinking\": false}")
	f.BoolVar(&o.SpecialInContent, "special-in-content", false, "control words such as <|im_end|> in what was said count as such (as HF has it)")
}

func (o *TemplateOptions) check() error {
	if o.Kwargs == "" {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(o.Kwargs), &object); err != nil || object == nil {
		return fmt.Errorf(`--template-kwargs is %q: give a JSON object such as {"enable_thinking": false}`, o.Kwargs)
	}
	return nil
}

// variables are those of --template-kwargs, the zero Value if there are none.
func (o *TemplateOptions) variables() (chat.Value, error) {
	if o.Kwargs == "" {
		return chat.Value{}, nil
	}
	v, err := chat.ReadValue([]byte(o.Kwargs))
	if err != nil {
		return v, fmt.Errorf("--template-kwargs: %w", err)
	}
	return v, nil
}

// ConversationOptions are the flags of what answers in a conversation.
type ConversationOptions struct {
	TemplateOptions
	System   string // the system message; "": the conversation's own
	Messages string // a file, or "-"
}

// conversationFlags are their names.
var conversationFlags = []string{"system", "messages", "template-kwargs", "special-in-content"}

func (o *ConversationOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.System, "system", "", "the system message is `TEXT`")
	f.StringVar(&o.Messages, "messages", "", "begin with the conversation in `FILE`, a JSON array of {role, content}; -: standard input")
	o.TemplateOptions.addFlags(cmd)
}

// given is the first of the flags that the command line gives, "" if it gives none:
// what the environment sets, it sets for all commands.
func (o *ConversationOptions) given(flags *pflag.FlagSet) string {
	for _, name := range conversationFlags {
		if cli.Given(flags, name) {
			return name
		}
	}
	return ""
}

// messages is what was said before the first question.
func (o *ConversationOptions) messages(stdin io.Reader) ([]chat.Message, error) {
	var messages []chat.Message
	var err error
	switch o.Messages {
	case "":
	case "-":
		messages, err = readMessages("standard input", stdin)
	default:
		messages, err = loadMessages(o.Messages)
	}
	if err != nil {
		return nil, fmt.Errorf("--messages: %w", err)
	}
	if o.System != "" {
		messages = conversation.WithSystem(messages, o.System)
	}
	return messages, nil
}

// maxMessages bounds a conversation in a file, in bytes.
const maxMessages = 64 << 20

// loadMessages reads a conversation from a file.
func loadMessages(path string) ([]chat.Message, error) {
	data, err := rawfile.Read(path, maxMessages)
	if err != nil {
		return nil, err
	}
	return parseMessages(path, data)
}

func readMessages(name string, r io.Reader) ([]chat.Message, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxMessages+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxMessages {
		return nil, fmt.Errorf("%s: more than %d bytes", name, maxMessages)
	}
	return parseMessages(name, data)
}

func parseMessages(name string, data []byte) ([]chat.Message, error) {
	messages, err := chat.ReadMessages(data)
	if err == nil && len(messages) == 0 {
		err = errors.New("there are no messages in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return messages, nil
}

// renderer returns what makes tokens of a conversation, up to where the assistant's next
// message begins.
func (o *ConversationOptions) renderer(b *bundle.Bundle, tok *tokenizer.Tokenizer) (func(context.Context, []chat.Message) ([]int32, error), error) {
	template, err := chat.FromBundle(b)
	if err != nil {
		return nil, err
	}
	options := chat.Options{AddGenerationPrompt: true}
	if options.Kwargs, err = o.variables(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, messages []chat.Message) ([]int32, error) {
		rendered, err := template.Render(ctx, messages, options)
		if err != nil {
			return nil, templateError(err)
		}
		return rendered.Encode(tok, o.SpecialInContent), nil
	}, nil
}

// templateError says that it is the template's.
func templateError(err error) error {
	var refused *chat.RaiseError
	if errors.As(err, &refused) {
		return fmt.Errorf("the chat template refuses: %w", err)
	}
	return fmt.Errorf("chat template: %w", err)
}
