// Package chat renders conversations with a model's chat template, as Hugging Face's
// transformers (5.24) does, and turns them into token ids.
//
// A template is a program that comes with a model: it is not trusted. Package jinja
// runs it, within limits of time, memory and depth, and knows of every byte of the
// prompt whether the template wrote it or whether it came out of the conversation:
// control words such as <|im_end|> in a message don't become control tokens.
package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mlxc/mlxc/runtime/chat/jinja"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// renderTime is how long a template may take.
const renderTime = 10 * time.Second

// Template is what a model has of chat templates: the default one and, for
// conversations with tools, another. It is safe for concurrent use.
type Template struct {
	special SpecialTokens
	named   map[string]parsed
	names   []string // of named, in order
}

// parsed is a template, or why it can't be one.
type parsed struct {
	template *jinja.Template
	err      error
}

// The names of templates that are chosen by themselves.
const (
	DefaultName = "default"
	ToolUseName = "tool_use"
)

// Source is the text of a template with its name; File says where it comes from, for
// errors.
type Source struct{ Name, Text, File string }

// Parse reads a template. What no rendering could do is refused here.
func Parse(source string, special SpecialTokens) (*Template, error) {
	return ParseNamed([]Source{{Name: DefaultName, Text: source, File: "chat template"}}, special)
}

// ParseNamed reads the templates of a model, whose names differ. What is wrong with one
// is an error here if it is the default one or the only one, else when it is used.
func ParseNamed(sources []Source, special SpecialTokens) (*Template, error) {
	t := &Template{special: special, named: map[string]parsed{}}
	for _, s := range sources {
		template, err := jinja.Parse(s.Text)
		if err != nil {
			err = fmt.Errorf("%s: %w", s.File, err)
		}
		if err != nil && (s.Name == DefaultName || len(sources) == 1) {
			return nil, err
		}
		t.names = append(t.names, s.Name)
		t.named[s.Name] = parsed{template, err}
	}
	return t, nil
}

// Names are the names of the templates.
func (t *Template) Names() []string { return slices.Clone(t.names) }

// Options of a rendering; the zero value is a conversation up to its last message.
type Options struct {
	AddGenerationPrompt bool // end with the beginning of the assistant's turn
	ContinueFinal       bool // end inside the last message, which the model continues

	Name      string           // of the template; "": tool_use if there are tools and it exists, else default
	Tools     Value            // a list of objects; the zero Value if there are none
	Documents Value            // a list of objects, or the zero Value
	Kwargs    Value            // an object of further variables (enable_thinking, …), or the zero Value
	Now       func() time.Time // of strftime_now; nil: time.Now
	Limits    *jinja.Limits    // nil: jinja.DefaultLimits
}

// RaiseError is what a template itself says to a conversation that it refuses.
type RaiseError = jinja.RaiseError

// reserved are the variables that Kwargs can't set.
var reserved = []string{"messages", "tools", "documents", "add_generation_prompt"}

// Render renders a conversation. Errors: *RaiseError; one that wraps jinja.ErrLimit
// for a template that takes too long or too much; the context's; a *jinja.Error with
// the template's line for what it can't do with these messages.
//
// Arguments of tool calls that are strings are read as JSON, since most templates
// iterate over them; if the template then fails, it gets the strings as they are.
func (t *Template) Render(ctx context.Context, messages []Message, o Options) (Rendered, error) {
	template, err := t.choose(o)
	if err != nil {
		return nil, err
	}
	if len(messages) == 0 {
		return nil, errors.New("the conversation is empty: give at least one message")
	}
	if o.ContinueFinal && o.AddGenerationPrompt {
		return nil, errors.New("a final message can't be continued after the beginning of a new one: choose one of the two")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, renderTime, fmt.Errorf("%w: it takes more than %v", jinja.ErrLimit, renderTime))
	defer cancel()
	rendered, err := t.render(ctx, template, messages, o, parsedArguments)
	var failed *jinja.Error
	if errors.As(err, &failed) && !errors.Is(err, jinja.ErrLimit) && haveArguments(messages) {
		if again, e := t.render(ctx, template, messages, o, rawArguments); e == nil {
			return again, nil
		}
	}
	return rendered, err
}

// choose finds the template that the options ask for.
func (t *Template) choose(o Options) (*jinja.Template, error) {
	name := o.Name
	if name == "" {
		name = DefaultName
		if _, ok := t.named[ToolUseName]; ok && !o.Tools.isZero() {
			name = ToolUseName
		}
	}
	if p, ok := t.named[name]; ok {
		return p.template, p.err
	}
	return nil, fmt.Errorf("there is no chat template %q: this model has %s", name, strings.Join(t.names, ", "))
}

func (t *Template) render(ctx context.Context, template *jinja.Template, messages []Message, o Options, arguments argumentsAs) (Rendered, error) {
	list, err := values(messages, arguments)
	if err != nil {
		return nil, err
	}
	var final string
	if o.ContinueFinal {
		if final, err = tagFinal(list[len(list)-1]); err != nil {
			return nil, err
		}
	}
	variables, err := t.variables(list, o)
	if err != nil {
		return nil, err
	}
	e := jinja.Environment{Now: o.Now, Limits: jinja.DefaultLimits}
	if e.Now == nil {
		e.Now = time.Now
	}
	if o.Limits != nil {
		e.Limits = *o.Limits
	}
	text, err := template.Render(ctx, variables, e)
	if err != nil {
		return nil, err
	}
	rendered := Rendered(text.Segments())
	if o.ContinueFinal {
		return rendered.untilTag(final)
	}
	return rendered, nil
}

// variables are what a template sees.
func (t *Template) variables(messages []*jinja.Dict, o Options) (*jinja.Dict, error) {
	all := jinja.NewDict()
	set := func(name string, v jinja.Value) { all.Set(jinja.Plain(name), v) }
	for name, token := range t.special {
		set(name, jinja.Plain(token))
	}
	if !o.Kwargs.isZero() {
		kwargs, ok := o.Kwargs.value.(*jinja.Dict)
		if !ok {
			return nil, errors.New("the template's variables must be a JSON object")
		}
		for name, v := range kwargs.All() {
			if slices.Contains(reserved, name) {
				return nil, fmt.Errorf("the template's variable %s is set by the conversation itself", name)
			}
			set(name, v)
		}
	}
	list := jinja.NewList()
	for _, m := range messages {
		list.Append(m)
	}
	set("messages", list)
	for name, v := range map[string]Value{"tools": o.Tools, "documents": o.Documents} {
		if err := v.checkObjects(name); err != nil {
			return nil, err
		}
		set(name, v.value)
	}
	set("add_generation_prompt", o.AddGenerationPrompt)
	return all, nil
}

// Segment is a piece of a prompt: the template's own, or content of the conversation.
type Segment = jinja.Segment

// Rendered is a prompt.
type Rendered []Segment

// String is the prompt's text.
func (r Rendered) String() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Encode returns the prompt's ids. Nothing is put around it: a template writes the
// model's first token itself. Control words in content are text like any other;
// parseContent makes them control tokens, as transformers does by default.
func (r Rendered) Encode(tok *tokenizer.Tokenizer, parseContent bool) []int32 {
	o := tokenizer.EncodeOptions{ParseSpecial: true}
	at := 0
	for _, s := range r {
		if s.Content && !parseContent {
			o.Literal = append(o.Literal, [2]int{at, at + len(s.Text)})
		}
		at += len(s.Text)
	}
	return tok.Encode(r.String(), o)
}
