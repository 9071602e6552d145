package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/native"
)

func newCmdInspect(s cli.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect BUNDLE",
		Short: "Show what a bundle holds",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := bundle.Open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			if asJSON {
				return printJSON(s.Out, b.Manifest)
			}
			return inspect(s.Out, b)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole manifest as JSON")
	return cmd
}

// inspect prints the manifest for people: sums instead of a line per weight.
func inspect(out io.Writer, b *bundle.Bundle) error {
	m := &b.Manifest
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, cli.Printable(fmt.Sprintf(format, args...)))
	}
	sizes := map[string]int64{}
	for _, e := range m.Entries {
		kind, _, _ := strings.Cut(e.Name, "/")
		sizes[kind] += e.Size
	}
	row("model", "%s (%s), %.1f M parameters, vocabulary %d", m.Model.Name, m.Model.ModelType, float64(m.Model.Parameters)/1e6, m.Model.Vocab)
	if m.Model.Source != "" {
		row("source", "%s", m.Model.Source)
	}
	row("context", "%d tokens, %d slots", m.Model.Context, m.Model.Slots)
	row("plan", "%s, weights %s, state %s", m.Plan.Name, m.Plan.Precision, m.Plan.KV)
	row("state", "%d tensors, %.1f MB", len(m.State), float64(m.StateBytes())/1e6)
	row("weights", "%d tensors, %.1f MB", len(m.Weights), float64(sizes["weights"])/1e6)
	if m.Compile.Fleet == nil {
		row("target", "%s, %s", m.Compile.Target, processor(&m.Compile))
		row("features", "%s", orNone(strings.Join(m.Compile.CPUFeatures, " ")))
	} else {
		row("target", "%s, %d CPU levels, %s", m.Compile.Target, len(m.Compile.Fleet), chosen(b))
		for _, l := range m.Compile.Fleet {
			row("level", "%s: self-check %s", l.CPU, outcome(l.SelfCheck))
			row("features", "%s", strings.Join(l.CPUFeatures, " "))
		}
	}
	row("devices", "%s", strings.Join(m.Compile.Devices, ", "))
	row("compiler", "%s", m.Compile.Compiler)
	row("flags", "%s", strings.Join(m.Compile.Flags, " "))
	for _, g := range m.Graphs {
		row("graph", "%s: %d arguments, %d results", g.Name, len(g.Args), len(g.Results))
	}
	for _, r := range m.RoPE {
		row("rope", "%s, theta %g, %d dimensions", r.Kind, r.Theta, r.Dim)
	}
	for _, stop := range m.Stop {
		row("stop", "%d from %s", stop.ID, strings.Join(stop.Sources, ", "))
	}
	for _, line := range templateLines(b) {
		row("chat", "%s", line)
	}
	if m.Compile.Fleet == nil {
		row("self-check", "%s", outcome(m.SelfCheck))
	}
	row("made by", "%s, format %d, IR version %d, StableHLO %s", m.Generator, m.Format, m.IRVersion, m.StableHLO)
	return w.Flush()
}

// processor is what a bundle of one level is compiled for.
func processor(c *bundle.Compile) string {
	if c.GPU != "" {
		return "gpu " + c.GPU
	}
	return "cpu " + orNone(c.CPU)
}

// templateLines say which chat templates the bundle has.
func templateLines(b *bundle.Bundle) []string {
	var lines []string
	for _, e := range b.Manifest.Entries {
		name := bundle.ChatTemplateName(e.Name)
		if name == "" {
			continue
		}
		line := fmt.Sprintf("%s template, %d bytes", name, e.Size)
		if text, err := b.Entry(e.Name); err == nil {
			if _, err := chat.Parse(string(text), nil); err != nil {
				line += ", which can't be rendered: " + err.Error()
			}
		}
		lines = append(lines, line)
	}
	if lines == nil {
		lines = []string{"no template"}
	}
	return lines
}

// chosen says which level this machine would run.
func chosen(b *bundle.Bundle) string {
	l, err := native.Device{}.Level(b, nil)
	if err != nil {
		return "none of which this processor can run"
	}
	return "of which this processor runs " + l.CPU
}

func outcome(c bundle.SelfCheck) string {
	if c.Ran {
		return fmt.Sprintf("passed, largest difference %.2g", c.MaxError)
	}
	return "not run: " + c.Reason
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
