package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// opCase is one op at work: inputs, the graph, and the values computed by hand.
type opCase struct {
	name string
	in   []*ir.Tensor
	f    func(b *ir.Builder, x []*ir.Value) []*ir.Value
	want []*ir.Tensor
	// tol is the relative tolerance of floats, for want and for IREE's results alike,
	// and atol the absolute one (for sums that cancel); 0 demands the same bits (all
	// NaNs are one, −0 is not 0).
	tol, atol float64
	// differs says why IREE's result is another one, by right (StableHLO leaves it
	// open) or by mistake; such a case is compared with want only.
	differs string
}

// opCases are the cases of all tables.
func opCases() []opCase {
	return slices.Concat(floatCases, integerCases, convertCases, shapeCases, indexCases, reductionCases, dotCases, controlCases)
}

// tensor makes a tensor of values that its type holds or rounds.
func tensor(d ir.DType, shape []int, values ...float64) *ir.Tensor {
	t := &ir.Tensor{Type: ir.T(d, shape...)}
	for _, v := range values {
		t.Data = append(t.Data, ir.SplatTensor(ir.T(d), v).Data...)
	}
	if len(t.Data) != t.Type.Bytes() {
		panic(fmt.Sprintf("%d values for %v", len(values), t.Type))
	}
	return t
}

// vec is a tensor of rank 1.
func vec(d ir.DType, values ...float64) *ir.Tensor { return tensor(d, []int{len(values)}, values...) }

// num is a scalar.
func num(d ir.DType, value float64) *ir.Tensor { return tensor(d, nil, value) }

// count is a tensor of 0, 1, 2, …
func count(d ir.DType, shape ...int) *ir.Tensor {
	values := make([]float64, ir.T(d, shape...).Elements())
	for i := range values {
		values[i] = float64(i)
	}
	return tensor(d, shape, values...)
}

func tensors(ts ...*ir.Tensor) []*ir.Tensor { return ts }

// one makes a graph of one result.
func one(f func(b *ir.Builder, x []*ir.Value) *ir.Value) func(*ir.Builder, []*ir.Value) []*ir.Value {
	return func(b *ir.Builder, x []*ir.Value) []*ir.Value { return []*ir.Value{f(b, x)} }
}

// op makes a graph of one op without attributes.
func op(name string) func(*ir.Builder, []*ir.Value) []*ir.Value {
	return func(b *ir.Builder, x []*ir.Value) []*ir.Value { return b.Op("stablehlo."+name, x, nil) }
}

// add appends the case's function to m.
func (c opCase) add(m *ir.Module, name string, private bool) *ir.Func {
	var types []ir.Type
	for _, t := range c.in {
		types = append(types, t.Type)
	}
	b := ir.NewFunc(m, name, private, types, nil)
	out := c.f(b, b.Func.Args)
	for _, v := range out {
		b.Func.Results = append(b.Func.Results, v.Type)
	}
	b.Return(out...)
	return b.Func
}

// module builds a module with f and stops the test if that fails.
func module(t testing.TB, f func(m *ir.Module)) *ir.Module {
	t.Helper()
	m, err := ir.Build(func() *ir.Module {
		m := &ir.Module{Name: "test"}
		f(m)
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOpsAgainstHandComputedValues(t *testing.T) {
	for _, c := range opCases() {
		t.Run(c.name, func(t *testing.T) {
			p, err := New(module(t, func(m *ir.Module) { c.add(m, "main", false) }))
			if err != nil {
				t.Fatal(err)
			}
			before := clone(c.in)
			got, err := p.Call(context.Background(), "main", c.in)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range c.in {
				if !slices.Equal(x.Data, before[i].Data) {
					t.Errorf("argument %d was modified", i)
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("%d results, want %d", len(got), len(c.want))
			}
			for i := range got {
				if err := difference(got[i], c.want[i], c.tol, c.atol); err != nil {
					t.Errorf("result %d: %v\ngot  %v\nwant %v", i, err, values(got[i]), values(c.want[i]))
				}
			}
		})
	}
}

func clone(ts []*ir.Tensor) []*ir.Tensor {
	out := make([]*ir.Tensor, len(ts))
	for i, t := range ts {
		out[i] = &ir.Tensor{Type: t.Type, Data: slices.Clone(t.Data)}
	}
	return out
}

// values are the elements of t as float64.
func values(t *ir.Tensor) []float64 {
	out := make([]float64, t.Type.Elements())
	size := t.Type.DType.Size()
	for i := range out {
		var bits uint64
		for k, b := range t.Data[i*size:][:size] {
			bits |= uint64(b) << (8 * k)
		}
		switch t.Type.DType {
		case ir.F32:
			out[i] = float64(math.Float32frombits(uint32(bits)))
		case ir.F16:
			out[i] = float64(ir.F16ToF32(uint16(bits)))
		case ir.BF16:
			out[i] = float64(ir.BF16ToF32(uint16(bits)))
		default:
			out[i] = float64(bits)
			if !t.Type.DType.IsUnsigned() {
				out[i] = float64(int64(bits<<(64-8*size)) >> (64 - 8*size))
			}
		}
	}
	return out
}

// difference says where got is not want.
func difference(got, want *ir.Tensor, tol, atol float64) error {
	if !got.Type.Equal(want.Type) || len(got.Data) != len(want.Data) {
		return fmt.Errorf("a %v of %d bytes, want %v of %d", got.Type, len(got.Data), want.Type, len(want.Data))
	}
	g, w := values(got), values(want)
	for i := range g {
		same := g[i] == w[i] && math.Signbit(g[i]) == math.Signbit(w[i]) || math.IsNaN(g[i]) && math.IsNaN(w[i])
		if !same && !(math.Abs(g[i]-w[i]) <= tol*math.Abs(w[i])+atol) {
			return fmt.Errorf("element %d is %v, want %v (tolerance %g relative, %g absolute)", i, g[i], w[i], tol, atol)
		}
	}
	return nil
}

func TestEveryOpOfTheTableIsEvaluated(t *testing.T) {
	if got, want := Ops(), ir.OpNames(); !slices.Equal(got, want) {
		t.Errorf("evaluated: %v\nin the table: %v", got, want)
	}
}

func TestEveryOpHasACase(t *testing.T) {
	covered := map[string]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, op := range b.Ops {
			covered[op.Name] = true
			for _, r := range op.Regions {
				visit(r)
			}
		}
	}
	for _, c := range opCases() {
		visit(module(t, func(m *ir.Module) { c.add(m, "main", false) }).Funcs[0].Body)
	}
	for _, name := range ir.OpNames() {
		if !covered[name] {
			t.Errorf("%s has no case", name)
		}
	}
}
