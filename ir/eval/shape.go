package eval

import "github.com/mlxc/mlxc/ir"

// Ops that move elements. Where a view will do, nothing is copied.

// constant shows splats as a view of one element.
func constant(_ *planner, op *ir.Op) (stepFunc, error) {
	v := op.Attrs["value"].(*ir.Tensor)
	data, stride := aligned(v.Type.DType, v.Data), contiguous(v.Type.Shape)
	if isSplat(data, v.Type.DType.Size()) {
		stride = make([]int, len(stride))
	}
	return func(*machine, *frame, []*array) ([]*array, error) {
		return []*array{{Type: v.Type, buf: &buffer{data: data, refs: 1}, stride: stride}}, nil
	}, nil
}

// isSplat reports whether all elements have the same bytes.
func isSplat(data []byte, size int) bool {
	for i := size; i < len(data); i++ {
		if data[i] != data[i-size] {
			return false
		}
	}
	return true
}

// iota is one row of counting, broadcast.
func iota(_ *planner, op *ir.Op) (stepFunc, error) {
	t, dim := op.Results[0].Type, op.Attrs["iota_dimension"].(int)
	count := convertKernel(ir.I64, t.DType)
	return func(m *machine, _ *frame, _ []*array) ([]*array, error) {
		n := t.Shape[dim]
		numbers, row := newLanes(ir.I64, n), newLanes(t.DType, n)
		for i := range numbers.i {
			numbers.i[i] = int64(i)
		}
		count(row, []lanes{numbers})
		a := m.alloc(ir.T(t.DType, n))
		storages[t.DType].save(a.buf.data, 0, 1, row)
		return []*array{a.broadcast([]int{dim}, t.Shape)}, nil
	}, nil
}

func reshape(_ *planner, op *ir.Op) (stepFunc, error) {
	shape := op.Results[0].Type.Shape
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		a := take(in, 0)
		r, ok := a.reshape(shape)
		if !ok {
			r, _ = m.copy(a).reshape(shape)
		}
		return []*array{r}, nil
	}, nil
}

func transpose(_ *planner, op *ir.Op) (stepFunc, error) {
	perm := op.Attrs["permutation"].([]int)
	return func(_ *machine, _ *frame, in []*array) ([]*array, error) {
		return []*array{take(in, 0).transpose(perm)}, nil
	}, nil
}

// broadcast of an expression would compute its elements over again: that is worth
// it only for conversions, which spare a converted copy of a weight or a cache.
func broadcast(_ *planner, op *ir.Op) (stepFunc, error) {
	shape, dims := op.Results[0].Type.Shape, op.Attrs["broadcast_dimensions"].([]int)
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		a := take(in, 0)
		if !a.isCast() && a.Elements() < product(shape) {
			a = m.view(a)
		}
		return []*array{a.broadcast(dims, shape)}, nil
	}, nil
}

// isCast reports whether a is a view or conversions of one.
func (a *array) isCast() bool {
	for a.lazy() {
		if a.op != "stablehlo.convert" {
			return false
		}
		a = a.args[0]
	}
	return true
}

func reverse(_ *planner, op *ir.Op) (stepFunc, error) {
	dims := op.Attrs["dimensions"].([]int)
	return func(_ *machine, _ *frame, in []*array) ([]*array, error) {
		return []*array{take(in, 0).reverse(dims)}, nil
	}, nil
}

func slice(_ *planner, op *ir.Op) (stepFunc, error) {
	start, strides := op.Attrs["start_indices"].([]int), op.Attrs["strides"].([]int)
	sizes := op.Results[0].Type.Shape
	return func(_ *machine, _ *frame, in []*array) ([]*array, error) {
		return []*array{take(in, 0).slice(start, sizes, strides)}, nil
	}, nil
}

func concatenate(_ *planner, op *ir.Op) (stepFunc, error) {
	t, dim := op.Results[0].Type, op.Attrs["dimension"].(int)
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		out := m.alloc(t)
		start := make([]int, t.Rank())
		for _, x := range in {
			m.store(out.slice(start, x.Shape, nil), x)
			start[dim] += x.Shape[dim]
		}
		return []*array{out}, nil
	}, nil
}

// pad: element i of a dimension comes to low + i·(interior+1), if that is inside.
func pad(_ *planner, op *ir.Op) (stepFunc, error) {
	t, from := op.Results[0].Type, op.Operands[0].Type
	low, interior := op.Attrs["edge_padding_low"].([]int), op.Attrs["interior_padding"].([]int)
	rank := t.Rank()
	source, target, sizes, step := make([]int, rank), make([]int, rank), make([]int, rank), make([]int, rank)
	for d := range rank {
		step[d] = interior[d] + 1
		source[d] = max(0, (-low[d]+step[d]-1)/step[d]) // the first one inside
		target[d] = low[d] + source[d]*step[d]
		behind := (t.Shape[d] - target[d] + step[d] - 1) / step[d] // as many fit
		sizes[d] = max(0, min(from.Shape[d]-source[d], behind))
	}
	return func(m *machine, _ *frame, in []*array) ([]*array, error) {
		out := m.alloc(t)
		in[1] = m.view(in[1])
		m.store(out, in[1].broadcast(nil, t.Shape))
		if product(sizes) > 0 {
			m.store(out.slice(target, sizes, step), in[0].slice(source, sizes, nil))
		}
		return []*array{out}, nil
	}, nil
}
