package bundle

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fleet is the sample, compiled for two CPU levels.
func fleet() (Manifest, map[string][]byte) {
	m, files := sample()
	m.Format, m.Compile.CPU, m.Compile.CPUFeatures = FleetFormatVersion, "", nil
	m.SetLevels(Level{CPU: "small", CPUFeatures: []string{"avx2", "fma"}, Flags: []string{"-small"}},
		Level{CPU: "large", CPUFeatures: []string{"avx2", "avx512f", "fma"}, Flags: []string{"-large"}})
	var entries []Entry
	for _, l := range m.Levels() {
		for _, module := range []string{"prefill", "decode", "ragged"} {
			name := m.VMFB(l, module)
			files[name] = bytes.Repeat([]byte(l.CPU+" "+module), 40)
			entries = append(entries, entryOf(files, name))
		}
	}
	for _, e := range m.Entries {
		if isModule(e.Name) {
			delete(files, e.Name)
		} else {
			entries = append(entries, e)
		}
	}
	m.Entries = entries
	return m, files
}

func fleetFile(t testing.TB) string {
	m, files := fleet()
	path := filepath.Join(t.TempDir(), "fleet.tar")
	write(t, path, m, files)
	return path
}

// TestFleet: each level has modules of its own beside one copy of all else; what a level
// doesn't use may be damaged.
func TestFleet(t *testing.T) {
	m, files := fleet()
	whole, err := os.ReadFile(fleetFile(t))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	if b.Manifest.Format != 3 || len(b.Manifest.Entries) != len(m.Entries) || b.WeightBytes() != 176+30+1 {
		t.Errorf("format %d, %d entries, %d bytes of weights", b.Manifest.Format, len(b.Manifest.Entries), b.WeightBytes())
	}
	damagedLevel := func(b *Bundle) (bad []string) {
		for _, l := range b.Manifest.Levels() {
			modules, err := b.Modules(t.Context(), l)
			switch {
			case err != nil:
				bad = append(bad, l.CPU)
			case len(modules) != 3 || !bytes.HasPrefix(modules["decode"], []byte(l.CPU+" decode")):
				t.Errorf("%s: %d modules, decode is %.20q", l.CPU, len(modules), modules["decode"])
			}
		}
		return bad
	}
	if bad := damagedLevel(b); bad != nil {
		t.Errorf("damaged: %v", bad)
	}
	for _, l := range m.Levels() {
		at := bytes.Index(whole, files[m.VMFB(l, "ragged")])
		whole[at] ^= 1
		b, err := parse(whole)
		if err != nil {
			t.Errorf("%s damaged: Open: %v", l.CPU, err)
			continue
		}
		if bad := damagedLevel(b); len(bad) != 1 || bad[0] != l.CPU {
			t.Errorf("%s damaged: Modules finds %v", l.CPU, bad)
		}
		if err := b.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "entry modules/"+l.CPU+"/ragged.vmfb at byte") {
			t.Errorf("%s damaged: Verify: %v", l.CPU, err)
		}
		whole[at] ^= 1
	}
}

