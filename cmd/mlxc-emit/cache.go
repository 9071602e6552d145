package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/hub"
)

// NewCmdCache makes the sub-command that shows what was got from the hub.
func NewCmdCache(s cli.IO) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "List the models of the hub that are kept",
		Long: `List the models of the hub that the cache folder keeps, with their sizes and when they
were last asked for. They stay until they are removed; bundles made of them don't need
them. What Hugging Face's own tools have got is theirs: hf cache lists that.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := hubCache(dir)
			if err != nil {
				return err
			}
			models, err := hub.List(root)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
			for _, m := range models {
				fmt.Fprintf(w, "%s\t%.1f MB\t%s\n", m.Name, float64(m.Bytes)/1e6, m.Used.Format("2006-01-02"))
			}
			return w.Flush()
		},
	}
	cacheDirFlag(cmd, &dir)
	cmd.AddCommand(newCmdCacheRemove(s))
	return cmd
}

func newCmdCacheRemove(s cli.IO) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "remove hf:ORG/NAME...",
		Short: "Remove models from the cache folder",
		Args: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return errors.New("no model given: mlxc-emit cache lists those that are kept")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			root, err := hubCache(dir)
			if err != nil {
				return err
			}
			return removeModels(cmd.Context(), s, root, names)
		},
	}
	cacheDirFlag(cmd, &dir)
	return cmd
}

// removeModels removes all of the models, or none if one isn't there.
func removeModels(ctx context.Context, s cli.IO, root string, names []string) error {
	var models []hub.Stored
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		m, err := hub.Find(root, name)
		if err != nil {
			return err
		}
		models = append(models, m)
	}
	for _, m := range models {
		waiting := func() { fmt.Fprintf(s.Err, "%s: waiting for another process that gets it\n", m.Name) }
		if err := hub.Remove(ctx, root, m.Name, waiting); err != nil {
			return err
		}
		fmt.Fprintf(s.Err, "%s: removed, %.1f MB\n", m.Name, float64(m.Bytes)/1e6)
	}
	return nil
}

func cacheDirFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "cache-dir", "", "the cache folder is `DIR` (default: the user's)")
}

// hubCache is where models of the hub are kept, in the folder dir if one is named.
func hubCache(dir string) (string, error) {
	dir, err := compiler.CacheDir(dir)
	return compiler.HubDir(dir), err
}
