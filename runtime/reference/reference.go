// Package reference is the device "reference": it evaluates the bundle's StableHLO
// with ir/eval. It is exact, runs on every platform, and is slow.
package reference

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/eval"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/cgroup"
)

// Device evaluates graphs in process.
type Device struct{}

// Name is "reference".
func (Device) Name() string { return "reference" }

// Load parses every graph's text; a graph is prepared at its first call.
func (Device) Load(ctx context.Context, b *bundle.Bundle, o device.Options) (device.Program, error) {
	if len(o.CPUs) > 0 {
		return nil, fmt.Errorf("reference: CPU level %s: the evaluator runs no compiled code; leave --cpu out", strings.Join(o.CPUs, ", "))
	}
	p := &program{graphs: map[string]func() (*graph, error){}, left: memory() / copies}
	for _, g := range b.Manifest.Graphs {
		p.graphs[g.Name] = sync.OnceValues(func() (*graph, error) { return load(b, g) })
	}
	return p, ctx.Err()
}

// The evaluator makes a new tensor of every state that it updates: buffers may take
// as much of the machine's memory as leaves room for their copies.
const (
	copies        = 2
	assumedMemory = 64 << 30 // where the machine doesn't say
)

// memory is the bytes that the machine has, or the process's control groups grant.
func memory() int {
	return int(min(float64(machineMemory()), cgroup.Memory(os.DirFS("/"))))
}

type program struct {
	graphs map[string]func() (*graph, error)
	left   int // bytes that may still be allocated
}

type graph struct {
	fn      string
	program *eval.Program
}

func load(b *bundle.Bundle, g bundle.Graph) (*graph, error) {
	text, err := b.Text(g.Name)
	if err != nil {
		return nil, err
	}
	m, err := ir.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("reference: %s: graph %s: %w", b.Path, g.Name, err)
	}
	p, err := eval.New(m)
	if err != nil {
		return nil, fmt.Errorf("reference: %s: graph %s: %w", b.Path, g.Name, err)
	}
	return &graph{fn: g.Name, program: p}, nil
}

// Alloc refuses what doesn't fit into memory: a manifest may declare any shape, and
// running out of memory can't be caught.
func (p *program) Alloc(t ir.Type) (device.Buffer, error) {
	if t.Bytes() > p.left {
		return nil, fmt.Errorf("reference: %v takes %d bytes, %d of this machine's memory are left for the evaluator's buffers; use another device, or emit the bundle with a smaller --context", t, t.Bytes(), p.left)
	}
	p.left -= t.Bytes()
	return &buffer{ir.Tensor{Type: t, Data: make([]byte, t.Bytes())}}, nil
}

func (p *program) Upload(t ir.Type, data []byte) (device.Buffer, error) {
	if len(data) != t.Bytes() {
		return nil, fmt.Errorf("reference: %d bytes for %v, which takes %d", len(data), t, t.Bytes())
	}
	return &buffer{ir.Tensor{Type: t, Data: data}}, nil
}

func (p *program) Call(ctx context.Context, name string, args []device.Buffer) ([]device.Buffer, error) {
	open, ok := p.graphs[name]
	if !ok {
		return nil, fmt.Errorf("reference: the bundle has no graph %q", name)
	}
	g, err := open()
	if err != nil {
		return nil, err
	}
	in := make([]*ir.Tensor, len(args))
	for i, a := range args {
		in[i] = &a.(*buffer).Tensor
	}
	out, err := g.program.Call(ctx, g.fn, in)
	if err != nil {
		return nil, fmt.Errorf("reference: graph %s: %w", name, err)
	}
	results := make([]device.Buffer, len(out))
	for i, t := range out {
		results[i] = &buffer{*t}
	}
	return results, nil
}

func (p *program) Close() error { return nil }

type buffer struct{ ir.Tensor }

func (b *buffer) Type() ir.Type { return b.Tensor.Type }

func (b *buffer) Write(data []byte) error {
	if len(data) != len(b.Data) {
		return fmt.Errorf("reference: write of %d bytes to a buffer of %d", len(data), len(b.Data))
	}
	copy(b.Data, data)
	return nil
}

func (b *buffer) Read(dst []byte) error {
	if len(dst) != len(b.Data) {
		return fmt.Errorf("reference: read of %d bytes from a buffer of %d", len(dst), len(b.Data))
	}
	copy(dst, b.Data)
	return nil
}

func (b *buffer) CopySlot(axis, from, to int) error {
	return device.CopySlot(b.Tensor.Type, b.Data, axis, from, to)
}

func (b *buffer) ClearSlot(axis, slot int) error {
	return device.ClearSlot(b.Tensor.Type, b.Data, axis, slot)
}

func (b *buffer) Release() {}
