package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruption is the cause of a context that a signal has cancelled.
type interruption struct{ signal syscall.Signal }

func (interruption) Error() string { return "interrupted" }

// exitCode is what a shell reports of a process that the signal ended.
func (i interruption) exitCode() int { return 128 + int(i.signal) }

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP cancels;
// the next one kills the process. A reader that goes away (SIGPIPE) cancels it, too,
// so that what is half done is cleaned up. stop gives the signals back.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	catch := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		catch = append(catch, syscall.SIGHUP)
	}
	signals, pipes, done := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, catch...)
	signal.Notify(pipes, syscall.SIGPIPE)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(interruption{s.(syscall.Signal)})
		case <-pipes: // every later write fails as well
			cancel(interruption{syscall.SIGPIPE})
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(pipes)
		close(done)
		cancel(nil)
	}
}
