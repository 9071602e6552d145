package compiler

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mlxc/mlxc/archs"
)

// templateFiles are the files of a checkpoint.
type templateFiles map[string]string

func (f templateFiles) File(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (f templateFiles) MoreTemplates() ([]string, error) {
	var names []string
	for _, name := range []string{"additional_chat_templates/default.jinja", "additional_chat_templates/rag.jinja", "additional_chat_templates/a b.jinja"} {
		if _, ok := f[name]; ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// TestChatTemplates: files win over the config; all named templates are kept (field
// case C4).
func TestChatTemplates(t *testing.T) {
	const file, rag, tool = "chat_template.jinja", "additional_chat_templates/rag.jinja", "additional_chat_templates/tool_use.jinja"
	for _, x := range []struct {
		name   string
		files  templateFiles
		config string
		want   map[string]string
		fails  string
	}{
		{name: "none", config: ``},
		{name: "none in the config", config: `{}`},
		{name: "null", config: `{"chat_template": null}`},
		{name: "a string", config: `{"chat_template": "{{x}}"}`, want: map[string]string{file: "{{x}}"}},
		{name: "a list", config: `{"chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]}`, want: map[string]string{file: "d", tool: "t"}},
		{name: "a list without a default", config: `{"chat_template": [{"name": "tool_use", "template": "t"}]}`, want: map[string]string{tool: "t"}},
		{name: "the file wins", files: templateFiles{file: "f"}, config: `{"chat_template": [{"name": "tool_use", "template": "t"}]}`, want: map[string]string{file: "f"}},
		{name: "files with names", files: templateFiles{file: "f", rag: "r"}, config: `{"chat_template": "c"}`, want: map[string]string{file: "f", rag: "r"}},
		{name: "only a file with a name", files: templateFiles{rag: "r"}, config: `{"chat_template": "c"}`, want: map[string]string{rag: "r"}},
		{name: "default as a file with a name", files: templateFiles{"additional_chat_templates/default.jinja": "d"}, want: map[string]string{file: "d"}},
		{name: "two defaults", files: templateFiles{file: "f", "additional_chat_templates/default.jinja": "d"}, fails: "two chat templates are called default"},
		{name: "a number", config: `{"chat_template": 5}`, fails: "chat_template is neither a string nor a list"},
		{name: "no name", config: `{"chat_template": [{"template": "t"}]}`, fails: "chat_template 0 has no name or no template"},
		{name: "a name that leaves", config: `{"chat_template": [{"name": "../x", "template": "t"}]}`, fails: "names a chat template"},
		{name: "a name with a space", files: templateFiles{"additional_chat_templates/a b.jinja": "t"}, fails: "names a chat template"},
		{name: "one name twice", config: `{"chat_template": [{"name": "a", "template": "t"}, {"name": "a", "template": "u"}]}`, fails: "two chat templates are called a"},
	} {
		files, err := chatTemplates(x.files, []byte(x.config))
		if x.fails != "" {
			if archs.Class(err) != archs.BadConfig || !strings.Contains(err.Error(), x.fails) {
				t.Errorf("%s: %v, want %q", x.name, err, x.fails)
			}
			continue
		}
		var got map[string]string
		for _, f := range files {
			if got == nil {
				got = map[string]string{}
			}
			got[f.name] = string(f.data)
		}
		if d := cmp.Diff(x.want, got); err != nil || d != "" {
			t.Errorf("%s: %v %s", x.name, err, d)
		}
	}
}

func TestTemplateNotes(t *testing.T) {
	notes := templateNotes([]file{{"chat_template.jinja", []byte("{{ messages }}")}, {"additional_chat_templates/a.jinja", []byte("{{ x|nope }}")}})
	want := []string{"additional_chat_templates/a.jinja can't be rendered, so that the bundle can't chat with it: line 1: unknown filter nope"}
	if d := cmp.Diff(want, notes); d != "" {
		t.Error(d)
	}
}
