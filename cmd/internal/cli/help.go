package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// checkHelp makes an error of `help NAME` where there is no such command: cobra shows the
// help of what it finds on the way there.
func checkHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() != "help" {
			continue
		}
		help.RunE = func(cmd *cobra.Command, args []string) error { // instead of Run
			found, rest, _ := root.Find(args) // its error says less
			if len(rest) > 0 {
				return unknownCommand(found, rest[0])
			}
			help.Run(cmd, args)
			return nil
		}
	}
}

// unknownCommand says that a command has no such sub-command, and what may be meant.
func unknownCommand(of *cobra.Command, name string) error {
	of.SuggestionsMinimumDistance = 2 // cobra's default, which it sets for its own messages alone
	meant := ""
	if like := of.SuggestionsFor(name); len(like) > 0 {
		slices.Sort(like)
		meant = fmt.Sprintf(" (did you mean %s?)", strings.Join(like, " or "))
	}
	return fmt.Errorf("%s %s is no command%s: see %[1]s --help", of.CommandPath(), name, meant)
}
