// Package target holds what mlxc can compile for, one TOML row a target: flags of
// iree-compile, precisions, levels of processors, devices. A user's own file works as well.
package target

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Row is one target.
type Row struct {
	Name    string `toml:"name"`
	Summary string `toml:"summary"`
	// Inherits names a built-in row whose values hold where this one has none.
	Inherits string   `toml:"inherits"`
	Devices  []string `toml:"devices"` // that run its bundles, the default one first
	Tools    []string `toml:"tools"`   // that must exist
	// Flags of iree-compile, without the one that names the level.
	Flags            []string `toml:"flags"`
	DefaultPrecision string   `toml:"default_precision"`
	Precisions       []string `toml:"precisions"` // that are allowed
	// Refused says of precisions that exist elsewhere why they are not allowed here.
	Refused map[string]string `toml:"refused"`
	// Processor is what Levels are levels of, CPU or GPU; "" if the target has none.
	Processor string `toml:"processor"`
	// LevelFlag takes a level.
	LevelFlag    string           `toml:"level_flag"`
	DefaultLevel string           `toml:"default_level"`
	Levels       map[string]Level `toml:"level"`
	// Forward says why code of a level runs on another, for levels with As.
	Forward string `toml:"forward"`
	// Fleet are the levels that may stand in one bundle, the least demanding first.
	Fleet []string `toml:"fleet"`
	// Layout says how matrices and the state lie in memory: Dense, as "" is, or Tiled.
	Layout string `toml:"layout"`
	// Vectors are the vector registers that processors may have, the best first.
	Vectors []Vector `toml:"vector"`
}

// The values of Row.Layout.
const (
	Dense = "dense" // row by row, as a checkpoint has them
	Tiled = "tiled" // a register's width of rows innermost
)

// The values of Row.Processor, which are also the flags by which a level is chosen.
const (
	CPU = "cpu"
	GPU = "gpu"
)

// Level is a kind of processor to compile for.
type Level struct {
	// Features that the processor must have, in LLVM's spelling, sorted. None: the
	// level is whatever the compiling machine has, and iree-compile reports it.
	Features []string `toml:"features"`
	// Flags of iree-compile in place of LevelFlag=NAME.
	Flags []string `toml:"flags"`
	// As is the level whose code runs on this one, which iree-compile doesn't know.
	As string `toml:"as"`
}

// Vector describes vector registers of float32, and how many rows of a product, sums of
// 16 numbers each, they hold best.
type Vector struct {
	Feature   string `toml:"feature"` // that a processor with them has; "": every one
	Lanes     int    `toml:"lanes"`   // float32 in a register
	Registers int    `toml:"registers"`
	Rows      int    `toml:"rows"`
}

// Vector is the best kind of vector register of a processor with such features; a
// zero one if the row has none for it.
func (r *Row) Vector(features []string) Vector {
	for _, v := range r.Vectors {
		if v.Feature == "" || slices.Contains(features, v.Feature) {
			return v
		}
	}
	return Vector{}
}

// Order is levels in the order in which they stand in a bundle. Several must be of the
// row's fleet, each given once.
func (r *Row) Order(levels []string) ([]string, error) {
	if len(levels) > 1 && len(r.Fleet) == 0 {
		return nil, fmt.Errorf("target: %s: its levels can't stand in one bundle (%s), because none of its devices chooses among them; make a bundle of each", r.Name, list(levels))
	}
	for i, level := range levels {
		if _, err := r.CompileFlags(level); err != nil {
			return nil, err
		}
		if slices.Contains(levels[:i], level) {
			return nil, fmt.Errorf("target: %s: %s level %s is given twice", r.Name, strings.ToUpper(r.Processor), level)
		}
		if len(levels) > 1 && !slices.Contains(r.Fleet, level) {
			return nil, fmt.Errorf("target: %s: %s level %q can't stand beside others in a bundle%s (those that can: %s)",
				r.Name, strings.ToUpper(r.Processor), level, r.whyAlone(level), list(r.Fleet))
		}
	}
	place := func(a, b string) int { return slices.Index(r.Fleet, a) - slices.Index(r.Fleet, b) }
	return slices.SortedFunc(slices.Values(levels), place), nil
}

// whyAlone says why a level isn't of the fleet, if its own data say so.
func (r *Row) whyAlone(level string) string {
	if len(r.Levels[level].Features) == 0 {
		return ": what it asks of a processor isn't known beforehand; name a level that says it"
	}
	return ""
}

// CompileFlags are the flags of iree-compile for a level, "" for the default one.
func (r *Row) CompileFlags(level string) ([]string, error) {
	flags := slices.Clone(r.Flags)
	if level == "" {
		level = r.DefaultLevel
	}
	if level == "" {
		return flags, nil
	}
	l, ok := r.Levels[level]
	if !ok {
		return nil, fmt.Errorf("target: %s: unknown %s level %q (supported: %s); a target file of your own can add it",
			r.Name, strings.ToUpper(r.Processor), level, list(r.LevelNames()))
	}
	if l.As != "" {
		level, l = l.As, r.Levels[l.As]
	}
	if l.Flags != nil {
		return append(flags, l.Flags...), nil
	}
	return append(flags, r.LevelFlag+"="+level), nil
}

