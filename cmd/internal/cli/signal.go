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

// interruptible returns a context that the first SIGINT or SIGTERM cancels; the next
// one kills the process. stop gives the signals back.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		if s, ok := <-signals; ok {
			signal.Stop(signals)
			cancel(interruption{s.(syscall.Signal)})
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}
