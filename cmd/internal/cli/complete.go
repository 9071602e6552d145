package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CompleteFlag lets shells complete a flag's value, or the entries of a list, as one of
// those. It panics if there is no such flag, as the others do.
func CompleteFlag(cmd *cobra.Command, flag string, values ...string) {
	CompleteFlagFrom(cmd, flag, func() []string { return values })
}

// CompleteFlagFrom is CompleteFlag for values that depend on the flags before this one.
func CompleteFlagFrom(cmd *cobra.Command, flag string, values func() []string) {
	complete(cmd, flag, values, cobra.ShellCompDirectiveNoFileComp)
}

// CompleteFlagOrFile is CompleteFlag for a flag that may also name a file.
func CompleteFlagOrFile(cmd *cobra.Command, flag string, values ...string) {
	complete(cmd, flag, func() []string { return values }, cobra.ShellCompDirectiveDefault)
}

func complete(cmd *cobra.Command, flag string, values func() []string, otherwise cobra.ShellCompDirective) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		before := "" // the entries of a list before the last one
		if _, ok := cmd.Flags().Lookup(flag).Value.(pflag.SliceValue); ok {
			before = typed[:strings.LastIndexByte(typed, ',')+1]
		}
		for _, v := range values() {
			if strings.HasPrefix(before+v, typed) {
				all = append(all, before+v)
			}
		}
		return all, otherwise
	})
	if err != nil {
		panic(err)
	}
}
