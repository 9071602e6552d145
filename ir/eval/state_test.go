package eval

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/ir"
)

// cacheShape is one f16 pool of keys or values: slots, positions, features. 47 MB.
var cacheShape = []int{4, 2048, 2880}

// decoder is a module of the form that graphs of the plans have: main takes weights
// and state, donated, and calls a private function for each layer, which writes the
// rows of the new token into its key and value pools and attends to one slot.
func decoder(t testing.TB, layers int) *ir.Module {
	width := cacheShape[2]
	row, weight, cache, index := ir.T(ir.F32, 1, width), ir.T(ir.F16, width, 8), ir.T(ir.F16, cacheShape...), ir.T(ir.I32)
	return module(t, func(m *ir.Module) {
		types := []ir.Type{row, index, index}
		for range layers {
			types = append(types, weight, cache, cache)
		}
		main := ir.NewFunc(m, "main", false, types, nil)
		private(m, "layer", []ir.Type{row, index, index, weight, cache, cache}, decoderLayer)
		x := main.Arg(0)
		var state []*ir.Value
		for l := range layers {
			args := append([]*ir.Value{x, main.Arg(1), main.Arg(2)}, main.Func.Args[3+3*l:6+3*l]...)
			out := main.Call("layer", args...)
			x, state = out[0], append(state, out[1:]...)
			for k := range 2 {
				main.Func.ArgAttrs[4+3*l+k] = map[string]any{"iree.abi.output": ir.Index(1 + 2*l + k)}
			}
		}
		results := append([]*ir.Value{x}, state...)
		for _, v := range results {
			main.Func.Results = append(main.Func.Results, v.Type)
		}
		main.Return(results...)
	})
}

func decoderLayer(b *ir.Builder, a []*ir.Value) []*ir.Value {
	x, slot, pos, w, keys, values := a[0], a[1], a[2], a[3], a[4], a[5]
	width := cacheShape[2]
	hidden := b.DotGeneral(x, b.Convert(w, ir.F32), rowsTimesColumns, ir.F32)
	y := b.DotGeneral(hidden, b.Convert(w, ir.F32), rowsTimesRows, ir.F32)
	update := b.Reshape(b.Convert(y, ir.F16), 1, 1, width)
	keys = b.DynamicUpdateSlice(keys, update, slot, pos, b.I32(0))
	values = b.DynamicUpdateSlice(values, update, slot, pos, b.I32(0))
	mine := func(cache *ir.Value) *ir.Value {
		return b.Reshape(b.DynamicSlice(cache, []*ir.Value{slot, b.I32(0), b.I32(0)}, 1, cacheShape[1], width), cacheShape[1], width)
	}
	scores := b.DotGeneral(y, mine(keys), rowsTimesRows, ir.F32)
	return []*ir.Value{b.DotGeneral(softmax(b, scores, 1), mine(values), rowsTimesColumns, ir.F32), keys, values}
}

func decoderArgs(layers, pos int) []*ir.Tensor {
	rng := rand.New(rand.NewPCG(1, 2))
	width := cacheShape[2]
	args := tensors(random(rng, ir.F32, 1, width), num(ir.I32, 2), num(ir.I32, float64(pos)))
	for range layers {
		args = append(args, random(rng, ir.F16, width, 8))
		for range 2 {
			t := ir.T(ir.F16, cacheShape...)
			args = append(args, &ir.Tensor{Type: t, Data: make([]byte, t.Bytes())})
		}
	}
	return args
}

// A copy of one pool would be 47 MB.
func TestDonatedStateIsUpdatedInPlaceThroughCalls(t *testing.T) {
	const layers = 2
	p, err := New(decoder(t, layers))
	if err != nil {
		t.Fatal(err)
	}
	args := decoderArgs(layers, 5)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := p.Call(context.Background(), "main", args)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("the call allocated %d bytes", n)
	}
	for l := range layers {
		for k := range 2 {
			arg, result := args[4+3*l+k], out[1+2*l+k]
			if &arg.Data[0] != &result.Data[0] {
				t.Errorf("layer %d: state %d was not updated in place", l, k)
			}
			row := cacheShape[2] * 2
			at := (2*cacheShape[1] + 5) * row
			if written := result.Data[at : at+row]; slices.Equal(written, make([]byte, row)) {
				t.Errorf("layer %d: state %d: nothing was written", l, k)
			}
			if !slices.Equal(result.Data[:at], make([]byte, at)) {
				t.Errorf("layer %d: state %d changed elsewhere", l, k)
			}
		}
	}
}

