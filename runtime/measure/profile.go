package measure

import (
	"context"
	"time"

	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/device"
)

// Profile says where the time of a test's repetitions went. Looking costs some time
// itself: the sum is a little more than what Run measures.
type Profile struct {
	device.Profile
	Total time.Duration `json:"total_ns"` // of all repetitions; what exceeds Calls is the session's
	Steps int           `json:"steps"`    // calls of Decode, or prompts
}

// RunProfile is Run, profiled.
func RunProfile(ctx context.Context, s runtime.Session, t Test, reps int) (Profile, error) {
	var p Profile
	profiler, ok := s.(runtime.Profiler)
	if !ok {
		return p, runtime.ErrNoProfile
	}
	if _, err := Run(ctx, s, t, 1); err != nil {
		return p, err
	}
	err := repeat(ctx, s, t, reps, func(work func() error) error {
		part, err := profiler.Profile(func() error {
			begin := time.Now()
			defer func() { p.Total += time.Since(begin) }()
			return work()
		})
		p.Add(part)
		return err
	})
	if err != nil {
		return p, err
	}
	p.Steps = reps * t.Gen
	if t.Prompt > 0 {
		p.Steps = reps * t.Batch
	}
	return p, nil
}
