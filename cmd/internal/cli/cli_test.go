package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// command is a cobra command with a few flags that does what work does.
func command(work func(context.Context) error) (cmd *cobra.Command, n *int, stops *[]string) {
	n, stops = new(int), new([]string)
	cmd = &cobra.Command{Use: "mlxc-test [flags]", RunE: func(cmd *cobra.Command, _ []string) error { return work(cmd.Context()) }}
	cmd.Flags().IntVar(n, "max-tokens", 5, "")
	cmd.Flags().StringArrayVar(stops, "stop", nil, "end before `TEXT`")
	sub := &cobra.Command{Use: "sub", RunE: cmd.RunE}
	sub.Flags().IntVar(n, "max-tokens", 5, "")
	cmd.AddCommand(sub)
	return cmd, n, stops
}

// TestEmptyFlags: an empty value is none, but for texts.
func TestEmptyFlags(t *testing.T) {
	t.Setenv("MLXC_TARGET", "")
	for _, c := range []struct {
		args []string
		want string // on standard error
	}{
		{[]string{"--target", ""}, "mlxc-test: --target is empty: leave it out, or give TARGET: compile for TARGET\n"},
		{[]string{"--target="}, "mlxc-test: --target is empty: leave it out, or give TARGET: compile for TARGET\n"},
		{[]string{"--graphs", ""}, "mlxc-test: --graphs is empty: leave it out, or give GRAPHS: emit GRAPHS (a, b or c)\n"},
		{[]string{"--graphs", ","}, `mlxc-test: --graphs has an empty entry in ",": emit GRAPHS (a, b or c)` + "\n"},
		{[]string{"--graphs", "a", "--graphs", "b,"}, `mlxc-test: --graphs has an empty entry in "a,b,": emit GRAPHS (a, b or c)` + "\n"},
		{[]string{"--system", ""}, ""},
		{[]string{"--target", "x", "--graphs", "a,b"}, ""},
		{nil, ""},
	} {
		cmd, _, _ := command(func(context.Context) error { return nil })
		cmd.Flags().String("target", "llvm-cpu", "compile for `TARGET`")
		cmd.Flags().StringSlice("graphs", nil, "emit `GRAPHS` (a, b or c)")
		cmd.Flags().String("system", "", "the system message is `TEXT`")
		var errs bytes.Buffer
		cmd.SetArgs(c.args)
		if code := Main(cmd, IO{Out: &bytes.Buffer{}, Err: &errs}); errs.String() != c.want || (code == 0) != (c.want == "") {
			t.Errorf("%q: exit code %d, %q, want %q", c.args, code, errs.String(), c.want)
		}
	}
}

