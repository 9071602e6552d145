package compiler

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// TestLevelsShareALayout: for every CPU level of the built-in fleet, in every way of
// storing weights, modules take the same arguments and differ in their rules alone.
func TestLevelsShareALayout(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, precision := range []string{"f32", "f16", "q4"} {
		m := smollm2(t, precision)
		chain := &toolchain{}
		for _, name := range row.Fleet {
			chain.levels = append(chain.levels, level{name, []string{"--cpu=" + name}, iree.CPU{Name: name, Features: row.Levels[name].Features}})
		}
		jobs, err := chain.jobs(row, m)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) != len(row.Fleet) {
			t.Fatalf("%d levels, want %d", len(jobs), len(row.Fleet))
		}
		for i, units := range jobs {
			for _, u := range units {
				if !slices.Equal(u.Flags, chain.levels[i].flags) || (u.Files == nil) != (row.Vector(chain.levels[i].cpu.Features).Lanes == 0) {
					t.Errorf("%s, %s for %s: flags %v, %d files", precision, u.Name, row.Fleet[i], u.Flags, len(u.Files))
				}
			}
		}
	}
}

func TestLevelsOfOtherLayouts(t *testing.T) {
	a := []iree.Job{{Name: "decode", Text: []byte("tensor<2x8x16xf32>")}, {Name: "prefill", Text: []byte("x")}}
	for _, c := range []struct {
		name string
		b    []iree.Job
		same bool
	}{
		{"the same with other rules", []iree.Job{{Name: "decode", Text: a[0].Text, Files: map[string][]byte{"tuning.mlir": nil}}, a[1]}, true},
		{"another layout", []iree.Job{{Name: "decode", Text: []byte("tensor<4x8x8xf32>")}, a[1]}, false},
		{"another module", []iree.Job{{Name: "ragged", Text: a[0].Text}, a[1]}, false},
		{"fewer modules", a[:1], false},
	} {
		if got := sameTexts(a, c.b); got != c.same {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestSelfCheckLevels: each level is run on its own, a wrong one is named, and the
// evaluator computes once.
func TestSelfCheckLevels(t *testing.T) {
	m := checkedManifest()
	m.SetLevels(bundle.Level{CPU: "small", Flags: []string{"--small"}}, bundle.Level{CPU: "large", Flags: []string{"--large"}})
	for _, wrong := range []string{"", "small", "large"} {
		b := &bundle.Bundle{Manifest: m}
		runs := map[string]int{}
		open := func(_ context.Context, b *bundle.Bundle, device, cpu string) (Session, error) {
			runs[device+" "+cpu]++
			s := &fakeSession{m: &b.Manifest, seqs: map[int][]int32{}, calls: map[string]int{}}
			if cpu == wrong && cpu != "" {
				s.wrong = "decode_s16"
			}
			return s, nil
		}
		c, err := newChecker(t.Context(), b, open, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Manifest.Levels() {
			_, err := c.check(t.Context(), l)
			if (err != nil) != (l.CPU == wrong) || err != nil && (!strings.HasPrefix(err.Error(), "compiler: self-check for "+wrong+": graph decode_s16: ") || !strings.Contains(err.Error(), " --"+wrong+";")) {
				t.Errorf("%s wrong, %s: %v", wrong, l.CPU, err)
			}
		}
		if runs["reference "] != 1 || runs["native small"] == 0 || runs["native large"] == 0 || len(runs) != 3 {
			t.Errorf("sessions: %v", runs)
		}
	}
}
