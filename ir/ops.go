package ir

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// opDef is a row of the op table: everything that the package knows of one op.
type opDef struct {
	name     string
	operands int   // how many; anyNumber, or n+variadic for at least n
	regions  int   // how many
	attrs    attrs // the attributes, all required
	// infer checks operands, attributes and regions, whose number and Go types are
	// right already, and returns the result types.
	infer func(m *Module, op *Op) ([]Type, error)
	// form is how the op prints and parses after its name.
	form form
	// spelling is the name in the text where it is not name.
	spelling string
	// generic marks ops that StableHLO prints in MLIR's generic form: "name"(…).
	generic bool
	// commutative marks the binary ops that a reduce may apply in its short form.
	commutative bool
	// terminator marks the ops that end a block.
	terminator bool
}

// attrs maps the names of an op's attributes to a value of their Go type.
type attrs map[string]any

// Numbers of operands that are not fixed: atLeast(1) is one or more.
const variadic = 1 << 16

func atLeast(n int) int { return n + variadic }

// opTable holds each op once; the rows are in the ops_*.go files by subject.
var opTable = map[string]*opDef{}

// opSpellings finds a row by the name in the text.
var opSpellings = map[string]*opDef{}

func init() {
	for _, rows := range [][]opDef{
		elementwiseOps(), shapeOps, indexOps, reductionOps, controlOps,
	} {
		for i := range rows {
			def := &rows[i]
			if def.spelling == "" {
				def.spelling = def.name
			}
			opTable[def.name] = def
			opSpellings[def.spelling] = def
		}
	}
}

// OpNames are the names of all ops, sorted.
func OpNames() []string { return sortedKeys(opTable) }

// infer returns the result types of op, or an error that names op and operands.
func infer(m *Module, op *Op) ([]Type, error) {
	types, err := inferBare(m, op)
	if err != nil {
		return nil, fmt.Errorf("ir: %s: %w", describe(op), err)
	}
	return types, nil
}

func inferBare(m *Module, op *Op) ([]Type, error) {
	def := opTable[op.Name]
	if def == nil {
		return nil, errors.New("not in the op table")
	}
	if err := def.checkShape(op); err != nil {
		return nil, err
	}
	if err := def.attrs.check(op.Attrs); err != nil {
		return nil, err
	}
	types, err := def.infer(m, op)
	if err != nil {
		return nil, err
	}
	for _, t := range types {
		if err := checkType(t); err != nil {
			return nil, fmt.Errorf("result %v: %w", t, err)
		}
	}
	return types, nil
}

// checkShape checks the numbers of operands and regions.
func (def *opDef) checkShape(op *Op) error {
	want, n := def.operands, len(op.Operands)
	switch {
	case want >= variadic && n < want-variadic:
		return fmt.Errorf("%d operands, want at least %d", n, want-variadic)
	case want < variadic && n != want:
		return fmt.Errorf("%d operands, want %d", n, want)
	}
	if i := slices.Index(op.Operands, nil); i >= 0 {
		return fmt.Errorf("operand %d is nil", i)
	}
	if len(op.Regions) != def.regions {
		return fmt.Errorf("%d regions, want %d", len(op.Regions), def.regions)
	}
	for i, r := range op.Regions {
		if r == nil || len(r.Ops) == 0 || r.Ops[len(r.Ops)-1].Name != "stablehlo.return" {
			return fmt.Errorf("region %d does not end with stablehlo.return", i)
		}
	}
	return nil
}

// check says which attribute is missing, of another Go type or too much.
func (want attrs) check(have map[string]any) error {
	for _, name := range sortedKeys(want) {
		v, ok := have[name]
		if !ok {
			return fmt.Errorf("attribute %s is missing", name)
		}
		if reflect.TypeOf(v) != reflect.TypeOf(want[name]) {
			return fmt.Errorf("attribute %s is a %T, want %T", name, v, want[name])
		}
	}
	for _, name := range sortedKeys(have) {
		if _, ok := want[name]; !ok {
			return fmt.Errorf("attribute %s is not one of this op", name)
		}
	}
	return nil
}

// describe is an op as errors name it: stablehlo.add(%x tensor<4xf32>, tensor<i32>).
func describe(op *Op) string {
	parts := make([]string, len(op.Operands))
	for i, v := range op.Operands {
		switch {
		case v == nil:
			parts[i] = "nil"
		case v.Hint != "":
			parts[i] = "%" + v.Hint + " " + v.Type.String()
		default:
			parts[i] = v.Type.String()
		}
	}
	return op.Name + "(" + strings.Join(parts, ", ") + ")"
}

// Limits on types. They are far above what fits a machine and keep the
// arithmetic of shapes from overflowing.
const (
	maxRank     = 32
	maxElements = 1 << 44
	maxConstant = 64 << 20 // bytes of a constant that is no splat
)

// checkType checks that t is a static type with at least one element.
func checkType(t Type) error {
	if t.DType <= Invalid || t.DType > UI32 {
		return fmt.Errorf("element type %d is not one of ir's", t.DType)
	}
	if t.Rank() > maxRank {
		return fmt.Errorf("rank %d is above %d", t.Rank(), maxRank)
	}
	n := 1
	for i, d := range t.Shape {
		if d < 1 {
			return fmt.Errorf("dimension %d is %d, want at least 1", i, d)
		}
		if d > maxElements/n {
			return errors.New("too many elements")
		}
		n *= d
	}
	return nil
}

// checkConstantType checks that t is a type that a constant may have.
func checkConstantType(t Type) error {
	if err := checkType(t); err != nil {
		return err
	}
	if t.Bytes() > maxConstant {
		return fmt.Errorf("%d bytes are too many for a constant, the limit is %d: make it an argument", t.Bytes(), maxConstant)
	}
	return nil
}

// sameTypes checks that all values have one type.
func sameTypes(vs []*Value) error {
	for _, v := range vs[1:] {
		if !v.Type.Equal(vs[0].Type) {
			return fmt.Errorf("operands have different types")
		}
	}
	return nil
}

// typesOf are the types of vs.
func typesOf(vs []*Value) []Type {
	ts := make([]Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// equalTypes compares two lists of types.
func equalTypes(a, b []Type) bool { return slices.EqualFunc(a, b, Type.Equal) }

// typeList is (tensor<…>, tensor<…>).
func typeList(ts []Type) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = t.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// checkDims checks that dims are distinct dimensions of a rank.
func checkDims(what string, dims []int, rank int) error {
	seen := make([]bool, rank)
	for _, d := range dims {
		if d < 0 || d >= rank {
			return fmt.Errorf("%s %v: %d is not a dimension of rank %d", what, dims, d, rank)
		}
		if seen[d] {
			return fmt.Errorf("%s %v: %d is there twice", what, dims, d)
		}
		seen[d] = true
	}
	return nil
}

// without are the elements of shape whose index is not in dims.
func without(shape, dims []int) []int {
	var out []int
	for i, d := range shape {
		if !slices.Contains(dims, i) {
			out = append(out, d)
		}
	}
	return out
}

// isIndex reports whether t is a scalar integer, as slice positions are.
func isIndex(t Type) bool { return t.Rank() == 0 && !t.DType.IsFloat() && t.DType != I1 }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
