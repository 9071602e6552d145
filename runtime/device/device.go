// Package device is the seam between sessions and what executes graphs.
package device

import (
	"context"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// Options of loading.
type Options struct {
	Threads int      // worker threads; 0 = the device's default
	CPUs    []string // CPU levels of the bundle whose best is to run; nil = any
}

// Device loads the compiled functions of a bundle.
type Device interface {
	// Name is the --device name.
	Name() string
	// Load makes every graph of the bundle callable.
	Load(ctx context.Context, b *bundle.Bundle, o Options) (Program, error)
}

// Program is a loaded bundle. It is used by one goroutine at a time.
type Program interface {
	// Alloc makes a zeroed buffer; pages that nothing writes cost no memory where
	// the device can arrange it.
	Alloc(t ir.Type) (Buffer, error)
	// Upload makes a buffer that holds data; data may be kept and must not change
	// (weights mapped from the bundle are used in place).
	Upload(t ir.Type, data []byte) (Buffer, error)
	// Call runs the graph of that name. args are in the order of the manifest. An
	// argument of role state is donated: its buffer must not be used afterwards, the
	// result of the same state index takes its place. The slice is valid until the next
	// Call, its buffers until they're donated or released.
	Call(ctx context.Context, graph string, args []Buffer) ([]Buffer, error)
	Close() error
}

// Leveled is a Program that runs code made for a CPU level.
type Leveled interface {
	// Level is that level, as the manifest names it.
	Level() string
}

// Buffer is a tensor that a device holds.
type Buffer interface {
	Type() ir.Type
	// Write replaces the content: the small per-call inputs are written in place.
	Write(data []byte) error
	// Read copies the content out.
	Read(dst []byte) error
	// CopySlot copies index from of dimension axis over index to: how a sequence of
	// the state pool is forked.
	CopySlot(axis, from, to int) error
	// ClearSlot zeroes index slot of dimension axis: what a sequence with non-finite
	// numbers leaves behind would reach the next one, as 0·NaN is NaN.
	ClearSlot(axis, slot int) error
	Release()
}
