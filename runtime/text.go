package runtime

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// ErrNoTokenizer: the bundle takes and gives token ids only.
var ErrNoTokenizer = errors.New("the bundle has no tokenizer: it was emitted with --no-tokenizer, or its checkpoint had none")

// Tokenizer is the bundle's tokenizer, in place: it ends with the bundle. The error
// is ErrNoTokenizer if there is none.
func Tokenizer(b *bundle.Bundle) (*tokenizer.Tokenizer, error) {
	blob, err := b.Entry(bundle.TokenizerBin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", b.Path, ErrNoTokenizer)
	}
	if err != nil {
		return nil, err
	}
	t, err := tokenizer.Load(blob)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", b.Path, bundle.TokenizerBin, err)
	}
	return t, nil
}