// How a command ends is its exit code and at most one line.
func TestMainEnds(t *testing.T) {
	raise := func(signal syscall.Signal) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			if err := syscall.Kill(syscall.Getpid(), signal); err != nil {
				return err
			}
			<-ctx.Done()
			return fmt.Errorf("half-way: %w", ctx.Err())
		}
	}
	for _, tc := range []struct {
		name   string
		work   func(context.Context) error
		args   []string
		code   int
		stderr string
	}{
		{"success", func(context.Context) error { return nil }, nil, 0, ""},
		{"error", func(context.Context) error { return errors.New("no luck") }, nil, 1, "mlxc-test: no luck\n"},
		{"a name that would steer the terminal", func(context.Context) error { return errors.New("tensor a\x1b[2Jb\r\u202e: é — no") }, nil, 1, `mlxc-test: tensor a\x1b[2Jb\r\u202e: é — no` + "\n"},
		{"two errors", func(context.Context) error { return errors.Join(errors.New("a"), errors.New("b")) }, nil, 1, "mlxc-test: a; b\n"},
		{"reported", func(context.Context) error { return ErrReported }, nil, 1, ""},
		{"wrapped", func(context.Context) error { return fmt.Errorf("x: %w", ErrReported) }, nil, 1, ""},
		{"SIGINT", raise(syscall.SIGINT), nil, 130, "mlxc-test: interrupted\n"},
		{"SIGTERM", raise(syscall.SIGTERM), nil, 143, "mlxc-test: interrupted\n"},
		{"SIGTERM, its cause", func(ctx context.Context) error {
			_ = raise(syscall.SIGTERM)(ctx)
			return fmt.Errorf("half-way: %w", context.Cause(ctx))
		}, nil, 143, "mlxc-test: interrupted\n"},
		{"SIGHUP", raise(syscall.SIGHUP), nil, 129, "mlxc-test: interrupted\n"},
		{"SIGPIPE", raise(syscall.SIGPIPE), nil, 141, ""},
		{"a broken pipe", func(context.Context) error { return fmt.Errorf("write: %w", syscall.EPIPE) }, nil, 141, ""},
		{"SIGINT of a part", func(ctx context.Context) error { return interruptPart(ctx) }, nil, 0, ""},
		{"SIGINT of a part and of the command", func(ctx context.Context) error {
			if err := interruptPart(ctx); err != nil {
				return err
			}
			return raise(syscall.SIGINT)(ctx)
		}, nil, 130, "mlxc-test: interrupted\n"},
		{"SIGINT twice in a part", func(ctx context.Context) error {
			part, stop := Interruptible(ctx)
			defer stop()
			if err := raise(syscall.SIGINT)(part); !errors.Is(err, context.Canceled) || ctx.Err() != nil {
				return fmt.Errorf("part %w, command %v", err, ctx.Err())
			}
			return raise(syscall.SIGINT)(ctx)
		}, nil, 130, "mlxc-test: interrupted\n"},
		{"SIGTERM in a part", func(ctx context.Context) error {
			part, stop := Interruptible(ctx)
			defer stop()
			return raise(syscall.SIGTERM)(part)
		}, nil, 143, "mlxc-test: interrupted\n"},
		{"SIGTERM, reported", func(ctx context.Context) error { _ = raise(syscall.SIGTERM)(ctx); return ErrReported }, nil, 143, ""},
		{"SIGINT, another error", func(ctx context.Context) error { _ = raise(syscall.SIGINT)(ctx); return errors.New("disk full") }, nil, 1, "mlxc-test: disk full\n"},
		{"SIGINT, too late", func(ctx context.Context) error { _ = raise(syscall.SIGINT)(ctx); return nil }, nil, 0, ""},
		{"a cancellation that is no signal", func(context.Context) error { return context.Canceled }, nil, 1, "mlxc-test: context canceled\n"},
		{"unknown flag", nil, []string{"--nope"}, 1, "mlxc-test: unknown flag: --nope (see mlxc-test --help)\n"},
		{"unknown flag of a sub-command", nil, []string{"sub", "-x"}, 1, "mlxc-test: unknown shorthand flag: 'x' in -x (see mlxc-test sub --help)\n"},
	} {
		var out, errs bytes.Buffer
		cmd, _, _ := command(tc.work)
		cmd.SetArgs(append([]string{}, tc.args...))
		if code := Main(cmd, IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != tc.code || errs.String() != tc.stderr || out.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %d, %q", tc.name, code, &out, &errs, tc.code, tc.stderr)
		}
	}
}

// TestUnknownSubCommand: what a command that only has sub-commands doesn't know is an
// error, though cobra prints help.
func TestUnknownSubCommand(t *testing.T) {
	for args, want := range map[string]string{
		"completion cmd":  "mlxc-test: mlxc-test completion cmd is no command: see mlxc-test completion --help\n",
		"completion bsh":  "mlxc-test: mlxc-test completion bsh is no command (did you mean bash or fish or zsh?): see mlxc-test completion --help\n",
		"help sbu":        "mlxc-test: mlxc-test sbu is no command (did you mean sub?): see mlxc-test --help\n",
		"help sub more":   "mlxc-test: mlxc-test sub more is no command: see mlxc-test sub --help\n",
		"help sub":        "",
		"help":            "",
		"completion bash": "",
		"completion":      "",
	} {
		var errs bytes.Buffer
		cmd, _, _ := command(func(context.Context) error { return nil })
		cmd.SetArgs(strings.Fields(args))
		if code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); errs.String() != want || (code == 0) != (want == "") {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, &errs, want)
		}
	}
}

// interruptPart ends a part of the work by SIGINT; the command goes on.
func interruptPart(ctx context.Context) error {
	part, stop := Interruptible(ctx)
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		return err
	}
	<-part.Done()
	return ctx.Err()
}

type fullDisk struct{ writes int }

func (f *fullDisk) Write([]byte) (int, error) {
	f.writes++
	return 0, fmt.Errorf("disk full at write %d", f.writes)
}

// The first failed write to Out is an error, if nothing else is.
func TestOutput(t *testing.T) {
	for _, tc := range []struct {
		result error
		want   string
	}{{nil, "mlxc-test: disk full at write 1\n"}, {errors.New("no luck"), "mlxc-test: no luck\n"}} {
		var errs bytes.Buffer
		s := IO{In: strings.NewReader(""), Out: &output{Writer: &fullDisk{}}, Err: &errs}
		cmd, _, _ := command(func(context.Context) error {
			fmt.Fprintln(s.Out, "a")
			fmt.Fprintln(s.Out, "b")
			return tc.result
		})
		cmd.SetArgs([]string{})
		if code := Main(cmd, s); code != 1 || errs.String() != tc.want {
			t.Errorf("exit code %d, %q; want %q", code, &errs, tc.want)
		}
	}
}

