// Package vm runs the bytecode of IREE's virtual machine: the host program of a
// compiled module, which allocates buffers, records command buffers and submits
// them. What it calls of the outside are functions of a Library.
//
// A function is decoded and checked once, when it's first called: registers, branch
// targets, types, functions, signatures. What remains to check at run time are
// values: references, list and buffer bounds, divisors.
package vm

import (
	"context"
	"fmt"

	"github.com/mlxc/mlxc/runtime/native/vmfb"
)

// Library is a set of functions that modules import under one name.
type Library struct {
	Name      string // "hal"
	Version   uint32 // the highest version that a module may ask for
	Functions []Function
}

// Function is an import's implementation.
type Function struct {
	Name string // "buffer.load"
	Type string // calling convention: "0rIi_i"
	Run  func(*Call) error

	Replay Replay // what becomes of it when its caller is replayed
}

// Instance is a loaded module with its state. One goroutine at a time uses it.
type Instance struct {
	types      []string
	rodata     []*Buffer
	globals    []byte
	globalRefs []Ref
	functions  []function
	imports    []binding
	exports    map[string]vmfb.Export
	stores     uint64 // to globals, so far

	// Of the call in progress.
	ctx       context.Context
	depth     int
	steps     uint64
	maxSteps  uint64 // 0 = no limit but the context
	allocated uint64
	scratch   struct {
		words []uint64
		refs  []Ref
		call  Call
	}
}

// function is a function of the module, decoded once it has been called.
type function struct {
	bytecode          []byte
	name              string
	signature         vmfb.Signature
	cells, references int
	arguments         []operand // the registers that a caller fills
	code              []instruction
	free              []*frame // for reuse
	replays           replays
}

// binding is an import, resolved; run is nil for an optional one that isn't there.
type binding struct {
	name      string
	signature vmfb.Signature
	run       func(*Call) error
	replay    Replay
}

// New binds a module's imports. Nothing of it runs yet: Start does that.
func New(m *vmfb.Module, libraries ...Library) (*Instance, error) {
	in := &Instance{globals: make([]byte, m.GlobalBytes), globalRefs: make([]Ref, m.GlobalRefs), exports: map[string]vmfb.Export{}, ctx: context.Background()}
	if len(m.Types) > 1<<16 {
		return nil, fmt.Errorf("vm: %d types: at most %d are supported", len(m.Types), 1<<16)
	}
	for _, t := range m.Types {
		in.types = append(in.types, canonicalType(t))
	}
	for _, b := range m.Rodata {
		in.rodata = append(in.rodata, &Buffer{Bytes: b, Constant: true})
	}
	if err := in.bind(m, libraries); err != nil {
		return nil, err
	}
	return in, in.listFunctions(m)
}

// Decode decodes what no call has needed yet: it says what is wrong with a module.
func (in *Instance) Decode() error {
	for i := range in.functions {
		if err := in.functions[i].decoded(in); err != nil {
			return err
		}
	}
	return nil
}

// decoded makes sure that the function is decoded.
func (fn *function) decoded(in *Instance) error {
	if fn.code != nil {
		return nil
	}
	if err := in.decode(fn, fn.bytecode); err != nil {
		fn.code = nil
		return fmt.Errorf("vm: function %q: %w", fn.name, err)
	}
	return nil
}

// Start runs the module's initialiser, once, before any other function.
func (in *Instance) Start(ctx context.Context) error {
	const initialiser = "__init"
	if _, ok := in.exports[initialiser]; !ok {
		return nil
	}
	_, err := in.Call(ctx, initialiser, nil)
	in.stores = 0
	return err
}

// Stateful says whether a call, other than that of the initialiser, has changed what
// the module remembers.
func (in *Instance) Stateful() bool { return in.stores > 0 }

// Declaration returns the readable signature of an exported function, "" if it
// isn't recorded; ok says whether there is such a function.
func (in *Instance) Declaration(name string) (declaration string, ok bool) {
	e, ok := in.exports[name]
	return e.Declaration, ok
}

// Call runs an exported function. The context's end ends it with an error; the
// module's state may be half changed then. The results are valid until the next call.
func (in *Instance) Call(ctx context.Context, name string, arguments []Value) ([]Value, error) {
	e, ok := in.exports[name]
	if !ok {
		return nil, fmt.Errorf("vm: no exported function %q", name)
	}
	fn := &in.functions[e.Function]
	if err := fn.checkArguments(arguments); err != nil {
		return nil, fmt.Errorf("vm: function %q: %w", name, err)
	}
	in.ctx, in.steps, in.allocated = ctx, 0, 0
	if r := fn.replays.recording; r != nil {
		done, err := in.replay(r, arguments)
		if done && err != nil {
			return nil, fmt.Errorf("vm: function %q: %w", name, err)
		}
		if done {
			fn.replays.misses = 0
			return r.results, nil
		}
		fn.replays.recording = nil
		fn.replays.misses++
	}
	return in.interpret(fn, arguments)
}

