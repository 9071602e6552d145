package cli

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressInPlainLines(t *testing.T) {
	var plain bytes.Buffer
	p := NewProgress("mlxc-test", &plain)
	talk(p)
	p.Close()
	p.Close()
	if want := "mlxc-test: compile 0/3\nmlxc-test: compile 3/3\nmlxc-test: weights 5/270 MB\nmlxc-test: remark\nmlxc-test: self-check: decode\n"; plain.String() != want {
		t.Errorf("%q, want %q", plain.String(), want)
	}
}

// talk is what an emission tells.
func talk(p *Progress) {
	p.Step("compile", 0, 3)
	p.Step("compile", 1, 3)
	p.Step("compile", 3, 3)
	p.Step("weights", 5e6, 270e6)
	p.Note("remark")
	p.Step("self-check: decode", 0, 0)
}

// A step that takes long is told again, with the time.
func TestProgressBeats(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress("mlxc-test", &out)
	defer p.Close()
	p.beat() // nothing to tell
	p.Step("compile", 1, 3)
	p.beat() // too early
	p.mu.Lock()
	p.start, p.last = p.start.Add(-time.Minute), p.last.Add(-plainEvery)
	p.mu.Unlock()
	p.beat()
	if want := "mlxc-test: compile 1/3\nmlxc-test: compile 1/3, 60 s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A step in bytes tells its rate, from where it began.
func TestProgressRate(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress("mlxc-test", &out)
	defer p.Close()
	p.Step("download", 100e6, 300e6)
	p.mu.Lock()
	p.from.at = p.from.at.Add(-10 * time.Second)
	p.mu.Unlock()
	p.Step("download", 300e6, 300e6)
	if want := "mlxc-test: download 100/300 MB\nmlxc-test: download 300/300 MB, 20.0 MB/s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		s       string
		columns int
		want    string
	}{
		{"weights", 8, "weights"},
		{"weights", 7, "weights"},
		{"weights", 6, "weigh…"},
		{"weights", 1, "…"},
		{"weights", 0, ""},
		{"weights", -3, ""},
		{"", 0, ""},
		{"gewichte für", 9, "gewichte…"},
		{"重み", 4, "重み"},
		{"重み", 3, "重…"},
		{"重み", 2, "…"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301"},
		{"e\u0301e\u0301e", 2, "e\u0301…"},
	} {
		if got := cut(tc.s, tc.columns); got != tc.want {
			t.Errorf("%q in %d columns: %q, want %q", tc.s, tc.columns, got, tc.want)
		}
	}
}
