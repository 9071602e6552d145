package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
)

// TestProfile: parts are no larger than what they are parts of, threads aren't busy
// for longer than there is time, and every step runs the same dispatches.
func TestProfile(t *testing.T) {
	var profiles []Profile
	if err := json.Unmarshal([]byte(call(t, scriptedBundle(t), "--profile", "-o", "json", "-p", "8", "-n", "4", "-r", "3", "-t", "2")), &profiles); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(scriptedBundle(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(profiles) != 2 {
		t.Fatalf("%d profiles, want 2", len(profiles))
	}
	for i, want := range []struct {
		test  string
		steps int
	}{{"pp8", 3}, {"tg4", 12}} {
		p := profiles[i]
		if p.Test != want.test || p.Steps != want.steps || p.Graphs != want.steps || p.Threads != 2 || p.Device != "native" || len(p.Kernels) < 5 {
			t.Errorf("%+v, want %+v", p, want)
		}
		wall := p.Sum(func(k device.KernelProfile) time.Duration { return k.Wall })
		busy := p.Sum(func(k device.KernelProfile) time.Duration { return k.Busy })
		if wall <= 0 || wall > p.Commands || p.Commands > p.Calls || p.Calls > p.Total || busy > 2*wall || p.ForkJoin < 0 || p.Uneven < 0 {
			t.Errorf("%s: kernels %v (busy %v), commands %v, calls %v, all %v", p.Test, wall, busy, p.Commands, p.Calls, p.Total)
		}
		// Every weight is given to a kernel once a step; a table of embeddings that is
		// also the head's may be given to two.
		weights := int64(0)
		for _, k := range p.Kernels {
			weights += k.Weights
			if k.Runs%want.steps != 0 || k.Workgroups < k.Runs || k.Wall < 0 || k.Name == "" {
				t.Errorf("%s: %+v in %d steps", p.Test, k, want.steps)
			}
		}
		if size := b.WeightBytes() * int64(want.steps); weights < size*9/10 || weights > 2*size {
			t.Errorf("%s: kernels are given %d bytes of weights, there are %d", p.Test, weights, size)
		}
	}
}

func TestProfileTable(t *testing.T) {
	out := call(t, scriptedBundle(t), "--profile", "-p", "0", "-n", "4", "-r", "1", "-t", "1")
	for _, pattern := range []string{
		`(?m)^.*scripted\.tar, f32, native, threads 1, tg4: \d+\.\d µs a step \(4 steps\)$`,
		`(?m)^(\| \d+\.\d \| \d+\.\d % \| \d+ \| \d+\.\d\d \| \d+ \| (\d+\.\d)? \| \S+ \|\n){5,}(\| \d+\.\d \| \d+\.\d % \| \| \| \| \| [^|]+ \|\n){3}$`,
		`(?m)^\d+ dispatches a step in \d+ groups between barriers; \d+\.\d\d µs a dispatch outside of kernels$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(out) {
			t.Errorf("no match of %s in\n%s", pattern, out)
		}
	}
	if n := strings.Count(out, "\n\n"); n != 3 {
		t.Errorf("%d paragraphs, want 3", n)
	}
}
