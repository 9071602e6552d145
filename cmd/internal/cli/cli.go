// Package cli is what the three commands share: streams, flags from environment
// variables, interruption, and how an error ends the process.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Version of mlxc, as every command prints it and every bundle records it.
const Version = "0.1.0"

// IO are the streams of a command: data goes to Out, talk to Err.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// System returns the process's own streams.
func System() IO { return IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr} }

// EnvName is the environment variable of a flag: MLXC_ and the flag's name in
// capitals, dashes as underscores.
func EnvName(flag string) string {
	return "MLXC_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// FlagsFromEnv sets every flag that the command line leaves out and whose
// environment variable isn't empty.
func FlagsFromEnv(cmd *cobra.Command, _ []string) error {
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		v := os.Getenv(EnvName(f.Name))
		if err != nil || f.Changed || v == "" || f.Name == "help" {
			return
		}
		if e := cmd.Flags().Set(f.Name, v); e != nil {
			err = fmt.Errorf("environment variable %s=%q: %w", EnvName(f.Name), v, e)
		}
	})
	return err
}

// ErrReported ends the process with exit code 1 and without a message: the command
// has said what is wrong on its own.
var ErrReported = errors.New("already reported")

// Main runs a command until it ends or the user interrupts it (SIGINT or SIGTERM
// cancel its context; a second one kills the process) and returns the exit code.
func Main(cmd *cobra.Command, s IO) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Version = Version
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	cmd.PersistentPreRunE = FlagsFromEnv
	switch err := cmd.ExecuteContext(ctx); {
	case err == nil:
		return 0
	case errors.Is(err, ErrReported):
		return 1
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(s.Err, "%s: interrupted\n", cmd.Name())
		return 130
	default:
		fmt.Fprintf(s.Err, "%s: %v\n", cmd.Name(), err)
		return 1
	}
}
