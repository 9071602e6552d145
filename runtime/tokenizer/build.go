package tokenizer

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
)

// marshal builds tokenizer.bin. Equal definitions give equal bytes.
func (d *definition) marshal() ([]byte, error) {
	tokens := d.tokenTable()
	merges, err := d.mergeTable()
	if err != nil {
		return nil, err
	}
	p := parameters{
		unk: -1, fuseUnk: d.fuseUnk, ignoreMerges: d.ignoreMerges,
		prefix: d.prefix, suffix: d.suffix,
		normalizers: d.normalizers, rules: d.rules, added: d.added,
	}
	if d.unk != "" {
		p.unk = d.vocab[d.unk]
	}
	for b, r := range byteRune {
		id, ok := d.vocab[string(r)]
		if !ok {
			id = -1
		}
		p.symbols[b] = id
	}
	return assemble([sections][]byte{
		secParameters:   p.marshal(),
		secTokenOffsets: tokens.offsets,
		secTokenBytes:   tokens.bytes,
		secVocab:        d.vocabTable(tokens).slots,
		secMerges:       merges,
	})
}

func (d *definition) tokenTable() tokenTable {
	byID := map[int32]string{}
	last := int32(0)
	for token, id := range d.vocab {
		byID[id] = token
		last = max(last, id)
	}
	for _, a := range d.added {
		byID[a.id] = a.content
		last = max(last, a.id)
	}
	t := tokenTable{offsets: make([]byte, 4, 4*(last+2))}
	for id := range last + 1 {
		b, _ := tokenBytes(byID[id])
		t.bytes = append(t.bytes, b...)
		t.offsets = binary.LittleEndian.AppendUint32(t.offsets, uint32(len(t.bytes)))
	}
	return t
}

// vocabTable holds the tokens of the model that spell bytes: only those can be a piece.
func (d *definition) vocabTable(tokens tokenTable) vocabTable {
	t := newVocabTable(len(d.vocab), tokens)
	for _, token := range slices.Sorted(maps.Keys(d.vocab)) {
		if b, spelled := tokenBytes(token); spelled {
			t.set(string(b), d.vocab[token])
		}
	}
	return t
}

func (d *definition) mergeTable() (mergeTable, error) {
	t := newMergeTable(len(d.merges))
	for rank, m := range d.merges {
		if len(m) != 2 {
			return nil, fmt.Errorf("model.merges: merge %d is %q: two tokens are needed", rank, m)
		}
		var ids [3]int32
		for i, token := range []string{m[0], m[1], m[0] + m[1]} {
			id, ok := d.vocab[token]
			if !ok {
				return nil, fmt.Errorf("model.merges: merge %d is %q: token %q is not in the vocabulary", rank, m, token)
			}
			ids[i] = id
		}
		t.set(ids[0], ids[1], uint32(rank), ids[2])
	}
	return t, nil
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
