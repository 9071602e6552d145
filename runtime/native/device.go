// Package native is the device "native": it runs the llvm-cpu modules of a bundle
// in this process, without cgo and without IREE's own runtime. The packages below it
// are that runtime, in the order in which a module passes through them:
//
//	vmfb        the container: FlatBuffer, constant data
//	vm          the host program: bytecode, references, calls
//	hal         buffers, kernels, command buffers, queues: what modules import
//	params      external parameters: what modules import, too
//	elf         the embedded shared objects with the kernels
//	trampoline  calls machine code on a stack of its own
//	pool        the threads that share the workgroups of a dispatch
//	cpu         what the processor can do
//	pages       memory outside the Go heap
//	cgroup      what the control groups grant
//
// It runs modules of IREE 3.13 for x86-64 on linux/amd64; elsewhere it builds and
// Load says to use the device "reference".
//
// Kernels are machine code: trust a bundle as you trust a program. A kernel can't be
// interrupted, so a stop-the-world of the garbage collector waits for the workgroups
// that are running, which is well under a millisecond for the graphs of a decoder.
package native

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/pool"
)

// Name is the --device name.
const Name = "native"

// Device runs llvm-cpu bundles in this process.
type Device struct {
	Processor *cpu.Set // what it can do; nil: the processor at hand
}

var _ device.Device = Device{}

// Name is "native".
func (Device) Name() string { return Name }

// Load makes every graph of the bundle callable, with the modules of the best CPU level
// that the processor can run; others aren't looked at. The bundle must stay open as long
// as the program is used: modules and weights are used in place.
func (d Device) Load(ctx context.Context, b *bundle.Bundle, o device.Options) (device.Program, error) {
	if err := checkBundle(b); err != nil {
		return nil, err
	}
	level, err := d.Level(b, o.CPUs)
	if err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads <= 0 {
		threads = pool.DefaultThreads()
	}
	// A thread of the pool that the scheduler doesn't run would spin for nothing.
	if runtime.GOMAXPROCS(0) < threads {
		runtime.GOMAXPROCS(threads)
	}
	placed := make(chan error, 1) // weights are read while modules are loaded
	go func() { placed <- placeWeights(ctx, b) }()
	p, err := loadGraphs(ctx, b, level, threads)
	if err := errors.Join(err, <-placed); err != nil {
		if p != nil {
			_ = p.Close()
		}
		return nil, err
	}
	return p, nil
}

// loadGraphs makes the program with every graph of the bundle.
func loadGraphs(ctx context.Context, b *bundle.Bundle, level bundle.Level, threads int) (*Program, error) {
	code, err := b.Modules(ctx, level)
	if err != nil {
		return nil, err
	}
	executor, err := hal.NewExecutor(threads)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	p := &Program{level: level.CPU, executor: executor, allocator: hal.NewAllocator(), modules: map[string]*Module{}, graphs: map[string]*graph{}}
	for i := range b.Manifest.Graphs {
		if err := p.load(ctx, b.Path, code, &b.Manifest.Graphs[i]); err != nil {
			_ = executor.Close()
			return nil, err
		}
	}
	return p, nil
}

// release is the IREE release whose modules run here. A module's own bytecode version
// says less: releases add instructions without changing it.
const release = "3.13."

// checkBundle refuses what this package can't run on any processor.
func checkBundle(b *bundle.Bundle) error {
	c := &b.Manifest.Compile
	if !slices.Contains(c.Devices, Name) {
		return fmt.Errorf("native: %s is compiled for target %q, which runs on: %s; choose one with --device, or emit the bundle with --target llvm-cpu", b.Path, c.Target, strings.Join(c.Devices, ", "))
	}
	if c.Compiler == "" {
		return fmt.Errorf("native: %s holds no compiled modules; use --device reference, or emit the bundle with a compiler", b.Path)
	}
	if !strings.HasPrefix(c.Compiler, release) {
		return fmt.Errorf("native: %s was compiled by IREE %.60s, this runtime runs what IREE %s* compiles; emit the bundle again with this release: mlxc-emit -o BUNDLE CHECKPOINT", b.Path, c.Compiler, release)
	}
	return nil
}
