package compiler

import (
	"fmt"

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
	for _, name := range []string{bundle.TokenizerConfig, bundle.GenerationConfig} {
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
	templates, err := chatTemplates(m.checkpoint, text[bundle.TokenizerConfig])
	if err != nil {
		return s, err
	}
	var notes []string
	if s.stops, notes, err = stopIDs(m.spec, m.checkpoint.ConfigFile(), text[bundle.GenerationConfig], text[bundle.TokenizerConfig], idOf); err != nil {
		return s, err
	}
	for _, n := range notes {
		o.Progress.Note(n)
	}
	for _, note := range templateNotes(templates) {
		o.Progress.Note(note)
	}
	for _, name := range []string{bundle.TokenizerJSON, bundle.TokenizerBin, bundle.TokenizerConfig, bundle.GenerationConfig} {
		if text[name] != nil {
			s.files = append(s.files, file{name, text[name]})
		}
	}
	s.files = append(s.files, templates...)
	s.files = append(s.files, file{bundle.Config, text[bundle.Config]})
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
