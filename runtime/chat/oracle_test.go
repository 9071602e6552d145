package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mlxc/mlxc/runtime/chat"
)

// conversation is one of conversations.json.
type conversation struct {
	Name                string
	Messages            json.RawMessage
	Tools               json.RawMessage
	Documents           json.RawMessage
	Kwargs              json.RawMessage
	AddGenerationPrompt bool `json:"add_generation_prompt"`
}

func (c *conversation) options(t *testing.T) chat.Options {
	t.Helper()
	o := chat.Options{AddGenerationPrompt: c.AddGenerationPrompt, Now: func() time.Time {
		return time.Date(2026, 3, 7, 9, 5, 2, 123456000, time.UTC) // that of make_oracle.py
	}}
	for text, v := range map[*json.RawMessage]*chat.Value{&c.Tools: &o.Tools, &c.Documents: &o.Documents, &c.Kwargs: &o.Kwargs} {
		if *text == nil {
			continue
		}
		var err error
		if *v, err = chat.ReadValue(*text); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// TestTemplates: templates in the style of the main families give the prompts that
// jinja2 gives, byte for byte, and fail where it fails.
func TestTemplates(t *testing.T) {
	var given struct {
		Special       chat.SpecialTokens
		Conversations []conversation
	}
	var want []struct{ Template, Conversation, Text, Raised, Error string }
	readJSON(t, "conversations.json", &given)
	readJSON(t, "templates.oracle.json", &want)
	files, err := filepath.Glob("testdata/templates/*.jinja")
	if err != nil || len(want) != len(files)*len(given.Conversations) || len(files) < 13 || len(given.Conversations) < 9 {
		t.Fatalf("%d templates, %d conversations, the oracle has %d (%v): run make_oracle.py", len(files), len(given.Conversations), len(want), err)
	}
	for _, file := range files {
		template := parseFile(t, file, given.Special)
		for i := range given.Conversations {
			c := &given.Conversations[i]
			w := want[0]
			want = want[1:]
			if w.Template != filepath.Base(file) || w.Conversation != c.Name {
				t.Fatalf("%s, %s: the oracle has %s, %s", file, c.Name, w.Template, w.Conversation)
			}
			got, err := renderOne(t, template, c)
			var raised *chat.RaiseError
			switch {
			case w.Raised != "":
				if !errors.As(err, &raised) || raised.Message != w.Raised {
					t.Errorf("%s, %s: %v, want it to raise %q", w.Template, c.Name, err, w.Raised)
				}
			case w.Error != "":
				if err == nil || errors.As(err, &raised) {
					t.Errorf("%s, %s: %q, %v, want an error", w.Template, c.Name, got, err)
				}
			case err != nil || got.String() != w.Text:
				t.Errorf("%s, %s:\n%q, %v, want\n%q", w.Template, c.Name, got, err, w.Text)
			}
		}
	}
}

func renderOne(t *testing.T, template *chat.Template, c *conversation) (chat.Rendered, error) {
	t.Helper()
	messages, err := chat.ReadMessages(c.Messages)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return template.Render(context.Background(), messages, c.options(t))
}

func parseFile(t *testing.T, file string, special chat.SpecialTokens) *chat.Template {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	template, err := chat.Parse(string(source), special)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return template
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
