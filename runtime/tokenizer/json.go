package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Limits of what is read. Real vocabularies have up to some 262,000 tokens.
const (
	maxFileSize = 1 << 28
	maxTokens   = 1 << 21
	maxMerges   = 1 << 22
	maxTokenLen = 1 << 14 // bytes of a token as written in the file
	maxAdded    = 1 << 16
	maxStages   = 64 // pre-tokenizers, normalizers, decoders, ids around a text

	maxComponent = 1 << 22 // bytes of a component as written
	maxPairs     = 1 << 24 // entries of a pair table
)

// file is a tokenizer.json. Truncation and padding in it are settings of the program
// that saved it; transformers overrides them on every call, we never apply them.
type file struct {
	Version       *string           `json:"version"`
	Truncation    json.RawMessage   `json:"truncation"`
	Padding       json.RawMessage   `json:"padding"`
	AddedTokens   []json.RawMessage `json:"added_tokens"`
	Normalizer    json.RawMessage   `json:"normalizer"`
	PreTokenizer  json.RawMessage   `json:"pre_tokenizer"`
	PostProcessor json.RawMessage   `json:"post_processor"`
	Decoder       json.RawMessage   `json:"decoder"`
	Model         json.RawMessage   `json:"model"`
}

// Parse reads a tokenizer.json. An error says which component of it isn't supported.
func Parse(tokenizerJSON []byte) (*Tokenizer, error) {
	d, err := parse(tokenizerJSON)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: tokenizer.json: %w", err)
	}
	blob, err := d.marshal()
	if err != nil {
		return nil, fmt.Errorf("tokenizer: tokenizer.json: %w", err)
	}
	return Load(blob)
}

// definition is a tokenizer as data: what tokenizer.json says.
type definition struct {
	modelDefinition
	added          []addedToken
	normalizers    []component
	preTokenizers  []component
	decoders       []component
	prefix, suffix []int32
}

func parse(b []byte) (*definition, error) {
	if len(b) > maxFileSize {
		return nil, fmt.Errorf("%d bytes: the limit is %d", len(b), maxFileSize)
	}
	var f file
	if err := strict(b, &f); err != nil {
		return nil, err
	}
	if f.Version != nil && *f.Version != "1.0" {
		return nil, unsupported("version", *f.Version, []string{"1.0"})
	}
	d := &definition{}
	steps := []func(*file) error{d.readModel, d.readNormalizer, d.readAdded, d.readPreTokenizer, d.readPostProcessor, d.readDecoder}
	for _, step := range steps {
		if err := step(&f); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// addedFile is an added token in tokenizer.json.
type addedFile struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	Lstrip     bool   `json:"lstrip"`
	Rstrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

func (d *definition) readAdded(f *file) error {
	if len(f.AddedTokens) > maxAdded {
		return fmt.Errorf("%d added tokens: the limit is %d", len(f.AddedTokens), maxAdded)
	}
	normalize, err := compileNormalizers(d.normalizers)
	if err != nil {
		return err
	}
	special, byContent, byID := map[string]bool{}, map[string]bool{}, map[int32]bool{}
	for _, text := range f.AddedTokens {
		var a addedFile
		if err := strict(text, &a); err != nil {
			return fmt.Errorf("added_tokens: %w", err)
		}
		if a.Content == "" {
			continue // as HF does
		}
		if err := d.checkAdded(a, byContent[a.Content], byID[a.ID]); err != nil {
			return err
		}
		byContent[a.Content], byID[a.ID] = true, true
		special[a.Content] = special[a.Content] || a.Special
		content := a.Content
		if a.Normalized {
			content, _ = normalize.text(content)
		}
		d.added = append(d.added, addedToken{
			id: a.ID, content: content, special: a.Special, normalized: a.Normalized,
			singleWord: a.SingleWord, lstrip: a.Lstrip, rstrip: a.Rstrip,
		})
	}
	for i := range d.added {
		d.added[i].skipped = special[d.added[i].content] // HF looks the normalised content up
	}
	return nil
}

// checkAdded says what is wrong with an added token; contentTaken and idTaken are
// about the added tokens before it.
func (d *definition) checkAdded(a addedFile, contentTaken, idTaken bool) error {
	id, inVocab := d.ids[a.Content]
	switch {
	case len(a.Content) > maxTokenLen:
		return fmt.Errorf("added token %d has %d bytes: the limit is %d", a.ID, len(a.Content), maxTokenLen)
	case a.ID < 0 || a.ID >= maxTokens:
		return fmt.Errorf("added token %q has id %d: the limit is %d", a.Content, a.ID, maxTokens)
	case contentTaken:
		return fmt.Errorf("added token %q is listed twice", a.Content)
	case inVocab && id != a.ID:
		return fmt.Errorf("added token %q has id %d, but %d in the vocabulary", a.Content, a.ID, id)
	case !inVocab && (idTaken || d.has(a.ID)):
		return fmt.Errorf("added token %q has id %d, which belongs to another token", a.Content, a.ID)
	}
	return nil
}

func (d *definition) readNormalizer(f *file) (err error) {
	if d.normalizers, err = flatten("normalizer", "normalizers", f.Normalizer); err != nil {
		return err
	}
	_, err = compileNormalizers(d.normalizers)
	return err
}

func (d *definition) readPreTokenizer(f *file) (err error) {
	if d.preTokenizers, err = flatten("pre_tokenizer", "pretokenizers", f.PreTokenizer); err != nil {
		return err
	}
	for i, c := range d.preTokenizers {
		if c.kind == "ByteLevel" {
			if i != len(d.preTokenizers)-1 {
				return errors.New("pre_tokenizer ByteLevel is not supported but as the last step")
			}
			d.byteLevel = true
		}
	}
	_, err = compilePreTokenizers(d.preTokenizers)
	return err
}

func (d *definition) readDecoder(f *file) (err error) {
	if d.decoders, err = flatten("decoder", "decoders", f.Decoder); err != nil {
		return err
	}
	if d.byteLevel && (len(d.decoders) == 0 || d.decoders[0].kind != "ByteLevel") {
		return errors.New("with pre_tokenizer ByteLevel a decoder that doesn't begin with ByteLevel is not supported")
	}
	_, err = compileDecoders(d.decoders, d.byteLevel)
	return err
}
