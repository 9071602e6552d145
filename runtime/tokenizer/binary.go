package tokenizer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// tokenizer.bin, all numbers little-endian uint32:
//
//	magic (8 bytes), version, CRC-32C of all that follows,
//	offset and size of each section (from the beginning of the file),
//	sections, each at a multiple of 16.
//
// The sections are the parameters (see parameters), the bytes of all tokens, the hash
// tables and the scores of unigram, which are used where they lie. A new layout takes
// a new version.
const (
	magic      = "mlxctok\n"
	binVersion = 2
	align      = 16
)

const (
	secParameters = iota
	secTokenOffsets
	secTokenBytes
	secVocab
	secPairs
	secJoined
	secScores
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
	vocab := vocabTable{sec[secVocab], t.tokens}
	if err := checkTables(p, vocab); err != nil {
		return nil, err
	}
	if t.model, err = newModel(p, vocab, sec); err != nil {
		return nil, err
	}
	if t.normalize, err = compileNormalizers(p.normalizers); err != nil {
		return nil, err
	}
	if t.split, err = compilePreTokenizers(p.preTokenizers); err != nil {
		return nil, err
	}
	if t.decoders, err = compileDecoders(p.decoders, p.byteLevel); err != nil {
		return nil, err
	}
	t.setAdded(p.added)
	t.encoders.New = func() any { return t.newEncoder() }
	return t, nil
}

// newModel makes the model over tables that are not trusted.
func newModel(p *parameters, vocab vocabTable, sec [sections][]byte) (model, error) {
	pairs, joined := pairTable(sec[secPairs]), pairTable(sec[secJoined])
	for _, t := range []pairTable{pairs, joined} {
		if len(t)/pairSize > maxPairs || !t.hasRoom() {
			return nil, errors.New("pair table without a free entry")
		}
	}
	n := uint32(vocab.tokens.len())
	switch p.kind {
	case modelBPE:
		m := &bpe{
			byteLevel: p.byteLevel, bytes: &p.bytes, unk: p.unk, byteFallback: p.byteFallback,
			fuseUnk: p.fuseUnk, ignoreMerges: p.ignoreMerges, vocab: vocab, merges: pairs,
		}
		if p.cut {
			m.cuts = newCuts(joined, &m.vocab)
		}
		return m, m.check(n)
	case modelUnigram:
		m := &unigram{trie: pairs, scores: sec[secScores], unk: p.unk, byteFallback: p.byteFallback, bytes: &p.bytes, vocab: vocab}
		return m, m.check(n)
	}
	return nil, fmt.Errorf("model %d is unknown", p.kind)
}

func (t *Tokenizer) setAdded(added []addedToken) {
	var raw, normalized []addedToken
	for _, a := range added {
		if a.skipped {
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
		return sec, fmt.Errorf("version %d: this mlxc reads version %d; emit the bundle again: mlxc-emit -o BUNDLE CHECKPOINT", v, binVersion)
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
func checkTables(p *parameters, vocab vocabTable) error {
	tokens := vocab.tokens
	if len(tokens.offsets)%4 != 0 || tokens.len() < 1 || tokens.len() > maxTokens {
		return fmt.Errorf("token table of %d bytes", len(tokens.offsets))
	}
	last := uint32(0)
	for i := 0; i < len(tokens.offsets); i += 4 {
		at := binary.LittleEndian.Uint32(tokens.offsets[i:])
		if at < last || at > uint32(len(tokens.bytes)) {
			return fmt.Errorf("token %d ends at byte %d", i/4, at)
		}
		last = at
	}
	n := uint32(tokens.len())
	free := false
	for i := 0; i+4 <= len(vocab.slots); i += 4 {
		id := binary.LittleEndian.Uint32(vocab.slots[i:])
		free = free || id == noToken
		if id >= n && id != noToken {
			return fmt.Errorf("vocabulary slot with id %d", id)
		}
	}
	if !free || len(vocab.slots)%4 != 0 {
		return errors.New("vocabulary table without a free slot")
	}
	return p.checkIDs(n)
}

// check makes sure that every id is below n.
func (m *bpe) check(n uint32) error {
	return m.merges.all(func(left, right, rank, id uint32) error {
		if left >= n || right >= n || id >= n || rank == noMerge {
			return fmt.Errorf("merge of %d and %d to %d with rank %d", left, right, id, rank)
		}
		return nil
	})
}

// check makes sure that every token has a score and an id below n, and finds the score
// of unknown characters.
func (m *unigram) check(n uint32) error {
	scored := uint32(len(m.scores) / 8)
	if len(m.scores)%8 != 0 || scored == 0 || scored > n || m.unk < 0 {
		return fmt.Errorf("%d bytes of scores for %d tokens, unk %d", len(m.scores), n, m.unk)
	}
	least := math.Inf(1)
	for id := range scored {
		s := m.score(id)
		if math.IsInf(s, 0) || math.IsNaN(s) {
			return fmt.Errorf("token %d has score %g", id, s)
		}
		least = min(least, s)
	}
	m.unkScore = least - unkPenalty
	return m.trie.all(func(node, c, token, next uint32) error {
		if token >= scored && token != noToken {
			return fmt.Errorf("trie entry %d %#02x with token %d", node, c, token)
		}
		return nil
	})
}
