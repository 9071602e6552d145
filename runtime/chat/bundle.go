package chat

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mlxc/mlxc/runtime/bundle"
)

// ErrNoTemplate is wrapped by the error of a bundle without a chat template.
var ErrNoTemplate = errors.New("the model has no chat template: it completes text, and can't chat")

// FromBundle reads the chat templates of a bundle.
func FromBundle(b *bundle.Bundle) (*Template, error) {
	var sources []Source
	for _, entry := range b.Manifest.ChatTemplates() {
		text, err := b.Entry(entry)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{bundle.ChatTemplateName(entry), string(text), fmt.Sprintf("%s: %s", b.Path, entry)})
	}
	if sources == nil {
		return nil, fmt.Errorf("%s: %w", b.Path, ErrNoTemplate)
	}
	config, err := b.Entry(bundle.TokenizerConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	special, err := ReadSpecialTokens(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Path, err)
	}
	return ParseNamed(sources, special)
}
