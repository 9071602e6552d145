package eval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mlxc/mlxc/ir"
)

// Results are the same bits for any number of CPUs, and for calls side by side.
func TestResultsDoNotDependOnThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range largerCases() {
		p, err := New(module(t, func(m *ir.Module) { c.add(m, "main", false) }))
		if err != nil {
			t.Fatal(err)
		}
		var want []*ir.Tensor
		for _, threads := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(threads)
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					got, err := p.Call(context.Background(), "main", c.in)
					if err != nil {
						t.Error(err)
						return
					}
					if threads == 1 {
						return
					}
					for i := range got {
						if !slices.Equal(got[i].Data, want[i].Data) {
							t.Errorf("%s: result %d with %d threads differs from that with 1", c.name, i, threads)
						}
					}
				})
			}
			wg.Wait()
			if threads == 1 {
				if want, err = p.Call(context.Background(), "main", c.in); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Each graph would run for minutes or for ever.
func TestCallEndsWithItsContext(t *testing.T) {
	big := func(b *ir.Builder) *ir.Value { return b.Broadcast(b.Splat(ir.T(ir.F32), 1), nil, 8192, 8192) }
	for name, f := range map[string]func(b *ir.Builder, x []*ir.Value) []*ir.Value{
		"while": func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.While(x, func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.Compare("GE", v[0], b.I32(0)) },
				func(b *ir.Builder, v []*ir.Value) []*ir.Value { return v })
		},
		"dot_general": func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			return []*ir.Value{b.DotGeneral(b.Negate(big(b)), b.Negate(big(b)), rowsTimesRows, ir.F32)}
		},
		"elementwise": func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			y := b.Broadcast(big(b), []int{1, 2}, 100, 8192, 8192)
			return []*ir.Value{b.ReduceMax(b.Exponential(b.Add(y, y)), 0, 1, 2)}
		},
		"sort": func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			return b.Sort([]*ir.Value{b.Iota(ir.T(ir.F32, 1<<23), 0)}, 0, true, greater)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := opCase{in: tensors(num(ir.I32, 0)), f: f}
			p, err := New(module(t, func(m *ir.Module) { c.add(m, "main", false) }))
			if err != nil {
				t.Fatal(err)
			}
			before := runtime.NumGoroutine()
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err = p.Call(ctx, "main", c.in)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want that of the context", err)
			}
			if late := time.Since(start); late > 5*time.Second { // generous: CI machines are shared
				t.Errorf("the call returned after %v", late)
			}
			// A goroutine that has done its work may be counted for a moment yet.
			for range 100 {
				if runtime.NumGoroutine() <= before {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("%d goroutines are left, %d were there before", runtime.NumGoroutine(), before)
		})
	}
}

