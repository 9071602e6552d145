package tokenizer

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// unigram is a Unigram model (Kudo 2018, https://arxiv.org/abs/1804.10959): of all
// ways to cut a piece into tokens the one with the greatest sum of scores. Its tables
// lie in tokenizer.bin.
type unigram struct {
	trie         pairTable // node, byte → token that ends there or noToken, next node; node 0 is the root
	scores       []byte    // little-endian float64 by id
	unk          int32
	unkScore     float64
	byteFallback bool
	bytes        *[256]int32
	vocab        vocabTable
}

// unkPenalty is how much worse than the worst token an unknown character is.
const unkPenalty = 10

// reach is the best way to cut the piece up to a byte.
type reach struct {
	score float64
	id    int32 // the last token
	from  int32 // where it begins; -1: there is no way
}

func (m *unigram) token(spelling string) (int32, bool) { return m.vocab.find(spelling) }

func (m *unigram) words(piece string, emit func(string)) { emit(piece) }

func (m *unigram) appendIDs(dst []int32, word string, s *scratch) []int32 {
	best := m.search(word, s)
	s.ends = s.ends[:0]
	for end := int32(len(word)); end > 0; end = best[end].from {
		s.ends = append(s.ends, end)
	}
	unknown := int32(-1) // where a run of unknown characters begins
	from := int32(0)
	for i := len(s.ends) - 1; i >= 0; i-- {
		end := s.ends[i]
		id := best[end].id
		switch {
		case id == m.unk && unknown < 0:
			unknown = from
		case id != m.unk && unknown >= 0:
			dst = append(m.appendUnknown(dst, word[unknown:from]), id)
			unknown = -1
		case id != m.unk:
			dst = append(dst, id)
		}
		from = end
	}
	if unknown >= 0 {
		dst = m.appendUnknown(dst, word[unknown:])
	}
	return dst
}

// search fills in the best way to every byte of the word; of equal ones the first
// found counts, by where the last token begins and then by its length.
func (m *unigram) search(word string, s *scratch) []reach {
	best := s.reaches(len(word) + 1)
	best[0] = reach{}
	for start := 0; start < len(word); {
		_, size := utf8.DecodeRuneInString(word[start:])
		score := best[start].score
		single := false
		for node, end := uint32(0), start; end < len(word); {
			token, next, ok := m.trie.find(node, uint32(word[end]))
			if !ok {
				break
			}
			node = next
			end++
			if token == noToken {
				continue
			}
			single = single || end == start+size
			best[end].offer(score+m.score(token), int32(token), start)
		}
		if !single {
			best[start+size].offer(score+m.unkScore, m.unk, start)
		}
		start += size
	}
	return best
}

func (r *reach) offer(score float64, id int32, from int) {
	if r.from < 0 || score > r.score {
		*r = reach{score, id, int32(from)}
	}
}

func (m *unigram) score(id uint32) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(m.scores[8*id:]))
}

// appendUnknown appends the ids of a run of unknown characters: HF joins them, looks
// once more for a token, and falls back to bytes or unk.
func (m *unigram) appendUnknown(dst []int32, run string) []int32 {
	if id, ok := m.vocab.find(run); ok {
		return append(dst, id)
	}
	if !m.byteFallback || !hasBytes(m.bytes, run) {
		return append(dst, m.unk)
	}
	for i := range len(run) {
		dst = append(dst, m.bytes[run[i]])
	}
	return dst
}
