package tokenizer

import (
	"encoding/binary"
	"math/bits"
)

// pairTable maps a pair of numbers to two more: open addressing over entries of four
// little-endian uint32 (the pair, its values), at least one of them empty (first half
// of the pair = noPair).
type pairTable []byte

const (
	noPair   = 1<<32 - 1
	pairSize = 16
)

// newPairTable has room for n pairs at a load of 2/3.
func newPairTable(n int) pairTable {
	t := make(pairTable, pairSize*(n+n/2+1))
	for i := 0; i < len(t); i += pairSize {
		binary.LittleEndian.PutUint32(t[i:], noPair)
	}
	return t
}

func pairKey(a, b uint32) uint64 { return uint64(a) | uint64(b)<<32 }

// slot returns the offset of the pair's entry, or of the empty one where it would be.
func (t pairTable) slot(key uint64) int {
	hi, lo := bits.Mul64(key^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	i, _ := bits.Mul64(hi^lo, uint64(len(t)/pairSize))
	for at := int(i) * pairSize; ; {
		k := binary.LittleEndian.Uint64(t[at:])
		if k == key || uint32(k) == noPair {
			return at
		}
		if at += pairSize; at == len(t) {
			at = 0
		}
	}
}

// find returns the values of a pair.
func (t pairTable) find(a, b uint32) (x, y uint32, ok bool) {
	key := pairKey(a, b)
	e := t[t.slot(key):]
	if binary.LittleEndian.Uint64(e) != key {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:]), true
}

// set adds a pair or changes its values.
func (t pairTable) set(a, b, x, y uint32) {
	key := pairKey(a, b)
	e := t[t.slot(key):]
	binary.LittleEndian.PutUint64(e, key)
	binary.LittleEndian.PutUint32(e[8:], x)
	binary.LittleEndian.PutUint32(e[12:], y)
}

// trimmed is the table with room for n pairs, which is how many it has.
func (t pairTable) trimmed(n int) pairTable {
	out := newPairTable(n)
	for i := 0; i < len(t); i += pairSize {
		if e := t[i : i+pairSize]; binary.LittleEndian.Uint32(e) != noPair {
			copy(out[out.slot(binary.LittleEndian.Uint64(e)):], e)
		}
	}
	return out
}

// all calls f with every pair until it returns an error.
func (t pairTable) all(f func(a, b, x, y uint32) error) error {
	for i := 0; i+pairSize <= len(t); i += pairSize {
		e := t[i : i+pairSize]
		if a := binary.LittleEndian.Uint32(e); a != noPair {
			if err := f(a, binary.LittleEndian.Uint32(e[4:]), binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasRoom reports whether the table is whole and every search in it ends.
func (t pairTable) hasRoom() bool {
	for i := 0; i+pairSize <= len(t); i += pairSize {
		if binary.LittleEndian.Uint32(t[i:]) == noPair {
			return len(t)%pairSize == 0
		}
	}
	return false
}
