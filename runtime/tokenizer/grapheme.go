package tokenizer

import "unicode/utf8"

// What grapheme clusters are made of (UAX #29, section 3.1). Regional indicators have
// no rule here: clusters of two are longer than anyone asks about.
var (
	goesOn       = inSet("hf:extend") // Extend, SpacingMark, ZWJ
	goesBefore   = inSet("hf:prepend")
	breaks       = inSet("hf:break") // Control
	pictographic = inSet("hf:pictographic")
	consonant    = inSet("hf:consonant") // InCB
	linker       = inSet("hf:linker")    // InCB
)

const zwj = '\u200D'

// cluster returns the size in bytes of the first grapheme cluster of s.
func cluster(s string) int {
	before, end := utf8.DecodeRuneInString(s)
	c := clusterState{before: before, picture: pictographic(before), consonant: consonant(before)}
	for end < len(s) {
		after, size := utf8.DecodeRuneInString(s[end:])
		if !c.joins(after) {
			break
		}
		end += size
	}
	return end
}

// clusterState is what the rules know of a cluster so far.
type clusterState struct {
	before    rune // its last rune
	picture   bool // it ends with a pictograph and what goes on it
	consonant bool // it ends with a consonant and what goes on it
	linked    bool // with a linker among that
}

// joins reports whether after goes on the cluster, and takes it in if so.
func (c *clusterState) joins(after rune) bool {
	switch {
	case c.before == '\r' && after == '\n': // GB3
	case isBreak(c.before) || isBreak(after): // GB4, GB5
		return false
	case joinsHangul(c.before, after): // GB6, GB7, GB8
	case goesOn(after): // GB9, GB9a
		c.linked = c.linked || c.consonant && linker(after)
		c.before = after
		return true
	case goesBefore(c.before): // GB9b
	case c.linked && consonant(after): // GB9c
	case c.picture && c.before == zwj && pictographic(after): // GB11
	default:
		return false
	}
	*c = clusterState{before: after, picture: pictographic(after), consonant: consonant(after)}
	return true
}

func isBreak(r rune) bool { return r < 0x20 || r >= 0x7F && breaks(r) }

// joinsHangul reports whether two Hangul characters belong to one syllable.
func joinsHangul(before, after rune) bool {
	a, b := hangulType(before), hangulType(after)
	switch a {
	case hangulL:
		return b == hangulL || b == hangulV || b == hangulLV || b == hangulLVT
	case hangulLV, hangulV:
		return b == hangulV || b == hangulT
	case hangulLVT, hangulT:
		return b == hangulT
	}
	return false
}

const (
	notHangul = iota
	hangulL
	hangulV
	hangulT
	hangulLV
	hangulLVT
)

// hangulType is the Hangul_Syllable_Type of a rune.
func hangulType(r rune) int {
	switch {
	case r < 0x1100:
		return notHangul
	case r <= 0x115F || 0xA960 <= r && r <= 0xA97C:
		return hangulL
	case r <= 0x11A7 || 0xD7B0 <= r && r <= 0xD7C6:
		return hangulV
	case r <= 0x11FF || 0xD7CB <= r && r <= 0xD7FB:
		return hangulT
	case 0xAC00 <= r && r <= 0xD7A3 && (r-0xAC00)%28 == 0:
		return hangulLV
	case 0xAC00 <= r && r <= 0xD7A3:
		return hangulLVT
	}
	return notHangul
}
