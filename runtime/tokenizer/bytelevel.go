package tokenizer

// Byte-level vocabularies spell each byte as a printable rune (GPT-2's
// bytes_to_unicode): the printable bytes of Latin-1 stand for themselves, the other
// 68 are U+0100 and up in order.
var (
	byteRune [256]rune
	runeByte [256 + 68]int16 // -1: the rune spells no byte
)

func init() {
	for r := range runeByte {
		runeByte[r] = -1
	}
	next := rune(256)
	for b := range byteRune {
		r := rune(b)
		if !('!' <= r && r <= '~' || 0xA1 <= r && r <= 0xAC || 0xAE <= r && r <= 0xFF) {
			r = next
			next++
		}
		byteRune[b] = r
		runeByte[r] = int16(b)
	}
}

// tokenBytes returns the bytes that a token spells. A token with a rune outside of
// the alphabet (an added token's text may have one) stands for its own UTF-8 bytes,
// and spelled is false.
func tokenBytes(token string) (b []byte, spelled bool) {
	b = make([]byte, 0, len(token))
	for _, r := range token {
		if int(r) >= len(runeByte) || runeByte[r] < 0 {
			return []byte(token), false
		}
		b = append(b, byte(runeByte[r]))
	}
	return b, true
}
