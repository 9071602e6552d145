package golden

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// digests is a compat file: what the texts of one IR version are. Lines are
// "sha256  path"; the first is the digest of the version before, so that no old
// file can change unnoticed.
type digests struct {
	previous string // digest of the file of the version before, "" for version 1
	texts    map[string]string
}

const previousFile = "previous" // what stands in for a path in the first line

func compatFile(version int) string {
	return filepath.Join("compat", fmt.Sprint(version), "texts.sha256")
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func parseDigests(text string) (digests, error) {
	d := digests{texts: map[string]string{}}
	for line := range strings.Lines(text) {
		sum, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		switch {
		case !ok || len(sum) != 2*sha256.Size:
			return d, fmt.Errorf("%q is no line of a digest and a path", line)
		case path == previousFile:
			d.previous = sum
		case d.texts[path] != "":
			return d, fmt.Errorf("%s is there twice", path)
		default:
			d.texts[path] = sum
		}
	}
	return d, nil
}

func (d digests) String() string {
	var b strings.Builder
	if d.previous != "" {
		fmt.Fprintf(&b, "%s  %s\n", d.previous, previousFile)
	}
	for _, path := range sortedKeys(d.texts) {
		fmt.Fprintf(&b, "%s  %s\n", d.texts[path], path)
	}
	return b.String()
}

// unexplained lists the texts that are not those of the version's digests, and that
// the notes of CHANGES.md do not mention, as the lines that notes would be.
func unexplained(texts map[string]string, d digests, notes string) (changed, added []string) {
	for _, path := range sortedKeys(texts) {
		sum := digest(texts[path])
		note := sum[:16] + " " + path
		switch {
		case d.texts[path] == "":
			added = append(added, note)
		case d.texts[path] != sum && !strings.Contains(notes, note):
			changed = append(changed, note)
		}
	}
	return changed, added
}

// TestGoldenCompat: a text changes with ir.IRVersion, or with a note in CHANGES.md.
// -update records texts that the version did not have yet, never others.
func TestGoldenCompat(t *testing.T) {
	var d digests
	previous := ""
	for v := 1; v <= ir.IRVersion; v++ {
		text, err := os.ReadFile(compatFile(v))
		if errors.Is(err, fs.ErrNotExist) && v == ir.IRVersion {
			text = []byte(digests{previous: previous}.String())
		} else if err != nil {
			t.Fatal(err)
		}
		if d, err = parseDigests(string(text)); err != nil {
			t.Fatalf("%s: %v", compatFile(v), err)
		}
		if d.previous != previous {
			t.Errorf("%s changed after version %d was begun: it is append-only", compatFile(v-1), v)
		}
		previous = digest(string(text))
	}
	emitted := texts(t, readConfig(t))
	changed, added := unexplained(emitted, d, read(t, "CHANGES.md"))
	if len(changed) > 0 {
		t.Errorf("texts changed, ir.IRVersion is still %d: raise it; or, if the graphs compute the same, say why in golden/CHANGES.md with these lines:\n%s",
			ir.IRVersion, strings.Join(changed, "\n"))
	}
	if len(added) == 0 {
		return
	}
	if !*update {
		t.Errorf("%s has no digest of these texts; `make golden` adds them:\n%s", compatFile(ir.IRVersion), strings.Join(added, "\n"))
		return
	}
	for path, text := range emitted {
		if d.texts[path] == "" {
			d.texts[path] = digest(text)
		}
	}
	write(t, compatFile(ir.IRVersion), d.String())
}

func TestUnexplained(t *testing.T) {
	d := digests{texts: map[string]string{"a": digest("1"), "b": digest("2")}}
	now := map[string]string{"a": "1", "b": "3", "c": "4"}
	note := digest("3")[:16] + " b"
	for _, c := range []struct{ notes, changed, added string }{
		{"", note, digest("4")[:16] + " c"},
		{"renamed a value:\n" + note + "\n", "", digest("4")[:16] + " c"},
		{digest("2")[:16] + " b", note, digest("4")[:16] + " c"}, // the note of another change
	} {
		changed, added := unexplained(now, d, c.notes)
		if strings.Join(changed, "\n") != c.changed || strings.Join(added, "\n") != c.added {
			t.Errorf("notes %q: changed %q, added %q", c.notes, changed, added)
		}
	}
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
