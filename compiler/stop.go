package compiler

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// stopIDs is the union of the ids that end generation, with their sources:
// config.json, generation_config.json (eos_token_id) and tokenizer_config.json
// (eos_token, a string or an object with content). idOf looks a token up; it is nil
// without a tokenizer. Notes say of sources that could not be used.
func stopIDs(spec archs.Spec, configName string, generation, tokenizerConfig []byte, idOf func(token string) (int32, bool)) (stops []bundle.Stop, notes []string, err error) {
	add := func(id int, source string) {
		if id < 0 || id >= spec.Vocab {
			notes = append(notes, fmt.Sprintf("%s: stop id %d is outside the vocabulary of %d; ignored", source, id, spec.Vocab))
			return
		}
		i, there := slices.BinarySearchFunc(stops, id, func(s bundle.Stop, id int) int { return s.ID - id })
		if !there {
			stops = slices.Insert(stops, i, bundle.Stop{ID: id})
		}
		if !slices.Contains(stops[i].Sources, source) {
			stops[i].Sources = append(stops[i].Sources, source)
		}
	}
	for _, id := range spec.EOS {
		add(id, configName)
	}
	ids, err := generationEOS(generation)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		add(id, bundle.GenerationConfig)
	}
	token, err := eosToken(tokenizerConfig)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case token == "":
	case idOf == nil:
		notes = append(notes, fmt.Sprintf("%s: eos_token %q has no id without a tokenizer; ignored", bundle.TokenizerConfig, token))
	default:
		if id, ok := idOf(token); ok {
			add(int(id), bundle.TokenizerConfig)
		} else {
			notes = append(notes, fmt.Sprintf("%s: eos_token %q is not in the tokenizer's vocabulary; ignored", bundle.TokenizerConfig, token))
		}
	}
	if len(stops) == 0 {
		notes = append(notes, "no stop ids in config.json, generation_config.json or tokenizer_config.json: generation ends by length only")
	}
	return stops, notes, nil
}

// generationEOS reads eos_token_id of generation_config.json: an int, a list or null.
func generationEOS(data []byte) ([]int, error) {
	var file struct {
		EOS json.RawMessage `json:"eos_token_id"`
	}
	if len(data) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: %v", bundle.GenerationConfig, jsonerror.Plain(err))
	}
	if file.EOS == nil {
		return nil, nil
	}
	var list []int
	if json.Unmarshal(file.EOS, &list) == nil {
		return list, nil
	}
	var one int
	if err := json.Unmarshal(file.EOS, &one); err != nil {
		return nil, archs.Errorf(archs.BadConfig, "%s: eos_token_id is %.60s (supported: an id or a list of ids)", bundle.GenerationConfig, file.EOS)
	}
	return []int{one}, nil
}

// eosToken reads eos_token of tokenizer_config.json: a string, an object or null.
func eosToken(data []byte) (string, error) {
	var file struct {
		EOS json.RawMessage `json:"eos_token"`
	}
	if len(data) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return "", archs.Errorf(archs.BadConfig, "%s: %v", bundle.TokenizerConfig, jsonerror.Plain(err))
	}
	var text string
	if file.EOS == nil || json.Unmarshal(file.EOS, &text) == nil {
		return text, nil
	}
	var object struct {
		Content string `json:"content"`
	}
	if err := json.Unmarshal(file.EOS, &object); err != nil || object.Content == "" {
		return "", archs.Errorf(archs.BadConfig, "%s: eos_token is %.60s (supported: a string or an object with content)", bundle.TokenizerConfig, file.EOS)
	}
	return object.Content, nil
}
