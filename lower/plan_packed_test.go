package lower_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/ir/eval"
	"github.com/mlxc/mlxc/lower"
)

// affine is a random quantised matrix: codes and factors by hand, before any packing.
type affine struct {
	lower.Format
	out, in        int
	codes          []uint32
	scales, biases []float32                // one a group; with super-groups whole numbers, to be
	supers         map[lower.Part][]float32 // multiplied with these
}

func randomAffine(r *rand.Rand, f lower.Format, out, in int) affine {
	a := affine{Format: f, out: out, in: in, supers: map[lower.Part][]float32{}}
	for range out * in {
		a.codes = append(a.codes, r.Uint32N(1<<f.Bits))
	}
	for range out * in / f.Group {
		if f.Super == 0 {
			a.scales = append(a.scales, float32(r.IntN(64)-32)/256)
			a.biases = append(a.biases, float32(r.IntN(64)-32)/64)
		} else if f.Centre == 0 {
			a.scales, a.biases = append(a.scales, float32(r.IntN(256))), append(a.biases, float32(r.IntN(256)))
		} else {
			a.scales = append(a.scales, float32(r.IntN(256)-128))
		}
	}
	for range out * in / f.Group / max(f.Super, 1) {
		for _, part := range []lower.Part{lower.SuperScales, lower.SuperBiases} {
			a.supers[part] = append(a.supers[part], float32(r.IntN(64)-32)/65536)
		}
	}
	return a
}

// at is the number in a row and a column.
func (a affine) at(row, column int) float64 {
	i := row*a.in + column
	g := i / a.Group
	scale := float64(a.scales[g])
	if a.Super != 0 {
		scale *= float64(a.supers[lower.SuperScales][g/a.Super])
	}
	if a.Centre != 0 {
		return scale * float64(int(a.codes[i])-a.Centre)
	}
	bias := float64(a.biases[g])
	if a.Super != 0 {
		bias *= float64(a.supers[lower.SuperBiases][g/a.Super])
	}
	return scale*float64(a.codes[i]) + bias
}

// part is what a recipe takes of the matrix, as MLX lays it out.
func (a affine) part(part lower.Part) *ir.Tensor {
	if part == lower.Codes {
		per := 32 / a.Bits
		t := &ir.Tensor{Type: ir.T(ir.UI32, a.out, a.in/per)}
		for i := 0; i < len(a.codes); i += per {
			word := uint32(0)
			for j, c := range a.codes[i : i+per] {
				word |= c << (j * a.Bits)
			}
			t.Data = binary.LittleEndian.AppendUint32(t.Data, word)
		}
		return t
	}
	numbers, ok := map[lower.Part][]float32{lower.Scales: a.scales, lower.Biases: a.biases}[part]
	if ok && a.Super != 0 {
		t := &ir.Tensor{Type: ir.T(ir.UI8, a.out, a.in/a.Group)}
		if a.Centre != 0 {
			t.Type.DType = ir.I8
		}
		for _, x := range numbers {
			t.Data = append(t.Data, byte(int(x)))
		}
		return t
	}
	if !ok {
		numbers = a.supers[part]
	}
	t := &ir.Tensor{Type: ir.T(ir.F16, a.out, len(numbers)/a.out)}
	for _, x := range numbers {
		t.Data = binary.LittleEndian.AppendUint16(t.Data, ir.F32ToF16(x))
	}
	return t
}

