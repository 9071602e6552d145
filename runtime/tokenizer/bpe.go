package tokenizer

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// bpe is a byte-level BPE model. Its tables lie in tokenizer.bin.
type bpe struct {
	symbols      [256]int32 // byte → id of the token that spells it, else -1: unk, or dropped if there is none
	unk          int32      // -1: none
	fuseUnk      bool       // a run of unknown bytes is one unk
	ignoreMerges bool       // a piece that is a token as a whole is that token
	vocab        vocabTable
	merges       mergeTable
}

// maxScan is the number of symbols up to which the next merge is found by scanning;
// longer pieces take longMerge, which is faster from some 400 symbols on.
const maxScan = 256

// encode appends the ids of one piece to dst.
func (m *bpe) encode(dst []int32, piece string, c *wordCache) []int32 {
	e := c.entry(piece)
	if e != nil && e.is(piece) {
		return append(dst, e.ids[:e.n]...)
	}
	n := len(dst)
	dst = m.merge(dst, piece)
	if e != nil {
		e.set(piece, dst[n:])
	}
	return dst
}

func (m *bpe) merge(dst []int32, piece string) []int32 {
	if m.ignoreMerges {
		if id, ok := m.vocab.find(piece); ok {
			return append(dst, id)
		}
	}
	if len(piece) > maxScan {
		return m.longMerge(dst, m.appendSymbols(make([]int32, 0, len(piece)), piece))
	}
	var buf [maxScan]int32
	return m.shortMerge(dst, m.appendSymbols(buf[:0], piece))
}

// appendSymbols appends the id of each byte.
func (m *bpe) appendSymbols(dst []int32, piece string) []int32 {
	inRun := false
	for i := range len(piece) {
		id := m.symbols[piece[i]]
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

// shortMerge merges at most maxScan symbols, the pair of the lowest rank first, of
// equal pairs the leftmost, and appends what is left.
func (m *bpe) shortMerge(dst, sym []int32) []int32 {
	var rank [maxScan]uint32 // of the pair (i, i+1)
	var id [maxScan]int32    // what it becomes
	for i := range len(sym) - 1 {
		rank[i], id[i] = m.merges.find(sym[i], sym[i+1])
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
			rank[at-1], id[at-1] = m.merges.find(sym[at-1], sym[at])
		}
		if at < len(sym)-1 {
			rank[at], id[at] = m.merges.find(sym[at], sym[at+1])
		}
	}
	return append(dst, sym...)
}

// mergeTable maps a pair of ids to rank and id of its merge: open addressing over
// entries of four little-endian uint32 (left, right, rank, id), at least one of them
// empty (left = noMerge).
type mergeTable []byte

const (
	noMerge   = 1<<32 - 1 // no rank, no id
	mergeSize = 16
)

// newMergeTable has room for n merges at a load of 2/3.
func newMergeTable(n int) mergeTable {
	t := make(mergeTable, mergeSize*(n+n/2+1))
	for i := 0; i < len(t); i += mergeSize {
		binary.LittleEndian.PutUint32(t[i:], noMerge)
	}
	return t
}

func pairKey(left, right int32) uint64 { return uint64(uint32(left)) | uint64(uint32(right))<<32 }

// slot returns the offset of the pair's entry, or of the empty one where it would be.
func (t mergeTable) slot(key uint64) int {
	hi, lo := bits.Mul64(key^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	i, _ := bits.Mul64(hi^lo, uint64(len(t)/mergeSize))
	for at := int(i) * mergeSize; ; {
		k := binary.LittleEndian.Uint64(t[at:])
		if k == key || uint32(k) == noMerge {
			return at
		}
		if at += mergeSize; at == len(t) {
			at = 0
		}
	}
}

// find returns rank and id of a merge; rank = noMerge if there is none.
func (t mergeTable) find(left, right int32) (rank uint32, id int32) {
	key := pairKey(left, right)
	e := t[t.slot(key):]
	if binary.LittleEndian.Uint64(e) != key {
		return noMerge, -1
	}
	return binary.LittleEndian.Uint32(e[8:]), int32(binary.LittleEndian.Uint32(e[12:]))
}

// set adds a merge; of two for one pair the later one holds.
func (t mergeTable) set(left, right int32, rank uint32, id int32) {
	key := pairKey(left, right)
	e := t[t.slot(key):]
	binary.LittleEndian.PutUint64(e, key)
	binary.LittleEndian.PutUint32(e[8:], rank)
	binary.LittleEndian.PutUint32(e[12:], uint32(id))
}

// wordCache remembers the ids of short pieces. It is direct-mapped and of fixed size,
// so that neither time nor memory depend on the text.
type wordCache struct {
	seed    maphash.Seed
	entries []cacheEntry
}

// cacheEntry is one cache line.
type cacheEntry struct {
	size uint8 // bytes of the piece
	n    uint8
	word [30]byte
	ids  [8]int32
}

const cacheSize = 1 << 13

func newWordCache() wordCache {
	return wordCache{seed: maphash.MakeSeed(), entries: make([]cacheEntry, cacheSize)}
}

// entry returns the place of a piece, nil if it is too long to be kept.
func (c *wordCache) entry(piece string) *cacheEntry {
	if len(piece) > len(cacheEntry{}.word) {
		return nil
	}
	return &c.entries[maphash.String(c.seed, piece)%cacheSize]
}

func (e *cacheEntry) is(piece string) bool { return string(e.word[:e.size]) == piece }

func (e *cacheEntry) set(piece string, ids []int32) {
	if len(ids) <= len(e.ids) {
		e.size, e.n = uint8(len(piece)), uint8(len(ids))
		copy(e.word[:], piece)
		copy(e.ids[:], ids)
	}
}