func TestCallRefusesWrongArguments(t *testing.T) {
	p, in := updater(t, inPlaceCases[0].f)
	short := &ir.Tensor{Type: in[1].Type, Data: in[1].Data[:4]}
	for _, c := range []struct {
		name   string
		fn     string
		args   []*ir.Tensor
		donate []bool
		want   string
	}{
		{"unknown function", "decode", in, nil, "no function @decode"},
		{"too few", "main", in[:2], nil, "2 arguments with 2 donation marks, it takes 3"},
		{"too few marks", "main", in, []bool{true}, "3 arguments with 1 donation marks, it takes 3"},
		{"nil", "main", tensors(in[0], nil, in[2]), nil, "argument 1 is nil, want tensor<1x100xf32>"},
		{"type", "main", tensors(in[0], in[1], num(ir.I64, 0)), nil, "argument 2 is a tensor<i64>, want tensor<i32>"},
		{"bytes", "main", tensors(in[0], short, in[2]), nil, "argument 1, tensor<1x100xf32>, has 4 bytes, want 400"},
		{"donated twice", "main", tensors(in[0], &ir.Tensor{Type: in[1].Type, Data: in[0].Data[:400]}, in[2]), []bool{true, false, false},
			"argument 0 is donated but shares memory with argument 1"},
	} {
		_, err := p.CallDonating(context.Background(), c.fn, c.args, c.donate)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestNewRefusesWhatItCannotEvaluate(t *testing.T) {
	m := module(t, func(m *ir.Module) {
		opCase{in: tensors(count(ir.F32, 4)), f: func(b *ir.Builder, x []*ir.Value) []*ir.Value {
			return b.Reduce(x, []*ir.Value{b.Splat(ir.T(ir.F32), 0)}, []int{0}, func(b *ir.Builder, acc, e []*ir.Value) []*ir.Value {
				row := b.Reshape(e[0], 1)
				return []*ir.Value{b.Add(acc[0], b.Reshape(row))}
			})
		}}.add(m, "main", false)
	})
	const want = "eval: function @main: stablehlo.reshape in a scalar body"
	if _, err := New(m); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
	m.Funcs[0].Results = nil
	if _, err := New(m); err == nil || !strings.HasPrefix(err.Error(), "ir: ") {
		t.Errorf("error %v, want the verifier's", err)
	}
}

// Weights mapped from a file may lie at any address.
func TestArgumentsNeedNoAlignment(t *testing.T) {
	x := count(ir.F32, 3)
	odd := make([]byte, len(x.Data)+1)[1:]
	copy(odd, x.Data)
	c := opCase{in: tensors(&ir.Tensor{Type: x.Type, Data: odd}), f: one(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Add(x[0], x[0]) })}
	p, err := New(module(t, func(m *ir.Module) { c.add(m, "main", false) }))
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.CallDonating(context.Background(), "main", c.in, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	if err := difference(got[0], vec(ir.F32, 0, 2, 4), 0, 0); err != nil {
		t.Error(err)
	}
}

// A sum of products is the same alone and among other rows, whatever the layout of
// the weight, and as exact as several partial sums are.
func TestSumsOfProducts(t *testing.T) {
	const rows, terms = 37, 501
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name   string
		weight ir.Type
		dims   ir.DotDims
	}{
		{"rows of terms", ir.T(ir.F32, 300, terms), rowsTimesRows},
		{"rows of f16 terms", ir.T(ir.F16, 300, terms), rowsTimesRows},
		{"narrow columns", ir.T(ir.F32, terms, 5), rowsTimesColumns},
		{"one tile", ir.T(ir.BF16, terms, 24), rowsTimesColumns},
		{"wide columns", ir.T(ir.F32, terms, 300), rowsTimesColumns},
		{"wide f16 columns", ir.T(ir.F16, terms, 300), rowsTimesColumns},
	} {
		product := one(func(b *ir.Builder, v []*ir.Value) *ir.Value { return b.DotGeneral(v[0], v[1], c.dims, ir.F32) })
		x, w := random(rng, ir.F32, rows, terms), random(rng, c.weight.DType, c.weight.Shape...)
		all := evaluate(t, product, x, w)[0]
		const row = 33 // not the first of a block
		alone := evaluate(t, product, &ir.Tensor{Type: ir.T(ir.F32, 1, terms), Data: x.Data[row*terms*4:][:terms*4]}, w)[0]
		width := len(alone.Data)
		if !slices.Equal(all.Data[row*width:][:width], alone.Data) {
			t.Errorf("%s: a row differs from the same row alone", c.name)
		}
		xs, ws, got := values(x), values(w), values(all)
		free := 1 - c.dims.RhsContract[0]
		cols := c.weight.Shape[free]
		stride := contiguous(c.weight.Shape)
		for i := range rows {
			for j := range cols {
				want := 0.0
				for k := range terms {
					want += xs[i*terms+k] * ws[j*stride[free]+k*stride[1-free]]
				}
				if d := math.Abs(got[i*cols+j] - want); d > 3e-5 { // √501 ≈ 22 is the size of a sum
					t.Fatalf("%s: [%d, %d] is %v, want %v", c.name, i, j, got[i*cols+j], want)
				}
			}
		}
	}
}

// The same weight in every layout and form gives the same bits, for one row and for many.
func TestSumsDoNotDependOnTheLayout(t *testing.T) {
	const n, k = 40, 304
	rng := rand.New(rand.NewPCG(7, 8))
	w := random(rng, ir.F16, n, k)
	rearranged := func(f func(b *ir.Builder, x []*ir.Value) *ir.Value) *ir.Tensor { return evaluate(t, one(f), w)[0] }
	columns := rearranged(func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Transpose(x[0], 1, 0) })
	tiles := rearranged(func(b *ir.Builder, x []*ir.Value) *ir.Value {
		return b.Transpose(b.Reshape(x[0], n/8, 8, k), 0, 2, 1)
	})
	for _, rows := range []int{1, 35} {
		x := random(rng, ir.F32, rows, k)
		want := evaluate(t, one(timesRows), x, w)[0].Data
		if got := evaluate(t, one(timesColumns), x, columns)[0].Data; !slices.Equal(got, want) {
			t.Errorf("%d rows: columns differ from rows", rows)
		}
		if got := evaluate(t, one(timesTiles), x, tiles)[0].Data; !slices.Equal(got, want) {
			t.Errorf("%d rows: tiles differ from rows", rows)
		}
		if rows > 1 { // pairs are a form for vectors
			continue
		}
		if got := evaluate(t, one(timesPairs), x, w)[0].Data; !slices.Equal(got, want) {
			t.Errorf("pairs differ from rows")
		}
	}
}

// evaluate runs a graph once.
func evaluate(t *testing.T, f func(b *ir.Builder, x []*ir.Value) []*ir.Value, in ...*ir.Tensor) []*ir.Tensor {
	t.Helper()
	p, err := New(module(t, func(m *ir.Module) { opCase{in: in, f: f}.add(m, "main", false) }))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Call(context.Background(), "main", in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
