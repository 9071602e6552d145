package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// charsmap is SentencePiece's compiled normalization rules as HF reads them (crate
// spm_precompiled): a double-array trie (Darts) of what is replaced, and the
// replacements, each ended by a NUL.
type charsmap struct {
	units []byte // little-endian uint32
	text  string
	// ascii are the replacements of single ASCII characters.
	ascii [utf8.RuneSelf]struct {
		text string
		ok   bool
	}
}

// maxCluster is the size in bytes of the grapheme clusters that HF looks up as a whole.
const maxCluster = 5

func readPrecompiled(c component) (normalizer, error) {
	var f struct {
		Charsmap string `json:"precompiled_charsmap"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(f.Charsmap)
	if err != nil {
		return nil, fmt.Errorf("precompiled_charsmap: %w", err)
	}
	m, err := newCharsmap(data)
	if err != nil {
		return nil, fmt.Errorf("precompiled_charsmap: %w", err)
	}
	return keepsLead(m.normalize), nil
}

// newCharsmap takes the size of the trie in bytes, the trie and the replacements.
func newCharsmap(data []byte) (*charsmap, error) {
	if len(data) < 4 {
		return nil, errors.New("it is cut short")
	}
	size := binary.LittleEndian.Uint32(data) / 4 * 4
	data = data[4:]
	if size == 0 || uint64(size) > uint64(len(data)) {
		return nil, fmt.Errorf("a trie of %d bytes in %d", size, len(data))
	}
	m := &charsmap{units: data[:size], text: string(data[size:])}
	if !utf8.ValidString(m.text) {
		return nil, errors.New("the replacements are not UTF-8")
	}
	for text := range strings.SplitSeq(m.text, "\x00") {
		if len(text) > maxInserted {
			return nil, fmt.Errorf("a replacement of %d bytes: the limit is %d", len(text), maxInserted)
		}
	}
	for c := range m.ascii {
		m.ascii[c].text, m.ascii[c].ok = m.find(string(rune(c)))
	}
	return m, nil
}

// find returns the replacement of the shortest prefix of s that has one. (So does HF,
// and puts it in place of all of s.)
func (m *charsmap) find(s string) (replacement string, ok bool) {
	unit, _ := m.unit(0)
	node := offset(unit)
	for i := 0; i < len(s) && s[i] != 0; i++ {
		node ^= uint32(s[i])
		unit, ok := m.unit(node)
		if !ok || unit&(1<<31|0xFF) != uint32(s[i]) {
			return "", false
		}
		node ^= offset(unit)
		if unit>>8&1 == 1 {
			value, ok := m.unit(node)
			return m.replacement(value&(1<<31-1), ok)
		}
	}
	return "", false
}

// unit returns a unit of the trie. Bits 0–7 are its label, bit 8 says that a key ends
// with it, bit 31 that it is a value, and the rest is where its children are.
func (m *charsmap) unit(i uint32) (u uint32, ok bool) {
	if uint64(i) >= uint64(len(m.units)/4) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(m.units[4*i:]), true
}

// offset is where a unit's children are, relative to it. With bit 9 it counts by 256.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// replacement is the text at a place. A place that is none has no replacement.
func (m *charsmap) replacement(at uint32, ok bool) (string, bool) {
	if !ok || uint64(at) > uint64(len(m.text)) || uint64(at) < uint64(len(m.text)) && !utf8.RuneStart(m.text[at]) {
		return "", false
	}
	text, _, _ := strings.Cut(m.text[at:], "\x00")
	return text, true
}

// normalize replaces grapheme clusters that are short, else single characters.
func (m *charsmap) normalize(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		if c := s[0]; c < utf8.RuneSelf && c != '\r' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
			m.writeASCII(&b, c)
			s = s[1:]
			continue
		}
		n := cluster(s)
		m.write(&b, s[:n])
		s = s[n:]
	}
	return b.String()
}

func (m *charsmap) writeASCII(b *strings.Builder, c byte) {
	if r := &m.ascii[c]; r.ok {
		b.WriteString(r.text)
	} else {
		b.WriteByte(c)
	}
}

// write appends what becomes of a cluster.
func (m *charsmap) write(b *strings.Builder, cluster string) {
	if len(cluster) <= maxCluster {
		if text, ok := m.find(cluster); ok {
			b.WriteString(text)
			return
		}
	}
	for i, r := range cluster {
		char := cluster[i : i+utf8.RuneLen(r)]
		text, ok := m.find(char)
		if !ok {
			text = char
		}
		b.WriteString(text)
	}
}
