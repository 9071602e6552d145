package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Progress tells people how long work goes: on a terminal in one line that is redrawn
// and leaves nothing behind, elsewhere, and on a terminal that can't redraw (TERM is
// dumb or unset), in plain lines: one for each step and then at most one a while. Time
// is shown while nothing else happens: a compiler may run for a minute. It draws no
// colours, so NO_COLOR changes nothing. Its methods may be called by several goroutines.
type Progress struct {
	command string // in front of lines
	out     io.Writer
	columns func() int // of the terminal; nil where lines are plain
	start   time.Time
	closed  chan struct{}
	end     sync.Once
	beats   sync.WaitGroup

	mu   sync.Mutex
	step string
	from struct { // of a step in bytes: where it began
		at   time.Time
		done int64
	}
	text string // of the step
	last time.Time
	line bool // a line is drawn that isn't ended
}

// plainEvery is the time between two plain lines on the same step.
const plainEvery = 10 * time.Second

// NewProgress is the progress of a command's work, told on out, the command's Err.
// Close ends it.
func NewProgress(command string, out io.Writer) *Progress {
	p := &Progress{command: command, out: out, columns: columns(out), start: time.Now(), closed: make(chan struct{})}
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

// columns asks a terminal for its width; nil if out is none or can't redraw a line.
func columns(out io.Writer) func() int {
	f, ok := out.(*os.File)
	if kind := os.Getenv("TERM"); !ok || kind == "" || kind == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return 80 // of a serial line, which doesn't say
	}
}

// beat shows that time passes.
func (p *Progress) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.text == "":
	case p.columns != nil:
		p.draw()
	case time.Since(p.last) >= plainEvery:
		p.print(fmt.Sprintf("%s, %.0f s", p.text, time.Since(p.start).Seconds()))
	}
}

// Note prints a remark that stays.
func (p *Progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintf(p.out, "%s: %s\n", p.command, Printable(text))
}

// Step shows how far a step is: done of total, or only that it runs if total is 0.
func (p *Progress) Step(name string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	same := name == p.step
	if !same {
		p.step, p.from.at, p.from.done = name, time.Now(), done
	}
	p.text = Printable(name)
	if total > 1e6 { // bytes
		p.text += fmt.Sprintf(" %d/%d MB%s", done/1e6, total/1e6, p.rate(done))
	} else if total > 0 {
		p.text += fmt.Sprintf(" %d/%d", done, total)
	}
	if p.columns != nil {
		p.draw()
		return
	}
	if same && done < total && time.Since(p.last) < plainEvery {
		return
	}
	p.print(p.text)
}

// rate is how many bytes a second the step makes, once that can be told.
func (p *Progress) rate(done int64) string {
	seconds := time.Since(p.from.at).Seconds()
	if seconds < 1 || done <= p.from.done {
		return ""
	}
	return fmt.Sprintf(", %.1f MB/s", float64(done-p.from.done)/1e6/seconds)
}

// draw redraws the line, short enough not to wrap: what wraps can't be cleared. The
// last column stays free, since some terminals wrap when it is filled.
func (p *Progress) draw() {
	elapsed := fmt.Sprintf("  %.0f s", time.Since(p.start).Seconds())
	room := p.columns() - 1
	fmt.Fprint(p.out, "\r\x1b[K"+cut(cut(p.text, room-len(elapsed))+elapsed, room))
	p.line = true
}

func (p *Progress) print(text string) {
	p.last = time.Now()
	fmt.Fprintf(p.out, "%s: %s\n", p.command, text)
}

// clear removes the line that isn't ended.
func (p *Progress) clear() {
	if p.line {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.line = false
	}
}

// Close ends the progress and clears the line, so that what is printed next starts at
// its beginning. It may be called again.
func (p *Progress) Close() {
	p.end.Do(func() { close(p.closed) })
	p.beats.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// cut shortens s to so many columns of a terminal; an ellipsis ends what is cut.
func cut(s string, columns int) string {
	if columns < 1 {
		return ""
	}
	at, fits := 0, 0 // columns before a rune, and the bytes that leave room for the ellipsis
	for i, r := range s {
		if at < columns {
			fits = i
		}
		if at += RuneColumns(r); at > columns {
			return s[:fits] + "…"
		}
	}
	return s
}
