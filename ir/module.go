package ir

// Module is one StableHLO module: the unit of printing, compiling and evaluating.
type Module struct {
	Name string
	// Attrs are the module's own attributes, printed in key order
	// (mlxc.ir_version, mlxc.stablehlo_version, mlxc.graph …).
	Attrs map[string]any
	Funcs []*Func
}

// Func returns the function of that name, or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Func is a function of a module.
type Func struct {
	Name    string
	Private bool
	// NoInline tells compilers to call the function: MLIR's no_inline and IREE's noinline.
	NoInline bool
	Args     []*Value // Value.Def is nil
	// ArgAttrs[i] are the attributes of argument i (iree.abi.output, mlxc.name …),
	// printed in key order; may be nil.
	ArgAttrs []map[string]any
	Results  []Type
	Body     *Block
}

// Block is a single-block region: arguments, operations, and as last operation
// the terminator (func.return in a function, stablehlo.return elsewhere).
type Block struct {
	Args []*Value
	Ops  []*Op
}

// Op is one operation. What attributes and regions it has is in the op table.
// Attribute values are: bool, int, Index, string, float64, []int, DType, Type,
// *Tensor, and map[string]any of these.
type Op struct {
	Name     string // "stablehlo.add", "func.call"
	Operands []*Value
	Results  []*Value
	Attrs    map[string]any
	Regions  []*Block
}

// Index is an attribute value of type index, which iree.abi.output has.
type Index int

// Value is an SSA value. Hint is the name it prints under (made unique by a
// number); values without one print as %0, %1, … in order of definition, but
// constants by their value (%c1) and arguments as %arg0.
type Value struct {
	Type Type
	Hint string
	Def  *Op // nil for a block or function argument
}
