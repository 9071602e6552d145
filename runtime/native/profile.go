package native

import (
	"time"

	"github.com/mlxc/mlxc/runtime/device"
)

// callTime is the time in calls of graphs; nil doesn't look at the clock.
type callTime struct {
	graphs int
	total  time.Duration
}

func (c *callTime) start() time.Time {
	if c == nil {
		return time.Time{}
	}
	return time.Now()
}

func (c *callTime) end(start time.Time) {
	if c != nil {
		c.graphs++
		c.total += time.Since(start)
	}
}

// StartProfile begins to collect where the time of calls goes.
func (p *Program) StartProfile() {
	p.profiled = &callTime{}
	p.executor.StartProfile()
}

// StopProfile ends what StartProfile began.
func (p *Program) StopProfile() device.Profile {
	var profile device.Profile
	profile.Add(p.executor.StopProfile())
	if p.profiled != nil {
		profile.Graphs, profile.Calls = p.profiled.graphs, p.profiled.total
	}
	p.profiled = nil
	return profile
}
