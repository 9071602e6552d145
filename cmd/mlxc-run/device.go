package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// DeviceOptions are the flags of every sub-command that runs a bundle.
type DeviceOptions struct {
	Device  string
	CPUs    []string
	Threads int
}

func (o *DeviceOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Device, "device", "", "run on device `NAME`: "+strings.Join(runtime.DeviceNames(), ", ")+" (default: the bundle's first)")
	cli.CompleteFlag(cmd, "device", runtime.DeviceNames()...)
	f.StringSliceVar(&o.CPUs, "cpu", nil, "run the code for the most demanding of these CPU `LEVELS` of the bundle that this processor can run (default, as is host: of all of them)")
	f.IntVarP(&o.Threads, "threads", "t", 0, "use `N` threads (default: what affinity mask and CPU quota allow, whole cores)")
}

func (o *DeviceOptions) check() error {
	if o.Threads < 0 || o.Threads > runtime.MaxThreads {
		return fmt.Errorf("--threads is %d: give 1 to %d, or 0 for the default", o.Threads, runtime.MaxThreads)
	}
	return nil
}

// open opens a session on the device that the flags or the bundle name, and tells
// talk about it. Of session the flags set threads and CPU.
func (o *DeviceOptions) open(ctx context.Context, b *bundle.Bundle, session runtime.Options, talk io.Writer) (runtime.Session, error) {
	backend, err := runtime.BackendFor(o.Device, b)
	if err != nil {
		return nil, err
	}
	session.CPUs, session.Threads = o.CPUs, o.Threads
	if session.Threads == 0 {
		session.Threads = runtime.DefaultThreads()
	}
	m := &b.Manifest
	loaded := fmt.Sprintf("%s: %s, %s %s, state %s, context %d, target %s", b.Path,
		m.Model.Name, m.Plan.Name, m.Plan.Precision, m.Plan.KV, m.Model.Context, m.Compile.Target)
	fmt.Fprintf(talk, "%s\ndevice %s, threads %d\n", cli.Printable(loaded), backend.Name(), session.Threads)
	opened, err := backend.Open(ctx, b, session)
	if err != nil {
		return nil, err
	}
	if level := opened.Capabilities().CPU; level != "" {
		fmt.Fprintf(talk, "code for cpu %s\n", cli.Printable(level))
	}
	return opened, nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
