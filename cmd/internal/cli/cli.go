// Package cli is what the three commands share: streams, flags from environment
// variables, interruption, and how an error ends the process.
//
// Exit codes: 0; 1 after an error, which is one line on standard error without control
// characters; 128 and the
// signal's number, as shells have it, when SIGINT (130), SIGTERM (143) or SIGHUP (129)
// ended the work early, or, without a word, a reader that went away: SIGPIPE (141).
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Version of mlxc, as every command prints it and every bundle records it.
const Version = "0.1.0"

// IO are the streams of a command: data goes to Out, talk to Err. A failed write to
// Out need not be looked at: Main reports the first one.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// System returns the process's own streams. Out is never closed: where a process starts
// without standard output (>&-), Go's runtime has opened /dev/null in its place before
// the program begins, and nothing tells that from >/dev/null.
func System() IO { return IO{In: os.Stdin, Out: &output{Writer: os.Stdout}, Err: os.Stderr} }

// output remembers the first error of its writer.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// ErrReported ends the process without a message: the command has said on its own
// how it ended.
var ErrReported = errors.New("already reported")

// Main runs a command until it ends or the user interrupts it (SIGINT or SIGTERM
// cancel its context; a second one kills the process) and returns the exit code.
func Main(cmd *cobra.Command, s IO) int {
	ctx, stop := interruptible()
	defer stop()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Version = Version
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	checkHelp(cmd)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w (see %s --help)", err, c.CommandPath())
	})
	var taken []*pflag.Flag
	cmd.PersistentPreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		if err = checkFlags(cmd); err == nil {
			taken, err = flagsFromEnv(cmd)
		}
		return err
	}
	ran, err := cmd.ExecuteContextC(ctx)
	if rest := ran.Flags().Args(); err == nil && !ran.Runnable() && len(rest) > 0 {
		err = unknownCommand(ran, rest[0]) // cobra has printed help
	}
	if o, ok := s.Out.(*output); ok && err == nil {
		err = o.err
	}
	var signal interruption
	interrupted := errors.As(context.Cause(ctx), &signal)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE), signal.signal == syscall.SIGPIPE && cancelled(err):
		return interruption{syscall.SIGPIPE}.exitCode()
	case interrupted && errors.Is(err, ErrReported):
		return signal.exitCode()
	case interrupted && cancelled(err):
		fmt.Fprintf(s.Err, "%s: %v\n", cmd.Name(), signal)
		return signal.exitCode()
	case !errors.Is(err, ErrReported):
		fmt.Fprintf(s.Err, "%s: %s\n", cmd.Name(), origin(message(err), taken))
	}
	return 1
}

// cancelled reports whether err says no more than that the context has ended: its
// error or its cause.
func cancelled(err error) bool {
	var cause interruption
	return errors.Is(err, context.Canceled) || errors.As(err, &cause)
}
