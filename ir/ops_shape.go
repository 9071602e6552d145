package ir

import (
	"errors"
	"fmt"
	"slices"
)

// shapeOps are the ops that make tensors and move whole dimensions.
var shapeOps = []opDef{
	{name: "stablehlo.constant", attrs: attrs{"value": (*Tensor)(nil)},
		infer: inferConstant, form: form{constantValue}},
	{name: "stablehlo.iota", attrs: attrs{"iota_dimension": 0, "type": Type{}},
		infer: inferIota, form: form{number("dim", "iota_dimension"), resultType}},
	{name: "stablehlo.reshape", operands: 1, attrs: attrs{"type": Type{}},
		infer: inferReshape, form: form{operandList, resultSignature}},
	{name: "stablehlo.transpose", operands: 1, attrs: attrs{"permutation": []int(nil)},
		infer: inferTranspose, form: form{operandList, list("dims", "permutation"), signature}},
	{name: "stablehlo.broadcast_in_dim", operands: 1, attrs: attrs{"broadcast_dimensions": []int(nil), "type": Type{}},
		infer: inferBroadcast, form: form{operandList, list("dims", "broadcast_dimensions"), resultSignature}},
	{name: "stablehlo.reverse", operands: 1, attrs: attrs{"dimensions": []int(nil)},
		infer: inferReverse, form: form{operandList, list("dims", "dimensions"), sameType}},
	{name: "stablehlo.concatenate", operands: atLeast(1), attrs: attrs{"dimension": 0},
		infer: inferConcatenate, form: form{operandList, number("dim", "dimension"), signature}},
	{name: "stablehlo.pad", operands: 2,
		attrs: attrs{"edge_padding_low": []int(nil), "edge_padding_high": []int(nil), "interior_padding": []int(nil)},
		infer: inferPad, form: form{operandList, list("low", "edge_padding_low"),
			list("high", "edge_padding_high"), list("interior", "interior_padding"), signature}},
}

func inferConstant(_ *Module, op *Op) ([]Type, error) {
	t := op.Attrs["value"].(*Tensor)
	if err := t.check(); err != nil {
		return nil, err
	}
	return []Type{t.Type}, nil
}

// check checks that the data fit the type, as the value of a constant.
func (t *Tensor) check() error {
	if t == nil {
		return errors.New("the value is nil")
	}
	if err := checkType(t.Type); err != nil {
		return fmt.Errorf("value of type %v: %w", t.Type, err)
	}
	if len(t.Data) != t.Type.Bytes() && len(t.Data) != t.Type.DType.Size() {
		return fmt.Errorf("value of type %v has %d bytes, want %d", t.Type, len(t.Data), t.Type.Bytes())
	}
	d := t.Type.DType
	if d.Bits() >= 8 {
		return nil
	}
	lo, hi := integerRange(d)
	for i, b := range t.Data {
		if v := intOf(d, uint64(b)); v < lo || v > hi {
			return fmt.Errorf("value of type %v: element %d is %d", t.Type, i, v)
		}
	}
	return nil
}

func inferIota(_ *Module, op *Op) ([]Type, error) {
	t, dim := op.Attrs["type"].(Type), op.Attrs["iota_dimension"].(int)
	if err := checkDims("iota dimension", []int{dim}, t.Rank()); err != nil {
		return nil, fmt.Errorf("result %v: %w", t, err)
	}
	if t.DType == I1 {
		return nil, fmt.Errorf("result %v: i1 does not count", t)
	}
	return []Type{t}, nil
}

func inferReshape(_ *Module, op *Op) ([]Type, error) {
	x, to := op.Operands[0].Type, op.Attrs["type"].(Type)
	if err := checkType(to); err != nil {
		return nil, fmt.Errorf("result %v: %w", to, err)
	}
	if to.DType != x.DType || to.Elements() != x.Elements() {
		return nil, fmt.Errorf("result %v does not have the same elements", to)
	}
	return []Type{to}, nil
}

func inferTranspose(_ *Module, op *Op) ([]Type, error) {
	x, perm := op.Operands[0].Type, op.Attrs["permutation"].([]int)
	if len(perm) != x.Rank() {
		return nil, fmt.Errorf("permutation %v does not have the operand's rank %d", perm, x.Rank())
	}
	if err := checkDims("permutation", perm, x.Rank()); err != nil {
		return nil, err
	}
	shape := make([]int, len(perm))
	for i, d := range perm {
		shape[i] = x.Shape[d]
	}
	return []Type{{x.DType, shape}}, nil
}

func inferBroadcast(_ *Module, op *Op) ([]Type, error) {
	x, to := op.Operands[0].Type, op.Attrs["type"].(Type)
	dims := op.Attrs["broadcast_dimensions"].([]int)
	if to.DType != x.DType || len(dims) != x.Rank() {
		return nil, fmt.Errorf("dims %v do not map the operand to %v", dims, to)
	}
	if err := checkDims("dims", dims, to.Rank()); err != nil {
		return nil, fmt.Errorf("result %v: %w", to, err)
	}
	for i, d := range dims {
		if x.Shape[i] != 1 && x.Shape[i] != to.Shape[d] {
			return nil, fmt.Errorf("dims %v: dimension %d of size %d does not become dimension %d of %v", dims, i, x.Shape[i], d, to)
		}
	}
	return []Type{to}, nil
}

func inferReverse(_ *Module, op *Op) ([]Type, error) {
	x := op.Operands[0].Type
	if err := checkDims("dims", op.Attrs["dimensions"].([]int), x.Rank()); err != nil {
		return nil, err
	}
	return []Type{x}, nil
}

func inferConcatenate(_ *Module, op *Op) ([]Type, error) {
	first, dim := op.Operands[0].Type, op.Attrs["dimension"].(int)
	if err := checkDims("dim", []int{dim}, first.Rank()); err != nil {
		return nil, err
	}
	shape := slices.Clone(first.Shape)
	for i, v := range op.Operands[1:] {
		t := v.Type
		if t.DType != first.DType || t.Rank() != first.Rank() ||
			!slices.Equal(without(t.Shape, []int{dim}), without(first.Shape, []int{dim})) {
			return nil, fmt.Errorf("operand %d differs from the first in more than dimension %d", i+1, dim)
		}
		shape[dim] += t.Shape[dim]
	}
	return []Type{{first.DType, shape}}, nil
}

func inferPad(_ *Module, op *Op) ([]Type, error) {
	x, v := op.Operands[0].Type, op.Operands[1].Type
	low, high, interior := op.Attrs["edge_padding_low"].([]int), op.Attrs["edge_padding_high"].([]int), op.Attrs["interior_padding"].([]int)
	if !v.Equal(T(x.DType)) {
		return nil, fmt.Errorf("the padding value is not a scalar %v", x.DType)
	}
	if len(low) != x.Rank() || len(high) != x.Rank() || len(interior) != x.Rank() {
		return nil, fmt.Errorf("low %v, high %v, interior %v do not have the operand's rank %d", low, high, interior, x.Rank())
	}
	shape := make([]int, x.Rank())
	for i, d := range x.Shape {
		if max(low[i], -low[i], high[i], -high[i], interior[i]) > maxElements || interior[i] < 0 || interior[i] > maxElements/d {
			return nil, fmt.Errorf("low %v, high %v, interior %v: out of range in dimension %d", low, high, interior, i)
		}
		shape[i] = low[i] + d + (d-1)*interior[i] + high[i]
	}
	return []Type{{x.DType, shape}}, nil
}
