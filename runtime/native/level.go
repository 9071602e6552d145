package native

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native/cpu"
)

// Level is the CPU level of a bundle whose modules the processor is to run: the most
// demanding that it can run, of those that are named, or of all if none is.
func (d Device) Level(b *bundle.Bundle, names []string) (bundle.Level, error) {
	host := cpu.Host()
	if d.Processor != nil {
		host = *d.Processor
	}
	levels := b.Manifest.Levels()
	if len(names) > 0 {
		named := slices.DeleteFunc(slices.Clone(levels), func(l bundle.Level) bool { return !slices.Contains(names, l.CPU) })
		if len(named) == 0 {
			return bundle.Level{}, fmt.Errorf("native: %s has no code for CPU level %s (it has: %s); choose another with --cpu, or emit the bundle again with that level", b.Path, strings.Join(names, " or "), levelNames(levels))
		}
		levels = named
	}
	for _, l := range slices.Backward(levels) {
		if host.Missing(l.CPUFeatures) == nil {
			return l, nil
		}
	}
	err := fmt.Errorf("native: %s is compiled for CPU %q: %w", b.Path, levels[0].CPU, lacks(host, levels[0]))
	for _, l := range levels[1:] {
		err = fmt.Errorf("%w; and for CPU %q: %w", err, l.CPU, lacks(host, l))
	}
	if len(levels) < len(b.Manifest.Levels()) {
		return bundle.Level{}, fmt.Errorf("%w; leave --cpu out, and the best level that this processor can run is taken", err)
	}
	return bundle.Level{}, fmt.Errorf("%w; emit the bundle again: mlxc-emit --cpu %s -o BUNDLE CHECKPOINT", err, host.Level())
}

// lacks says why a processor can't run the code of a level.
func lacks(host cpu.Set, l bundle.Level) error {
	missing := host.Missing(l.CPUFeatures)
	if unknown := cpu.Unknown(missing); len(unknown) == len(missing) {
		return fmt.Errorf("%w %s", cpu.ErrUnknown, strings.Join(unknown, ", "))
	}
	return fmt.Errorf("this processor lacks %s", strings.Join(missing, ", "))
}

func levelNames(levels []bundle.Level) string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.CPU
	}
	return strings.Join(names, ", ")
}
