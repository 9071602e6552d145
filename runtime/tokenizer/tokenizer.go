// Package tokenizer turns text into the token ids of a model and back, exactly as the
// tokenizer.json of Hugging Face's tokenizers library says: byte-level BPE, BPE with
// byte fallback, and Unigram. What a file asks for beyond that is refused by name when
// it is read.
//
// The file's parts, in the order in which text passes through them: added tokens
// (added.go), normalizers (normalizers.go, normalform.go, charsmap.go), pre-tokenizers
// (pretokenizers.go, split.go, with patterns in pattern.go and dfa.go), model (bpe.go,
// merge.go, unigram.go), post-processor (postprocess.go: the ids put around a text),
// decoders (decoders.go, decode.go).
//
// A Tokenizer works on the tables of tokenizer.bin (binary.go), where they lie in
// memory: Load takes milliseconds for any vocabulary. Parse (json.go, modelfile.go,
// build.go) builds the same tables out of a tokenizer.json.
//
// Character classes are those of tokenizers 0.23.3, not of package unicode (unicode.go).
package tokenizer

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Tokenizer encodes and decodes. It is immutable and safe for concurrent use.
type Tokenizer struct {
	blob []byte // tokenizer.bin; the tables below lie in it

	raw, normalized addedSet // added tokens, by the text in which they are found
	special         map[int32]bool
	normalize       normalizers
	split           []preTokenizer
	model           model
	tokens          tokenTable
	prefix, suffix  []int32 // AddSpecial
	decoders        []linkMaker

	encoders sync.Pool // of *encoder
}

// model turns pieces of text, none empty, into ids.
type model interface {
	// words cuts a piece into words whose ids, put together, are the piece's.
	words(piece string, emit func(word string))
	// appendIDs appends the ids of a word to dst.
	appendIDs(dst []int32, word string, s *scratch) []int32
	// token returns the id of a token by its spelling.
	token(spelling string) (id int32, ok bool)
}

// EncodeOptions says how special tokens are treated; the zero value is the safe one
// for text that users wrote.
type EncodeOptions struct {
	// AddSpecial puts the ids around the text that the file's post-processor says
	// (often one, the beginning of a sequence).
	AddSpecial bool
	// ParseSpecial finds special tokens such as <|im_end|> in the text. Without it
	// they are text like any other; added tokens that aren't special are found anyway.
	ParseSpecial bool
	// Literal are ranges of bytes [from, to) of the text, rising and disjoint, in which
	// ParseSpecial finds nothing, not even a part: what users wrote inside a template.
	Literal [][2]int
}

// Encode returns the ids of a text. Ill-formed UTF-8 is read as Decode writes it, with
// U+FFFD. It takes time linear in the size of the text.
func (t *Tokenizer) Encode(text string, o EncodeOptions) []int32 {
	if !utf8.ValidString(text) {
		text = string(appendWellFormed(nil, []byte(text)))
		o.ParseSpecial = o.ParseSpecial && o.Literal == nil // the ranges have moved
	}
	e := t.encoders.Get().(*encoder)
	defer t.encoders.Put(e)
	e.ids = make([]int32, 0, len(text)/4+len(t.prefix)+len(t.suffix)+4)
	if o.AddSpecial {
		e.ids = append(e.ids, t.prefix...)
	}
	e.encode(text, specials{o.ParseSpecial, o.Literal})
	if o.AddSpecial {
		e.ids = append(e.ids, t.suffix...)
	}
	ids := e.ids
	e.ids = nil
	return ids
}

// VocabSize is the largest id plus one.
func (t *Tokenizer) VocabSize() int { return t.tokens.len() }

// Token returns the bytes that an id of a byte-level vocabulary stands for in a text,
// which need not be whole characters, and of others the token as the vocabulary has it
// (▁the, <0x0A>); nil for an id that isn't in the vocabulary. It must not be modified.
func (t *Tokenizer) Token(id int32) []byte {
	if !t.has(id) {
		return nil
	}
	return t.tokens.at(id)
}

// has reports whether there is a token with the id.
func (t *Tokenizer) has(id int32) bool {
	return id >= 0 && int(id) < t.tokens.len() && len(t.tokens.at(id)) > 0
}

// ID returns the id of a token such as "<|im_end|>", by the bytes that Token gives.
func (t *Tokenizer) ID(text string) (id int32, ok bool) {
	for _, set := range []addedSet{t.raw, t.normalized} {
		for _, a := range set.tokens {
			if a.content == text {
				return a.id, true
			}
		}
	}
	return t.model.token(text)
}

// IsSpecial reports whether an id is that of a special token.
func (t *Tokenizer) IsSpecial(id int32) bool { return t.special[id] }

// encoder is the working memory of one Encode at a time.
type encoder struct {
	t       *Tokenizer
	ids     []int32
	cache   wordCache
	scratch scratch
	begun   bool // something of the text has been emitted
	// pieces[k] takes a piece that split[:k] have made.
	pieces []func(piece string, first bool)
}

func (t *Tokenizer) newEncoder() *encoder {
	e := &encoder{t: t, cache: newWordCache(), pieces: make([]func(string, bool), len(t.split)+1)}
	word := e.word
	e.pieces[len(t.split)] = func(piece string, _ bool) { t.model.words(piece, word) }
	for k, split := range t.split {
		e.pieces[k] = func(piece string, first bool) { split(piece, first, e.pieces[k+1]) }
	}
	return e
}

// encode appends the ids of a text.
func (e *encoder) encode(text string, special specials) {
	e.begun = false
	e.t.raw.split(text, special.in, func(from, to int) { e.stretch(text[from:to], special.part(from, to)) }, e.token)
}

func (e *encoder) token(id int32) {
	e.ids = append(e.ids, id)
	e.begun = true
}

// stretch encodes what lies between added tokens of the raw text. Normalizing moves
// what special speaks of: where it isn't the same everywhere, its parts are normalised
// on their own.
func (e *encoder) stretch(s string, special specials) {
	if !e.t.normalized.special {
		special = specials{}
	}
	special.parts(len(s), func(from, to int, parse bool) {
		part, lead := e.t.normalize.text(s[from:to])
		e.t.normalized.split(part, specials{parse: parse}.in, func(from, to int) {
			first := lead && !e.begun
			e.begun = true
			e.pieces[0](part[from:to], first)
		}, e.token)
		e.begun = true
	})
}

// word appends the ids of a word.
func (e *encoder) word(word string) {
	c := e.cache.entry(word)
	if c != nil && c.is(word) {
		e.ids = append(e.ids, c.ids[:c.n]...)
		return
	}
	n := len(e.ids)
	e.ids = e.t.model.appendIDs(e.ids, word, &e.scratch)
	if c != nil {
		c.set(word, e.ids[n:])
	}
}

// Decode returns the text of ids; ids that aren't in the vocabulary count as nothing.
// Bytes that are not well-formed UTF-8 become U+FFFD, one for each maximal subpart
// (Unicode, section 3.9).
func (t *Tokenizer) Decode(ids []int32, skipSpecial bool) string {
	d := t.NewDecoder(skipSpecial)
	var b strings.Builder
	for _, id := range ids {
		b.Write(d.push(id))
	}
	b.WriteString(d.Flush())
	return b.String()
}
