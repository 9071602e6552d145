package checkpoint

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/mlxc/mlxc/archs"
)

// wordMark is how SentencePiece spells a space.
const wordMark = "▁"

// maxPiece is the longest token in bytes that is looked at for merges. SentencePiece's
// own are some tens.
const maxPiece = 1 << 10

// sentencePiece is a tokenizer of SentencePiece's BPE as HF converts it (LlamaConverter
// in transformers' convert_slow_tokenizer.py), without the fields that all have.
func (t *ggufTokens) sentencePiece() (object, error) {
	if err := t.readTypes(tokenByte); err != nil {
		return nil, err
	}
	scores, err := t.scores()
	if err != nil {
		return nil, err
	}
	vocab, err := t.vocabulary()
	if err != nil {
		return nil, err
	}
	merges, err := scoredMerges(t.tokens, vocab, scores)
	if err != nil {
		return nil, err
	}
	replace := func(from, to string) object {
		return object{"type": "Replace", "pattern": object{"String": from}, "content": to}
	}
	normalizers := []object{replace(" ", wordMark)}
	decoders := []object{replace(wordMark, " "), {"type": "ByteFallback"}, {"type": "Fuse"}}
	if t.flag("tokenizer.ggml.add_space_prefix", true) {
		normalizers = []object{{"type": "Prepend", "prepend": wordMark}, normalizers[0]}
		decoders = append(decoders, object{"type": "Strip", "content": " ", "start": 1, "stop": 0})
	}
	return object{
		"added_tokens":   t.addedTokens(),
		"normalizer":     object{"type": "Sequence", "normalizers": normalizers},
		"pre_tokenizer":  nil,
		"post_processor": t.postProcessor(true),
		"decoder":        object{"type": "Sequence", "decoders": decoders},
		"model":          bpeModel(vocab, merges, object{"unk_token": t.unknown(), "fuse_unk": true, "byte_fallback": true}),
	}, nil
}

// unknown is the token for what has no other, nil if there is none.
func (t *ggufTokens) unknown() any {
	if id, ok := t.ids["unk"]; ok {
		return t.tokens[id]
	}
	if id := slices.Index(t.types, tokenUnknown); id >= 0 {
		return t.tokens[id]
	}
	return nil
}

// scores are those of the tokens.
func (t *ggufTokens) scores() ([]float32, error) {
	const key = "tokenizer.ggml.scores"
	scores, ok := t.metadata[key].([]float32)
	if !ok || len(scores) != len(t.tokens) {
		return nil, errorAt(archs.BadGGUF, key, "it must be a list of float32, one for each of the %d tokens", len(t.tokens))
	}
	for id, s := range scores {
		if s != s || s-s != 0 {
			return nil, errorAt(archs.BadGGUF, key, "token %d (%q) has score %g", id, t.tokens[id], s)
		}
	}
	return scores, nil
}

// scoredMerges lists every way to make a token of two others, the best first: by the
// score of the token, then by the longer left and right part, then by their ids
// (generate_merges in convert_slow_tokenizer.py). Lengths are in characters.
func scoredMerges(tokens []string, vocab map[string]int, scores []float32) ([][2]string, error) {
	type merge struct {
		parts       [2]string
		score       float32
		left, right int // characters
	}
	var all []merge
	for id, token := range tokens {
		if _, used := vocab[token]; !used {
			continue
		}
		if len(token) > maxPiece {
			return nil, errorAt(archs.BadGGUF, "tokenizer.ggml.tokens", "token %d has %d bytes: the limit is %d", id, len(token), maxPiece)
		}
		first := len(all)
		left, right := 0, utf8.RuneCountInString(token)
		for at := range token {
			if at > 0 {
				l, r := token[:at], token[at:]
				if _, ok := vocab[l]; ok {
					if _, ok := vocab[r]; ok {
						all = append(all, merge{[2]string{l, r}, scores[id], left, right})
					}
				}
			}
			left++
			right--
		}
		slices.SortStableFunc(all[first:], func(a, b merge) int {
			return cmp.Or(cmp.Compare(vocab[a.parts[0]], vocab[b.parts[0]]), cmp.Compare(vocab[a.parts[1]], vocab[b.parts[1]]))
		})
	}
	slices.SortStableFunc(all, func(a, b merge) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.left, a.left), cmp.Compare(b.right, a.right))
	})
	pairs := make([][2]string, len(all))
	for i, m := range all {
		pairs[i] = m.parts
	}
	return pairs, nil
}
