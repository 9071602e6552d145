package ir

import (
	"fmt"
	"slices"
)

// reductionOps are the ops that combine elements.
var reductionOps = []opDef{
	{name: "stablehlo.dot_general", operands: 2,
		attrs: attrs{"lhs_batching_dimensions": []int(nil), "rhs_batching_dimensions": []int(nil),
			"lhs_contracting_dimensions": []int(nil), "rhs_contracting_dimensions": []int(nil), "dtype": DType(0)},
		infer: inferDotGeneral, form: form{operandList, dotDims, dotSignature}},
	{name: "stablehlo.reduce", operands: atLeast(2), regions: 1, attrs: attrs{"dimensions": []int(nil)},
		infer: inferReduce, form: form{reduction}},
	{name: "stablehlo.sort", operands: atLeast(1), regions: 1, attrs: attrs{"dimension": 0, "is_stable": false},
		infer: inferSort, form: form{operandTuple, sortAttrs, regionTuple, signature}, generic: true},
}

// dotAttrs are the dimension numbers of a dot_general.
func dotAttrs(op *Op) DotDims {
	return DotDims{
		LhsBatch:    op.Attrs["lhs_batching_dimensions"].([]int),
		RhsBatch:    op.Attrs["rhs_batching_dimensions"].([]int),
		LhsContract: op.Attrs["lhs_contracting_dimensions"].([]int),
		RhsContract: op.Attrs["rhs_contracting_dimensions"].([]int),
	}
}

// inferDotGeneral gives [batch…, lhs free…, rhs free…]. Operands may have
// different element types of one kind, as in f16 weights with f32 activations.
func inferDotGeneral(_ *Module, op *Op) ([]Type, error) {
	x, y, d, out := op.Operands[0].Type, op.Operands[1].Type, dotAttrs(op), op.Attrs["dtype"].(DType)
	allFloats := x.DType.IsFloat() && y.DType.IsFloat() && out.IsFloat()
	allIntegers := integers.has(x.DType) && integers.has(y.DType) && integers.has(out)
	if !allFloats && !allIntegers {
		return nil, fmt.Errorf("element types are neither all floats nor all integers (result %v)", out)
	}
	lhs, rhs := slices.Concat(d.LhsBatch, d.LhsContract), slices.Concat(d.RhsBatch, d.RhsContract)
	if len(d.LhsBatch) != len(d.RhsBatch) || len(lhs) != len(rhs) {
		return nil, fmt.Errorf("batching %v x %v, contracting %v x %v do not pair up", d.LhsBatch, d.RhsBatch, d.LhsContract, d.RhsContract)
	}
	if err := checkDims("lhs batching and contracting dimensions", lhs, x.Rank()); err != nil {
		return nil, err
	}
	if err := checkDims("rhs batching and contracting dimensions", rhs, y.Rank()); err != nil {
		return nil, err
	}
	for i := range lhs {
		if x.Shape[lhs[i]] != y.Shape[rhs[i]] {
			return nil, fmt.Errorf("dimension %d of lhs has size %d, dimension %d of rhs %d", lhs[i], x.Shape[lhs[i]], rhs[i], y.Shape[rhs[i]])
		}
	}
	var shape []int
	for _, b := range d.LhsBatch {
		shape = append(shape, x.Shape[b])
	}
	return []Type{{out, slices.Concat(shape, without(x.Shape, lhs), without(y.Shape, rhs))}}, nil
}

// inferReduce takes n operands and n scalar inits; the body maps n accumulators
// and n elements to n accumulators.
func inferReduce(_ *Module, op *Op) ([]Type, error) {
	n := len(op.Operands) / 2
	if len(op.Operands)%2 != 0 {
		return nil, fmt.Errorf("operands and inits do not pair up")
	}
	xs, inits := op.Operands[:n], op.Operands[n:]
	shape, dims := xs[0].Type.Shape, op.Attrs["dimensions"].([]int)
	if err := checkDims("dimensions", dims, len(shape)); err != nil {
		return nil, err
	}
	var results, scalars []Type
	for i, x := range xs {
		if !slices.Equal(x.Type.Shape, shape) {
			return nil, fmt.Errorf("operand %d has another shape than operand 0", i)
		}
		scalar := T(x.Type.DType)
		if !inits[i].Type.Equal(scalar) {
			return nil, fmt.Errorf("init %d is not a %v", i, scalar)
		}
		scalars = append(scalars, scalar)
		results = append(results, Type{x.Type.DType, without(shape, dims)})
	}
	return results, checkRegion("body", op.Regions[0], slices.Concat(scalars, scalars), scalars)
}

func inferSort(_ *Module, op *Op) ([]Type, error) {
	shape, dim := op.Operands[0].Type.Shape, op.Attrs["dimension"].(int)
	if err := checkDims("dimension", []int{dim}, len(shape)); err != nil {
		return nil, err
	}
	var scalars []Type
	for i, x := range op.Operands {
		if !slices.Equal(x.Type.Shape, shape) {
			return nil, fmt.Errorf("operand %d has another shape than operand 0", i)
		}
		scalars = append(scalars, T(x.Type.DType), T(x.Type.DType))
	}
	return typesOf(op.Operands), checkRegion("comparator", op.Regions[0], scalars, []Type{T(I1)})
}

// checkRegion checks the argument and the returned types of a region.
func checkRegion(what string, r *Block, args, results []Type) error {
	if have := typesOf(r.Args); !equalTypes(have, args) {
		return fmt.Errorf("%s takes %s, want %s", what, typeList(have), typeList(args))
	}
	if have := typesOf(r.Ops[len(r.Ops)-1].Operands); !equalTypes(have, results) {
		return fmt.Errorf("%s returns %s, want %s", what, typeList(have), typeList(results))
	}
	return nil
}
