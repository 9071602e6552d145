package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime"
)

// NewCmdTargets makes the sub-command that lists what mlxc can compile for.
func NewCmdTargets(s cli.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "targets [TARGET...]",
		Short: "List the targets",
		Long: `List the targets: precisions, levels of processors, devices that run their bundles,
and what is refused, with the reason. TARGET is a name or a file of your own, ./my.toml,
which is checked; without one all built-in targets are listed. * marks the default.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = target.Names()
			}
			var rows []*target.Row
			for _, name := range args {
				r, err := loadTarget(name)
				if err != nil {
					return err
				}
				rows = append(rows, r)
			}
			if asJSON {
				return printTargetsJSON(s.Out, rows)
			}
			return printTargets(s.Out, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, with the flags of iree-compile")
	return cmd
}

func printTargets(out io.Writer, rows []*target.Row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TARGET\tPRECISIONS\tDEVICES\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.Name, defaultFirst(r.Precisions, r.DefaultPrecision), strings.Join(r.Devices, " "), r.Summary)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if len(r.Levels) > 0 {
			fmt.Fprintf(out, "\n%s, levels for --%s: %s\n", r.Name, r.Processor, defaultFirst(levelsWithCode(r), r.DefaultLevel))
		} else {
			fmt.Fprintf(out, "\n%s, no levels\n", r.Name)
		}
		for _, as := range r.LevelNames() {
			if names := levelsAs(r, as); len(names) > 0 {
				fmt.Fprintf(out, "  as %s: %s (%s)\n", as, strings.Join(names, " "), r.Forward)
			}
		}
		for _, p := range slices.Sorted(maps.Keys(r.Refused)) {
			fmt.Fprintf(out, "  not %s: %s\n", p, r.Refused[p])
		}
	}
	return nil
}

// loadTarget reads a target, of which a user's own may name devices that there aren't.
func loadTarget(name string) (*target.Row, error) {
	r, err := target.Load(name)
	if err != nil {
		return nil, err
	}
	for _, d := range r.Devices {
		if !slices.Contains(runtime.DeviceNames(), d) && runtime.Lacks(d) == "" {
			return nil, fmt.Errorf("target: %s: devices: %q is unknown (supported: %s, iree)", name, d, strings.Join(runtime.DeviceNames(), ", "))
		}
	}
	return r, nil
}

// levelsWithCode are the levels that iree-compile knows.
func levelsWithCode(r *target.Row) []string { return levelsAs(r, "") }

// levelsAs are the levels that run the code of another.
func levelsAs(r *target.Row, as string) []string {
	return slices.DeleteFunc(r.LevelNames(), func(n string) bool { return r.Levels[n].As != as })
}

// jsonTarget is a target as --json prints it.
type jsonTarget struct {
	Name             string               `json:"name"`
	Summary          string               `json:"summary"`
	Devices          []string             `json:"devices"`
	Layout           string               `json:"layout"`
	DefaultPrecision string               `json:"default_precision"`
	Precisions       []string             `json:"precisions"`
	Refused          map[string]string    `json:"refused"`
	Processor        string               `json:"processor"`
	DefaultLevel     string               `json:"default_level"`
	Levels           map[string]jsonLevel `json:"levels"`
	Fleet            []string             `json:"fleet"`
}

type jsonLevel struct {
	As       string   `json:"as,omitempty"`
	Features []string `json:"features,omitempty"`
	Flags    []string `json:"flags"` // of iree-compile, all of them
}

func printTargetsJSON(out io.Writer, rows []*target.Row) error {
	list := []jsonTarget{}
	for _, r := range rows {
		t := jsonTarget{
			Name: r.Name, Summary: r.Summary, Devices: r.Devices, Layout: r.Layout,
			DefaultPrecision: r.DefaultPrecision, Precisions: r.Precisions, Refused: r.Refused,
			Processor: r.Processor, DefaultLevel: r.DefaultLevel, Levels: map[string]jsonLevel{}, Fleet: r.Fleet,
		}
		for name, l := range r.Levels {
			flags, err := r.CompileFlags(name)
			if err != nil {
				return err
			}
			t.Levels[name] = jsonLevel{As: l.As, Features: l.Features, Flags: flags}
		}
		list = append(list, t)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

// defaultFirst lists names, the default one first and marked.
func defaultFirst(names []string, first string) string {
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == first })
	if len(rest) == len(names) {
		return strings.Join(names, " ")
	}
	return strings.Join(append([]string{first + "*"}, rest...), " ")
}
