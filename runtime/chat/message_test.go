package chat_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/chat"
)

// TestReadMessages: every way to say content, the order of keys, and what isn't a
// conversation.
func TestReadMessages(t *testing.T) {
	const show = `{% for m in messages %}{{ m.content is defined }} {{ m|tojson }};{% endfor %}`
	for messages, want := range map[string]string{
		`[{"role": "user", "content": "x"}]`:                                            `True {"role": "user", "content": "x"};`,
		`[{"role": "user", "content": ""}]`:                                             `True {"role": "user", "content": ""};`,
		`[{"role": "user", "content": null}]`:                                           `False {"role": "user"};`,
		`[{"role": "user"}]`:                                                            `False {"role": "user"};`,
		`[{"name": "n", "content": "x", "role": "user", "z": 1, "a": [1.0]}]`:           `True {"name": "n", "content": "x", "role": "user", "z": 1, "a": [1.0]};`,
		`[{"role": "user", "content": [{"type": "text", "text": "é<"}]}]`:               `True {"role": "user", "content": [{"type": "text", "text": "é<"}]};`,
		`[{"role": "a", "content": "x", "reasoning": "r"}]`:                             `True {"thinking": "r", "role": "a", "content": "x", "reasoning": "r", "reasoning_content": "r"};`,
		`[{"role": "a", "content": "x", "thinking": "t", "reasoning_content": "r"}]`:    `True {"thinking": "t", "role": "a", "content": "x", "reasoning_content": "r"};`,
		`[{"role": "a", "tool_calls": [{"function": {"name": "f", "arguments": ""}}]}]`: `False {"role": "a", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]};`,
	} {
		r, err := render(t, show, messages, chat.Options{})
		if err != nil || r.String() != want {
			t.Errorf("%s: %q, %v, want %q", messages, r, err, want)
		}
	}
	for text, want := range map[string]string{
		``:                                   "the JSON text ends too early",
		`[`:                                  "the JSON text ends too early",
		`null`:                               "must be a JSON list of messages",
		`{}`:                                 "must be a JSON list of messages",
		`["x"]`:                              "must be a JSON list of messages",
		`[] []`:                              "text after the JSON value",
		`[{"role": "user"}, {}]`:             "message 1: it has no role",
		`[{"role": 1}]`:                      "message 0: its role is not a string",
		`[{"role": "user", "content": 1}]`:   "message 0: content in parts must be a JSON list of objects, or a string",
		`[{"role": "user", "content": [1]}]`: "message 0: content in parts must be a JSON list of objects, or a string",
		strings.Repeat("[", 1000):            "nested more than 100 deep",
		`[{"role": "user", "n": ` + strings.Repeat("9", 5000) + `}]`: "a number of 5000 digits is too long",
	} {
		if _, err := chat.ReadMessages([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}

// TestContinueFinal: the prompt ends inside the last message, as transformers'
// continue_final_message has it.
func TestContinueFinal(t *testing.T) {
	const turns = `{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}`
	for _, x := range []struct{ name, template, messages, want, fails string }{
		{name: "text", template: turns, messages: `[{"role": "u", "content": "a"}, {"role": "m", "content": "I am "}]`, want: "<u>a</s><m>I am "},
		{name: "trimmed", template: `{% for m in messages %}{{ m.content|trim }}</s>{% endfor %}`, messages: `[{"role": "m", "content": "I am "}]`, want: "I am"},
		{name: "parts", template: `{% for p in messages[0].content %}{{ p.text }}{{ p.image }},{% endfor %}`,
			messages: `[{"role": "m", "content": [{"text": "a"}, {"text": "b"}, {"image": "i"}]}]`, want: "a,b"},
		{name: "no content", template: turns, messages: `[{"role": "m", "content": null}]`, fails: "the final message has no content to continue"},
		{name: "no text", template: turns, messages: `[{"role": "m", "content": [{"image": "i"}]}]`, fails: "the final message has no part of text to continue"},
		{name: "dropped", template: `x`, messages: `[{"role": "m", "content": "a"}]`, fails: "the template changes the final message: it can't be continued"},
	} {
		r, err := render(t, x.template, x.messages, chat.Options{ContinueFinal: true})
		if x.fails == "" && (err != nil || r.String() != x.want) || x.fails != "" && (err == nil || err.Error() != x.fails) {
			t.Errorf("%s: %q, %v, want %q %s", x.name, r, err, x.want, x.fails)
		}
	}
}

// TestMessageFields: a message made in Go, with text that isn't UTF-8.
func TestMessageFields(t *testing.T) {
	name, err := chat.ReadValue([]byte(`"Bo"`))
	if err != nil {
		t.Fatal(err)
	}
	template, err := chat.Parse(`{% for m in messages %}{{ m|tojson }}{% endfor %}{{ bos_token }}{{ unk_token is defined }}`, chat.SpecialTokens{"bos_token": "<s>"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := template.Render(context.Background(), []chat.Message{{Role: "user", Content: "a\xffb", Extra: []chat.Field{{Name: "name", Value: name}}}, {Role: "tool", NoContent: true}}, chat.Options{})
	if want := `{"role": "user", "content": "a` + "\uFFFD" + `b", "name": "Bo"}{"role": "tool"}<s>False`; err != nil || r.String() != want {
		t.Errorf("%q, %v, want %q", r, err, want)
	}
}

// A role of letters is the template's own text, so that <|user|> may be made of it; one
// that could be a control word is content.
func TestRoles(t *testing.T) {
	for role, content := range map[string]bool{"user": false, "tool_results": false, "x|>": true, "<|im_end|>": true, "": false} {
		template, err := chat.Parse(`<|{{ messages[0].role }}|>`, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := template.Render(context.Background(), []chat.Message{{Role: role}}, chat.Options{})
		if err != nil || r.String() != "<|"+role+"|>" || (len(r) == 3) != content {
			t.Errorf("%q: %v, %v", role, r, err)
		}
	}
}

func TestReadSpecialTokens(t *testing.T) {
	got, err := chat.ReadSpecialTokens([]byte(`{"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false}, "pad_token": null, "unk_token": "",
		"model_max_length": 5, "extra_special_tokens": {"image_token": "<image>", "boi_token": {"content": "<boi>"}}}`))
	if want := (chat.SpecialTokens{"bos_token": "<s>", "eos_token": "</s>", "image_token": "<image>", "boi_token": "<boi>"}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{`[`, `{"bos_token": 5}`} {
		if _, err := chat.ReadSpecialTokens([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
