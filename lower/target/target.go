// Package target holds what mlxc can compile for, one TOML row a target: flags of
// iree-compile, precisions, CPU levels, devices. A user's own file works as well.
package target

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Row is one target.
type Row struct {
	Name    string `toml:"name"`
	Summary string `toml:"summary"`
	// Inherits names a built-in row whose values hold where this one has none.
	Inherits string   `toml:"inherits"`
	Devices  []string `toml:"devices"` // that run its bundles, the default one first
	Tools    []string `toml:"tools"`   // that must exist
	// Flags of iree-compile, without the one that names the CPU level.
	Flags            []string `toml:"flags"`
	DefaultPrecision string   `toml:"default_precision"`
	Precisions       []string `toml:"precisions"` // that are allowed
	// Refused says of precisions that exist elsewhere why they are not allowed here.
	Refused map[string]string `toml:"refused"`
	// CPUFlag takes a CPU level; "" if the target has no levels.
	CPUFlag    string         `toml:"cpu_flag"`
	DefaultCPU string         `toml:"default_cpu"`
	CPUs       map[string]CPU `toml:"cpu"`
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

// CPU is a level of instruction sets to compile for.
type CPU struct {
	// Features that the processor must have, in LLVM's spelling, sorted. None: the
	// level is whatever the compiling machine has, and iree-compile reports it.
	Features []string `toml:"features"`
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

// CompileFlags are the flags of iree-compile for a CPU level, "" for the default one.
func (r *Row) CompileFlags(cpu string) ([]string, error) {
	flags := slices.Clone(r.Flags)
	if cpu == "" {
		cpu = r.DefaultCPU
	}
	if cpu == "" {
		return flags, nil
	}
	if _, ok := r.CPUs[cpu]; !ok {
		return nil, fmt.Errorf("target: %s: unknown CPU level %q (supported: %s); a target file of your own can add it",
			r.Name, cpu, list(slices.Sorted(maps.Keys(r.CPUs))))
	}
	return append(flags, r.CPUFlag+"="+cpu), nil
}

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
		{(r.CPUFlag == "") != (len(r.CPUs) == 0), "cpu_flag and [cpu.NAME] tables go together: one is missing"},
	} {
		if c.bad {
			return errors.New(c.what)
		}
	}
	if _, ok := r.CPUs[r.DefaultCPU]; !ok && (r.CPUFlag != "" || r.DefaultCPU != "") {
		return fmt.Errorf("default_cpu %q has no table [cpu.%[1]s] (there are: %s)", r.DefaultCPU, list(slices.Sorted(maps.Keys(r.CPUs))))
	}
	for _, v := range r.Vectors {
		if v.Lanes < 1 || v.Registers < 1 || v.Rows < 1 {
			return fmt.Errorf("vector of feature %q: lanes, registers and rows must be positive", v.Feature)
		}
	}
	for p := range r.Refused {
		if slices.Contains(r.Precisions, p) {
			return fmt.Errorf("precision %s is both in precisions and refused", p)
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
