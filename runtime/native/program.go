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
	level     string
	executor  *hal.Executor
	allocator *hal.Allocator
	modules   map[string]*Module
	graphs    map[string]*graph
	closed    bool
	spent     []*Buffer // for reuse
	profiled  *callTime // nil unless profiled
}

var (
	_ device.Program  = (*Program)(nil)
	_ device.Profiler = (*Program)(nil)
	_ device.Leveled  = (*Program)(nil)
)

// graph is a function of a module with its types.
type graph struct {
	name    string
	module  *Module
	args    []argument
	results []argument

	// Of the last call.
	buffers []*Buffer
	views   []*hal.View
	given   []device.Buffer
}

// argument is an argument or a result of a graph.
type argument struct {
	typ   ir.Type
	state int // index of the state argument that a result takes the place of, or -1
	what  string
	view  *hal.View // of a result, the last one: it was of the type
}

// load makes a graph callable; code are the modules of the bundle at path.
func (p *Program) load(ctx context.Context, path string, code map[string][]byte, g *bundle.Graph) (err error) {
	loaded := &graph{name: g.Name}
	if loaded.args, err = arguments(g.Args, nil); err != nil {
		return fmt.Errorf("native: %s: graph %s: argument %w", path, g.Name, err)
	}
	if loaded.results, err = arguments(g.Results, g.Args); err != nil {
		return fmt.Errorf("native: %s: graph %s: result %w", path, g.Name, err)
	}
	loaded.buffers, loaded.views = make([]*Buffer, len(g.Args)), make([]*hal.View, len(g.Args))
	if loaded.module, err = p.module(ctx, g.Module, code[g.Module]); err != nil {
		return fmt.Errorf("native: %s: module %s: %w", path, g.Module, err)
	}
	p.graphs[g.Name] = loaded
	return nil
}

// module is the module of that name, loaded when the first graph needs it.
func (p *Program) module(ctx context.Context, name string, vmfb []byte) (*Module, error) {
	if m, ok := p.modules[name]; ok {
		return m, nil
	}
	m, err := LoadModule(ctx, vmfb, ModuleOptions{Executor: p.executor, Allocator: p.allocator})
	if err != nil {
		return nil, err
	}
	p.modules[name] = m
	return m, nil
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
		out[i] = argument{typ: ir.T(dtype, a.Shape...), state: -1, what: what}
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

// Level is the CPU level that the program's code is made for.
func (p *Program) Level() string { return p.level }

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

// Call runs a graph. The slice that it returns is valid until the graph's next call,
// the buffers in it are until they're donated or released. After an error, a cancelled context included, the content of
// the state arguments is undefined.
func (p *Program) Call(ctx context.Context, name string, args []device.Buffer) ([]device.Buffer, error) {
	g, ok := p.graphs[name]
	if !ok || p.closed {
		return nil, fmt.Errorf("native: no graph %q is loaded", name)
	}
	if err := g.take(args); err != nil {
		return nil, fmt.Errorf("native: graph %s: %w", name, err)
	}
	start := p.profiled.start()
	results, err := g.module.Call(ctx, g.name, g.views...)
	p.profiled.end(start)
	if err != nil {
		return nil, fmt.Errorf("native: graph %s: %w", name, err)
	}
	if err := p.give(g, results); err != nil {
		return nil, fmt.Errorf("native: graph %s: %w", name, err)
	}
	return g.given, nil
}

// take checks arguments and keeps them for the call. A view that was the argument of
// the call before needs no second look: views don't change.
func (g *graph) take(args []device.Buffer) error {
	if len(args) != len(g.args) {
		return fmt.Errorf("%d arguments given, it takes %d", len(args), len(g.args))
	}
	for i, a := range args {
		b, ok := a.(*Buffer)
		if !ok {
			return fmt.Errorf("argument %s is a buffer of another device", g.args[i].what)
		}
		if b.view == nil {
			return fmt.Errorf("argument %s: %w", g.args[i].what, errReleased)
		}
		if b.view != g.views[i] && !b.typ.Equal(g.args[i].typ) {
			return fmt.Errorf("argument %s is %v, it takes %v", g.args[i].what, b.typ, g.args[i].typ)
		}
		g.buffers[i], g.views[i] = b, b.view
	}
	return nil
}

// give makes buffers of results. Those of role state must have taken the place of
// their argument, whose buffer is spent.
func (p *Program) give(g *graph, results []*hal.View) error {
	if len(results) != len(g.results) {
		return fmt.Errorf("it gave %d results, the manifest lists %d", len(results), len(g.results))
	}
	g.given = g.given[:0]
	for i, v := range results {
		want := &g.results[i]
		if v != want.view {
			if err := checkView(v, want.typ); err != nil {
				return fmt.Errorf("result %s: %w", want.what, err)
			}
			want.view = v
		}
		b := p.newBuffer(want.typ)
		if want.state < 0 {
			b.view = v
			if !g.module.Stateful() {
				b.giver = p
			}
		} else if b.view = g.buffers[want.state].donate(v); b.view == nil {
			return fmt.Errorf("result %s isn't in its argument's memory: the module lacks iree.abi.output", want.what)
		} else {
			p.allocator.Drop(v.Buffer())
		}
		g.given = append(g.given, b)
	}
	for i := range g.results {
		if donor := g.results[i].state; donor >= 0 {
			p.spent = append(p.spent, g.buffers[donor])
		}
	}
	return nil
}

// newBuffer makes a buffer, or takes one that was donated or released, so that a step
// allocates nothing.
func (p *Program) newBuffer(t ir.Type) *Buffer {
	n := len(p.spent)
	if n == 0 {
		return &Buffer{typ: t}
	}
	b := p.spent[n-1]
	p.spent = p.spent[:n-1]
	*b = Buffer{typ: t}
	return b
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
