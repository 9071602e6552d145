package tokenizer

import "unicode/utf8"

// cuts says where a piece may be cut before it is merged. Models without a
// pre-tokenizer get whole texts as pieces; but a merge reaches over the border of two
// characters only if its token has them side by side, and few pairs are in any token.
// Words are then short enough to be kept in the cache.
type cuts struct {
	joined pairTable // pairs of runes that some merge joins
	// ascii has, by the first rune, which second ones don't begin a word.
	ascii [utf8.RuneSelf][utf8.RuneSelf]bool
}

func newCuts(joined pairTable, vocab *vocabTable) *cuts {
	c := &cuts{joined: joined}
	for a := range c.ascii {
		for b := range c.ascii {
			c.ascii[a][b] = !c.between(rune(a), rune(b), string(rune(b)), vocab)
		}
	}
	return c
}

// between reports whether a cut may be between two runes. The second one must be a
// token: unknown characters may be fused.
func (c *cuts) between(before, after rune, text string, vocab *vocabTable) bool {
	if _, _, joined := c.joined.find(uint32(before), uint32(after)); joined {
		return false
	}
	_, known := vocab.find(text)
	return known
}

// split calls emit with the pieces of s between cuts.
func (c *cuts) split(s string, vocab *vocabTable, emit func(string)) {
	start := 0
	before, at := utf8.DecodeRuneInString(s)
	for at < len(s) {
		after, size := utf8.DecodeRuneInString(s[at:])
		cut := false
		if before < utf8.RuneSelf && after < utf8.RuneSelf {
			cut = !c.ascii[before][after]
		} else {
			cut = c.between(before, after, s[at:at+size], vocab)
		}
		if cut {
			emit(s[start:at])
			start = at
		}
		before = after
		at += size
	}
	emit(s[start:])
}
