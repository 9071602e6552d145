package tokenizer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// preTokenizer cuts a text, which is not empty, into pieces, and may rewrite them.
// first says that the text is the beginning of the whole one; emit is told so of its
// piece. No piece is empty.
type preTokenizer func(s string, first bool, emit func(piece string, first bool))

func compilePreTokenizers(list []component) ([]preTokenizer, error) {
	var out []preTokenizer
	for _, c := range list {
		f, err := makeOf("pre_tokenizer", preTokenizerKinds, c)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// preTokenizerKinds by their names in tokenizer.json.
var preTokenizerKinds = map[string]func(component) (preTokenizer, error){
	"ByteLevel":          readByteLevel,
	"Metaspace":          readMetaspace,
	"Split":              readSplit,
	"Digits":             readDigits,
	"Punctuation":        readPunctuation,
	"Whitespace":         fixed(splitRule{pattern: wordsPattern, behavior: removed, invert: true}),
	"WhitespaceSplit":    fixed(splitRule{pattern: `\s`, behavior: removed}),
	"BertPreTokenizer":   fixed(splitRule{pattern: `\s`, behavior: removed}, splitRule{pattern: punctuation, behavior: isolated}),
	"CharDelimiterSplit": readCharDelimiter,
}

// gpt2Pattern is what the pre-tokenizer ByteLevel splits by.
const gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// Patterns over classes that only these pre-tokenizers have; the last one is
// `\w+|[^\w\s]+` with another \w than that of Oniguruma.
const (
	punctuation  = `\p{hf:punctuation}`
	numeric      = `\p{hf:numeric}`
	wordsPattern = `\p{hf:word}+|[^\p{hf:word}\s]+`
)

// fixed are rules without fields.
func fixed(rules ...splitRule) func(component) (preTokenizer, error) {
	return func(c component) (preTokenizer, error) {
		if err := c.fields(&struct{}{}); err != nil {
			return nil, err
		}
		return compileRules(rules...)
	}
}

// compileRules is one rule after the other.
func compileRules(rules ...splitRule) (preTokenizer, error) {
	var list []preTokenizer
	for _, r := range rules {
		p, err := r.compile()
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return inSequence(list), nil
}

// inSequence is one pre-tokenizer after the other.
func inSequence(list []preTokenizer) preTokenizer {
	if len(list) == 1 {
		return list[0]
	}
	return func(s string, first bool, emit func(string, bool)) {
		list[0](s, first, func(piece string, first bool) { inSequence(list[1:])(piece, first, emit) })
	}
}

// byteLevelFile has the fields of ByteLevel, which is pre-tokenizer, post-processor
// and decoder in one.
type byteLevelFile struct {
	AddPrefixSpace bool  `json:"add_prefix_space"`
	TrimOffsets    bool  `json:"trim_offsets"`
	UseRegex       *bool `json:"use_regex"`
}

// readByteLevel leaves the spelling of bytes to the model, which works on bytes.
func readByteLevel(c component) (preTokenizer, error) {
	var f byteLevelFile
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	var r splitRule
	if f.UseRegex == nil || *f.UseRegex {
		r.pattern = gpt2Pattern
	}
	split, err := r.compile()
	if err != nil || !f.AddPrefixSpace {
		return split, err
	}
	return func(s string, first bool, emit func(string, bool)) { split(withPrefix(s, " "), first, emit) }, nil
}

func withPrefix(s, prefix string) string {
	if strings.HasPrefix(s, prefix) {
		return s
	}
	return prefix + s
}

// prependSchemes of Metaspace: whether the mark is put before a piece.
var prependSchemes = map[string]func(first bool) bool{
	"always": func(bool) bool { return true },
	"first":  func(first bool) bool { return first },
	"never":  func(bool) bool { return false },
}

// metaspaceFile has the fields of Metaspace, which is pre-tokenizer and decoder.
type metaspaceFile struct {
	Replacement    string `json:"replacement"`
	PrependScheme  string `json:"prepend_scheme"`
	AddPrefixSpace *bool  `json:"add_prefix_space"` // older files
	StrRep         string `json:"str_rep"`          // older files: the replacement again
	Split          *bool  `json:"split"`
}

// read reads the fields and puts the defaults in.
func (f *metaspaceFile) read(c component) error {
	f.PrependScheme = "always"
	if err := c.fields(f); err != nil {
		return err
	}
	if utf8.RuneCountInString(f.Replacement) != 1 {
		return fmt.Errorf("replacement %q is not one character", f.Replacement)
	}
	if _, ok := prependSchemes[f.PrependScheme]; !ok {
		return unsupported("prepend_scheme", f.PrependScheme, slices.Collect(maps.Keys(prependSchemes)))
	}
	if f.AddPrefixSpace != nil && !*f.AddPrefixSpace && f.PrependScheme != "never" {
		return fmt.Errorf("add_prefix_space false contradicts prepend_scheme %q", f.PrependScheme)
	}
	return nil
}

func readMetaspace(c component) (preTokenizer, error) {
	var f metaspaceFile
	if err := f.read(c); err != nil {
		return nil, err
	}
	var r splitRule
	if f.Split == nil || *f.Split {
		r = splitRule{pattern: quote(f.Replacement), behavior: mergedWithNext}
	}
	split, err := r.compile()
	prepend := prependSchemes[f.PrependScheme]
	return func(s string, first bool, emit func(string, bool)) {
		s = strings.ReplaceAll(s, " ", f.Replacement)
		if prepend(first) {
			s = withPrefix(s, f.Replacement)
		}
		split(s, first, emit)
	}, err
}

func readSplit(c component) (preTokenizer, error) {
	var f struct {
		Pattern  pattern `json:"pattern"`
		Behavior string  `json:"behavior"`
		Invert   bool    `json:"invert"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	text, err := f.Pattern.regex()
	if err != nil {
		return nil, err
	}
	b, err := findBehavior(f.Behavior)
	if err != nil {
		return nil, err
	}
	return splitRule{pattern: text, behavior: b, invert: f.Invert}.compile()
}

func readDigits(c component) (preTokenizer, error) {
	var f struct {
		IndividualDigits bool `json:"individual_digits"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	r := splitRule{pattern: numeric, behavior: contiguous}
	if f.IndividualDigits {
		r.behavior = isolated
	}
	return r.compile()
}

func readPunctuation(c component) (preTokenizer, error) {
	f := struct {
		Behavior string `json:"behavior"`
	}{"Isolated"}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	b, err := findBehavior(f.Behavior)
	if err != nil {
		return nil, err
	}
	return splitRule{pattern: punctuation, behavior: b}.compile()
}

func readCharDelimiter(c component) (preTokenizer, error) {
	var f struct {
		Delimiter string `json:"delimiter"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(f.Delimiter) != 1 {
		return nil, errors.New("delimiter must be one character")
	}
	return splitRule{pattern: quote(f.Delimiter), behavior: removed}.compile()
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