// TestSealLevels: what the self-check found is recorded for each level.
func TestSealLevels(t *testing.T) {
	m, files := fleet()
	w, err := Create(filepath.Join(t.TempDir(), "fleet.tar"), m)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for name, data := range files {
		if err := w.Write(name, func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(SelfCheck{Ran: true, MaxError: 0.5}, SelfCheck{Reason: "too large"}); err != nil {
		t.Fatal(err)
	}
	b, err := Open(w.TempPath())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	got := fmt.Sprint(b.Manifest.Levels()[0].SelfCheck, b.Manifest.Levels()[1].SelfCheck, b.Manifest.SelfCheck, m.Levels()[0].SelfCheck)
	if want := "{true  0.5} {false too large 0} {false  0} {false  0}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOneLevelIsAsItWas: a bundle for one level doesn't speak of levels, so that readers
// that don't know of them read it.
func TestOneLevelIsAsItWas(t *testing.T) {
	m, _ := sample()
	m.SetLevels(Level{CPU: "small", CPUFeatures: []string{"avx2"}})
	text, err := encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(text, []byte("format = 2\n")) || bytes.Contains(text, []byte("level")) ||
		!bytes.Contains(text, []byte("[compile]\ntarget = \"llvm-cpu\"\ncpu = \"small\"\ncpu_features = [\"avx2\"]\ncompiler = ")) {
		t.Errorf("%s", text)
	}
}

func TestFleetRefuses(t *testing.T) {
	level := func(m *Manifest, i int) *Level { return &m.Compile.Fleet[i] }
	for _, c := range []struct {
		name   string
		change func(*Manifest)
		want   string
	}{
		{"format of one level", func(m *Manifest) { m.Format = 2 }, "format is 2, must be 3 with 2 entries of compile.level"},
		{"no levels", func(m *Manifest) { m.Compile.Fleet = nil }, "format is 3, must be 2 with 0 entries of compile.level"},
		{"empty list", func(m *Manifest) { m.Compile.Fleet = []Level{} }, "0 entries of compile.level, must be two or more"},
		{"one level", func(m *Manifest) { m.Compile.Fleet = m.Compile.Fleet[:1] }, "1 entries of compile.level, must be two or more"},
		{"too many", func(m *Manifest) { m.Compile.Fleet = make([]Level, 17) }, "17 CPU levels, the limit is 16"},
		{"no compiler", func(m *Manifest) { m.Compile.Compiler = "" }, "compile.level goes with compile.compiler"},
		{"two kinds of levels", func(m *Manifest) { m.Compile.CPU = "small" }, "stands in place of compile.cpu"},
		{"two kinds of features", func(m *Manifest) { m.Compile.CPUFeatures = []string{"fma"} }, "stands in place of compile.cpu"},
		{"two kinds of checks", func(m *Manifest) { m.SelfCheck.Reason = "x" }, "and self_check"},
		{"duplicate", func(m *Manifest) { level(m, 1).CPU = "small" }, "CPU level small is there twice"},
		{"unsorted", func(m *Manifest) { f := m.Compile.Fleet; f[0], f[1] = f[1], f[0] }, "CPU level large would never be chosen, because small, which comes after it, asks for no more"},
		{"equal", func(m *Manifest) { level(m, 1).CPUFeatures = level(m, 0).CPUFeatures }, "CPU level small would never be chosen"},
		{"no features", func(m *Manifest) { level(m, 0).CPUFeatures = nil }, `CPU level "small": it names no feature`},
		{"unsorted features", func(m *Manifest) { level(m, 0).CPUFeatures = []string{"fma", "avx2"} }, `CPU level "small": cpu_features are not in rising order: "avx2"`},
		{"a feature twice", func(m *Manifest) { level(m, 0).CPUFeatures = []string{"fma", "fma"} }, `not in rising order: "fma"`},
		{"nameless feature", func(m *Manifest) { level(m, 0).CPUFeatures = []string{""} }, `not in rising order: ""`},
		{"nameless", func(m *Manifest) { level(m, 0).CPU = "" }, `CPU level "": a name has letters`},
		{"a path", func(m *Manifest) { level(m, 0).CPU = "../up" }, `CPU level "../up": a name has letters`},
		{"a level without a module", func(m *Manifest) { m.Entries = append(m.Entries[:4:4], m.Entries[5:]...) }, `entry "modules/large/decode.vmfb", which the graphs need, is missing`},
		{"a module of no level", func(m *Manifest) { m.Entries[4].Name = "modules/decode.vmfb" }, `entry "modules/decode.vmfb" is unknown`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, files := fleet()
			for i, e := range m.Entries {
				m.Entries[i].SHA256 = fmt.Sprintf("%x", sha256.Sum256(files[e.Name]))
			}
			c.change(&m)
			if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "manifest.toml: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
