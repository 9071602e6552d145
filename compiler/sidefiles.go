package compiler

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// side is what a bundle takes from the files beside the weights.
type side struct {
	files []file
	stops []bundle.Stop // the ids that the files name together
}

// sideFiles reads the files beside the weights.
func sideFiles(o Options, m *model) (s side, err error) {
	text := map[string][]byte{bundle.Config: m.checkpoint.Config()}
	if text[bundle.TokenizerJSON], err = tokenizerJSON(o, m); err != nil {
		return s, err
	}
	for _, name := range []string{bundle.TokenizerConfig, bundle.GenerationConfig, bundle.ChatTemplate} {
		if text[name], err = m.checkpoint.File(name); err != nil {
			return s, err
		}
	}
	if text[bundle.TokenizerJSON] == nil {
		o.Progress.Note("no tokenizer: the bundle takes token ids only")
	}
	var idOf func(string) (int32, bool)
	if j := text[bundle.TokenizerJSON]; j != nil {
		t, err := parseTokenizer(j)
		if err != nil {
			return s, err
		}
		text[bundle.TokenizerBin] = t.Marshal()
		idOf = t.ID
	}
	if text[bundle.ChatTemplate] == nil {
		if text[bundle.ChatTemplate], err = chatTemplate(text[bundle.TokenizerConfig]); err != nil {
			return s, err
		}
	}
	var notes []string
	if s.stops, notes, err = stopIDs(m.spec, configName(m), text[bundle.GenerationConfig], text[bundle.TokenizerConfig], idOf); err != nil {
		return s, err
	}
	for _, n := range notes {
		o.Progress.Note(n)
	}
	for _, name := range []string{bundle.TokenizerJSON, bundle.TokenizerBin, bundle.TokenizerConfig, bundle.GenerationConfig, bundle.ChatTemplate, bundle.Config} {
		if text[name] != nil {
			s.files = append(s.files, file{name, text[name]})
		}
	}
	return s, nil
}

func parseTokenizer(text []byte) (*tokenizer.Tokenizer, error) {
	t, err := tokenizer.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; with --no-tokenizer the bundle takes token ids only", bundle.TokenizerJSON, err)
	}
	return t, nil
}

// tokenizerJSON is the tokenizer.json that o asks for, nil if there is none.
func tokenizerJSON(o Options, m *model) ([]byte, error) {
	switch {
	case o.NoTokenizer:
		return nil, nil
	case o.Tokenizer != "":
		return checkpoint.ReadTokenizer(o.Tokenizer)
	}
	return m.checkpoint.File(bundle.TokenizerJSON)
}

// configName says where the config comes from: a GGUF file's metadata takes the place
// of config.json.
func configName(m *model) string {
	for _, t := range m.checkpoint.Tensors() {
		if strings.HasSuffix(t.File, ".gguf") {
			return t.File
		}
	}
	return bundle.Config
}

// chatTemplate is the chat template of tokenizer_config.json: a string, or of a list
// of {name, template} the one named default. nil if there is none.
func chatTemplate(tokenizerConfig []byte) ([]byte, error) {
	if len(tokenizerConfig) == 0 {
		return nil, nil
	}
	var file struct {
		Template json.RawMessage `json:"chat_template"`
	}
	if err := json.Unmarshal(tokenizerConfig, &file); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: not valid JSON: %v", bundle.TokenizerConfig, err)
	}
	var text *string
	if file.Template == nil || json.Unmarshal(file.Template, &text) == nil {
		if text == nil {
			return nil, nil
		}
		return []byte(*text), nil
	}
	var list []struct{ Name, Template string }
	if err := json.Unmarshal(file.Template, &list); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: chat_template is neither a string nor a list of {name, template}", bundle.TokenizerConfig)
	}
	for _, t := range list {
		if t.Name == "default" {
			return []byte(t.Template), nil
		}
	}
	return nil, nil
}