func TestFlagsFromEnv(t *testing.T) {
	t.Setenv("MLXC_MAX_TOKENS", "7")
	t.Setenv("MLXC_STOP", "a,b c")
	t.Setenv("MLXC_VERSION", "3") // of something else
	t.Setenv("MLXC_HELP", "me")
	for args, want := range map[string]string{
		"":                       `7 ["a,b c"]`,
		"--max-tokens=1":         `1 ["a,b c"]`,
		"--stop x --stop y":      `7 ["x" "y"]`,
		"sub":                    `7 []`,
		"sub --max-tokens 5":     `5 []`,
		"--max-tokens=5 --stop=": `5 [""]`,
	} {
		ran := false
		cmd, n, stops := command(func(context.Context) error { ran = true; return nil })
		cmd.SetArgs(strings.Fields(args))
		var errs bytes.Buffer
		code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
		if got := fmt.Sprintf("%d %q", *n, *stops); code != 0 || got != want || !ran {
			t.Errorf("%q: exit code %d, %s, ran: %v, %s; want %s", args, code, &errs, ran, got, want)
		}
	}
	t.Setenv("MLXC_MAX_TOKENS", "abc")
	cmd, _, _ := command(func(context.Context) error { t.Error("it ran"); return nil })
	cmd.SetArgs([]string{})
	var errs bytes.Buffer
	if code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); code != 1 ||
		!strings.HasPrefix(errs.String(), `mlxc-test: environment variable MLXC_MAX_TOKENS: invalid argument "abc" for "--max-tokens" flag`) {
		t.Errorf("exit code %d, %s", code, &errs)
	}
	t.Setenv("MLXC_MAX_TOKENS", "")
	cmd, n, _ := command(func(context.Context) error { return nil })
	cmd.SetArgs([]string{})
	if code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); code != 0 || *n != 5 {
		t.Errorf("an empty variable: exit code %d, %d; want the default", code, *n)
	}
}

// An error that names a flag says that its value is from the environment, if it is.
func TestErrorsNameVariables(t *testing.T) {
	t.Setenv("MLXC_MAX_TOKENS", "7")
	t.Setenv("MLXC_STOP", "x")
	for _, tc := range []struct{ args, problem, want string }{
		{"", "--max-tokens is 7: too many", "--max-tokens is 7: too many (--max-tokens is from environment variable MLXC_MAX_TOKENS)"},
		{"", "no --max-tokens with --stop", "no --max-tokens with --stop (--max-tokens is from environment variable MLXC_MAX_TOKENS) (--stop is from environment variable MLXC_STOP)"},
		{"--max-tokens 7", "--max-tokens is 7: too many", "--max-tokens is 7: too many"},
		{"", "--max-tokens-per-second, --stopped", "--max-tokens-per-second, --stopped"},
		{"", "no luck", "no luck"},
	} {
		cmd, _, _ := command(func(context.Context) error { return errors.New(tc.problem) })
		cmd.SetArgs(strings.Fields(tc.args))
		var errs bytes.Buffer
		if code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); code != 1 || errs.String() != "mlxc-test: "+tc.want+"\n" {
			t.Errorf("%q: exit code %d, %q, want %q", tc.args, code, &errs, tc.want)
		}
	}
}

// A flag may have a variable of another name.
func TestNameEnv(t *testing.T) {
	t.Setenv("MLXC_MAX_TOKENS", "7")
	t.Setenv("MLXC_LIMIT", "8")
	cmd, n, _ := command(func(context.Context) error { return nil })
	NameEnv(cmd.Flags(), "max-tokens", "MLXC_LIMIT")
	cmd.SetArgs([]string{})
	if code := Main(cmd, IO{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); code != 0 || *n != 8 {
		t.Errorf("exit code %d, %d; want 8", code, *n)
	}
}

// Input reads like its source, and stops waiting when the context ends.
func TestInput(t *testing.T) {
	if b, err := io.ReadAll(Input(t.Context(), strings.NewReader("a text"))); err != nil || string(b) != "a text" {
		t.Errorf("%q, %v", b, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := Input(ctx, r).Read(make([]byte, 8)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v; want the context's error", n, err)
	}
}