// Note is what to tell those who compile for a level, "" if it is nothing.
func (r *Row) Note(level string) string {
	as := r.Levels[level].As
	if as == "" {
		return ""
	}
	return fmt.Sprintf("%s level %s: iree-compile doesn't know it, the code is for %s: %s", strings.ToUpper(r.Processor), level, as, r.Forward)
}

// LevelNames are the row's levels, sorted.
func (r *Row) LevelNames() []string { return slices.Sorted(maps.Keys(r.Levels)) }

// CheckPrecision returns why a precision is not allowed, nil if it is. What follows a
// colon, as in q4:32, is for the plan to understand.
func (r *Row) CheckPrecision(precision string) error {
	precision, _, _ = strings.Cut(precision, ":")
	if slices.Contains(r.Precisions, precision) {
		return nil
	}
	if reason := r.Refused[precision]; reason != "" {
		return fmt.Errorf("target: %s: precision %s is refused: %s (supported: %s)", r.Name, precision, reason, list(r.Precisions))
	}
	return fmt.Errorf("target: %s: unknown precision %q (supported: %s)", r.Name, precision, list(r.Precisions))
}

func (r *Row) check() error {
	for _, c := range []struct {
		bad  bool
		what string
	}{
		{r.Name == "", "name is missing"},
		{strings.ContainsAny(r.Name, `/\`), fmt.Sprintf("name %q contains a path separator", r.Name)},
		{len(r.Devices) == 0, "devices is missing: which devices run its bundles?"},
		{len(r.Flags) == 0, "flags is missing: what is iree-compile to be told?"},
		{!slices.Contains(r.Precisions, r.DefaultPrecision), fmt.Sprintf("default_precision %q is not one of precisions: %s", r.DefaultPrecision, list(r.Precisions))},
		{r.Layout != "" && r.Layout != Dense && r.Layout != Tiled, fmt.Sprintf("layout = %q (supported: %s, %s)", r.Layout, Dense, Tiled)},
		{r.Processor != "" && r.Processor != CPU && r.Processor != GPU, fmt.Sprintf("processor = %q (supported: %s, %s)", r.Processor, CPU, GPU)},
		{(r.LevelFlag == "") != (len(r.Levels) == 0), "level_flag and [level.NAME] tables go together: one is missing"},
		{r.Processor == GPU && r.Layout == Tiled, "layout = \"tiled\" is for registers of CPUs: GPUs have dense"},
		{r.Processor == "" && len(r.Levels) > 0, "processor is missing: what are the levels of, cpu or gpu?"},
	} {
		if c.bad {
			return errors.New(c.what)
		}
	}
	if _, ok := r.Levels[r.DefaultLevel]; !ok && (r.LevelFlag != "" || r.DefaultLevel != "") {
		return fmt.Errorf("default_level %q has no table [level.%[1]s] (there are: %s)", r.DefaultLevel, list(r.LevelNames()))
	}
	for _, name := range r.LevelNames() {
		l := r.Levels[name]
		if as, ok := r.Levels[l.As]; l.As != "" && (!ok || as.As != "") {
			own := slices.DeleteFunc(r.LevelNames(), func(n string) bool { return r.Levels[n].As != "" })
			return fmt.Errorf("level.%s: as = %q is not a level with code of its own (there are: %s)", name, l.As, list(own))
		}
		if l.As != "" && r.Forward == "" {
			return fmt.Errorf("level.%s: as = %q needs forward: why does the code of one level run on another?", name, l.As)
		}
		if l.As != "" && l.Flags != nil {
			return fmt.Errorf("level.%s: as and flags exclude each other", name)
		}
	}
	for i, level := range r.Fleet {
		if len(r.Levels[level].Features) == 0 {
			return fmt.Errorf("fleet: %q has no table [level.%[1]s] with features, by which a bundle's level is chosen", level)
		}
		if slices.Contains(r.Fleet[:i], level) {
			return fmt.Errorf("fleet: %s is there twice", level)
		}
	}
	for _, v := range r.Vectors {
		if v.Lanes < 1 || v.Registers < 1 || v.Rows < 1 {
			return fmt.Errorf("vector of feature %q: lanes, registers and rows must be positive", v.Feature)
		}
	}
	if err := r.checkWords(); err != nil {
		return err
	}
	for p := range r.Refused {
		if slices.Contains(r.Precisions, p) {
			return fmt.Errorf("precision %s is both in precisions and refused", p)
		}
	}
	return nil
}

// checkWords looks at the form of flags and names.
func (r *Row) checkWords() error {
	flags := map[string][]string{"flags": r.Flags}
	if r.LevelFlag != "" {
		flags["level_flag"] = []string{r.LevelFlag}
	}
	for _, name := range r.LevelNames() {
		flags["level."+name+".flags"] = r.Levels[name].Flags
	}
	for _, key := range slices.Sorted(maps.Keys(flags)) {
		for _, f := range flags[key] {
			if !strings.HasPrefix(f, "--") || strings.ContainsFunc(f, unicode.IsControl) {
				return fmt.Errorf("%s: %q isn't a flag: it begins with --", key, f)
			}
		}
	}
	for _, names := range []struct {
		key  string
		list []string
	}{{"devices", r.Devices}, {"precisions", r.Precisions}, {"tools", r.Tools}, {"level", r.LevelNames()}} {
		for _, n := range names.list {
			if n == "" || strings.ContainsFunc(n, func(c rune) bool { return c <= ' ' || c == 0x7f }) {
				return fmt.Errorf("%s: %q isn't a name", names.key, n)
			}
		}
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
