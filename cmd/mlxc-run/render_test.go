package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/scripted"
)

// templatesBundle is the scripted model's bundle with templates out of a
// tokenizer_config.json: one for conversations with tools, one that can't be rendered.
func templatesBundle(t testing.TB) string {
	t.Helper()
	const config = `{"bos_token": {"content": "<|im_start|>"}, "eos_token": "<|im_end|>", "chat_template": [
		{"name": "default", "template": "{% for m in messages %}{% if m.role == 'critic' %}{{ raise_exception('no\\ncritics') }}{% endif %}{{ bos_token }}{{ m.role }}:{{ m.content }}{% if not loop.last or add_generation_prompt %}{{ eos_token }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ bos_token }}assistant:{% endif %}{{ extra }}"},
		{"name": "tool_use", "template": "{{ tools[0].function.name }}: {{ messages[-1].content }}"},
		{"name": "broken", "template": "{{ messages|nope }}"}]}`
	path := filepath.Join(t.TempDir(), "templates.tar")
	return scripted.Model{Next: answers, Files: map[string]string{"tokenizer_config.json": config}}.Bundle(t, compiler.Options{Context: contextLength, Output: path})
}

// TestRender: prompts and ids, templates by name (field case C4), control words in
// content (C2), refusals in one line (C5).
func TestRender(t *testing.T) {
	path, dir := templatesBundle(t), t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const user = `[{"role": "user", "content": "A<|im_end|>B"}]`
	tools := write("tools.json", `[{"type": "function", "function": {"name": "f"}}]`)
	for _, x := range []struct {
		stdin       string
		args        []string
		want, fails string
	}{
		{stdin: user, want: "<|im_start|>user:A<|im_end|>B<|im_end|><|im_start|>assistant:"},
		{stdin: user, args: []string{"-", "--no-generation-prompt"}, want: "<|im_start|>user:A<|im_end|>B"},
		{stdin: user, args: []string{"--continue"}, want: "<|im_start|>user:A<|im_end|>B"},
		{args: []string{write("chat.json", user), "--template-kwargs", `{"extra": "!"}`, "--no-generation-prompt"}, want: "<|im_start|>user:A<|im_end|>B!"},
		{stdin: user, args: []string{"--tools", tools}, want: "f: A<|im_end|>B"},
		{stdin: user, args: []string{"--tools", tools, "--template", "default", "--no-generation-prompt"}, want: "<|im_start|>user:A<|im_end|>B"},
		{stdin: user, args: []string{"--ids", "--no-generation-prompt"}, want: "[1,4093,42,49,44,108,306,79,486,108,46,50]\n"},
		{stdin: user, args: []string{"--ids", "--no-generation-prompt", "--special-in-content"}, want: "[1,4093,42,49,2,50]\n"},
		{stdin: user, args: []string{"--template", "broken"}, fails: "chat template: " + path + ": additional_chat_templates/broken.jinja: line 1: unknown filter nope"},
		{stdin: user, args: []string{"--template", "none"}, fails: `chat template: there is no chat template "none": this model has default, tool_use, broken`},
		{stdin: `[{"role": "critic", "content": ""}]`, fails: "the chat template refuses: no; critics"},
		{stdin: `[{"role": "user"`, fails: "standard input: the JSON text ends too early"},
		{stdin: `{"role": "user"}`, fails: "standard input: a conversation must be a JSON list of messages"},
		{stdin: `[{"content": "x"}]`, fails: "standard input: message 0: it has no role"},
		{stdin: `[]`, fails: "standard input: there are no messages in it"},
		{stdin: user, args: []string{"--tools", write("broken.json", "[1]")}, fails: "--tools " + filepath.Join(dir, "broken.json") + ": it must be a JSON list of objects"},
		{stdin: user, args: []string{"--documents", write("cut.json", `[{"title": `)}, fails: "--documents " + filepath.Join(dir, "cut.json") + ": the JSON text ends too early"},
		{stdin: user, args: []string{"--tools", filepath.Join(dir, "absent")}, fails: "--tools " + filepath.Join(dir, "absent") + ": stat "},
		{stdin: user, args: []string{"--template-kwargs", "[1]"}, fails: `--template-kwargs is "[1]": give a JSON object such as {"enable_thinking": false}`},
		{stdin: user, args: []string{"--template-kwargs", `{"messages": 1}`}, fails: "chat template: the template's variable messages is set by the conversation itself"},
	} {
		code, stdout, stderr := call(x.stdin, append([]string{"render", path}, x.args...)...)
		if x.fails == "" && (code != 0 || stdout != x.want || stderr != "") {
			t.Errorf("%q %q: %d, %q, %q, want %q", x.stdin, x.args, code, stdout, stderr, x.want)
		}
		if x.fails != "" && (code != 1 || stdout != "" || !strings.HasPrefix(stderr, "mlxc-run: "+x.fails) || strings.Count(stderr, "\n") != 1) {
			t.Errorf("%q %q: %d, %q, %q, want %q", x.stdin, x.args, code, stdout, stderr, x.fails)
		}
	}
	_, out, _ := call("", "inspect", path)
	for _, want := range []string{"default template, ", "tool_use template, ", "broken template, 19 bytes, which can't be rendered: chat template: line 1: unknown filter nope"} {
		if !strings.Contains(out, want) {
			t.Errorf("inspect: %q isn't in %s", want, out)
		}
	}
}

// A bundle without a template completes text, and says that it can't chat.
func TestRenderWithoutTemplate(t *testing.T) {
	path := scriptedBundle(t)
	code, _, stderr := call(`[{"role": "user", "content": "x"}]`, "render", path)
	if code != 1 || stderr != "mlxc-run: "+path+": the model has no chat template: it completes text, and can't chat\n" {
		t.Errorf("%d, %q", code, stderr)
	}
	if _, out, _ := call("", "inspect", path); !strings.Contains(out, "no template") {
		t.Errorf("inspect: %s", out)
	}
}
