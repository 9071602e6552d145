package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/lower/target"
)

// NewCmdTargets makes the sub-command that lists what mlxc can compile for.
func NewCmdTargets(s cli.IO) *cobra.Command {
	return &cobra.Command{
		Use:   "targets",
		Short: "List the targets",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "TARGET\tPRECISIONS\tLEVELS\tDEVICES\t")
			for _, name := range target.Names() {
				r, err := target.Load(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Name, defaultFirst(r.Precisions, r.DefaultPrecision),
					defaultFirst(r.LevelNames(), r.DefaultLevel), strings.Join(r.Devices, " "), r.Summary)
				for _, p := range slices.Sorted(maps.Keys(r.Refused)) {
					fmt.Fprintf(w, "\tnot %s: %s\t\t\t\n", p, r.Refused[p])
				}
			}
			return w.Flush()
		},
	}
}

// defaultFirst lists names, the default one first and marked.
func defaultFirst(names []string, first string) string {
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == first })
	if len(rest) == len(names) {
		return strings.Join(names, " ")
	}
	return strings.Join(append([]string{first + "*"}, rest...), " ")
}
