package tokenizer

import "unicode/utf8"

// bpe is a BPE model. Its tables lie in tokenizer.bin.
//
// On byte-level vocabularies a piece's symbols are its bytes; else they are its
// characters, and those without a token become byte tokens if the model has them.
type bpe struct {
	byteLevel    bool
	bytes        *[256]int32 // byte → id of the token that spells it, -1: none
	unk          int32       // -1: none, the character is dropped
	byteFallback bool
	fuseUnk      bool // a run of unknown characters is one unk
	ignoreMerges bool // a piece that is a token as a whole is that token
	vocab        vocabTable
	merges       pairTable // ids of neighbours → rank of their merge, its id
	cuts         *cuts     // nil: a piece is not cut
}

// maxScan is the number of symbols up to which the next merge is found by scanning;
// longer pieces take longMerge, which is faster from some 400 symbols on.
const maxScan = 256

// noMerge is the rank of pairs that are not merged.
const noMerge = 1<<32 - 1

func (m *bpe) find(left, right int32) (rank uint32, id int32) {
	r, i, ok := m.merges.find(uint32(left), uint32(right))
	if !ok {
		return noMerge, -1
	}
	return r, int32(i)
}

func (m *bpe) token(spelling string) (int32, bool) { return m.vocab.find(spelling) }

func (m *bpe) words(piece string, emit func(string)) {
	if m.cuts == nil {
		emit(piece)
		return
	}
	m.cuts.split(piece, &m.vocab, emit)
}

func (m *bpe) appendIDs(dst []int32, word string, _ *scratch) []int32 {
	if m.ignoreMerges {
		if id, ok := m.vocab.find(word); ok {
			return append(dst, id)
		}
	}
	symbols := m.appendCharacters
	if m.byteLevel {
		symbols = m.appendBytes
	}
	if len(word) > maxScan {
		return m.longMerge(dst, symbols(make([]int32, 0, len(word)), word))
	}
	var buf [maxScan]int32
	return m.shortMerge(dst, symbols(buf[:0], word))
}

// appendBytes appends the id of each byte.
func (m *bpe) appendBytes(dst []int32, word string) []int32 {
	inRun := false
	for i := range len(word) {
		id := m.bytes[word[i]]
		unknown := id < 0
		if unknown {
			id = m.unk
		}
		if id >= 0 && !(unknown && inRun && m.fuseUnk) {
			dst = append(dst, id)
		}
		inRun = unknown
	}
	return dst
}

// appendCharacters appends the id of each character. As in HF, an unknown one comes
// after the byte tokens that follow it.
func (m *bpe) appendCharacters(dst []int32, word string) []int32 {
	pending := false // an unk
	for len(word) > 0 {
		_, n := utf8.DecodeRuneInString(word)
		char := word[:n]
		word = word[n:]
		if id, ok := m.vocab.find(char); ok {
			if pending {
				dst, pending = append(dst, m.unk), false
			}
			dst = append(dst, id)
			continue
		}
		if m.byteFallback && hasBytes(m.bytes, char) {
			for i := range n {
				dst = append(dst, m.bytes[char[i]])
			}
			continue
		}
		if pending && !m.fuseUnk {
			dst = append(dst, m.unk)
		}
		pending = m.unk >= 0
	}
	if pending {
		dst = append(dst, m.unk)
	}
	return dst
}

// hasBytes reports whether there is a token for each byte of s.
func hasBytes(bytes *[256]int32, s string) bool {
	for i := range len(s) {
		if bytes[s[i]] < 0 {
			return false
		}
	}
	return true
}

// shortMerge merges at most maxScan symbols, the pair of the lowest rank first, of
// equal pairs the leftmost, and appends what is left.
func (m *bpe) shortMerge(dst, sym []int32) []int32 {
	var rank [maxScan]uint32 // of the pair (i, i+1)
	var id [maxScan]int32    // what it becomes
	for i := range len(sym) - 1 {
		rank[i], id[i] = m.find(sym[i], sym[i+1])
	}
	for len(sym) > 1 {
		at, best := 0, uint32(noMerge)
		for i, r := range rank[:len(sym)-1] {
			if r < best {
				at, best = i, r
			}
		}
		if best == noMerge {
			break
		}
		sym[at] = id[at]
		copy(sym[at+1:], sym[at+2:])
		copy(rank[at:], rank[at+1:len(sym)-1])
		copy(id[at:], id[at+1:len(sym)-1])
		sym = sym[:len(sym)-1]
		if at > 0 {
			rank[at-1], id[at-1] = m.find(sym[at-1], sym[at])
		}
		if at < len(sym)-1 {
			rank[at], id[at] = m.find(sym[at], sym[at+1])
		}
	}
	return append(dst, sym...)
}
