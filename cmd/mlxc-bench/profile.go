package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/measure"
)

// profileFormats are what --output can name with --profile.
var profileFormats = map[string]func(io.Writer) printer[Profile]{
	"md":   func(w io.Writer) printer[Profile] { return profileTables{w} },
	"json": func(w io.Writer) printer[Profile] { return &jsonArray[Profile]{w: w} },
}

// Profile is where the time of a test went. Times are of all Steps together.
type Profile struct {
	Filename  string `json:"model_filename"`
	Precision string `json:"precision"`
	Device    string `json:"device"`
	Test      string `json:"test"`
	measure.Profile
}

// profileTest is the tester of profiles.
func profileTest(ctx context.Context, x *subject, t measure.Test, reps int) (Profile, error) {
	p, err := measure.RunProfile(ctx, x.session, t, reps)
	return Profile{x.bundle.Path, x.bundle.Manifest.Plan.Precision, x.device, t.Name(), p}, err
}

// profileTables prints a table for each profile, per step: a token of each
// sequence, or a prompt. GB/s are of the weights that a kernel is given.
type profileTables struct{ w io.Writer }

func (t profileTables) row(p Profile) error {
	var out strings.Builder
	steps := float64(p.Steps)
	micro := func(d time.Duration) float64 { return d.Seconds() * 1e6 / steps }
	share := func(d time.Duration) float64 { return 100 * float64(d) / float64(p.Total) }
	wall := p.Sum(func(k device.KernelProfile) time.Duration { return k.Wall })
	busy := p.Sum(func(k device.KernelProfile) time.Duration { return k.Busy })

	fmt.Fprintf(&out, "%s, %s, %s, threads %d, %s: %.1f µs a step (%d steps)\n\n", p.Filename, p.Precision, p.Device, p.Threads, p.Test, micro(p.Total), p.Steps)
	fmt.Fprint(&out, "| µs/step | share | runs/step | µs/run | workgroups/run | GB/s | kernel |\n| ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	runs := 0
	for _, k := range p.Kernels {
		n := float64(k.Runs)
		speed := ""
		if k.Weights > 0 {
			speed = fmt.Sprintf("%.1f", float64(k.Weights)/1e9/max(k.Wall.Seconds(), 1e-9))
		}
		fmt.Fprintf(&out, "| %.1f | %.1f %% | %.4g | %.2f | %.4g | %s | %s |\n", micro(k.Wall), share(k.Wall), n/steps, k.Wall.Seconds()*1e6/n, float64(k.Workgroups)/n, speed, k.Name)
		runs += k.Runs
	}
	for _, part := range []struct {
		name string
		d    time.Duration
	}{
		{"in command buffers, between kernels", p.Commands - wall},
		{"in graphs, outside of command buffers: bytecode, recording", p.Calls - p.Commands},
		{"session: inputs, logits, sampling", p.Total - p.Calls},
	} {
		fmt.Fprintf(&out, "| %.1f | %.1f %% | | | | | %s |\n", micro(part.d), share(part.d), part.name)
	}
	fmt.Fprintf(&out, "\n%.4g dispatches a step in %.4g groups between barriers; %.2f µs a dispatch outside of kernels\n",
		float64(runs)/steps, float64(p.Barriers)/steps, (p.Calls-wall).Seconds()*1e6/float64(max(runs, 1)))
	fmt.Fprintf(&out, "threads are in kernels for %.1f %% of the time; of the wall time %.1f %% is forking and joining, %.1f %% uneven shares of groups\n\n",
		share(busy)/float64(max(p.Threads, 1)), share(p.ForkJoin), share(p.Uneven))
	_, err := io.WriteString(t.w, out.String())
	return err
}

func (t profileTables) end() error { return nil }
