package tokenizer

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"testing"
)

// small returns the tokenizer.bin of a tiny vocabulary.
func small(t testing.TB) []byte {
	t.Helper()
	all := variants(t)
	for _, v := range all {
		if v.Name == "normalized tokens" {
			tok, err := Parse(patched(t, all[0].Patch, v.Patch))
			if err != nil {
				t.Fatal(err)
			}
			return tok.Marshal()
		}
	}
	t.Fatal("no such variant")
	return nil
}

// sign puts the right checksum into blob.
func sign(blob []byte) []byte {
	if at := len(magic) + 8; len(blob) >= at {
		binary.LittleEndian.PutUint32(blob[at-4:], crc32.Checksum(blob[at:], castagnoli))
	}
	return blob
}

// firstTrieToken gives the first entry of a trie a token that isn't in the vocabulary.
func firstTrieToken(trie, blob []byte) []byte {
	for i := 0; i < len(trie); i += pairSize {
		if binary.LittleEndian.Uint32(trie[i:]) != noPair {
			binary.LittleEndian.PutUint32(trie[i+8:], 99999)
			break
		}
	}
	return blob
}

func TestMarshalIsDeterministic(t *testing.T) {
	if a, b := small(t), small(t); !bytes.Equal(a, b) {
		t.Error("two tokenizer.bin of one tokenizer.json differ")
	}
}

// TestLoadRefuses: damage is found by the checksum; with a right checksum what is out
// of range is.
func TestLoadRefuses(t *testing.T) {
	good := small(t)
	word := func(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	section := func(b []byte, i int) []byte {
		h := len(magic) + 8 + 8*i
		return b[word(b, h):][:word(b, h+4)]
	}
	put := binary.LittleEndian.PutUint32
	for _, c := range []struct {
		name, mentions string
		damage         func(b []byte) []byte
	}{
		{"empty", "not a tokenizer.bin", func(b []byte) []byte { return nil }},
		{"other file", "not a tokenizer.bin", func(b []byte) []byte { return bytes.Repeat([]byte("x"), 1000) }},
		{"older version", "emit the bundle again: mlxc-emit", func(b []byte) []byte { put(b[8:], 1); return b }},
		{"other version", "version 9", func(b []byte) []byte { put(b[8:], 9); return b }},
		{"flipped bit", "checksum", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		{"cut", "checksum", func(b []byte) []byte { return b[:len(b)-1] }},
		{"section outside", "section 4", func(b []byte) []byte { put(b[len(magic)+8+8*secPairs:], 1<<31); return sign(b) }},
		{"parameters cut", "parameters", func(b []byte) []byte { put(b[len(magic)+12:], 100); return sign(b) }},
		{"symbol", "id 99999", func(b []byte) []byte { put(section(b, secParameters)[4:], 99999); return sign(b) }},
		{"model", "model 7", func(b []byte) []byte { put(section(b, secParameters), 7); return sign(b) }},
		{"offset", "ends at byte", func(b []byte) []byte { put(section(b, secTokenOffsets)[8:], 1<<30); return sign(b) }},
		{"no offsets", "token table", func(b []byte) []byte { put(b[len(magic)+12+8*secTokenOffsets:], 0); return sign(b) }},
		{"vocabulary", "vocabulary slot", func(b []byte) []byte { put(section(b, secVocab), 99999); return sign(b) }},
		{"vocabulary full", "free slot", func(b []byte) []byte { clear(section(b, secVocab)); return sign(b) }},
		{"merge", "merge of", func(b []byte) []byte { put(section(b, secPairs), 99999); return sign(b) }},
		{"merges full", "free entry", func(b []byte) []byte { clear(section(b, secPairs)); return sign(b) }},
	} {
		if _, err := Load(c.damage(bytes.Clone(good))); err == nil || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%s: error %v, want one that mentions %q", c.name, err, c.mentions)
		}
	}
	unigram := blobOf(t, "Unigram")
	for _, c := range []struct {
		name, mentions string
		damage         func(b []byte) []byte
	}{
		{"scores cut", "bytes of scores", func(b []byte) []byte { put(b[len(magic)+12+8*secScores:], 12); return sign(b) }},
		{"more scores than tokens", "bytes of scores", func(b []byte) []byte {
			put(b[len(magic)+8+8*secScores:], uint32(headerSize))
			put(b[len(magic)+12+8*secScores:], 1000)
			return sign(b)
		}},
		{"score", "score NaN", func(b []byte) []byte { put(section(b, secScores)[4:], 0x7ff80000); return sign(b) }},
		{"trie", "trie entry", func(b []byte) []byte { return sign(firstTrieToken(section(b, secPairs), b)) }},
		{"a normalizer that isn't one", "normalizer \"XFC\"", func(b []byte) []byte { return sign(b) }},
	} {
		blob := bytes.Clone(unigram)
		if c.name == "a normalizer that isn't one" {
			blob = bytes.Replace(blobOf(t, "normalizer NFC"), []byte(`"NFC"`), []byte(`"XFC"`), 1)
		}
		if _, err := Load(c.damage(blob)); err == nil || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%s: error %v, want one that mentions %q", c.name, err, c.mentions)
		}
	}
	for n := range len(good) {
		if _, err := Load(good[:n]); err == nil {
			t.Fatalf("the first %d bytes are taken for a whole file", n)
		}
	}
}

