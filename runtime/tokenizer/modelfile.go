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

// modelDefinition is the model of a tokenizer.json as data.
type modelDefinition struct {
	kind   modelKind
	ids    map[string]int32 // token as spelled in the file → id
	tokens []string         // by id; of unigram also those that another one hides; "" is no token
	unk    int32            // -1: none

	byteLevel    bool // tokens spell bytes: the pre-tokenizer is ByteLevel
	byteFallback bool // characters without a token become the tokens <0x00> … <0xFF>

	// bpe
	merges       mergeList
	fuseUnk      bool
	ignoreMerges bool

	// unigram
	scores []float64 // by id
}

type modelKind int32

const (
	modelBPE modelKind = iota
	modelUnigram
)

func (d *modelDefinition) has(id int32) bool {
	return int(id) < len(d.tokens) && d.tokens[id] != ""
}

// models by their names in tokenizer.json.
var models = map[string]func(*modelDefinition, []byte) error{
	"BPE":     (*modelDefinition).readBPE,
	"Unigram": (*modelDefinition).readUnigram,
}

func (d *modelDefinition) readModel(f *file) error {
	var head struct {
		Type   *string         `json:"type"`
		Merges json.RawMessage `json:"merges"`
	}
	if len(f.Model) == 0 || bytes.Equal(f.Model, []byte("null")) {
		return errors.New("it has no model")
	}
	if err := unmarshal(f.Model, &head); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	kind := "?"
	switch {
	case head.Type != nil:
		kind = *head.Type
	case head.Merges != nil: // old files leave BPE out
		kind = "BPE"
	}
	read, ok := models[kind]
	if !ok {
		return unsupported("model", kind, slices.Collect(maps.Keys(models)))
	}
	d.unk = -1
	if err := read(d, f.Model); err != nil {
		return fmt.Errorf("model %s: %w", kind, err)
	}
	return nil
}

type bpeFile struct {
	Dropout                 *float64         `json:"dropout"`
	UnkToken                *string          `json:"unk_token"`
	ContinuingSubwordPrefix *string          `json:"continuing_subword_prefix"`
	EndOfWordSuffix         *string          `json:"end_of_word_suffix"`
	FuseUnk                 bool             `json:"fuse_unk"`
	ByteFallback            bool             `json:"byte_fallback"`
	IgnoreMerges            bool             `json:"ignore_merges"`
	Vocab                   map[string]int32 `json:"vocab"`
	Merges                  mergeList        `json:"merges"`
}

func (d *modelDefinition) readBPE(text []byte) error {
	var m bpeFile
	if err := strict(text, &m, "type"); err != nil {
		return err
	}
	options := []struct {
		name string
		set  bool
	}{
		{"dropout", m.Dropout != nil && *m.Dropout != 0},
		{"continuing_subword_prefix", m.ContinuingSubwordPrefix != nil && *m.ContinuingSubwordPrefix != ""},
		{"end_of_word_suffix", m.EndOfWordSuffix != nil && *m.EndOfWordSuffix != ""},
	}
	for _, o := range options {
		if o.set {
			return fmt.Errorf("%s is not supported", o.name)
		}
	}
	d.kind = modelBPE
	d.ids, d.merges, d.fuseUnk, d.byteFallback, d.ignoreMerges = m.Vocab, m.Merges, m.FuseUnk, m.ByteFallback, m.IgnoreMerges
	if len(d.ids) == 0 || len(d.ids) > maxTokens || len(d.merges) > maxMerges {
		return fmt.Errorf("%d tokens and %d merges: 1 to %d and at most %d are supported", len(d.ids), len(d.merges), maxTokens, maxMerges)
	}
	if err := d.setTokens(); err != nil {
		return err
	}
	if m.UnkToken != nil {
		id, ok := d.ids[*m.UnkToken]
		if !ok {
			return fmt.Errorf("unk_token %q is not in the vocabulary", *m.UnkToken)
		}
		d.unk = id
	}
	return nil
}

// setTokens fills tokens from ids.
func (d *modelDefinition) setTokens() error {
	last := int32(0)
	for token, id := range d.ids {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("vocab: token %q has id %d: the limit is %d", token, id, maxTokens)
		}
		if len(token) > maxTokenLen {
			return fmt.Errorf("vocab: token %d has %d bytes: the limit is %d", id, len(token), maxTokenLen)
		}
		last = max(last, id)
	}
	owned := make([]bool, last+1)
	d.tokens = make([]string, last+1)
	for token, id := range d.ids {
		if other := d.tokens[id]; owned[id] {
			return fmt.Errorf("vocab: id %d belongs to both %q and %q", id, min(token, other), max(token, other))
		}
		owned[id], d.tokens[id] = true, token
	}
	return nil
}

type unigramFile struct {
	UnkID        *int32         `json:"unk_id"`
	Vocab        []unigramToken `json:"vocab"`
	ByteFallback bool           `json:"byte_fallback"`
}

// unigramToken is written as [token, score].
type unigramToken struct {
	token string
	score float64
}

func (t *unigramToken) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	var number json.Number
	if unmarshal(b, &pair) != nil || len(pair) != 2 || unmarshal(pair[0], &t.token) != nil || unmarshal(pair[1], &number) != nil {
		return fmt.Errorf("vocab: %.40s is not a token with its score", b)
	}
	var err error
	t.score, err = parseScore(number.String())
	return err
}

func (d *modelDefinition) readUnigram(text []byte) error {
	var m unigramFile
	if err := strict(text, &m, "type"); err != nil {
		return err
	}
	d.kind, d.byteFallback = modelUnigram, m.ByteFallback
	if len(m.Vocab) == 0 || len(m.Vocab) > maxTokens {
		return fmt.Errorf("%d tokens: 1 to %d are supported", len(m.Vocab), maxTokens)
	}
	if m.UnkID == nil {
		return errors.New("unk_id null is not supported: characters outside of the vocabulary need it")
	}
	if d.unk = *m.UnkID; d.unk < 0 || int(d.unk) >= len(m.Vocab) {
		return fmt.Errorf("unk_id %d is not one of the %d tokens", d.unk, len(m.Vocab))
	}
	d.ids = make(map[string]int32, len(m.Vocab))
	for id, t := range m.Vocab {
		if len(t.token) > maxTokenLen {
			return fmt.Errorf("vocab: token %d has %d bytes: the limit is %d", id, len(t.token), maxTokenLen)
		}
		d.ids[t.token] = int32(id) // of equal tokens the last one counts, as in HF
		d.tokens = append(d.tokens, t.token)
		d.scores = append(d.scores, t.score)
	}
	return nil
}

// mergeList is written as [["a","b"], …] or, by older versions, ["a b", …].
type mergeList [][]string

func (m *mergeList) UnmarshalJSON(b []byte) error {
	if first := bytes.TrimLeft(b, "[ \t\r\n"); len(first) == 0 || first[0] != '"' || bytes.HasPrefix(bytes.TrimSpace(b[1:]), []byte("[")) {
		return json.Unmarshal(b, (*[][]string)(m)) // whose error gets the field's name
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
