package tokenizer

import "hash/maphash"

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