// interpret runs a function from its bytecode, and records it where that may pay.
func (in *Instance) interpret(fn *function, arguments []Value) ([]Value, error) {
	f, err := in.enter(fn)
	if err != nil {
		return nil, err
	}
	defer in.leave(f)
	for i, to := range fn.arguments {
		f.put(to, arguments[i])
	}
	if fn.replays.called && fn.replays.misses < maxMisses {
		if err = f.record(arguments); fn.replays.recording == nil {
			fn.replays.misses++
		}
	} else {
		err = f.run()
	}
	fn.replays.called = true
	if err != nil {
		return nil, err
	}
	results := make([]Value, len(f.returned))
	for i, from := range f.returned {
		results[i] = f.peek(from)
	}
	return results, nil
}

func (fn *function) checkArguments(arguments []Value) error {
	if len(arguments) != len(fn.arguments) {
		return fmt.Errorf("%d arguments given, %d expected", len(arguments), len(fn.arguments))
	}
	for i, a := range arguments {
		if want := fn.arguments[i].kind; a.Kind != want {
			return fmt.Errorf("argument %d is of kind %q, expected is %q", i, a.Kind, want)
		}
	}
	return nil
}

// bind finds every import among the libraries.
func (in *Instance) bind(m *vmfb.Module, libraries []Library) error {
	known := map[string]Function{}
	versions := map[string]uint32{}
	for _, l := range libraries {
		versions[l.Name] = l.Version
		for _, f := range l.Functions {
			known[l.Name+"."+f.Name] = f
		}
	}
	for _, d := range m.Dependencies {
		if version, ok := versions[d.Name]; !d.Optional && (!ok || version < d.Version) {
			return fmt.Errorf("vm: the module needs %q version %d, this runtime has %d: %w", d.Name, d.Version, version, vmfb.ErrVersion)
		}
	}
	for _, i := range m.Imports {
		f, ok := known[i.Name]
		if !ok && !i.Optional {
			return fmt.Errorf("vm: the module imports %s, which isn't supported", i.Name)
		}
		if ok && f.Type != i.Type.String() {
			return fmt.Errorf("vm: the module imports %s as %s, this runtime has it as %s: %w", i.Name, i.Type, f.Type, vmfb.ErrVersion)
		}
		in.imports = append(in.imports, binding{i.Name, i.Type, f.Run, f.Replay})
	}
	return nil
}

func (in *Instance) listFunctions(m *vmfb.Module) error {
	names := map[int]string{}
	for _, e := range m.Exports {
		in.exports[e.Name] = e
		names[e.Function] = e.Name
	}
	in.functions = make([]function, len(m.Functions))
	for i, f := range m.Functions {
		name := names[i]
		if name == "" {
			name = fmt.Sprintf("#%d", i)
		}
		in.functions[i] = function{bytecode: f.Code, name: name, signature: f.Type, cells: f.Cells, references: f.References}
		if err := in.functions[i].placeArguments(); err != nil {
			return fmt.Errorf("vm: function %q: %w", name, err)
		}
	}
	return nil
}

// placeArguments assigns the argument registers: cells and references count up
// from 0, pairs begin at even cells.
func (fn *function) placeArguments() error {
	cell, ref := 0, 0
	for _, c := range fn.signature.Arguments {
		k := Kind(c)
		switch k {
		case Reference:
			fn.arguments = append(fn.arguments, operand{k, uint16(ref)})
			ref++
		case I64, F64:
			cell = (cell + 1) &^ 1
			fn.arguments = append(fn.arguments, operand{k, uint16(cell)})
			cell += 2
		case I32, F32:
			fn.arguments = append(fn.arguments, operand{k, uint16(cell)})
			cell++
		default:
			return fmt.Errorf("spans as in %q are supported in imports only", fn.signature.Arguments)
		}
		if cell > fn.cells || ref > fn.references {
			return fmt.Errorf("%d and %d registers don't hold the arguments %q", fn.cells, fn.references, fn.signature.Arguments)
		}
	}
	return nil
}
