package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruption is the cause of a context that a signal has cancelled.
type interruption struct{ signal syscall.Signal }

func (interruption) Error() string { return "interrupted" }

// exitCode is what a shell reports of a process that the signal ended.
func (i interruption) exitCode() int { return 128 + int(i.signal) }

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP cancels;
// the next one kills the process. A reader that goes away (SIGPIPE) cancels it, too,
// so that what is half done is cleaned up. A write beyond the file size limit is an
// error like any other (SIGXFSZ would end the process). stop gives the signals back.
func interruptible() (ctx context.Context, stop func()) {
	guard := &guard{}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), guardKey{}, guard))
	catch := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		catch = append(catch, syscall.SIGHUP)
	}
	signals, pipes, done := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, catch...)
	signal.Notify(pipes, syscall.SIGPIPE)
	signal.Ignore(syscall.SIGXFSZ)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGINT && guard.stop() {
					continue
				}
				signal.Stop(signals)
				cancel(interruption{s.(syscall.Signal)})
			case <-pipes: // every later write fails as well
				cancel(interruption{syscall.SIGPIPE})
			case <-done:
			}
			return
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(pipes)
		signal.Reset(syscall.SIGXFSZ)
		close(done)
		cancel(nil)
	}
}

// Interruptible returns a context for a part of the command's work that the user may
// end with Ctrl-C while the command goes on: the next SIGINT cancels it instead of the
// command's own context, which ends it, too; the one after that is the command's again.
// stop ends the part. ctx is the one that Main gave, or made of it; there is one part at
// a time.
func Interruptible(ctx context.Context) (part context.Context, stop func()) {
	part, cancel := context.WithCancel(ctx)
	g, ok := ctx.Value(guardKey{}).(*guard)
	if !ok {
		return part, cancel
	}
	g.set(cancel)
	return part, func() {
		g.set(nil)
		cancel()
	}
}

// guard is what a command puts between itself and SIGINT.
type guard struct {
	mu     sync.Mutex
	cancel func() // nil: nothing
}

type guardKey struct{}

func (g *guard) set(cancel func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cancel = cancel
}

// stop cancels what is guarded, once, and reports whether there was something.
func (g *guard) stop() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cancel == nil {
		return false
	}
	g.cancel()
	g.cancel = nil
	return true
}
