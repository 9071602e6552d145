package ir

import (
	"fmt"
	"strings"
)

// controlOps are the ops that steer execution, and the terminators.
var controlOps = []opDef{
	{name: "stablehlo.while", operands: atLeast(1), regions: 2, infer: inferWhile, form: form{loop}},
	{name: "stablehlo.composite", operands: atLeast(0),
		attrs: attrs{"name": "", "decomposition": "", "composite_attributes": map[string]any(nil)},
		infer: inferComposite, form: form{compositeName, operandList, compositeAttrs, signature}},
	{name: "func.call", operands: atLeast(0), attrs: attrs{"callee": ""},
		infer: inferCall, form: form{callee, operandTuple, signature}},
	{name: "stablehlo.optimization_barrier", operands: atLeast(1),
		infer: inferBarrier, form: form{operandList, operandTypes}},
	{name: "func.return", spelling: "return", operands: atLeast(0), terminator: true,
		infer: inferNothing, form: form{operandList, returnedTypes}},
	{name: "stablehlo.return", operands: atLeast(0), terminator: true,
		infer: inferNothing, form: form{operandList, returnedTypes}},
}

func inferNothing(*Module, *Op) ([]Type, error) { return nil, nil }

func inferBarrier(_ *Module, op *Op) ([]Type, error) { return typesOf(op.Operands), nil }

func inferWhile(_ *Module, op *Op) ([]Type, error) {
	carried := typesOf(op.Operands)
	if err := checkRegion("cond", op.Regions[0], carried, []Type{T(I1)}); err != nil {
		return nil, err
	}
	return carried, checkRegion("body", op.Regions[1], carried, carried)
}

func inferCall(m *Module, op *Op) ([]Type, error) {
	return callResults(m, op.Attrs["callee"].(string), op.Operands)
}

func inferComposite(m *Module, op *Op) ([]Type, error) {
	if name := op.Attrs["name"].(string); !isName(name) || !strings.Contains(name, ".") {
		return nil, fmt.Errorf("name %q is not of the form mlxc.rms_norm", name)
	}
	name := op.Attrs["decomposition"].(string)
	results, err := callResults(m, name, op.Operands)
	if err != nil {
		return nil, fmt.Errorf("decomposition: %w", err)
	}
	if !m.Func(name).Private {
		return nil, fmt.Errorf("decomposition: function @%s is not private", name)
	}
	return results, nil
}

// callResults are the result types of the function of that name, called with args.
func callResults(m *Module, name string, args []*Value) ([]Type, error) {
	f := m.Func(name)
	if f == nil {
		return nil, fmt.Errorf("no function @%s in the module", name)
	}
	if want := typesOf(f.Args); !equalTypes(typesOf(args), want) {
		return nil, fmt.Errorf("function @%s takes %s", name, typeList(want))
	}
	return f.Results, nil
}
