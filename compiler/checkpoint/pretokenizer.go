package checkpoint

import (
	"maps"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/archs"
)

// A split is how text is cut before byte-level BPE, as a tokenizer.json says it.
type split struct {
	normalizer string   // "NFC", or none
	digits     bool     // every digit is a piece of its own
	patterns   []string // regular expressions, applied one after the other
	// What llama.cpp takes as given where the metadata doesn't say: words that are
	// tokens as a whole are not merged, a BOS token is put in front.
	ignoreMerges, addBOS bool
}

// Regular expressions as the tokenizer.json of the named model has them.
const (
	patternLlama3 = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternQwen2  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternQwen35 = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternGPT4o  = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternTekken = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|` +
		`\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternDeepSeekV3 = `[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_` + "`" + `{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var llama3 = split{patterns: []string{patternLlama3}, ignoreMerges: true, addBOS: true}

// splits are the values of tokenizer.ggml.pre whose tokenizer.json is known exactly.
// A split without patterns is cut by GPT-2's expression, which ByteLevel brings.
var splits = map[string]split{
	"gpt-2":       {},
	"phi-2":       {},
	"mpt":         {normalizer: "NFC"},
	"olmo":        {normalizer: "NFC"},
	"smollm":      {digits: true},
	"starcoder":   {digits: true},
	"refact":      {digits: true},
	"command-r":   {digits: true, normalizer: "NFC"},
	"llama-bpe":   llama3,
	"llama3":      llama3,
	"llama-v3":    llama3,
	"qwen2":       {normalizer: "NFC", patterns: []string{patternQwen2}},
	"qwen35":      {normalizer: "NFC", patterns: []string{patternQwen35}},
	"deepseek-v3": {patterns: []string{`\p{N}{1,3}`, "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+", patternDeepSeekV3}},
	"gpt-4o":      {patterns: []string{patternGPT4o}},
	"llama4":      {patterns: []string{patternGPT4o}, ignoreMerges: true},
	"tekken":      {patterns: []string{patternTekken}, ignoreMerges: true, addBOS: true},
}

// findSplit returns the split of a file's metadata; there is no default.
func findSplit(metadata map[string]any) (split, error) {
	const key = "tokenizer.ggml.pre"
	known := strings.Join(slices.Sorted(maps.Keys(splits)), ", ")
	name, ok := metadata[key].(string)
	if !ok {
		return split{}, errorAt(archs.UnsupportedConfig, key, "it is absent, so how text is split isn't known (known: %s); %s", known, tokenizerAdvice)
	}
	s, ok := splits[name]
	if !ok {
		return split{}, errorAt(archs.UnsupportedConfig, key, "%q isn't known (known: %s); %s", name, known, tokenizerAdvice)
	}
	return s, nil
}

// object is a JSON object.
type object = map[string]any

// preTokenizer is the "pre_tokenizer" of tokenizer.json.
func (s split) preTokenizer() any {
	var steps []any
	if s.digits {
		steps = append(steps, object{"type": "Digits", "individual_digits": true})
	}
	for _, p := range s.patterns {
		steps = append(steps, object{"type": "Split", "pattern": object{"Regex": p}, "behavior": "Isolated", "invert": false})
	}
	steps = append(steps, object{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": len(s.patterns) == 0})
	if len(steps) == 1 {
		return steps[0]
	}
	return object{"type": "Sequence", "pretokenizers": steps}
}

// normalize is the "normalizer" of tokenizer.json.
func (s split) normalize() any {
	if s.normalizer == "" {
		return nil
	}
	return object{"type": s.normalizer}
}
