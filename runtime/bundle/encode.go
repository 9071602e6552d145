package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// The manifest slot is seal, digest of the rest in hex, newline, TOML, and newlines
// up to the slot's size.
const (
	seal        = "# mlxc bundle manifest; sha256 of what follows: "
	sealLength  = len(seal) + sha256.Size*2 + 1
	maxManifest = 16 << 20
)

// slotSize is the size of the manifest slot for a manifest of n bytes: with room for
// what is known only at the end (digests, the self-check's outcome).
func slotSize(n int) int64 { return roundUp(int64(n+n/16+8<<10), 8<<10) }

// encode writes the manifest's TOML.
func encode(m *Manifest) ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("manifest.toml: %w", err)
	}
	return b.Bytes(), nil
}

// sealed is the slot that holds the TOML text.
func sealed(text []byte, slot int64) ([]byte, error) {
	if int64(sealLength+len(text)) > slot {
		return nil, fmt.Errorf("manifest.toml: %d bytes do not fit its slot of %d", len(text), slot)
	}
	b := make([]byte, slot)
	body := b[sealLength:]
	n := copy(body, text)
	for i := n; i < len(body); i++ {
		body[i] = '\n'
	}
	sum := sha256.Sum256(body)
	copy(b, seal+hex.EncodeToString(sum[:])+"\n")
	return b, nil
}

// decode reads a slot back: digest, then format version, then every field; unknown
// fields are refused.
func decode(slot []byte) (Manifest, error) {
	var m Manifest
	if len(slot) < sealLength || !bytes.HasPrefix(slot, []byte(seal)) {
		return m, fmt.Errorf("manifest.toml does not start with %q: not an mlxc bundle", strings.TrimSpace(seal))
	}
	body := slot[sealLength:]
	sum := sha256.Sum256(body)
	if hex.EncodeToString(sum[:])+"\n" != string(slot[len(seal):sealLength]) {
		return m, fmt.Errorf("manifest.toml: sha256 is %x, the first line says %.64q: the file is damaged; copy it again, or emit it again with mlxc-emit", sum, slot[len(seal):sealLength])
	}
	text := string(bytes.TrimRight(body, "\n"))
	if err := checkFormat(text); err != nil {
		return m, err
	}
	meta, err := toml.Decode(text, &m)
	if err != nil {
		return m, fmt.Errorf("manifest.toml: %w", err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return m, fmt.Errorf("manifest.toml: unknown field %s", u[0])
	}
	return m, m.resolve()
}

// checkFormat looks at the first line only: another version's other fields may be
// anything.
func checkFormat(text string) error {
	first, _, _ := strings.Cut(text, "\n")
	n, ok := strings.CutPrefix(first, "format = ")
	if !ok {
		return fmt.Errorf("manifest.toml starts with %.40q, not with its format", first)
	}
	if n != strconv.Itoa(FormatVersion) && n != strconv.Itoa(FleetFormatVersion) {
		return fmt.Errorf("manifest.toml: bundle format %.20s found, formats %d and %d supported; emit the bundle again with this release: mlxc-emit -o BUNDLE CHECKPOINT", n, FormatVersion, FleetFormatVersion)
	}
	return nil
}
