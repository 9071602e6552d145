package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// progress tells people how an emission goes: on a terminal in one line that is
// redrawn, elsewhere in plain lines, one for each step and then at most one a while.
// Time is shown while nothing else happens: a compiler may run for a minute.
type progress struct {
	out      io.Writer
	terminal bool
	start    time.Time
	closed   chan struct{}
	beats    sync.WaitGroup

	mu   sync.Mutex
	step string
	text string // of the step
	last time.Time
	line bool // a line is drawn that isn't ended
}

// plainEvery is the time between two plain lines on the same step.
const plainEvery = 10 * time.Second

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, start: time.Now(), closed: make(chan struct{})}
	if f, ok := out.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	p.beats.Go(func() {
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for {
			select {
			case <-p.closed:
				return
			case <-second.C:
				p.beat()
			}
		}
	})
	return p
}

// beat shows that time passes.
func (p *progress) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.text == "":
	case p.terminal:
		p.draw()
	case time.Since(p.last) >= plainEvery:
		p.print(fmt.Sprintf("%s, %.0f s", p.text, time.Since(p.start).Seconds()))
	}
}

// Note prints a remark that stays.
func (p *progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintf(p.out, "mlxc-emit: %s\n", cli.Printable(text))
}

// Step shows how far a step is: done of total, or only that it runs if total is 0.
func (p *progress) Step(name string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = name
	if total > 0 {
		p.text = fmt.Sprintf("%s %d/%d", name, done, total)
		if total > 1e6 { // bytes
			p.text = fmt.Sprintf("%s %d/%d MB", name, done/1e6, total/1e6)
		}
	}
	if p.terminal {
		p.draw()
		return
	}
	if name == p.step && done < total && time.Since(p.last) < plainEvery {
		return
	}
	p.step = name
	p.print(p.text)
}

func (p *progress) draw() {
	fmt.Fprintf(p.out, "\r\x1b[K%s  %.0f s", p.text, time.Since(p.start).Seconds())
	p.line = true
}

func (p *progress) print(text string) {
	p.last = time.Now()
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
	close(p.closed)
	p.beats.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}
