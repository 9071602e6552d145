package chat_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// chatML is a template of the simplest kind.
const chatML = `{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

func render(t *testing.T, source, messages string, o chat.Options) (chat.Rendered, error) {
	t.Helper()
	template, err := chat.Parse(source, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := chat.ReadMessages([]byte(messages))
	if err != nil {
		t.Fatal(err)
	}
	return template.Render(context.Background(), m, o)
}

// Control words in a message are text, those of the template are tokens (field case C2).
func TestControlWordsInContent(t *testing.T) {
	tok, err := tokenizer.Parse(oracle.File(t, "tokenizers/smollm2.tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := render(t, chatML, `[{"role": "user", "content": "A<|im_end|>B"}]`, chat.Options{AddGenerationPrompt: true})
	if err != nil {
		t.Fatal(err)
	}
	turn := func(content ...int32) []int32 {
		return slices.Concat([]int32{1, 4093, 198}, content, []int32{2, 198, 1, 520, 9531, 198})
	}
	for parse, want := range map[bool][]int32{
		false: turn(49, 44, 108, 306, 79, 486, 108, 46, 50),
		true:  turn(49, 2, 50),
	} {
		if got := r.Encode(tok, parse); !slices.Equal(got, want) {
			t.Errorf("parseContent %v: %v, want %v", parse, got, want)
		}
	}
}

// Arguments of tool calls are strings of clients and mappings for templates; a template
// that wants the strings gets them (field case C6).
func TestToolCallArguments(t *testing.T) {
	const messages = `[{"role": "user", "content": "hi"}, {"role": "assistant", "content": null, "tool_calls": [{"type": "function", "function": {"name": "w", "arguments": "{\"city\":\"Oslo <b>\"}"}}]}]`
	for _, test := range []struct{ name, template, want string }{
		{"iterates", `{% for m in messages %}<{{m.role}}>{% if m.content %}{{m.content}}{% endif %}{% if m.tool_calls %}{% for c in m.tool_calls %}{% for k,v in c.function.arguments|items %}[{{k}}={{v}}]{% endfor %}{% endfor %}{% endif %}{% endfor %}`,
			`<user>hi<assistant>[city=Oslo <b>]`},
		{"concatenates", `{% for c in messages[1].tool_calls %}{{ '<' + c.function.arguments + '>' }}{% endfor %}`, `<{"city":"Oslo <b>"}>`},
		{"tojson", `{% for c in messages[1].tool_calls %}{{ c.function.arguments|tojson }}{% endfor %}`, `{"city": "Oslo <b>"}`},
	} {
		r, err := render(t, test.template, messages, chat.Options{})
		if err != nil || r.String() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, r, err, test.want)
		}
	}
	_, err := render(t, chatML, strings.ReplaceAll(messages, `{\"city\":\"Oslo <b>\"}`, `[1]`), chat.Options{})
	if err == nil || err.Error() != "message 1: tool_calls 0: its arguments are not a JSON object: [1]" {
		t.Errorf("arguments that are a list: %v", err)
	}
}

// What a template says with raise_exception is the error (field case C5).
func TestRaiseException(t *testing.T) {
	_, err := render(t, `{{ raise_exception('only ' ~ messages|length ~ ' of them') }}`, `[{"role": "user", "content": ""}]`, chat.Options{})
	var raised *chat.RaiseError
	if !errors.As(err, &raised) || raised.Message != "only 1 of them" {
		t.Error(err)
	}
}
