package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime/bundle"
)

func newCmdVerify(s cli.IO) *cobra.Command {
	return &cobra.Command{
		Use:   "verify BUNDLE",
		Short: "Check the digest of every entry of a bundle",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := bundle.Open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			if err := b.Verify(cmd.Context()); err != nil {
				return err
			}
			fmt.Fprintf(s.Out, "%s: %d entries, all digests match\n", cli.Printable(args[0]), len(b.Manifest.Entries))
			return nil
		},
	}
}
