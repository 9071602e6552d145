package tokenizer

import "unicode/utf8"

// Decoder decodes a stream of ids. Its output, put together, is Decode of all ids, and
// each piece of it consists of whole characters. It holds back what later ids may
// change: part of a character, a run of byte tokens, spaces that a text may end with.
type Decoder struct {
	t           *Tokenizer
	skipSpecial bool
	links       []link
	next        []func([]byte) // where links[i] hands on to
	out         []byte
}

// NewDecoder returns a decoder at the beginning of a text.
func (t *Tokenizer) NewDecoder(skipSpecial bool) *Decoder {
	d := &Decoder{t: t, skipSpecial: skipSpecial, links: make([]link, len(t.decoders)), next: make([]func([]byte), len(t.decoders)+1)}
	d.next[len(d.links)] = func(b []byte) { d.out = append(d.out, b...) }
	for i := len(d.links) - 1; i >= 0; i-- {
		l, next := t.decoders[i](), d.next[i+1]
		d.links[i] = l
		d.next[i] = func(b []byte) { l.push(b, next) }
	}
	return d
}

// Push takes the next id and returns the text that is certain now.
func (d *Decoder) Push(id int32) string { return string(d.push(id)) }

// push returns memory that the next call uses again.
func (d *Decoder) push(id int32) []byte {
	d.out = d.out[:0]
	if d.t.has(id) && !(d.skipSpecial && d.t.special[id]) {
		d.next[0](d.t.tokens.at(id))
	}
	return d.out
}

// Flush ends the text: it returns what was held back and resets the decoder.
func (d *Decoder) Flush() string {
	d.out = d.out[:0]
	for i, l := range d.links {
		l.flush(d.next[i+1])
	}
	return string(d.out)
}

// unfinished returns the number of bytes at the end of b that more bytes may complete
// to a character.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// appendWellFormed appends b to dst with U+FFFD for each maximal subpart of an
// ill-formed sequence, as Rust's from_utf8_lossy does.
func appendWellFormed(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError || n > 1 {
			dst = append(dst, b[:n]...)
			b = b[n:]
			continue
		}
		dst = utf8.AppendRune(dst, utf8.RuneError)
		for n < len(b) && !utf8.FullRune(b[:n+1]) {
			n++
		}
		b = b[n:]
	}
	return dst
}
