package bundle

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest identifies the bundle: the sha256, in hexadecimal, of all that stands
// before the first entry's content, the manifest with every entry's digest above all.
func (b *Bundle) Digest() string {
	sum := sha256.Sum256(b.data[:b.spans[0].off])
	return hex.EncodeToString(sum[:])
}
