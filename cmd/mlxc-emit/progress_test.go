package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	talk := func(p *progress) {
		p.Step("compile", 0, 3)
		p.Step("compile", 1, 3)
		p.Step("compile", 3, 3)
		p.Step("weights", 5e6, 270e6)
		p.Note("remark")
		p.Step("self-check: decode", 0, 0)
		p.close()
	}
	var plain bytes.Buffer
	talk(newProgress(&plain))
	if want := "mlxc-emit: compile 0/3\nmlxc-emit: compile 3/3\nmlxc-emit: weights 5/270 MB\nmlxc-emit: remark\nmlxc-emit: self-check: decode\n"; plain.String() != want {
		t.Errorf("plain: %q, want %q", plain.String(), want)
	}
	var drawn bytes.Buffer
	p := newProgress(&drawn)
	p.mu.Lock()
	p.terminal = true
	p.mu.Unlock()
	talk(p)
	const clear = "\r\x1b[K"
	if want := clear + "compile 0/3  0 s" + clear + "compile 1/3  0 s" + clear + "compile 3/3  0 s" + clear + "weights 5/270 MB  0 s" + clear + "mlxc-emit: remark\n" + clear + "self-check: decode  0 s" + clear; drawn.String() != want {
		t.Errorf("terminal: %q, want %q", drawn.String(), want)
	}
	if strings.Count(drawn.String(), "\n") != 1 {
		t.Error("a terminal gets lines for steps")
	}
}

// A step that takes long is told again, with the time.
func TestProgressBeats(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	defer p.close()
	p.beat() // nothing to tell
	p.Step("compile", 1, 3)
	p.beat() // too early
	p.mu.Lock()
	p.start, p.last = p.start.Add(-time.Minute), p.last.Add(-plainEvery)
	p.mu.Unlock()
	p.beat()
	if want := "mlxc-emit: compile 1/3\nmlxc-emit: compile 1/3, 60 s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
