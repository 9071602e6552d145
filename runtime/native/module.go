package native

import (
	"context"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/params"
	"github.com/mlxc/mlxc/runtime/native/vm"
	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// Module is a compiled IREE module, ready to run. One goroutine at a time uses it.
type Module struct {
	instance  *vm.Instance
	allocator *hal.Allocator
	values    []vm.Value  // of the last call
	results   []*hal.View // of the last call
}

// ModuleOptions is what a module needs of its surroundings.
type ModuleOptions struct {
	Executor   *hal.Executor   // runs the kernels; modules may share one
	Allocator  *hal.Allocator  // of buffers; modules may share one
	Parameters params.Provider // of modules with external parameters; may be nil
}

// LoadModule checks a vmfb, binds it and runs its initialiser. The bytes are used
// in place and must not change as long as the module is used.
func LoadModule(ctx context.Context, data []byte, o ModuleOptions) (*Module, error) {
	m, err := vmfb.Parse(data)
	if err != nil {
		return nil, err
	}
	device := hal.NewDevice(o.Executor, o.Allocator)
	instance, err := vm.New(m, device.Library(), params.Library(o.Allocator, o.Parameters))
	if err != nil {
		return nil, err
	}
	if err := instance.Start(ctx); err != nil {
		return nil, err
	}
	return &Module{instance: instance, allocator: o.Allocator}, nil
}

// Call runs an exported function on tensors and returns its results. A nil
// argument is a null reference, as asynchronous functions take for fences. The slice
// that it returns is valid until the next call; the memory of the results isn't used
// again before Allocator.Drop.
func (m *Module) Call(ctx context.Context, function string, arguments ...*hal.View) ([]*hal.View, error) {
	m.values = m.values[:0]
	for _, a := range arguments {
		v := vm.Value{Kind: vm.Reference}
		if a != nil {
			v.Ref = a
		}
		m.values = append(m.values, v)
	}
	returned, err := m.instance.Call(ctx, function, m.values)
	if err != nil {
		return nil, err
	}
	m.results = m.results[:0]
	for i, v := range returned {
		view, ok := v.Ref.(*hal.View)
		if !ok {
			return nil, fmt.Errorf("native: result %d of %q is no tensor", i, function)
		}
		m.allocator.Hold(view.Buffer())
		m.results = append(m.results, view)
	}
	return m.results, nil
}

// Stateful says whether a call has changed what the module remembers.
func (m *Module) Stateful() bool { return m.instance.Stateful() }
