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
type Module struct{ instance *vm.Instance }

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
	return &Module{instance}, nil
}

// Call runs an exported function on tensors and returns its results. A nil
// argument is a null reference, as asynchronous functions take for fences.
func (m *Module) Call(ctx context.Context, function string, arguments ...*hal.View) ([]*hal.View, error) {
	values := make([]vm.Value, len(arguments))
	for i, a := range arguments {
		values[i] = vm.Value{Kind: vm.Reference}
		if a != nil {
			values[i].Ref = a
		}
	}
	returned, err := m.instance.Call(ctx, function, values)
	if err != nil {
		return nil, err
	}
	results := make([]*hal.View, len(returned))
	for i, v := range returned {
		view, ok := v.Ref.(*hal.View)
		if !ok {
			return nil, fmt.Errorf("native: result %d of %q is no tensor", i, function)
		}
		results[i] = view
	}
	return results, nil
}
