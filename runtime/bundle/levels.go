package bundle

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
)

// Level is a kind of processor that every module of a bundle is compiled for. Levels
// share all else: texts, weights, state.
type Level struct {
	CPU         string    `toml:"cpu" json:"cpu"`
	CPUFeatures []string  `toml:"cpu_features" json:"cpu_features"` // rising
	Flags       []string  `toml:"flags" json:"flags"`               // of the level alone, besides those of Compile
	SelfCheck   SelfCheck `toml:"self_check" json:"self_check"`
}

// Levels are those that the modules are compiled for, the least demanding first.
func (m *Manifest) Levels() []Level {
	if m.Compile.Fleet != nil {
		return m.Compile.Fleet
	}
	return []Level{{CPU: m.Compile.CPU, CPUFeatures: m.Compile.CPUFeatures, SelfCheck: m.SelfCheck}}
}

// SetLevels is the inverse of Levels.
func (m *Manifest) SetLevels(levels ...Level) {
	if len(levels) > 1 {
		m.Compile.Fleet = levels
		return
	}
	l := levels[0]
	m.Compile.CPU, m.Compile.CPUFeatures, m.SelfCheck = l.CPU, l.CPUFeatures, l.SelfCheck
}

// setChecks records what the self-check found of each level.
func (m *Manifest) setChecks(checks []SelfCheck) {
	for i, c := range checks {
		if m.Compile.Fleet == nil {
			m.SelfCheck = c
		} else {
			m.Compile.Fleet[i].SelfCheck = c
		}
	}
}

// VMFB is the name of the entry that holds a module compiled for a level.
func (m *Manifest) VMFB(l Level, module string) string {
	if m.Compile.Fleet == nil {
		return moduleDir + module + vmfbSuffix
	}
	return moduleDir + l.CPU + "/" + module + vmfbSuffix
}

// formatVersion is the version of the format that has a place for all of the manifest.
func (m *Manifest) formatVersion() int {
	if m.Compile.Fleet == nil {
		return FormatVersion
	}
	return FleetFormatVersion
}

const maxLevels = 16

// levelName is what a level may be called: it is the name of a folder in the tar.
var levelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$`)

// validateLevels holds that there is one way to write a bundle of one level, another for
// one of several, and that each of several levels can be chosen.
func (m *Manifest) validateLevels() error {
	c := &m.Compile
	if want := m.formatVersion(); m.Format != want {
		return fmt.Errorf("format is %d, must be %d with %d entries of compile.level", m.Format, want, len(c.Fleet))
	}
	if c.Fleet == nil {
		return nil
	}
	if len(c.Fleet) < 2 {
		return fmt.Errorf("%d entries of compile.level, must be two or more", len(c.Fleet))
	}
	if c.Compiler == "" || c.CPU != "" || len(c.CPUFeatures) > 0 || !reflect.ValueOf(m.SelfCheck).IsZero() {
		return errors.New("compile.level goes with compile.compiler, and stands in place of compile.cpu, compile.cpu_features and self_check")
	}
	return CheckLevels(c.Fleet)
}

// CheckLevels reports why levels can't stand in one bundle in this order: the last one
// that a processor can run is chosen, so none may ask for as little as one before it.
func CheckLevels(levels []Level) error {
	for i, l := range levels {
		if err := l.check(); err != nil {
			return fmt.Errorf("CPU level %.80q: %w", l.CPU, err)
		}
		for _, before := range levels[:i] {
			if before.CPU == l.CPU {
				return fmt.Errorf("CPU level %s is there twice", l.CPU)
			}
			if within(l.CPUFeatures, before.CPUFeatures) {
				return fmt.Errorf("CPU level %s would never be chosen, because %s, which comes after it, asks for no more: levels stand in rising order", before.CPU, l.CPU)
			}
		}
	}
	return nil
}

func (l *Level) check() error {
	if !levelName.MatchString(l.CPU) {
		return errors.New("a name has letters, digits and -_.+ only, and 64 of them at most")
	}
	if len(l.CPUFeatures) == 0 {
		return errors.New("it names no feature that a processor must have, so that it can't be chosen by them")
	}
	for i, f := range l.CPUFeatures {
		if f == "" || i > 0 && f <= l.CPUFeatures[i-1] {
			return fmt.Errorf("cpu_features are not in rising order: %.80q", f)
		}
	}
	return nil
}

// within says whether all features are among others.
func within(features, others []string) bool {
	return !slices.ContainsFunc(features, func(f string) bool { return !slices.Contains(others, f) })
}
