package ir

import (
	"fmt"
	"slices"
)

// indexOps are the ops that read and write parts of a tensor.
var indexOps = []opDef{
	{name: "stablehlo.slice", operands: 1,
		attrs: attrs{"start_indices": []int(nil), "limit_indices": []int(nil), "strides": []int(nil)},
		infer: inferSlice, form: form{operandList, sliceRanges, signature}},
	{name: "stablehlo.dynamic_slice", operands: atLeast(1), attrs: attrs{"slice_sizes": []int(nil)},
		infer: inferDynamicSlice, form: form{operandList, list("sizes", "slice_sizes"), signature}},
	{name: "stablehlo.dynamic_update_slice", operands: atLeast(2),
		infer: inferDynamicUpdateSlice, form: form{operandList, signature}},
	{name: "stablehlo.gather", operands: 2,
		attrs: attrs{"offset_dims": []int(nil), "collapsed_slice_dims": []int(nil), "start_index_map": []int(nil),
			"index_vector_dim": 0, "slice_sizes": []int(nil)},
		infer: inferGather, form: form{operandTuple, gatherDims, signature}, generic: true},
}

func inferSlice(_ *Module, op *Op) ([]Type, error) {
	x := op.Operands[0].Type
	start, limit, strides := op.Attrs["start_indices"].([]int), op.Attrs["limit_indices"].([]int), op.Attrs["strides"].([]int)
	if len(start) != x.Rank() || len(limit) != x.Rank() || len(strides) != x.Rank() {
		return nil, fmt.Errorf("start %v, limit %v, strides %v do not have the operand's rank %d", start, limit, strides, x.Rank())
	}
	shape := make([]int, x.Rank())
	for i, d := range x.Shape {
		if start[i] < 0 || start[i] >= limit[i] || limit[i] > d || strides[i] < 1 {
			return nil, fmt.Errorf("%d:%d:%d is no range of dimension %d", start[i], limit[i], strides[i], i)
		}
		shape[i] = (limit[i]-start[i]-1)/strides[i] + 1
	}
	return []Type{{x.DType, shape}}, nil
}

func inferDynamicSlice(_ *Module, op *Op) ([]Type, error) {
	x, sizes := op.Operands[0].Type, op.Attrs["slice_sizes"].([]int)
	if err := checkStarts(op.Operands[1:], x.Rank()); err != nil {
		return nil, err
	}
	if err := checkSizes(sizes, x.Shape); err != nil {
		return nil, err
	}
	return []Type{T(x.DType, sizes...)}, nil
}

func inferDynamicUpdateSlice(_ *Module, op *Op) ([]Type, error) {
	x, update := op.Operands[0].Type, op.Operands[1].Type
	if err := checkStarts(op.Operands[2:], x.Rank()); err != nil {
		return nil, err
	}
	if update.DType != x.DType {
		return nil, fmt.Errorf("the update has another element type")
	}
	if err := checkSizes(update.Shape, x.Shape); err != nil {
		return nil, fmt.Errorf("update: %w", err)
	}
	return []Type{x}, nil
}

// checkStarts checks start indices: one scalar integer a dimension, of one type.
func checkStarts(starts []*Value, rank int) error {
	if len(starts) != rank {
		return fmt.Errorf("%d start indices for rank %d", len(starts), rank)
	}
	for _, s := range starts {
		if !isIndex(s.Type) || s.Type.DType != starts[0].Type.DType {
			return fmt.Errorf("start indices are not scalar integers of one type")
		}
	}
	return nil
}

// checkSizes checks the sizes of a slice of a tensor of that shape.
func checkSizes(sizes, shape []int) error {
	if len(sizes) != len(shape) {
		return fmt.Errorf("sizes %v do not have the rank %d", sizes, len(shape))
	}
	for i, s := range sizes {
		if s < 1 || s > shape[i] {
			return fmt.Errorf("sizes %v: %d does not fit dimension %d of size %d", sizes, s, i, shape[i])
		}
	}
	return nil
}

// gatherAttrs are the attributes of a gather.
func gatherAttrs(op *Op) GatherDims {
	return GatherDims{
		OffsetDims:         op.Attrs["offset_dims"].([]int),
		CollapsedSliceDims: op.Attrs["collapsed_slice_dims"].([]int),
		StartIndexMap:      op.Attrs["start_index_map"].([]int),
		IndexVectorDim:     op.Attrs["index_vector_dim"].(int),
		SliceSizes:         op.Attrs["slice_sizes"].([]int),
	}
}

// inferGather follows the StableHLO specification, without batching dimensions:
// the result's offset dimensions are the slice's, its others those of the indices.
func inferGather(_ *Module, op *Op) ([]Type, error) {
	x, indices, d := op.Operands[0].Type, op.Operands[1].Type, gatherAttrs(op)
	if !integers.has(indices.DType) {
		return nil, fmt.Errorf("indices are not integers")
	}
	if err := d.check(x, indices); err != nil {
		return nil, err
	}
	batch := slices.Clone(indices.Shape)
	if d.IndexVectorDim < indices.Rank() {
		batch = slices.Delete(batch, d.IndexVectorDim, d.IndexVectorDim+1)
	}
	offset := without(d.SliceSizes, d.CollapsedSliceDims)
	rank := len(batch) + len(offset)
	if len(d.OffsetDims) != len(offset) || !slices.IsSorted(d.OffsetDims) {
		return nil, fmt.Errorf("offset_dims %v are not %d sorted dimensions", d.OffsetDims, len(offset))
	}
	if err := checkDims("offset_dims", d.OffsetDims, rank); err != nil {
		return nil, err
	}
	shape := make([]int, rank)
	for i := range shape {
		from := &batch
		if slices.Contains(d.OffsetDims, i) {
			from = &offset
		}
		shape[i], *from = (*from)[0], (*from)[1:]
	}
	return []Type{{x.DType, shape}}, nil
}

// check checks the dimension numbers against the operands, except offset_dims.
func (d GatherDims) check(x, indices Type) error {
	if d.IndexVectorDim < 0 || d.IndexVectorDim > indices.Rank() {
		return fmt.Errorf("index_vector_dim %d is not one of rank %d", d.IndexVectorDim, indices.Rank())
	}
	vector := 1
	if d.IndexVectorDim < indices.Rank() {
		vector = indices.Shape[d.IndexVectorDim]
	}
	if len(d.StartIndexMap) != vector {
		return fmt.Errorf("start_index_map %v does not have the %d elements of an index vector", d.StartIndexMap, vector)
	}
	if err := checkDims("start_index_map", d.StartIndexMap, x.Rank()); err != nil {
		return err
	}
	if err := checkSizes(d.SliceSizes, x.Shape); err != nil {
		return err
	}
	if err := checkDims("collapsed_slice_dims", d.CollapsedSliceDims, x.Rank()); err != nil {
		return err
	}
	if !slices.IsSorted(d.CollapsedSliceDims) {
		return fmt.Errorf("collapsed_slice_dims %v are not sorted", d.CollapsedSliceDims)
	}
	for _, c := range d.CollapsedSliceDims {
		if d.SliceSizes[c] != 1 {
			return fmt.Errorf("sizes %v: collapsed dimension %d is not 1", d.SliceSizes, c)
		}
	}
	return nil
}
