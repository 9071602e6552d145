package tokenizer

import (
	"encoding/binary"
	"math/bits"
)

// tokenTable holds the bytes that each id stands for, by id; an id that is not in the
// vocabulary has none.
type tokenTable struct {
	offsets []byte // n+1 little-endian uint32 into bytes, ascending
	bytes   []byte
}

func (t tokenTable) len() int { return len(t.offsets)/4 - 1 }

func (t tokenTable) at(id int32) []byte {
	lo := binary.LittleEndian.Uint32(t.offsets[4*id:])
	hi := binary.LittleEndian.Uint32(t.offsets[4*id+4:])
	return t.bytes[lo:hi]
}

// vocabTable maps the bytes of a token to its id: open addressing over little-endian
// uint32 (id, or noToken), at least one of them noToken.
type vocabTable struct {
	slots  []byte
	tokens tokenTable
}

const noToken = 1<<32 - 1

// newVocabTable has room for n tokens at a load of 2/3.
func newVocabTable(n int, tokens tokenTable) vocabTable {
	t := vocabTable{make([]byte, 4*(n+n/2+1)), tokens}
	for i := range t.slots {
		t.slots[i] = 0xFF
	}
	return t
}

// slot returns the offset of the token's slot, or of the free one where it would be.
func (t vocabTable) slot(token string) int {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(token) {
		h = (h ^ uint64(token[i])) * 1099511628211
	}
	i, _ := bits.Mul64(h*0x9E3779B97F4A7C15, uint64(len(t.slots)/4))
	for at := int(i) * 4; ; {
		id := binary.LittleEndian.Uint32(t.slots[at:])
		if id == noToken || string(t.tokens.at(int32(id))) == token {
			return at
		}
		if at += 4; at == len(t.slots) {
			at = 0
		}
	}
}

func (t vocabTable) find(token string) (id int32, ok bool) {
	id = int32(binary.LittleEndian.Uint32(t.slots[t.slot(token):]))
	return id, id >= 0
}

func (t vocabTable) set(token string, id int32) {
	binary.LittleEndian.PutUint32(t.slots[t.slot(token):], uint32(id))
}
