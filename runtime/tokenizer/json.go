package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Limits of what is read. Real vocabularies have up to some 262,000 tokens.
const (
	maxFileSize = 1 << 28
	maxTokens   = 1 << 21
	maxMerges   = 1 << 22
	maxTokenLen = 1 << 14 // bytes of a token as written in the file
	maxAdded    = 1 << 16
	maxStages   = 64 // pre-tokenizers, normalizers, ids around a text
)

// file is a tokenizer.json. Truncation and padding in it are settings of the program
// that saved it; transformers overrides them on every call, we never apply them.
type file struct {
	AddedTokens []struct {
		ID         int32
		Content    string
		SingleWord bool `json:"single_word"`
		Lstrip     bool
		Rstrip     bool
		Normalized bool
		Special    bool
	} `json:"added_tokens"`
	Normalizer    *component
	PreTokenizer  *component `json:"pre_tokenizer"`
	PostProcessor *component `json:"post_processor"`
	Decoder       *component
	Model         *modelFile
}

// component is a normalizer, pre-tokenizer, post-processor or decoder: the fields of
// all kinds that we know.
type component struct {
	Type          string
	Normalizers   []component
	Pretokenizers []component
	Processors    []component
	Decoders      []component

	IndividualDigits bool  `json:"individual_digits"`
	AddPrefixSpace   bool  `json:"add_prefix_space"`
	UseRegex         *bool `json:"use_regex"`
	Behavior         string
	Invert           bool
	Pattern          struct{ String, Regex string }

	Single        []templatePiece
	SpecialTokens map[string]struct{ IDs []int32 } `json:"special_tokens"`
}

type templatePiece struct {
	SpecialToken *struct{ ID string }
	Sequence     *struct{ ID string }
}

type modelFile struct {
	Type                    *string
	Dropout                 *float64
	UnkToken                *string `json:"unk_token"`
	ContinuingSubwordPrefix string  `json:"continuing_subword_prefix"`
	EndOfWordSuffix         string  `json:"end_of_word_suffix"`
	FuseUnk                 bool    `json:"fuse_unk"`
	ByteFallback            bool    `json:"byte_fallback"`
	IgnoreMerges            bool    `json:"ignore_merges"`
	Vocab                   json.RawMessage
	Merges                  mergeList
}

// mergeList is written as [["a","b"], …] or, by older versions, ["a b", …].
type mergeList [][]string

