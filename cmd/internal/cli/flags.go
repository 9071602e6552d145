package cli

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// EnvName is the environment variable of a flag: MLXC_ and the flag's name in capitals,
// dashes as underscores, unless NameEnv has given it another one; "" for flags that
// replace what a command does, which have none.
func EnvName(f *pflag.Flag) string {
	if f.Name == "help" || f.Name == "version" {
		return ""
	}
	if names := f.Annotations[envAnnotation]; len(names) > 0 {
		return names[0]
	}
	return "MLXC_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// Annotations of flags.
const (
	envAnnotation  = "mlxc_variable"
	fromAnnotation = "mlxc_from_variable"
)

// Given reports whether the command line itself gives a flag, which the environment may
// set, too. It panics if there is no such flag.
func Given(flags *pflag.FlagSet, flag string) bool {
	f := flags.Lookup(flag)
	return f.Changed && f.Annotations[fromAnnotation] == nil
}

// checkFlags refuses flags that the command line gives an empty value, which isn't the
// default, or lists with an empty entry: a script's variable has no value, say. Only a
// TEXT may be empty.
func checkFlags(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		what, usage := pflag.UnquoteUsage(f)
		if what == "TEXT" || err != nil {
			return
		}
		if v := f.Value.String(); v == "" || v == "[]" {
			err = fmt.Errorf("--%s is empty: leave it out, or give %s: %s", f.Name, what, usage)
		} else if list, ok := f.Value.(pflag.SliceValue); ok && slices.Contains(list.GetSlice(), "") {
			err = fmt.Errorf("--%s has an empty entry in %q: %s", f.Name, strings.Join(list.GetSlice(), ","), usage)
		}
	})
	return err
}

// NameEnv gives a flag a variable of another name, where that of its own name is another
// command's for something else. It panics if there is no such flag.
func NameEnv(flags *pflag.FlagSet, flag, variable string) {
	if err := flags.SetAnnotation(flag, envAnnotation, []string{variable}); err != nil {
		panic(err)
	}
}

// flagsFromEnv sets every flag that the command line leaves out and whose environment
// variable isn't empty, and returns those. Variables that belong to no flag of the
// command aren't looked at: one environment serves all commands.
func flagsFromEnv(cmd *cobra.Command) (taken []*pflag.Flag, err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := EnvName(f)
		if err != nil || f.Changed || name == "" || os.Getenv(name) == "" {
			return
		}
		e := cmd.Flags().Set(f.Name, os.Getenv(name))
		if e == nil {
			e = cmd.Flags().SetAnnotation(f.Name, fromAnnotation, []string{name})
		}
		if e != nil {
			err = fmt.Errorf("environment variable %s: %w", name, e)
		}
		taken = append(taken, f)
	})
	return taken, err
}

// origin says of each flag that a message names and the environment has set where its
// value comes from.
func origin(message string, taken []*pflag.Flag) string {
	for _, f := range taken {
		name := EnvName(f)
		if regexp.MustCompile(`--`+regexp.QuoteMeta(f.Name)+`($|[^-\w])`).MatchString(message) && !strings.Contains(message, name) {
			message += fmt.Sprintf(" (--%s is from environment variable %s)", f.Name, name)
		}
	}
	return message
}
