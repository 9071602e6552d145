// Package docs writes the pages of docs/cli and docs/man from the commands themselves:
// one in Markdown and one for man(1) of each command and sub-command. Each command's
// package has a test that compares; `make docs` writes.
package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// page is what is said of a command, in whatever format.
type page struct {
	name        string // "mlxc-run inspect"
	short       string
	use         []string // lines
	description []string // paragraphs; those that begin with two blanks are shown as they are
	example     []string // lines
	flags       []flag
	related     []related // parent, then sub-commands
}

type flag struct {
	spelling string // "-n, --max-tokens N"
	variable string // "MLXC_MAX_TOKENS"; "" if it has none
	usage    string
}

type related struct{ name, short string }

// Pages are the pages of a command and its sub-commands, by path below docs.
func Pages(root *cobra.Command) map[string]string {
	root.InitDefaultHelpFlag()
	root.Version = cli.Version
	root.InitDefaultVersionFlag()
	pages := map[string]string{}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		p := describe(cmd)
		pages["cli/"+p.file()+".md"] = p.markdown()
		pages["man/"+p.file()+".1"] = p.man()
		for _, sub := range documented(cmd) {
			visit(sub)
		}
	}
	visit(root)
	return pages
}

// documented are the sub-commands that have a page: not help, and not completion, whose
// text is cobra's.
func documented(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return c.Hidden || c.Name() == "help" || c.Name() == "completion"
	})
}

func describe(cmd *cobra.Command) page {
	p := page{name: cmd.CommandPath(), short: cmd.Short, description: strings.Split(cmd.Long, "\n\n")}
	for line := range strings.Lines(cmd.UseLine()) {
		p.use = append(p.use, strings.TrimSpace(line))
	}
	if cmd.Long == "" {
		p.description = []string{cmd.Short + "."}
	}
	if cmd.Example != "" {
		p.example = strings.Split(cmd.Example, "\n")
	}
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			p.flags = append(p.flags, describeFlag(f))
		}
	})
	if parent := cmd.Parent(); parent != nil {
		p.related = append(p.related, related{parent.CommandPath(), parent.Short})
	}
	for _, sub := range documented(cmd) {
		p.related = append(p.related, related{sub.CommandPath(), sub.Short})
	}
	return p
}

func describeFlag(f *pflag.Flag) flag {
	value, usage := pflag.UnquoteUsage(f)
	d := flag{spelling: "--" + f.Name, variable: cli.EnvName(f), usage: usage}
	if f.Shorthand != "" {
		d.spelling = "-" + f.Shorthand + ", " + d.spelling
	}
	if value != "" {
		d.spelling += " " + value
	}
	if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
		d.usage += " (default: " + f.DefValue + ")"
	}
	return d
}

// file is the page's base name.
func (p page) file() string { return strings.ReplaceAll(p.name, " ", "-") }

// isRoot: the page is a command's, not a sub-command's.
func (p page) isRoot() bool { return !strings.Contains(p.name, " ") }

// exitCodes are every command's.
var exitCodes = [][2]string{
	{"0", "it did what was asked"},
	{"1", "an error, wrong flags included: standard error has it in one line"},
	{"129, 130, 143", "SIGHUP, SIGINT (Ctrl-C) or SIGTERM ended it early"},
	{"141", "what reads its standard output went away"},
}

// completion tells of the sub-command that has no page.
func (p page) completion() string {
	return fmt.Sprintf("%s completion SHELL prints the completions for bash, zsh, fish or powershell; with --help, how to load them.", p.name)
}

// environment tells of all variables.
const environment = "A flag that the command line leaves out is taken from its variable, if that isn't empty: true or false for one without a value, commas between values where the flag takes a list, one value where it may be repeated. " +
	"One environment serves all commands, so variables of flags that a command hasn't are not looked at."
