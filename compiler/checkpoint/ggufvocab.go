package checkpoint

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
)

// The token types of tokenizer.ggml.token_type.
const (
	tokenNormal      = 1
	tokenUnknown     = 2
	tokenControl     = 3
	tokenUserDefined = 4
	tokenUnused      = 5
	tokenByte        = 6
)

// ggufTokens is the vocabulary of a file: byte-level BPE, SentencePiece's BPE, or a
// whole tokenizer.json in its metadata.
type ggufTokens struct {
	metadata map[string]any
	tokens   []string
	types    []int32
	ids      map[string]int // special tokens by name: "bos", "eos", …
}

// specials are the special tokens that metadata names, and their names in HF files.
var specials = []struct{ name, key, hf string }{
	{"bos", "tokenizer.ggml.bos_token_id", "bos_token"},
	{"eos", "tokenizer.ggml.eos_token_id", "eos_token"},
	{"eot", "tokenizer.ggml.eot_token_id", ""},
	{"eom", "tokenizer.ggml.eom_token_id", ""},
	{"unk", "tokenizer.ggml.unknown_token_id", "unk_token"},
	{"pad", "tokenizer.ggml.padding_token_id", "pad_token"},
}

// stops are the special tokens that end a turn.
var stops = []string{"eos", "eot", "eom"}

func readTokens(metadata map[string]any) (ggufTokens, error) {
	t := ggufTokens{metadata: metadata, ids: map[string]int{}}
	var ok bool
	if t.tokens, ok = metadata["tokenizer.ggml.tokens"].([]string); !ok {
		return t, errorAt(archs.BadGGUF, "tokenizer.ggml.tokens", "it is absent or not a list of strings")
	}
	for _, s := range specials {
		value, there := metadata[s.key]
		if !there {
			continue
		}
		id, ok := value.(uint32)
		if !ok || int(id) >= len(t.tokens) {
			return t, errorAt(archs.BadGGUF, s.key, "%v is not one of the %d tokens", value, len(t.tokens))
		}
		t.ids[s.name] = int(id)
	}
	return t, nil
}

// vocabularies by tokenizer.ggml.model.
var vocabularies = map[string]func(*ggufTokens) (object, error){
	"gpt2":  (*ggufTokens).byteLevel,
	"llama": (*ggufTokens).sentencePiece,
}

// tokenizerJSON is HF's tokenizer.json.
func (t ggufTokens) tokenizerJSON() ([]byte, error) {
	if whole, ok := t.metadata["tokenizer.huggingface.json"].(string); ok {
		return []byte(whole), nil
	}
	name, _ := t.metadata["tokenizer.ggml.model"].(string)
	read, ok := vocabularies[name]
	if !ok {
		return nil, errorAt(archs.UnsupportedConfig, "tokenizer.ggml.model", "%v isn't supported (supported: %s); %s", t.metadata["tokenizer.ggml.model"],
			strings.Join(slices.Sorted(maps.Keys(vocabularies)), ", "), tokenizerAdvice)
	}
	made, err := read(&t)
	if err != nil {
		return nil, err
	}
	made["version"], made["truncation"], made["padding"] = "1.0", nil, nil
	return encode(made)
}

// tokenizerAdvice is what to do with a file whose tokenizer can't be made.
const tokenizerAdvice = "give the model's tokenizer.json with --tokenizer FILE"

