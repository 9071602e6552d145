package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// normalizer rewrites a text, which is not empty. lead reports whether the first
// character of the result stems from the first one of the text and nothing before it:
// Metaspace's scheme "first" asks for that.
type normalizer func(text string) (out string, lead bool)

// normalizers are those of a tokenizer, in order.
type normalizers []normalizer

func (n normalizers) text(s string) (out string, lead bool) {
	lead = true
	for _, f := range n {
		if s == "" {
			break
		}
		var l bool
		s, l = f(s)
		lead = lead && l
	}
	return s, lead
}

// Limits of how much longer a step may make a text, and all Replace steps together.
// Real files insert a character or two.
const (
	maxInserted = 256 // bytes
	maxGrowth   = 1 << 12
)

// checkGrowth refuses lists of steps by which a short text may fill the memory.
func checkGrowth(list []component) error {
	growth := 1
	for _, c := range list {
		var f replaceFile
		if c.kind != "Replace" || c.fields(&f) != nil { // what is wrong is said where it is read
			continue
		}
		shortest := 1
		if f.Pattern.String != nil {
			shortest = max(1, len(*f.Pattern.String))
		}
		if growth *= max(1, (len(f.Content)+shortest-1)/shortest); growth > maxGrowth {
			return fmt.Errorf("steps of Replace that make a text more than %d times as long are not supported", maxGrowth)
		}
	}
	return nil
}

func compileNormalizers(list []component) (normalizers, error) {
	if err := checkGrowth(list); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	var out normalizers
	for _, c := range list {
		f, err := makeOf("normalizer", normalizerKinds, c)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// normalizerKinds by their names in tokenizer.json.
var normalizerKinds = map[string]func(component) (normalizer, error){
	"NFC":            none(keepsLead(nfc.text)),
	"NFD":            none(keepsLead(nfd.text)),
	"NFKC":           none(keepsLead(nfkc.text)),
	"NFKD":           none(keepsLead(nfkd.text)),
	"Lowercase":      none(keepsLead(lowercase)),
	"ByteLevel":      none(keepsLead(spellBytes)),
	"StripAccents":   none(drops(inSet("hf:mark"))),
	"Nmt":            none(nmt),
	"Prepend":        readPrepend,
	"Replace":        readReplace,
	"Strip":          readStrip,
	"Precompiled":    readPrecompiled,
	"BertNormalizer": readBertNormalizer,
}

// keepsLead is a normalizer that drops no character without putting one in its place.
func keepsLead(f func(string) string) normalizer {
	return func(s string) (string, bool) { return f(s), true }
}

// drops is a normalizer that leaves out characters.
func drops(r func(rune) bool) normalizer {
	return func(s string) (string, bool) {
		first, _ := utf8.DecodeRuneInString(s)
		return strings.Map(func(c rune) rune {
			if r(c) {
				return -1
			}
			return c
		}, s), !r(first)
	}
}

// chain is one normalizer after the other.
func chain(list ...normalizer) normalizer { return normalizers(list).text }

// lowercase lowers each character by itself, as Rust's char::to_lowercase does: with
// the one character that becomes two.
func lowercase(s string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return toLower(r)
	}, s), "İ", "i\u0307")
}

// spellBytes spells each byte as byte-level vocabularies do.
func spellBytes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(byteRune[s[i]])
	}
	return b.String()
}

// nmt is the cleaning of SentencePiece's nmt rules: control characters are dropped,
// what separates words becomes a space.
var nmt = chain(drops(isNmtControl), keepsLead(func(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(nmtSpaces, r) {
			return ' '
		}
		return r
	}, s)
}))

const nmtSpaces = "\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"

func isNmtControl(r rune) bool {
	return 0x01 <= r && r <= 0x08 || r == 0x0B || 0x0E <= r && r <= 0x1F || r == 0x7F || r == 0x8F || r == 0x9F
}

