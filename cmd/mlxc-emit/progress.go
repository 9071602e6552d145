package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress tells people how an emission goes: on a terminal in one line that is
// redrawn, elsewhere in plain lines, one for each step and then at most one a while.
type progress struct {
	out      io.Writer
	terminal bool
	start    time.Time

	mu   sync.Mutex
	step string
	last time.Time
	line bool // a line is drawn that isn't ended
}

// plainEvery is the time between two plain lines on the same step.
const plainEvery = 10 * time.Second

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, start: time.Now()}
	if f, ok := out.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// Note prints a remark that stays.
func (p *progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintf(p.out, "mlxc-emit: %s\n", text)
}

// Step shows how far a step is: done of total, or only that it runs if total is 0.
func (p *progress) Step(name string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := name
	if total > 0 {
		text = fmt.Sprintf("%s %d/%d", name, done, total)
		if total > 1e6 { // bytes
			text = fmt.Sprintf("%s %d/%d MB", name, done/1e6, total/1e6)
		}
	}
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s  %.0f s", text, time.Since(p.start).Seconds())
		p.line = true
		return
	}
	if name == p.step && done < total && time.Since(p.last) < plainEvery {
		return
	}
	p.step, p.last = name, time.Now()
	fmt.Fprintf(p.out, "mlxc-emit: %s\n", text)
}

// clear removes the line that isn't ended.
func (p *progress) clear() {
	if p.line {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.line = false
	}
}

func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}
