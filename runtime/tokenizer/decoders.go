package tokenizer

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// link is one step of a decoder. Tokens go through the links one by one; what a link
// can't be sure of it holds back. After a link that fuses, what is handed on is no
// longer tokens but stretches of one text, cut between characters.
type link interface {
	// push takes a token or stretch and hands on what is certain now.
	push(token []byte, next func([]byte))
	// flush hands on what was held back, and begins anew.
	flush(next func([]byte))
}

// decoding is what is known where a link is made.
type decoding struct {
	fused bool // what comes is stretches of one text
	bytes bool // tokens are the bytes that they spell
}

// linkMaker makes the link of a component for each new text, nil if it does nothing.
type linkMaker func() link

// compileDecoders returns the links' makers; without any decoder tokens are joined by
// spaces.
func compileDecoders(list []component, byteLevel bool) ([]linkMaker, error) {
	if len(list) == 0 {
		return []linkMaker{func() link { return &joined{} }}, nil
	}
	if err := checkGrowth(list); err != nil {
		return nil, fmt.Errorf("decoder: %w", err)
	}
	at := decoding{bytes: byteLevel}
	var out []linkMaker
	for _, c := range list {
		f, err := makeOf("decoder", decoderKinds, c)
		if err != nil {
			return nil, err
		}
		m, err := f(&at)
		if err != nil {
			return nil, fmt.Errorf("decoder %s: %w", c.kind, err)
		}
		if m != nil {
			out = append(out, m)
		}
	}
	return out, nil
}

// decoderKinds by their names in tokenizer.json.
var decoderKinds = map[string]func(component) (func(*decoding) (linkMaker, error), error){
	"ByteLevel":    readByteLevelDecoder,
	"ByteFallback": none(byteFallbackDecoder),
	"Fuse":         none(fuseDecoder),
	"Metaspace":    readMetaspaceDecoder,
	"Replace":      readReplaceDecoder,
	"Strip":        readStripDecoder,
}

func fuseDecoder(at *decoding) (linkMaker, error) {
	at.fused = true
	return nil, nil
}

// joined puts a space between tokens.
type joined struct{ begun bool }

func (j *joined) push(token []byte, next func([]byte)) {
	if j.begun {
		next([]byte(" "))
	}
	j.begun = true
	next(token)
}

func (j *joined) flush(func([]byte)) { j.begun = false }

func readByteLevelDecoder(c component) (func(*decoding) (linkMaker, error), error) {
	var f byteLevelFile
	err := c.fields(&f)
	return func(at *decoding) (linkMaker, error) {
		if at.fused {
			return nil, errors.New("it is not supported after Fuse")
		}
		spelled := !at.bytes
		at.fused, at.bytes = true, false
		return func() link { return &byteText{spelled: spelled} }, nil
	}, err
}

// byteText makes text of the bytes that tokens spell, and holds back an unfinished
// character.
type byteText struct {
	spelled   bool // tokens come as spelled
	held, out []byte
}

func (t *byteText) push(token []byte, next func([]byte)) {
	if t.spelled {
		token, _ = tokenBytes(string(token))
	}
	t.held = append(t.held, token...)
	whole := len(t.held) - unfinished(t.held)
	t.out = appendWellFormed(t.out[:0], t.held[:whole])
	t.held = append(t.held[:0], t.held[whole:]...)
	next(t.out)
}

func (t *byteText) flush(next func([]byte)) {
	next(appendWellFormed(nil, t.held))
	t.held = t.held[:0]
}

func byteFallbackDecoder(at *decoding) (linkMaker, error) {
	if at.fused {
		return nil, errors.New("it is not supported after Fuse or ByteLevel")
	}
	return func() link { return &byteRun{} }, nil
}

// byteRun puts runs of byte tokens together. A run that isn't well-formed as a whole
// is U+FFFD for each of its bytes, so nothing of it is certain before its end.
type byteRun struct{ run []byte }

func (r *byteRun) push(token []byte, next func([]byte)) {
	if b, ok := byteToken(token); ok {
		r.run = append(r.run, b)
		return
	}
	r.flush(next)
	next(token)
}

func (r *byteRun) flush(next func([]byte)) {
	switch {
	case len(r.run) == 0:
	case utf8.Valid(r.run):
		next(r.run)
	default:
		for range r.run {
			next([]byte("\uFFFD"))
		}
	}
	r.run = r.run[:0]
}