// updater updates row i of state x[0], by f.
func updater(t *testing.T, f func(b *ir.Builder, x []*ir.Value) []*ir.Value) (*Program, []*ir.Tensor) {
	in := tensors(count(ir.F32, 1000, 100), tensor(ir.F32, []int{1, 100}, make([]float64, 100)...), num(ir.I32, 500))
	p, err := New(module(t, func(m *ir.Module) { opCase{in: in, f: f}.add(m, "main", false) }))
	if err != nil {
		t.Fatal(err)
	}
	return p, in
}

var inPlaceCases = []struct {
	name    string
	f       func(b *ir.Builder, x []*ir.Value) []*ir.Value
	inPlace bool
}{
	{"update", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		return []*ir.Value{b.DynamicUpdateSlice(x[0], x[1], x[2], x[2])}
	}, true},
	{"of a reshape", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		y := b.DynamicUpdateSlice(b.Reshape(x[0], 100000), b.Reshape(x[1], 100), x[2])
		return []*ir.Value{b.Reshape(y, 1000, 100)}
	}, true},
	{"several rows", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		y := x[0]
		for i := range 3 {
			y = b.DynamicUpdateSlice(y, x[1], b.I32(i), b.I32(0))
		}
		return []*ir.Value{y}
	}, true},
	{"a row is read before and used after", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		old := b.Slice(x[0], []int{500, 0}, []int{501, 100})
		y := b.DynamicUpdateSlice(x[0], x[1], x[2], b.I32(0))
		return []*ir.Value{b.DynamicUpdateSlice(y, b.Add(old, old), b.I32(0), b.I32(0))}
	}, true},
	{"in a loop", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		return b.While([]*ir.Value{b.I32(0), x[0]}, func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Compare("LT", v[0], x[2]) },
			func(b *ir.Builder, v []*ir.Value) []*ir.Value {
				return []*ir.Value{b.Add(v[0], b.I32(1)), b.DynamicUpdateSlice(v[1], x[1], v[0], b.I32(0))}
			})[1:]
	}, true},
	{"in a composite", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		private(b.Module, "impl", []ir.Type{x[0].Type, x[1].Type, x[2].Type}, func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return []*ir.Value{b.DynamicUpdateSlice(x[0], x[1], x[2], b.I32(0))}
		})
		return b.Composite("mlxc.update", "impl", map[string]any{}, x...)
	}, true},
	{"the old state is needed as well", func(b *ir.Builder, x []*ir.Value) []*ir.Value {
		y := b.DynamicUpdateSlice(x[0], x[1], x[2], b.I32(0))
		return []*ir.Value{y, b.ReduceSum(x[0], 0, 1)}
	}, false},
}

func TestDynamicUpdateSliceInPlace(t *testing.T) {
	for _, c := range inPlaceCases {
		t.Run(c.name, func(t *testing.T) {
			p, in := updater(t, c.f)
			kept, err := p.Call(context.Background(), "main", in)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(in[0].Data, count(ir.F32, 1000, 100).Data) {
				t.Fatal("an argument that was not donated was modified")
			}
			donated, err := p.CallDonating(context.Background(), "main", in, []bool{true, false, false})
			if err != nil {
				t.Fatal(err)
			}
			for i := range kept {
				if !slices.Equal(kept[i].Data, donated[i].Data) {
					t.Errorf("result %d depends on donation", i)
				}
			}
			if got := &donated[0].Data[0] == &in[0].Data[0]; got != c.inPlace {
				t.Errorf("in place: %v, want %v", got, c.inPlace)
			}
		})
	}
}

func BenchmarkDecoderLayers(b *testing.B) {
	p, err := New(decoder(b, 2))
	if err != nil {
		b.Fatal(err)
	}
	args := decoderArgs(2, 5)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Call(context.Background(), "main", args); err != nil {
			b.Fatal(err)
		}
	}
}
