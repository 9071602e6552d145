package native

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/device"
	"github.com/mlxc/mlxc/runtime/native/hal"
)

// Program is a loaded bundle. One goroutine at a time uses it.
type Program struct {
	executor  *hal.Executor
	allocator *hal.Allocator
	graphs    map[string]*graph
	closed    bool
	profiled  *callTime // nil unless profiled
}

var (
	_ device.Program  = (*Program)(nil)
	_ device.Profiler = (*Program)(nil)
)

// graph is a module of the bundle with the types of its function.
type graph struct {
	name     string
	function string
	module   *Module
	args     []argument
	results  []argument
}

// argument is an argument or a result of a graph.
type argument struct {
	typ   ir.Type
	state int // index of the state argument that a result takes the place of, or -1
	what  string
}

func (p *Program) load(ctx context.Context, b *bundle.Bundle, g *bundle.Graph) error {
	vmfb, err := b.Entry(bundle.VMFB(g.Name))
	if err != nil {
		return fmt.Errorf("native: %w", err)
	}
	loaded := &graph{name: g.Name, function: g.Func}
	if loaded.args, err = arguments(g.Args, nil); err != nil {
		return fmt.Errorf("native: %s: graph %s: argument %w", b.Path, g.Name, err)
	}
	if loaded.results, err = arguments(g.Results, g.Args); err != nil {
		return fmt.Errorf("native: %s: graph %s: result %w", b.Path, g.Name, err)
	}
	if loaded.module, err = LoadModule(ctx, vmfb, ModuleOptions{Executor: p.executor, Allocator: p.allocator}); err != nil {
		return fmt.Errorf("native: %s: graph %s: %w", b.Path, g.Name, err)
	}
	p.graphs[g.Name] = loaded
	return nil
}

// arguments reads a list of the manifest. Results of role state find their argument
// in donors.
func arguments(list, donors bundle.Args) ([]argument, error) {
	out := make([]argument, len(list))
	for i, a := range list {
		what := fmt.Sprintf("%d (%s)", i, a.Role)
		dtype, err := ir.ParseDType(a.DType)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		if _, ok := elementOf[dtype]; !ok {
			return nil, fmt.Errorf("%s: tensors of %s can't cross the border of a graph", what, dtype)
		}
		out[i] = argument{ir.T(dtype, a.Shape...), -1, what}
		if a.Role != roleState {
			continue
		}
		same := func(d bundle.Arg) bool { return d.Role == a.Role && d.Index == a.Index }
		if out[i].state = slices.IndexFunc(donors, same); out[i].state < 0 && donors != nil {
			return nil, fmt.Errorf("%s: no argument of that state", what)
		}
	}
	return out, nil
}

const roleState = "state"

// Threads is the number of threads that share the work.
func (p *Program) Threads() int { return p.executor.Threads() }

// Alloc makes a zeroed buffer. Pages of it that nothing touches take no memory.
func (p *Program) Alloc(t ir.Type) (device.Buffer, error) {
	if _, err := elementNumber(t); err != nil {
		return nil, err
	}
	b, err := p.allocator.Allocate(uint64(t.Bytes()))
	if err != nil {
		return nil, err
	}
	return newBuffer(t, b), nil
}

// Upload makes a buffer of data, in place if that is aligned to hal.Alignment.
func (p *Program) Upload(t ir.Type, data []byte) (device.Buffer, error) {
	if _, err := elementNumber(t); err != nil {
		return nil, err
	}
	if len(data) != t.Bytes() {
		return nil, fmt.Errorf("native: upload of %d bytes as %v, which has %d", len(data), t, t.Bytes())
	}
	if b, err := hal.Wrap(data, data); err == nil {
		return newBuffer(t, b), nil
	}
	b, err := p.allocator.Allocate(uint64(len(data)))
	if err != nil {
		return nil, err
	}
	copy(b.Bytes(), data)
	return newBuffer(t, b), nil
}

// Call runs a graph. After an error, a cancelled context included, the content of
// the state arguments is undefined.
func (p *Program) Call(ctx context.Context, name string, args []device.Buffer) ([]device.Buffer, error) {
	g, ok := p.graphs[name]
	if !ok || p.closed {
		return nil, fmt.Errorf("native: no graph %q is loaded", name)
	}
	buffers, views, err := g.take(args)
	if err != nil {
		return nil, fmt.Errorf("native: graph %s: %w", name, err)
	}
	start := p.profiled.start()
	results, err := g.module.Call(ctx, g.function, views...)
	p.profiled.end(start)
	if err != nil {
		return nil, fmt.Errorf("native: graph %s: %w", name, err)
	}
	return g.give(results, buffers)
}

// take checks arguments.
func (g *graph) take(args []device.Buffer) ([]*Buffer, []*hal.View, error) {
	if len(args) != len(g.args) {
		return nil, nil, fmt.Errorf("%d arguments given, it takes %d", len(args), len(g.args))
	}
	buffers, views := make([]*Buffer, len(args)), make([]*hal.View, len(args))
	for i, a := range args {
		b, ok := a.(*Buffer)
		if !ok {
			return nil, nil, fmt.Errorf("argument %s is a buffer of another device", g.args[i].what)
		}
		if b.view == nil {
			return nil, nil, fmt.Errorf("argument %s: %w", g.args[i].what, errReleased)
		}
		if !b.typ.Equal(g.args[i].typ) {
			return nil, nil, fmt.Errorf("argument %s is %v, it takes %v", g.args[i].what, b.typ, g.args[i].typ)
		}
		buffers[i], views[i] = b, b.view
	}
	return buffers, views, nil
}

// give makes buffers of results. Those of role state must have taken the place of
// their argument, whose buffer is spent.
func (g *graph) give(results []*hal.View, args []*Buffer) ([]device.Buffer, error) {
	if len(results) != len(g.results) {
		return nil, fmt.Errorf("native: graph %s: it gave %d results, the manifest lists %d", g.name, len(results), len(g.results))
	}
	out := make([]device.Buffer, len(results))
	for i, v := range results {
		want := &g.results[i]
		if err := checkView(v, want.typ); err != nil {
			return nil, fmt.Errorf("native: graph %s: result %s: %w", g.name, want.what, err)
		}
		if want.state >= 0 {
			donor := args[want.state]
			if !v.Buffer().SharesMemory(donor.view.Buffer()) {
				return nil, fmt.Errorf("native: graph %s: result %s isn't in its argument's memory: the module lacks iree.abi.output", g.name, want.what)
			}
			donor.view = nil
		}
		out[i] = &Buffer{want.typ, v}
	}
	return out, nil
}

// Close ends the program's threads. Buffers may be read afterwards, not passed.
func (p *Program) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	p.graphs = nil
	return p.executor.Close()
}

var errReleased = errors.New("the buffer has been released or donated")