func (m *mergeList) UnmarshalJSON(b []byte) error {
	if first := bytes.TrimLeft(b, "[ \t\r\n"); len(first) == 0 || first[0] != '"' || bytes.HasPrefix(bytes.TrimSpace(b[1:]), []byte("[")) {
		return json.Unmarshal(b, (*[][]string)(m))
	}
	var lines []string
	if err := json.Unmarshal(b, &lines); err != nil {
		return err
	}
	*m = make(mergeList, len(lines))
	for i, line := range lines {
		(*m)[i] = strings.Split(line, " ")
	}
	return nil
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

// definition is a tokenizer as data: what tokenizer.json says, reduced to what differs
// between byte-level BPE tokenizers.
type definition struct {
	added          []addedToken
	normalizers    []string
	rules          []splitRule
	prefix, suffix []int32

	vocab        map[string]int32 // as spelled in the file
	merges       mergeList
	unk          string // empty: none
	fuseUnk      bool
	ignoreMerges bool
}

func parse(b []byte) (*definition, error) {
	if len(b) > maxFileSize {
		return nil, fmt.Errorf("%d bytes: the limit is %d", len(b), maxFileSize)
	}
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
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

// unsupported is the error for a component that we don't have.
func unsupported[V any](part, name string, known map[string]V) error {
	return fmt.Errorf("%s %q is not supported; supported: %s", part, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
}

func (d *definition) readModel(f *file) error {
	m := f.Model
	if m == nil {
		return errors.New("it has no model")
	}
	if m.Type != nil && *m.Type != "BPE" || m.Type == nil && m.Merges == nil { // old files leave BPE out
		kind := "?"
		if m.Type != nil {
			kind = *m.Type
		}
		return unsupported("model", kind, map[string]bool{"BPE": true})
	}
	options := []struct {
		name string
		set  bool
	}{
		{"dropout", m.Dropout != nil && *m.Dropout != 0},
		{"continuing_subword_prefix", m.ContinuingSubwordPrefix != ""},
		{"end_of_word_suffix", m.EndOfWordSuffix != ""},
		{"byte_fallback", m.ByteFallback},
	}
	for _, o := range options {
		if o.set {
			return fmt.Errorf("model BPE with %s is not supported", o.name)
		}
	}
	if err := json.Unmarshal(m.Vocab, &d.vocab); err != nil {
		return fmt.Errorf("model.vocab: %w", err)
	}
	d.merges, d.fuseUnk, d.ignoreMerges = m.Merges, m.FuseUnk, m.IgnoreMerges
	if m.UnkToken != nil {
		d.unk = *m.UnkToken
	}
	return d.checkModel()
}

func (d *definition) checkModel() error {
	if len(d.vocab) == 0 || len(d.vocab) > maxTokens || len(d.merges) > maxMerges {
		return fmt.Errorf("%d tokens and %d merges: 1 to %d and at most %d are supported", len(d.vocab), len(d.merges), maxTokens, maxMerges)
	}
	owner := make(map[int32]string, len(d.vocab))
	for token, id := range d.vocab {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("model.vocab: token %q has id %d: the limit is %d", token, id, maxTokens)
		}
		if len(token) > maxTokenLen {
			return fmt.Errorf("model.vocab: token %d has %d bytes: the limit is %d", id, len(token), maxTokenLen)
		}
		if other, taken := owner[id]; taken {
			return fmt.Errorf("model.vocab: id %d belongs to both %q and %q", id, min(token, other), max(token, other))
		}
		owner[id] = token
	}
	if _, ok := d.vocab[d.unk]; d.unk != "" && !ok {
		return fmt.Errorf("model.unk_token %q is not in the vocabulary", d.unk)
	}
	return nil
}

func (d *definition) readAdded(f *file) error {
	if len(f.AddedTokens) > maxAdded {
		return fmt.Errorf("%d added tokens: the limit is %d", len(f.AddedTokens), maxAdded)
	}
	byContent, byID := map[string]bool{}, map[int32]string{}
	for _, id := range d.vocab {
		byID[id] = ""
	}
	for _, a := range f.AddedTokens {
		if a.Content == "" {
			continue // as HF does
		}
		switch id, inVocab := d.vocab[a.Content]; {
		case len(a.Content) > maxTokenLen:
			return fmt.Errorf("added token %d has %d bytes: the limit is %d", a.ID, len(a.Content), maxTokenLen)
		case a.ID < 0 || a.ID >= maxTokens:
			return fmt.Errorf("added token %q has id %d: the limit is %d", a.Content, a.ID, maxTokens)
		case byContent[a.Content]:
			return fmt.Errorf("added token %q is listed twice", a.Content)
		case inVocab && id != a.ID:
			return fmt.Errorf("added token %q has id %d, but %d in the vocabulary", a.Content, a.ID, id)
		case !inVocab:
			if _, taken := byID[a.ID]; taken {
				return fmt.Errorf("added token %q has id %d, which belongs to another token", a.Content, a.ID)
			}
		}
		byContent[a.Content], byID[a.ID] = true, a.Content
		content := a.Content
		if a.Normalized {
			content = d.normalize(content)
		}
		d.added = append(d.added, addedToken{
			id: a.ID, content: content, special: a.Special, normalized: a.Normalized,
			singleWord: a.SingleWord, lstrip: a.Lstrip, rstrip: a.Rstrip,
		})
	}
	return nil
}

func (d *definition) normalize(s string) string {
	for _, name := range d.normalizers {
		s = normalizers[name](s)
	}
	return s
}

func (d *definition) readNormalizer(f *file) error {
	for _, c := range flatten(f.Normalizer, func(c *component) []component { return c.Normalizers }) {
		if _, ok := normalizers[c.Type]; !ok {
			return unsupported("normalizer", c.Type, withSequence(normalizers))
		}
		d.normalizers = append(d.normalizers, c.Type)
	}
	return nil
}

// flatten lists a component, or those of a Sequence (which may be nested) in order.
func flatten(c *component, children func(*component) []component) []*component {
	if c == nil {
		return nil
	}
	if c.Type != "Sequence" {
		return []*component{c}
	}
	var out []*component
	list := children(c)
	for i := range list {
		out = append(out, flatten(&list[i], children)...)
	}
	return out
}

func withSequence[V any](known map[string]V) map[string]V {
	out := maps.Clone(known)
	var zero V
	out["Sequence"] = zero
	return out
}

// gpt2Pattern is what the pre-tokenizer ByteLevel splits by.
const gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// preTokenizers by their names in tokenizer.json.
var preTokenizers = map[string]func(*component) (splitRule, error){
	"Digits": func(c *component) (splitRule, error) {
		r := splitRule{pattern: `\p{N}`, behavior: contiguous}
		if c.IndividualDigits {
			r.behavior = isolated
		}
		return r, nil
	},
	"ByteLevel": func(c *component) (splitRule, error) {
		r := splitRule{prefixSpace: c.AddPrefixSpace}
		if c.UseRegex == nil || *c.UseRegex {
			r.pattern = gpt2Pattern
		}
		return r, nil
	},
	"Split": func(c *component) (splitRule, error) {
		b, ok := behaviors[c.Behavior]
		if !ok {
			return splitRule{}, unsupported("behavior", c.Behavior, behaviors)
		}
		r := splitRule{pattern: c.Pattern.Regex, behavior: b, invert: c.Invert}
		if r.pattern == "" {
			r.pattern = quote(c.Pattern.String)
		}
		if r.pattern == "" {
			return splitRule{}, errors.New("a Split has no pattern")
		}
		return r, nil
	},
}

// quote escapes a literal text as a pattern.
func quote(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if isASCIIPunct(s[i]) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (d *definition) readPreTokenizer(f *file) error {
	list := flatten(f.PreTokenizer, func(c *component) []component { return c.Pretokenizers })
	for i, c := range list {
		read, ok := preTokenizers[c.Type]
		if !ok {
			return unsupported("pre_tokenizer", c.Type, withSequence(preTokenizers))
		}
		if last := i == len(list)-1; last != (c.Type == "ByteLevel") {
			return errors.New("pre_tokenizer: ByteLevel must be there once, as the last step: other models than byte-level BPE are not supported")
		}
		rule, err := read(c)
		if err != nil {
			return fmt.Errorf("pre_tokenizer: %w", err)
		}
		d.rules = append(d.rules, rule)
	}
	if len(list) == 0 {
		return errors.New("it has no pre_tokenizer: other models than byte-level BPE are not supported")
	}
	return nil
}

// postProcessors by their names in tokenizer.json. ByteLevel changes offsets only.
var postProcessors = map[string]func(*definition, *component) error{
	"ByteLevel":          func(*definition, *component) error { return nil },
	"TemplateProcessing": (*definition).readTemplate,
}

func (d *definition) readPostProcessor(f *file) error {
	for _, c := range flatten(f.PostProcessor, func(c *component) []component { return c.Processors }) {
		read, ok := postProcessors[c.Type]
		if !ok {
			return unsupported("post_processor", c.Type, withSequence(postProcessors))
		}
		if err := read(d, c); err != nil {
			return fmt.Errorf("post_processor: %w", err)
		}
	}
	return nil
}

// readTemplate takes the template for one text. (HF fails on a second template.)
func (d *definition) readTemplate(c *component) error {
	if d.prefix != nil || d.suffix != nil {
		return errors.New("more than one template is not supported")
	}
	around := [2][]int32{{}, {}} // before and after the text
	texts := 0
	for _, p := range c.Single {
		switch {
		case p.Sequence != nil && p.Sequence.ID == "A":
			texts++
		case p.SpecialToken != nil && texts < 2:
			token, ok := c.SpecialTokens[p.SpecialToken.ID]
			if !ok {
				return fmt.Errorf("template token %q is not in special_tokens", p.SpecialToken.ID)
			}
			around[texts] = append(around[texts], token.IDs...)
		}
	}
	if texts != 1 {
		return errors.New("a template for one text must have it once")
	}
	d.prefix, d.suffix = around[0], around[1]
	return nil
}

func (d *definition) readDecoder(f *file) error {
	list := flatten(f.Decoder, func(c *component) []component { return c.Decoders })
	for i, c := range list {
		// Fuse joins pieces; ByteLevel leaves one.
		if c.Type != "ByteLevel" && (c.Type != "Fuse" || i == 0) {
			return unsupported("decoder", c.Type, map[string]bool{"ByteLevel": true, "Fuse": true, "Sequence": true})
		}
	}
	if len(list) == 0 {
		return errors.New("it has no decoder; supported: ByteLevel")
	}
	return nil
}