// byteLevel is a byte-level BPE tokenizer, without the fields that all have.
func (t *ggufTokens) byteLevel() (object, error) {
	split, err := findSplit(t.metadata)
	if err != nil {
		return nil, err
	}
	if t.metadata["tokenizer.ggml.add_space_prefix"] == true {
		return nil, errorAt(archs.UnsupportedConfig, "tokenizer.ggml.add_space_prefix", "true isn't supported for gpt2 tokenizers")
	}
	if err := t.readTypes(tokenUnused); err != nil {
		return nil, err
	}
	vocab, err := t.vocabulary()
	if err != nil {
		return nil, err
	}
	merges, err := t.merges()
	if err != nil {
		return nil, err
	}
	return object{
		"added_tokens":   t.addedTokens(),
		"normalizer":     split.normalize(),
		"pre_tokenizer":  split.preTokenizer(),
		"post_processor": t.postProcessor(split.addBOS),
		"decoder":        object{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
		"model":          bpeModel(vocab, merges, object{"ignore_merges": split.ignoreMerges}),
	}, nil
}

// bpeModel is the "model" of tokenizer.json with some options that aren't the default.
func bpeModel(vocab map[string]int, merges [][2]string, options object) object {
	model := object{
		"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": nil,
		"fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
		"vocab": vocab, "merges": merges,
	}
	maps.Copy(model, options)
	return model
}

// readTypes reads the tokens' types, of which last is the greatest that has a meaning.
func (t *ggufTokens) readTypes(last int32) error {
	const key = "tokenizer.ggml.token_type"
	var ok bool
	if t.types, ok = t.metadata[key].([]int32); !ok || len(t.types) != len(t.tokens) {
		return errorAt(archs.BadGGUF, key, "it must be a list of int32, one for each of the %d tokens", len(t.tokens))
	}
	for id, kind := range t.types {
		if kind < tokenNormal || kind > last {
			return errorAt(archs.BadGGUF, key, "token %d (%q) has type %d, which %v tokenizers have no use for", id, t.tokens[id], kind, t.metadata["tokenizer.ggml.model"])
		}
	}
	return nil
}

// vocabulary maps tokens to ids. Unused tokens, which fill up the embedding matrix,
// are left out: HF has no entries for them.
func (t ggufTokens) vocabulary() (map[string]int, error) {
	vocab := make(map[string]int, len(t.tokens))
	for id, token := range t.tokens {
		if t.types[id] == tokenUnused {
			continue
		}
		if other, twice := vocab[token]; twice {
			return nil, errorAt(archs.BadGGUF, "tokenizer.ggml.tokens", "tokens %d and %d are both %q", other, id, token)
		}
		vocab[token] = id
	}
	return vocab, nil
}

// merges are the pairs that "left right" stands for.
func (t ggufTokens) merges() ([][2]string, error) {
	const key = "tokenizer.ggml.merges"
	lines, ok := t.metadata[key].([]string)
	if !ok {
		return nil, errorAt(archs.BadGGUF, key, "it is absent or not a list of strings")
	}
	pairs := make([][2]string, len(lines))
	for i, line := range lines {
		left, right, ok := strings.Cut(line, " ")
		if !ok || left == "" || right == "" || strings.Contains(right, " ") {
			return nil, errorAt(archs.BadGGUF, key, "%q (number %d) is not two tokens with a space between them", line, i)
		}
		pairs[i] = [2]string{left, right}
	}
	return pairs, nil
}

// addedTokens are those that are found in the text before it is split. Control
// tokens are special, not shown to users, and so are BOS and the stops; but not
// padding, which some files give the id of an ordinary token.
func (t ggufTokens) addedTokens() []object {
	frame := map[int]bool{}
	for name, id := range t.ids {
		if name == "bos" || slices.Contains(stops, name) {
			frame[id] = true
		}
	}
	added := []object{}
	for id, kind := range t.types {
		special := kind == tokenControl || kind == tokenUnknown || frame[id]
		if special || kind == tokenUserDefined {
			added = append(added, object{"id": id, "content": t.tokens[id], "special": special,
				"single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
		}
	}
	return added
}

// flag is a boolean of the metadata.
func (t ggufTokens) flag(key string, otherwise bool) bool {
	if value, ok := t.metadata[key].(bool); ok {
		return value
	}
	return otherwise
}

// postProcessor puts BOS in front and EOS behind, nil if neither; addBOS is for files
// that don't say.
func (t ggufTokens) postProcessor(addBOS bool) any {
	specials := object{}
	around := func(name, key string, otherwise bool) []any {
		id, ok := t.ids[name]
		if !ok || !t.flag(key, otherwise) {
			return nil
		}
		content := t.tokens[id]
		specials[content] = object{"id": content, "ids": []int{id}, "tokens": []string{content}}
		return []any{object{"SpecialToken": object{"id": content, "type_id": 0}}}
	}
	before := around("bos", "tokenizer.ggml.add_bos_token", addBOS)
	after := around("eos", "tokenizer.ggml.add_eos_token", false)
	if len(specials) == 0 {
		return nil
	}
	text := func(id string, kind int) []any {
		return slices.Concat(before, []any{object{"Sequence": object{"id": id, "type_id": kind}}}, after)
	}
	return object{"type": "TemplateProcessing", "single": text("A", 0), "pair": slices.Concat(text("A", 0), text("B", 1)), "special_tokens": specials}
}

// tokenizerConfig is HF's tokenizer_config.json, as far as mlxc reads it.
func (t ggufTokens) tokenizerConfig() ([]byte, error) {
	config := object{"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": false}
	for _, s := range specials {
		if id, ok := t.ids[s.name]; ok && s.hf != "" {
			config[s.hf] = t.tokens[id]
		}
	}
	for _, name := range []string{"add_bos_token", "add_eos_token"} {
		if value, ok := t.metadata["tokenizer.ggml."+name].(bool); ok {
			config[name] = value
		}
	}
	template, err := t.chatTemplate()
	if err != nil {
		return nil, err
	}
	if template != nil {
		config["chat_template"] = template
	}
	return encode(config)
}

// chatTemplate is a string, or the list of named ones, nil if there is none.
func (t ggufTokens) chatTemplate() (any, error) {
	const key = "tokenizer.chat_template"
	names, _ := t.metadata["tokenizer.chat_templates"].([]string)
	var named []object
	if template, ok := t.metadata[key].(string); ok {
		if len(names) == 0 {
			return template, nil
		}
		named = append(named, object{"name": "default", "template": template})
	}
	for _, name := range names {
		template, ok := t.metadata[key+"."+name].(string)
		if !ok {
			return nil, errorAt(archs.BadGGUF, key+"."+name, "tokenizer.chat_templates promises it, but it isn't there")
		}
		named = append(named, object{"name": name, "template": template})
	}
	if named == nil {
		return nil, nil
	}
	return named, nil
}

// generationConfig is HF's generation_config.json: every id that ends a turn.
func (t ggufTokens) generationConfig() ([]byte, error) {
	config, eos := object{}, []int{}
	for _, name := range stops {
		if id, ok := t.ids[name]; ok && !slices.Contains(eos, id) {
			eos = append(eos, id)
		}
	}
	config["eos_token_id"] = eos
	for _, name := range []string{"bos", "pad"} {
		if id, ok := t.ids[name]; ok {
			config[name+"_token_id"] = id
		}
	}
	return encode(config)
}

// encode writes JSON as HF does, with < > & as they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return b.Bytes(), err
}
