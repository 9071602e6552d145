package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mlxc/mlxc/ir"
)

// preparers holds the evaluation of every op: what New makes of one is what Call
// executes. Elementwise ops have kernels instead of a row here.
var preparers map[string]func(pl *planner, op *ir.Op) (stepFunc, error)

func init() { // not a literal: control flow prepares the ops inside
	preparers = map[string]func(pl *planner, op *ir.Op) (stepFunc, error){
		"stablehlo.constant":             constant,
		"stablehlo.iota":                 iota,
		"stablehlo.bitcast_convert":      bitcast,
		"stablehlo.reshape":              reshape,
		"stablehlo.transpose":            transpose,
		"stablehlo.broadcast_in_dim":     broadcast,
		"stablehlo.reverse":              reverse,
		"stablehlo.slice":                slice,
		"stablehlo.dynamic_slice":        dynamicSlice,
		"stablehlo.dynamic_update_slice": dynamicUpdateSlice,
		"stablehlo.concatenate":          concatenate,
		"stablehlo.pad":                  pad,
		"stablehlo.gather":               gather,
		"stablehlo.reduce":               reduce,
		"stablehlo.dot_general":          dotGeneral,
		"stablehlo.sort":                 sortOp,
		"stablehlo.while":                while,
		"stablehlo.composite":            call("decomposition"),
		"func.call":                      call("callee"),
		"stablehlo.optimization_barrier": barrier,
	}
}

// terminators end blocks; a sequence has their operands as its results.
var terminators = []string{"func.return", "stablehlo.return"}

// elementwiseOps are the names of the ops that have kernels, for some types at least.
func elementwiseOps() []string {
	names := []string{"compare", "select", "clamp", "convert"}
	for n := range floatUnary {
		names = append(names, n)
	}
	for n := range floatBinary {
		names = append(names, n)
	}
	for n := range intUnary {
		names = append(names, n)
	}
	for n := range intBinary {
		names = append(names, n)
	}
	for n := range shifts {
		names = append(names, n)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i := range names {
		names[i] = "stablehlo." + names[i]
	}
	return names
}

// Ops are the names of the ops that can be evaluated, sorted.
func Ops() []string {
	names := slices.Collect(maps.Keys(preparers))
	names = append(append(names, terminators...), elementwiseOps()...)
	slices.Sort(names)
	return names
}

func (pl *planner) prepare(op *ir.Op) (stepFunc, error) {
	if prepare := preparers[op.Name]; prepare != nil {
		return prepare(pl, op)
	}
	if k := newKernel(op); k != nil {
		return elementwise(op, k), nil
	}
	return nil, notEvaluated(op)
}

// notEvaluated is the error for an op without evaluation.
func notEvaluated(op *ir.Op) error {
	var types []ir.Type
	for _, v := range op.Operands {
		types = append(types, v.Type)
	}
	return fmt.Errorf("%s: not evaluated for operands %v", op.Name, types)
}

// elementwise is the step of an op with a kernel: an expression over its operands.
func elementwise(op *ir.Op, k kernel) stepFunc {
	t := op.Results[0].Type
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		out := &array{Type: t, op: op.Name, kernel: k}
		for i := range in {
			x := take(in, i)
			if len(x.Shape) != len(t.Shape) { // the scalar operands of select and clamp
				x = m.view(x).broadcast(nil, t.Shape)
			}
			out.args = append(out.args, x)
		}
		return []*array{out}, nil
	}
}