// evaluate runs f on arguments.
func evaluate(t *testing.T, args []*ir.Tensor, f func(b *ir.Builder, args []*ir.Value) *ir.Value) []float32 {
	t.Helper()
	m, err := ir.Build(func() *ir.Module {
		m := &ir.Module{}
		var types []ir.Type
		for _, a := range args {
			types = append(types, a.Type)
		}
		b := ir.NewFunc(m, "main", false, types, nil)
		y := f(b, b.Func.Args)
		b.Func.Results = []ir.Type{y.Type}
		b.Return(y)
		return m
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := eval.New(m)
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Call(t.Context(), "main", args)
	if err != nil {
		t.Fatal(err)
	}
	var y []float32
	for i := 0; i < len(results[0].Data); i += 4 {
		y = append(y, math.Float32frombits(binary.LittleEndian.Uint32(results[0].Data[i:])))
	}
	return y
}

// TestPackedProduct: products with and rows of a packed matrix are those of the
// numbers that its codes stand for, for every number of rows and a matrix that isn't
// whole tiles.
func TestPackedProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kept := func(f lower.Format) lower.WeightPlan {
		p, err := lower.PlanFor(llvmCPU(t), lower.Keep, "", func(string) lower.Format {
			f.DType = ir.F16
			return f
		})
		if err != nil {
			t.Fatal(err)
		}
		return p.Weights
	}
	for precision, weights := range map[string]lower.WeightPlan{
		"q4:32": plan(t, "q4:32", "").Weights, "q4": plan(t, "q4", "").Weights, "q4:128": plan(t, "q4:128", "").Weights,
		"q8:32": plan(t, "q8:32", "").Weights, "q8": plan(t, "q8", "").Weights,
		"Q4_0": kept(lower.Format{Bits: 4, Group: 32, Centre: 8}), "Q8_0": kept(lower.Format{Bits: 8, Group: 32, Centre: 128}),
		"Q4_K": kept(lower.Format{Bits: 4, Group: 32, Super: 8}), "Q5_K": kept(lower.Format{Bits: 8, Group: 32, Super: 8}),
		"Q6_K": kept(lower.Format{Bits: 8, Group: 16, Centre: 32, Super: 16}), "super-groups": kept(lower.Format{Bits: 4, Group: 32, Super: 2}),
	} {
		const out, in = 37, 256
		stored := weights.Store("", []lower.Linear{{Tensor: "m.weight", Out: out, In: in}})[0]
		a := randomAffine(r, stored.Weights[0].Recipe.Format, out, in)
		var matrix []*ir.Tensor
		for _, w := range stored.Weights {
			x := rearrange(t, a.part(w.Recipe.Part), w.Recipe.Steps)
			if !x.Type.Equal(w.Type) {
				t.Fatalf("%s: %s is %v, the recipe makes %v", precision, w.Name, w.Type, x.Type)
			}
			matrix = append(matrix, x)
		}
		for _, lead := range [][]int{nil, {1}, {4}, {8}, {16}} {
			name := fmt.Sprintf("%s, rows %v", precision, lead)
			rows := ir.T(ir.F32, lead...).Elements()
			x := &ir.Tensor{Type: ir.T(ir.F32, append(lead, in)...)}
			ids := &ir.Tensor{Type: ir.T(ir.I32, lead...)}
			for i := range rows {
				ids.Data = binary.LittleEndian.AppendUint32(ids.Data, uint32(i*5%out))
				for range in {
					x.Data = binary.LittleEndian.AppendUint32(x.Data, math.Float32bits(float32(r.IntN(33)-16)/8))
				}
			}
			product := evaluate(t, append([]*ir.Tensor{x}, matrix...), func(b *ir.Builder, args []*ir.Value) *ir.Value {
				return weights.Multiply(b, args[0], stored, args[1:])
			})
			got := evaluate(t, append([]*ir.Tensor{ids}, matrix...), func(b *ir.Builder, args []*ir.Value) *ir.Value {
				return weights.Rows(b, args[0], stored, args[1:])
			})
			if len(product) != rows*out || len(got) != rows*in {
				t.Fatalf("%s: %d products, %d numbers", name, len(product), len(got))
			}
			for i, y := range product {
				want := 0.0
				for j := range in {
					want += float64(math.Float32frombits(binary.LittleEndian.Uint32(x.Data[4*(i/out*in+j):]))) * a.at(i%out, j)
				}
				if math.Abs(float64(y)-want) > 2e-3 {
					t.Fatalf("%s: product %d is %g, want %g", name, i, y, want)
				}
			}
			for i, w := range got {
				if want := a.at(i/in*5%out, i%in); float64(w) != want {
					t.Fatalf("%s: number %d of the rows is %g, want %g", name, i, w, want)
				}
			}
		}
	}
}

// TestPackedStore: matrices of one format lie together, others alone, and what can't
// be packed is dense.
func TestPackedStore(t *testing.T) {
	row := llvmCPU(t)
	q4, q8 := lower.Format{Bits: 4, Group: 32, DType: ir.F16}, lower.Format{Bits: 8, Group: 32, DType: ir.F16}
	f16, bf16 := lower.Format{DType: ir.F16}, lower.Format{DType: ir.BF16}
	formats := map[string]lower.Format{"a.weight": q4, "b.weight": q4, "c.weight": q8, "x.weight": f16, "y.weight": f16, "z.weight": bf16}
	p, err := lower.PlanFor(row, lower.Keep, "", func(tensor string) lower.Format { return formats[tensor] })
	if err != nil {
		t.Fatal(err)
	}
	linear := func(names ...string) (ms []lower.Linear) {
		for _, n := range names {
			ms = append(ms, lower.Linear{Tensor: n + ".weight", Out: 16, In: 64})
		}
		return ms
	}
	for _, c := range []struct {
		ms   []lower.Linear
		want string
	}{
		{linear("a"), "[a.weight ui32 a.scales f16 a.biases f16]"},
		{linear("a", "b"), "[ab.weight ui32 ab.scales f16 ab.biases f16]"},
		{linear("a", "c"), "[a.weight ui32 a.scales f16 a.biases f16][c.weight ui32 c.scales f16 c.biases f16]"},
		{linear("a", "x", "b"), "[a.weight ui32 a.scales f16 a.biases f16][x.weight f16][b.weight ui32 b.scales f16 b.biases f16]"},
		{linear("x", "y"), "[ab.weight f16]"},
		{linear("x", "z"), "[x.weight f16][z.weight bf16]"},
		{[]lower.Linear{{Tensor: "a.weight", Out: 16, In: 48}}, "[a.weight f16]"},
	} {
		got := ""
		for _, s := range p.Weights.Store("ab", c.ms) {
			var names []string
			for _, w := range s.Weights {
				names = append(names, w.Name, w.NumberType().String())
			}
			got += fmt.Sprint(names)
		}
		if got != c.want {
			t.Errorf("%v: stored as %s, want %s", c.ms, got, c.want)
		}
	}
}

// TestLayersReadApart: layers whose weights have the same types but aren't read alike
// don't share a function.
func TestLayersReadApart(t *testing.T) {
	q4 := func(centre int) lower.Format {
		return lower.Format{Bits: 4, Group: 16, DType: ir.F16, Centre: centre}
	}
	for _, c := range []struct {
		first, last lower.Format // of layer 0, and of layer 2, which is its equal
		functions   int
	}{
		{lower.Format{DType: ir.F16}, lower.Format{DType: ir.F16}, 2},
		{lower.Format{DType: ir.F16}, lower.Format{DType: ir.BF16}, 3},
		{q4(8), q4(8), 2},
		{q4(8), q4(12), 3},
	} {
		p, err := lower.PlanFor(llvmCPU(t), lower.Keep, "", func(tensor string) lower.Format {
			if strings.Contains(tensor, "layers.2.") {
				return c.last
			}
			return c.first
		})
		if err != nil {
			t.Fatal(err)
		}
		program, err := lower.Lower(tinySpec(), p, lower.Options{Context: 8, Slots: 2, Graphs: kinds(t, "decode")})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(ir.Print(program.Graphs[0].Module), "func.func private @decode.layer"); n != c.functions {
			t.Errorf("%v and %v: %d layer functions, want %d", c.first, c.last, n, c.functions)
		}
	}
}