// TestLoadAnywhere: mapped bytes may lie at any address.
func TestLoadAnywhere(t *testing.T) {
	blob := small(t)
	for shift := range 8 {
		moved := append(make([]byte, shift), blob...)[shift:]
		tok, err := Load(moved)
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.Decode(tok.Encode("abab é", EncodeOptions{}), false); got != "abab é" {
			t.Errorf("shifted by %d: %q", shift, got)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	tok := style(t, "qwen2style")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, r := range rows(t, "qwen2style") {
				checkRow(t, tok, r)
			}
		})
	}
	wg.Wait()
}

// fuzzed are pipelines with every section and kind of component between them.
var fuzzed = []string{"T5", "Unigram with bytes", "added tokens", "decoder Strip both", "normalizer Bert"}

// blobOf is the tokenizer.bin of a pipeline.
func blobOf(t testing.TB, name string) []byte {
	t.Helper()
	all := pipelines(t)
	for _, p := range all {
		if p.Name == name {
			tok, err := Parse(p.file(t, all[0].Patch))
			if err != nil {
				t.Fatal(err)
			}
			return tok.Marshal()
		}
	}
	t.Fatalf("no pipeline %q", name)
	return nil
}

// FuzzLoad gives Load files with a right checksum and wrong content.
func FuzzLoad(f *testing.F) {
	blob := small(f)
	f.Add(blob, "abab é12")
	f.Add(blob[:headerSize], "")
	for _, name := range fuzzed {
		f.Add(blobOf(f, name), "ab é日 <s> x")
	}
	f.Fuzz(func(t *testing.T, blob []byte, text string) {
		tok, err := Load(sign(bytes.Clone(blob)))
		if err != nil {
			return
		}
		use(t, tok, text)
	})
}

// FuzzEncode: with a vocabulary of all bytes and without a normalizer any text comes
// back; the two ways of merging agree.
func FuzzEncode(f *testing.F) {
	smollm := style(f, "smollm2")
	all := variants(f)
	patch := map[string]any{"model": map[string]any{"vocab": allBytes(all[0].Patch)}}
	complete, err := Parse(patched(f, all[0].Patch, patch))
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range rows(f, "smollm2") {
		f.Add(r.Text)
	}
	f.Add("\xff\xe6\x97")
	f.Fuzz(func(t *testing.T, text string) {
		want := string(appendWellFormed(nil, []byte(text)))
		if got := complete.Decode(complete.Encode(text, EncodeOptions{}), false); got != want {
			t.Errorf("%q comes back as %q", want, got)
		}
		for _, m := range []*bpe{smollm.model.(*bpe), complete.model.(*bpe)} {
			piece := text[:min(len(text), maxScan)]
			short := m.shortMerge(nil, m.appendBytes(nil, piece))
			long := m.longMerge(nil, m.appendBytes(nil, piece))
			if !slices.Equal(short, long) {
				t.Errorf("%q: %v by scanning, %v by queues", piece, short, long)
			}
		}
	})
}

// allBytes adds the tokens of the bytes that the tiny vocabulary leaves out.
func allBytes(base map[string]any) map[string]any {
	vocab := map[string]any{}
	for token, id := range base["model"].(map[string]any)["vocab"].(map[string]any) {
		vocab[token] = id
	}
	for _, r := range byteRune {
		if _, ok := vocab[string(r)]; !ok {
			vocab[string(r)] = len(vocab)
		}
	}
	return vocab
}
