package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// SpecialTokens are the texts of special tokens by the names that templates use:
// bos_token, eos_token, ….
type SpecialTokens map[string]string

// tokenNames are the special tokens that every tokenizer may have.
var tokenNames = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// ReadSpecialTokens reads those of a tokenizer_config.json, each a string, or an
// object with its content, or null. A model's own (extra_special_tokens as an object)
// are among them.
func ReadSpecialTokens(tokenizerConfig []byte) (SpecialTokens, error) {
	all := SpecialTokens{}
	if len(tokenizerConfig) == 0 {
		return all, nil
	}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(tokenizerConfig, &config); err != nil {
		return nil, fmt.Errorf("tokenizer_config.json: %w", jsonerror.Plain(err))
	}
	for name, text := range config {
		if !slices.Contains(tokenNames, name) {
			continue
		}
		token, ok := tokenText(text)
		if !ok {
			return nil, fmt.Errorf("tokenizer_config.json: %s is neither a string nor an object with content", name)
		}
		if token != "" {
			all[name] = token
		}
	}
	for _, name := range []string{"extra_special_tokens", "model_specific_special_tokens"} {
		var own map[string]json.RawMessage
		if json.Unmarshal(config[name], &own) != nil {
			continue // a list has no names
		}
		for name, text := range own {
			if token, ok := tokenText(text); ok && token != "" && strings.HasSuffix(name, "_token") {
				all[name] = token
			}
		}
	}
	return all, nil
}

// tokenText is a token's text, "" if it is null.
func tokenText(text json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(text, &s) == nil {
		if s == nil {
			return "", true
		}
		return *s, true
	}
	var object struct{ Content string }
	return object.Content, json.Unmarshal(text, &object) == nil
}
