package native

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/cpu"
)

// Features of the x86-64 levels, as far as they matter here.
var (
	v2 = []string{"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
	v3 = []string{"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
	v4 = []string{"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
)

func processor(features ...[]string) cpu.Set { return cpu.Of(slices.Concat(features...)...) }

func rising(features ...[]string) []string {
	return slices.Sorted(slices.Values(slices.Concat(features...)))
}

// TestLevel: the most demanding level that the processor can run, in the manifest's
// order, whatever the names; a named one if it can run that.
func TestLevel(t *testing.T) {
	single := &bundle.Bundle{Path: "one.tar"}
	single.Manifest.SetLevels(bundle.Level{CPU: "x86-64-v4", CPUFeatures: rising(v3, v4)})
	fleet := &bundle.Bundle{Path: "two.tar"}
	fleet.Manifest.SetLevels(bundle.Level{CPU: "x86-64-v3", CPUFeatures: v3}, bundle.Level{CPU: "x86-64-v4", CPUFeatures: rising(v3, v4)})
	named := &bundle.Bundle{Path: "named.tar"} // neither by name nor by number of features
	named.Manifest.SetLevels(bundle.Level{CPU: "z", CPUFeatures: []string{"avx", "fma", "sse3"}}, bundle.Level{CPU: "a", CPUFeatures: []string{"avx", "avx2"}})
	newer := &bundle.Bundle{Path: "newer.tar"}
	newer.Manifest.SetLevels(bundle.Level{CPU: "zen9", CPUFeatures: []string{"avx", "warp-drive"}})
	for _, c := range []struct {
		name, force string
		b           *bundle.Bundle
		host        cpu.Set
		want        string // the level, or a part of the error
	}{
		{"AVX-512", "", fleet, processor(v2, v3, v4), "x86-64-v4"},
		{"AVX2", "", fleet, processor(v2, v3), "x86-64-v3"},
		{"AVX-512 without all of v4", "", fleet, processor(v2, v3, v4[:4]), "x86-64-v3"},
		{"forced down", "x86-64-v3", fleet, processor(v2, v3, v4), "x86-64-v3"},
		{"forced to what it is", "x86-64-v4", fleet, processor(v2, v3, v4), "x86-64-v4"},
		{"forced up", "x86-64-v4", fleet, processor(v2, v3, v4[:2]),
			`native: two.tar is compiled for CPU "x86-64-v4": this processor lacks avx512dq, avx512f, avx512vl; leave --cpu out, and the best level`},
		{"forced to what isn't there", "x86-64-v2", fleet, processor(v2, v3),
			`native: two.tar has no code for CPU level x86-64-v2 (it has: x86-64-v3, x86-64-v4); choose another with --cpu`},
		{"the best of a list", "x86-64-v4 x86-64-v3", fleet, processor(v2, v3), "x86-64-v3"},
		{"of a list that isn't all there", "x86-64-v2 x86-64-v3", fleet, processor(v2, v3, v4), "x86-64-v3"},
		{"a list of what isn't there", "a b", fleet, processor(v2, v3, v4), "native: two.tar has no code for CPU level a or b (it has: x86-64-v3, x86-64-v4)"},
		{"none fits", "", fleet, processor(v2, v3[2:]),
			`native: two.tar is compiled for CPU "x86-64-v3": this processor lacks avx, avx2; and for CPU "x86-64-v4": this processor lacks avx, avx2, avx512bw, avx512cd, avx512dq, avx512f, avx512vl; emit the bundle again: mlxc-emit --cpu x86-64-v2 -o BUNDLE CHECKPOINT`},
		{"by the manifest's order", "", named, processor(v2, v3), "a"},
		{"one level", "", single, processor(v2, v3, v4), "x86-64-v4"},
		{"one level, forced", "x86-64-v4", single, processor(v2, v3, v4), "x86-64-v4"},
		{"one level, another forced", "x86-64-v3", single, processor(v2, v3, v4), `one.tar has no code for CPU level x86-64-v3 (it has: x86-64-v4)`},
		{"one level, too high", "", single, processor(v2, v3),
			`native: one.tar is compiled for CPU "x86-64-v4": this processor lacks avx512bw, avx512cd, avx512dq, avx512f, avx512vl; emit the bundle again: mlxc-emit --cpu x86-64-v3 -o BUNDLE CHECKPOINT`},
		{"a lacking and an unknown feature", "", newer, processor(v2), `this processor lacks avx, warp-drive; emit`},
		{"an unknown feature", "", newer, processor(v2, v3), `compiled for CPU "zen9": this version of mlxc doesn't know the CPU features warp-drive; emit`},
	} {
		l, err := Device{Processor: &c.host}.Level(c.b, strings.Fields(c.force))
		if got := l.CPU; got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: level %q, error %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestOnlyTheLevelIsLoaded: what other levels have isn't even looked at.
func TestOnlyTheLevelIsLoaded(t *testing.T) {
	b := toyBundle(t, nil, nil)
	modules, err := b.Modules(t.Context(), b.Manifest.Levels()[0])
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.Entry(bundle.MLIR("decode"))
	if err != nil {
		t.Fatal(err)
	}
	scrap := bytes.Repeat([]byte("scrap"), 100)
	files := map[string][]byte{
		"modules/good/decode.vmfb": modules["decode"], "modules/bad/decode.vmfb": scrap, bundle.MLIR("decode"): text, bundle.WeightEntry("embed"): b.Weight(0),
	}
	m := b.Manifest
	m.Compile.CPU, m.Compile.CPUFeatures = "", nil
	m.SetLevels(bundle.Level{CPU: "good", CPUFeatures: []string{"sse2"}}, bundle.Level{CPU: "bad", CPUFeatures: []string{"sse2", "sse3"}})
	m.Entries = nil
	for _, name := range []string{"modules/good/decode.vmfb", "modules/bad/decode.vmfb", bundle.MLIR("decode"), bundle.WeightEntry("embed")} {
		m.Entries = append(m.Entries, bundle.Entry{Name: name, Size: int64(len(files[name]))})
	}
	path := filepath.Join(t.TempDir(), "fleet.tar")
	writeBundle(t, path, m, files)
	damage(t, path, scrap)
	fleet, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer fleet.Close()
	for level, want := range map[string]string{"": "entry modules/bad/decode.vmfb", "bad": "entry modules/bad/decode.vmfb", "good": ""} {
		p, err := Device{}.Load(t.Context(), fleet, device.Options{Threads: 1, CPUs: strings.Fields(level)})
		if err == nil {
			if got := p.(device.Leveled).Level(); got != level {
				t.Errorf("--cpu %s: level %s", level, got)
			}
			err = p.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("--cpu %q: error %v, want %q", level, err, want)
		}
	}
}

// damage flips a bit where part lies in the file.
func damage(t *testing.T, path string, part []byte) {
	t.Helper()
	data := readFile(t, path)
	data[bytes.Index(data, part)] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
