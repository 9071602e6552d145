package runtime

import "github.com/mlxc/mlxc/runtime/device"

var _ Profiler = (*graphSession)(nil)

func (s *graphSession) Profile(work func() error) (device.Profile, error) {
	p, ok := s.prog.(device.Profiler)
	if !ok {
		return device.Profile{}, ErrNoProfile
	}
	p.StartProfile()
	err := work()
	return p.StopProfile(), err
}
