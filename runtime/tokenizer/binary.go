package tokenizer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// tokenizer.bin, all numbers little-endian uint32:
//
//	magic (8 bytes), version, CRC-32C of all that follows,
//	offset and size of each section (from the beginning of the file),
//	sections, each at a multiple of 16.
//
// The sections are the parameters (see parameters), the bytes of all tokens and the
// hash tables, which are used where they lie. A new layout takes a new version; a
// bundle is rebuilt from the tokenizer.json that it holds as well.
const (
	magic      = "mlxctok\n"
	binVersion = 1
	align      = 16
)

const (
	secParameters = iota
	secTokenOffsets
	secTokenBytes
	secVocab
	secMerges
	sections

	headerSize = len(magic) + 8 + 8*sections
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Marshal returns tokenizer.bin. It must not be modified.
func (t *Tokenizer) Marshal() []byte { return t.blob }

// Load makes a Tokenizer of a tokenizer.bin, which must not change while it is in use
// (it may be mapped memory, at any address). It is not trusted: whatever its bytes are,
// the result is an error or a Tokenizer whose methods don't fail.
func Load(blob []byte) (*Tokenizer, error) {
	t, err := load(blob)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: tokenizer.bin: %w", err)
	}
	return t, nil
}

func load(blob []byte) (*Tokenizer, error) {
	sec, err := readSections(blob)
	if err != nil {
		return nil, err
	}
	p, err := readParameters(sec[secParameters])
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{
		blob:    blob,
		tokens:  tokenTable{sec[secTokenOffsets], sec[secTokenBytes]},
		special: map[int32]bool{},
		prefix:  p.prefix,
		suffix:  p.suffix,
	}
	t.model = bpe{
		symbols: p.symbols, unk: p.unk, fuseUnk: p.fuseUnk, ignoreMerges: p.ignoreMerges,
		vocab:  vocabTable{sec[secVocab], t.tokens},
		merges: sec[secMerges],
	}
	if err := t.checkTables(p); err != nil {
		return nil, err
	}
	for _, name := range p.normalizers {
		f, ok := normalizers[name]
		if !ok {
			return nil, unsupported("normalizer", name, normalizers)
		}
		t.normalize = append(t.normalize, f)
	}
	if t.splits, err = compileRules(p.rules); err != nil {
		return nil, err
	}
	t.setAdded(p.added)
	t.encoders.New = func() any { return t.newEncoder() }
	return t, nil
}

func (t *Tokenizer) setAdded(added []addedToken) {
	var raw, normalized []addedToken
	for _, a := range added {
		if a.special {
			t.special[a.id] = true
		}
		if a.normalized {
			normalized = append(normalized, a)
		} else {
			raw = append(raw, a)
		}
	}
	t.raw, t.normalized = newAddedSet(raw), newAddedSet(normalized)
}

func readSections(blob []byte) (sec [sections][]byte, err error) {
	if len(blob) < headerSize || string(blob[:len(magic)]) != magic {
		return sec, errors.New("not a tokenizer.bin")
	}
	h := blob[len(magic):]
	if v := binary.LittleEndian.Uint32(h); v != binVersion {
		return sec, fmt.Errorf("version %d: this mlxc reads version %d; emit the bundle again", v, binVersion)
	}
	if crc32.Checksum(h[8:], castagnoli) != binary.LittleEndian.Uint32(h[4:]) {
		return sec, errors.New("wrong checksum: the file is damaged")
	}
	for i := range sec {
		at := uint64(binary.LittleEndian.Uint32(h[8+8*i:]))
		size := uint64(binary.LittleEndian.Uint32(h[12+8*i:]))
		if at+size > uint64(len(blob)) {
			return sec, fmt.Errorf("section %d is at %d+%d of %d bytes", i, at, size, len(blob))
		}
		sec[i] = blob[at : at+size]
	}
	return sec, nil
}

// checkTables makes sure that no look-up leaves the tables or fails to end.
func (t *Tokenizer) checkTables(p *parameters) error {
	if len(t.tokens.offsets)%4 != 0 || t.tokens.len() < 1 || t.tokens.len() > maxTokens {
		return fmt.Errorf("token table of %d bytes", len(t.tokens.offsets))
	}
	last := uint32(0)
	for i := 0; i < len(t.tokens.offsets); i += 4 {
		at := binary.LittleEndian.Uint32(t.tokens.offsets[i:])
		if at < last || at > uint32(len(t.tokens.bytes)) {
			return fmt.Errorf("token %d ends at byte %d", i/4, at)
		}
		last = at
	}
	n := uint32(t.tokens.len())
	free := false
	for i := 0; i+4 <= len(t.model.vocab.slots); i += 4 {
		id := binary.LittleEndian.Uint32(t.model.vocab.slots[i:])
		free = free || id == noToken
		if id >= n && id != noToken {
			return fmt.Errorf("vocabulary slot with id %d", id)
		}
	}
	if !free || len(t.model.vocab.slots)%4 != 0 {
		return errors.New("vocabulary table without a free slot")
	}
	if err := checkMerges(t.model.merges, n); err != nil {
		return err
	}
	return p.checkIDs(n)
}

func checkMerges(m mergeTable, n uint32) error {
	free := false
	for i := 0; i+mergeSize <= len(m); i += mergeSize {
		left := binary.LittleEndian.Uint32(m[i:])
		if left == noMerge {
			free = true
			continue
		}
		right, rank, id := binary.LittleEndian.Uint32(m[i+4:]), binary.LittleEndian.Uint32(m[i+8:]), binary.LittleEndian.Uint32(m[i+12:])
		if left >= n || right >= n || id >= n || rank == noMerge {
			return fmt.Errorf("merge of %d and %d to %d with rank %d", left, right, id, rank)
		}
	}
	if !free || len(m)%mergeSize != 0 || len(m)/mergeSize > 2*maxMerges {
		return errors.New("merge table without a free entry")
	}
	return nil
}