// byteToken is the byte that a token such as <0x0A> stands for. As in HF, its digits
// are what Rust's from_str_radix takes: a plus sign and one digit will do.
func byteToken(token []byte) (byte, bool) {
	if len(token) != len("<0x00>") || !bytes.HasPrefix(token, []byte("<0x")) || token[5] != '>' {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(string(token[3:5]), "+"), 16, 8)
	return byte(n), err == nil
}

func readMetaspaceDecoder(c component) (func(*decoding) (linkMaker, error), error) {
	var f metaspaceFile
	err := f.read(c)
	return func(at *decoding) (linkMaker, error) {
		fused := at.fused
		return func() link {
			return &spaces{mark: []byte(f.Replacement), drop: f.PrependScheme != "never", always: fused}
		}, nil
	}, err
}

// spaces turns marks into spaces, but drops all of those in the first token.
type spaces struct {
	mark   []byte
	drop   bool // in the first token
	always bool // the text is one token
	begun  bool
}

func (s *spaces) push(token []byte, next func([]byte)) {
	space := []byte(" ")
	if s.drop && !s.begun {
		space = nil
	}
	s.begun = !s.always
	next(bytes.ReplaceAll(token, s.mark, space))
}

func (s *spaces) flush(func([]byte)) { s.begun = false }

func readReplaceDecoder(c component) (func(*decoding) (linkMaker, error), error) {
	var f replaceFile
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	replace, err := f.compile()
	if err != nil {
		return nil, err
	}
	return func(at *decoding) (linkMaker, error) {
		if at.fused && (f.Pattern.String == nil || utf8.RuneCountInString(*f.Pattern.String) > 1) {
			return nil, errors.New("after Fuse or ByteLevel a pattern that isn't a String of one character is not supported")
		}
		return func() link {
			return each(func(token []byte) []byte {
				out, _ := replace(string(token))
				return []byte(out)
			})
		}, nil
	}, nil
}

// each rewrites every token by itself.
type each func(token []byte) []byte

func (f each) push(token []byte, next func([]byte)) { next(f(token)) }
func (f each) flush(func([]byte))                   {}

func readStripDecoder(c component) (func(*decoding) (linkMaker, error), error) {
	var f struct {
		Content string `json:"content"`
		Start   int    `json:"start"`
		Stop    int    `json:"stop"`
	}
	err := c.fields(&f)
	if err == nil && (utf8.RuneCountInString(f.Content) != 1 || f.Start < 0 || f.Stop < 0) {
		err = errors.New("content must be one character, start and stop must not be negative")
	}
	return func(at *decoding) (linkMaker, error) {
		fused := at.fused
		return func() link {
			s := &stripper{content: []byte(f.Content), start: f.Start, stop: f.Stop, left: f.Start}
			if fused {
				return s
			}
			return each(func(token []byte) []byte {
				var out []byte
				keep := func(b []byte) { out = append(out, b...) }
				s.push(token, keep)
				s.flush(keep)
				return out
			})
		}, nil
	}, err
}

// stripper takes a character away at the beginning and at the end of a text.
type stripper struct {
	content     []byte
	start, stop int // at most that many
	left        int // how many more may be taken at the beginning
	tail        int // how many are held back for they may be the end
}

func (s *stripper) push(token []byte, next func([]byte)) {
	for s.left > 0 && bytes.HasPrefix(token, s.content) {
		token = token[len(s.content):]
		s.left--
	}
	if len(token) == 0 {
		return
	}
	s.left = 0
	body, tail := token, 0
	for tail < s.stop && bytes.HasSuffix(body, s.content) {
		body = body[:len(body)-len(s.content)]
		tail++
	}
	if len(body) > 0 {
		s.release(s.tail, next)
		next(body)
		s.tail = tail
		return
	}
	s.release(max(s.tail+tail-s.stop, 0), next)
	s.tail = min(s.tail+tail, s.stop)
}

// release hands on n of those that were held back.
func (s *stripper) release(n int, next func([]byte)) {
	for range n {
		next(s.content)
	}
}

func (s *stripper) flush(func([]byte)) { s.left, s.tail = s.start, 0 }
