package tokenizer

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"
)

// marshal builds tokenizer.bin. Equal definitions give equal bytes.
func (d *definition) marshal() ([]byte, error) {
	tokens := d.tokenTable()
	p := parameters{
		kind: d.kind, byteLevel: d.byteLevel, byteFallback: d.byteFallback,
		unk: d.unk, fuseUnk: d.fuseUnk, ignoreMerges: d.ignoreMerges,
		prefix: d.prefix, suffix: d.suffix,
		normalizers: d.normalizers, preTokenizers: d.preTokenizers, decoders: d.decoders, added: d.added,
	}
	for b := range p.bytes {
		p.bytes[b] = d.byteID(b)
		if d.byteLevel && d.byteFallback && p.bytes[b] < 0 {
			return nil, fmt.Errorf("model with byte_fallback is not supported with pre_tokenizer ByteLevel and without a token for byte %#02x", b)
		}
	}
	joined, cut := d.joinedTable()
	p.cut = cut
	pairs, err := d.pairTable()
	if err != nil {
		return nil, err
	}
	return assemble([sections][]byte{
		secParameters:   p.marshal(),
		secTokenOffsets: tokens.offsets,
		secTokenBytes:   tokens.bytes,
		secVocab:        d.vocabTable(tokens).slots,
		secPairs:        pairs,
		secJoined:       joined,
		secScores:       d.scoreTable(),
	})
}

// byteID is the id of the token that spells a byte, -1 if there is none.
func (d *definition) byteID(b int) int32 {
	spelling := fmt.Sprintf("<0x%02X>", b)
	if d.byteLevel {
		spelling = string(byteRune[b])
	}
	if id, ok := d.ids[spelling]; ok {
		return id
	}
	return -1
}

// tokenTable holds all tokens: of byte-level vocabularies the bytes that they spell.
func (d *definition) tokenTable() tokenTable {
	text := slices.Clone(d.tokens)
	for _, a := range d.added {
		text = append(text, make([]string, max(0, int(a.id)+1-len(text)))...)
		text[a.id] = a.content
	}
	t := tokenTable{offsets: make([]byte, 4, 4*(len(text)+1))}
	for _, token := range text {
		b := []byte(token)
		if d.byteLevel {
			b, _ = tokenBytes(token)
		}
		t.bytes = append(t.bytes, b...)
		t.offsets = binary.LittleEndian.AppendUint32(t.offsets, uint32(len(t.bytes)))
	}
	return t
}

// vocabTable holds the tokens of the model; of byte-level vocabularies those that
// spell bytes: only they can be a piece.
func (d *definition) vocabTable(tokens tokenTable) vocabTable {
	t := newVocabTable(len(d.tokens), tokens)
	for id, token := range d.tokens {
		if last, ok := d.ids[token]; !ok || last != int32(id) {
			continue
		}
		b, spelled := []byte(token), true
		if d.byteLevel {
			b, spelled = tokenBytes(token)
		}
		if spelled {
			t.set(string(b), int32(id))
		}
	}
	return t
}

// pairTable holds the merges of bpe, the trie of unigram.
func (d *definition) pairTable() (pairTable, error) {
	if d.kind == modelUnigram {
		return d.trie(), nil
	}
	t := newPairTable(len(d.merges))
	for rank, m := range d.merges {
		if len(m) != 2 {
			return nil, fmt.Errorf("model.merges: merge %d is %q: two tokens are needed", rank, m)
		}
		var ids [3]int32
		for i, token := range []string{m[0], m[1], m[0] + m[1]} {
			id, ok := d.ids[token]
			if !ok {
				return nil, fmt.Errorf("model.merges: merge %d is %q: token %q is not in the vocabulary", rank, m, token)
			}
			ids[i] = id
		}
		t.set(uint32(ids[0]), uint32(ids[1]), uint32(rank), uint32(ids[2])) // of two for one pair the later one holds
	}
	return t, nil
}

// trie maps node and byte to the token that ends there and the next node.
func (d *definition) trie() pairTable {
	size := 0
	for _, token := range d.tokens {
		size += len(token)
	}
	t := newPairTable(size)
	nodes := uint32(1)
	for _, token := range d.tokens {
		node := uint32(0)
		for i := range len(token) {
			here, next, ok := t.find(node, uint32(token[i]))
			if !ok {
				here, next = noToken, nodes
				nodes++
			}
			if i == len(token)-1 {
				here = uint32(d.ids[token])
			}
			t.set(node, uint32(token[i]), here, next)
			node = next
		}
	}
	return t.trimmed(int(nodes) - 1)
}

func (d *definition) scoreTable() []byte {
	var b []byte
	for _, s := range d.scores {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s))
	}
	return b
}

// joinedTable holds the pairs of runes that are side by side in the token of some
// merge. It isn't ok to cut pieces by that (see cuts) if a piece is looked up as a
// whole, if symbols that are not characters take part in merges, or if characters may
// disappear.
func (d *definition) joinedTable() (t pairTable, ok bool) {
	t = newPairTable(0)
	if d.kind != modelBPE || d.byteLevel || d.ignoreMerges || d.dropsCharacters() {
		return t, false
	}
	joined := map[[2]rune]bool{}
	for _, m := range d.merges {
		for _, part := range m {
			if _, ok := byteToken([]byte(part)); ok || d.unk >= 0 && d.ids[part] == d.unk {
				return t, false
			}
		}
		before := rune(-1)
		for _, r := range strings.Join(m, "") {
			if before >= 0 {
				joined[[2]rune{before, r}] = true
			}
			before = r
		}
	}
	t = newPairTable(len(joined))
	for _, p := range slices.SortedFunc(maps.Keys(joined), func(a, b [2]rune) int { return slices.Compare(a[:], b[:]) }) {
		t.set(uint32(p[0]), uint32(p[1]), 0, 0)
	}
	return t, true
}

// dropsCharacters reports whether there may be characters without any token.
func (d *definition) dropsCharacters() bool {
	if d.unk >= 0 {
		return false
	}
	for b := range 256 {
		if d.byteID(b) < 0 {
			return true
		}
	}
	return !d.byteFallback
}

// assemble puts header and sections together.
func assemble(sec [sections][]byte) ([]byte, error) {
	b := make([]byte, headerSize)
	copy(b, magic)
	h := b[len(magic):]
	binary.LittleEndian.PutUint32(h, binVersion)
	for i, s := range sec {
		b = append(b, make([]byte, -len(b)&(align-1))...)
		at := b[len(magic)+8+8*i:]
		binary.LittleEndian.PutUint32(at, uint32(len(b)))
		binary.LittleEndian.PutUint32(at[4:], uint32(len(s)))
		if uint64(len(b)+len(s)) > 1<<32-1 {
			return nil, fmt.Errorf("its tables take more than 4 GiB")
		}
		b = append(b, s...)
	}
	sum := crc32.Checksum(b[len(magic)+8:], castagnoli)
	binary.LittleEndian.PutUint32(b[len(magic)+4:], sum)
	return b, nil
}
