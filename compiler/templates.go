package compiler

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// templateSource is where chat templates stand as files.
type templateSource interface {
	File(name string) ([]byte, error)
	MoreTemplates() ([]string, error)
}

// chatTemplates are the entries of the bundle that hold chat templates: the files
// chat_template.jinja (the default) and additional_chat_templates/NAME.jinja or, if
// there are none, what tokenizer_config.json says.
func chatTemplates(source templateSource, tokenizerConfig []byte) ([]file, error) {
	names, err := source.MoreTemplates()
	if err != nil {
		return nil, err
	}
	var files []file
	for _, name := range append([]string{bundle.ChatTemplate}, names...) {
		text, err := source.File(name)
		if err != nil {
			return nil, err
		}
		if text != nil {
			files = append(files, file{entryOf(name), text})
		}
	}
	if files == nil {
		if files, err = configTemplates(tokenizerConfig); err != nil {
			return nil, err
		}
	}
	return files, checkTemplateNames(files)
}

// entryOf is the bundle's entry for a template's file.
func entryOf(name string) string {
	if name == bundle.ChatTemplate {
		return name
	}
	return bundle.NamedChatTemplate(strings.TrimSuffix(path.Base(name), path.Ext(name)))
}

// configTemplates are those of a tokenizer_config.json: chat_template is a string, the
// default, or a list of {name, template}.
func configTemplates(tokenizerConfig []byte) ([]file, error) {
	if len(tokenizerConfig) == 0 {
		return nil, nil
	}
	var config struct {
		Template json.RawMessage `json:"chat_template"`
	}
	if err := json.Unmarshal(tokenizerConfig, &config); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: %v", bundle.TokenizerConfig, jsonerror.Plain(err))
	}
	var text *string
	if config.Template == nil || json.Unmarshal(config.Template, &text) == nil {
		if text == nil {
			return nil, nil
		}
		return []file{{bundle.ChatTemplate, []byte(*text)}}, nil
	}
	var list []struct{ Name, Template *string }
	if err := json.Unmarshal(config.Template, &list); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: chat_template is neither a string nor a list of {name, template}", bundle.TokenizerConfig)
	}
	var files []file
	for i, t := range list {
		if t.Name == nil || t.Template == nil {
			return nil, archs.Errorf(archs.BadConfig, "%s: chat_template %d has no name or no template", bundle.TokenizerConfig, i)
		}
		files = append(files, file{bundle.NamedChatTemplate(*t.Name), []byte(*t.Template)})
	}
	return files, nil
}

// templateName is what a chat template may be called.
var templateName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

const maxTemplates = 64

func checkTemplateNames(files []file) error {
	if len(files) > maxTemplates {
		return archs.Errorf(archs.BadConfig, "%d chat templates: the limit is %d", len(files), maxTemplates)
	}
	seen := map[string]bool{}
	for _, f := range files {
		name := bundle.ChatTemplateName(f.name)
		if !templateName.MatchString(name) {
			return archs.Errorf(archs.BadConfig, "%q names a chat template: letters, digits and . _ - are supported", f.name)
		}
		if seen[name] {
			return archs.Errorf(archs.BadConfig, "two chat templates are called %s", name)
		}
		seen[name] = true
	}
	return nil
}

// templateNotes say which templates mlxc can't render: such a model completes text.
func templateNotes(files []file) []string {
	var notes []string
	for _, f := range files {
		if _, err := chat.Parse(string(f.data), nil); err != nil {
			notes = append(notes, fmt.Sprintf("%s can't be rendered, so that the bundle can't chat with it: %s", f.name, strings.TrimPrefix(err.Error(), "chat template: ")))
		}
	}
	return notes
}