func readPrepend(c component) (normalizer, error) {
	var f struct {
		Prepend string `json:"prepend"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	if len(f.Prepend) > maxInserted {
		return nil, fmt.Errorf("prepend has %d bytes: the limit is %d", len(f.Prepend), maxInserted)
	}
	return keepsLead(func(s string) string { return f.Prepend + s }), nil
}

func readStrip(c component) (normalizer, error) {
	var f struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	return func(s string) (string, bool) {
		n := len(s)
		if f.Left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		lead := len(s) == n
		if f.Right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s, lead
	}, nil
}

// pattern is a literal text or a regular expression.
type pattern struct{ patternFile }

type patternFile struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
}

func (p *pattern) UnmarshalJSON(b []byte) error {
	if err := strict(b, &p.patternFile); err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	return nil
}

// regex is the pattern as a regular expression.
func (p pattern) regex() (string, error) {
	switch {
	case p.String != nil && p.Regex == nil && *p.String != "":
		return quote(*p.String), nil
	case p.Regex != nil && p.String == nil && *p.Regex != "":
		return *p.Regex, nil
	}
	return "", errors.New("no pattern: one String or Regex that isn't empty is needed")
}

// replaceFile is a Replace, normalizer or decoder.
type replaceFile struct {
	Pattern pattern `json:"pattern"`
	Content string  `json:"content"`
}

func readReplace(c component) (normalizer, error) {
	var f replaceFile
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	replace, err := f.compile()
	if err != nil {
		return nil, err
	}
	return func(s string) (string, bool) {
		out, first := replace(s)
		return out, first == 0 || f.Content != "" && utf8.RuneCountInString(s[:first]) == 1
	}, nil
}

// compile returns a function that replaces all matches in a text and gives the end of
// the match that the text begins with, 0 if there is none.
func (f replaceFile) compile() (func(s string) (out string, first int), error) {
	if len(f.Content) > maxInserted {
		return nil, fmt.Errorf("content has %d bytes: the limit is %d", len(f.Content), maxInserted)
	}
	if f.Pattern.String != nil && *f.Pattern.String != "" && f.Pattern.Regex == nil {
		old := *f.Pattern.String
		return func(s string) (string, int) {
			first := 0
			if strings.HasPrefix(s, old) {
				first = len(old)
			}
			return strings.ReplaceAll(s, old, f.Content), first
		}, nil
	}
	text, err := f.Pattern.regex()
	if err != nil {
		return nil, err
	}
	d, err := compilePattern(text)
	if err != nil {
		return nil, err
	}
	return func(s string) (string, int) { return d.replace(s, f.Content) }, nil
}

// replace is s with its matches replaced, and the end of a match at its beginning.
func (d *dfa) replace(s, content string) (out string, first int) {
	start, end := d.find(s, 0)
	if start == end {
		return s, 0
	}
	if start == 0 {
		first = end
	}
	var b strings.Builder
	for done := 0; done < len(s); {
		b.WriteString(s[done:start])
		if end > start {
			b.WriteString(content)
		}
		done = end
		start, end = d.find(s, end)
	}
	return b.String(), first
}

// isControl is what BERT takes for control characters, U+FFFD included.
var isControl = inSet("hf:control")

func readBertNormalizer(c component) (normalizer, error) {
	var f struct {
		CleanText          bool  `json:"clean_text"`
		HandleChineseChars bool  `json:"handle_chinese_chars"`
		StripAccents       *bool `json:"strip_accents"`
		Lowercase          bool  `json:"lowercase"`
	}
	if err := c.fields(&f); err != nil {
		return nil, err
	}
	stripAccents := f.Lowercase
	if f.StripAccents != nil {
		stripAccents = *f.StripAccents
	}
	var steps []normalizer
	add := func(on bool, n ...normalizer) {
		if on {
			steps = append(steps, n...)
		}
	}
	add(f.CleanText, drops(func(r rune) bool { return r == 0 || isControl(r) }), keepsLead(func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return ' '
			}
			return r
		}, s)
	}))
	add(f.HandleChineseChars, keepsLead(spaceIdeographs))
	add(stripAccents, keepsLead(nfd.text), drops(inSet("hf:accent")))
	add(f.Lowercase, keepsLead(lowercase))
	return chain(steps...), nil
}

// ideographs are the blocks of CJK ideographs that BERT knows.
var ideographs = [][2]rune{
	{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
	{0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF}, {0x2F800, 0x2FA1F},
}

// spaceIdeographs puts a space on either side of each ideograph.
func spaceIdeographs(s string) string {
	var b strings.Builder
	for _, r := range s {
		if inRanges(ideographs, r) {
			fmt.Fprintf(&b, " %c ", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func inRanges(ranges [][2]rune, r rune) bool {
	for _, x := range ranges {
		if x[0] <= r && r <= x[1] {
			return true
		}
	}
	return false
}
