package ir

import (
	"math"
	"slices"
	"testing"
)

// TestWidenNarrow: numbers that a type holds come back, others rounded to nearest even.
func TestWidenNarrow(t *testing.T) {
	inf := float32(math.Inf(-1))
	for d, want := range map[DType][]float32{
		F32:  {1, -0.5, 1 + 1.0/512, 1 + 3.0/4096, 70000, inf},
		F16:  {1, -0.5, 1 + 1.0/512, 1 + 1.0/1024, float32(math.Inf(1)), inf},
		BF16: {1, -0.5, 1, 1, 70144, inf},
	} {
		data := make([]byte, len(want)*d.Size())
		Narrow(data, d, []float32{1, -0.5, 1 + 1.0/512, 1 + 3.0/4096, 70000, inf})
		got := make([]float32, len(want))
		Widen(got, d, data)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", d, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("integers are widened")
		}
	}()
	Widen(make([]float32, 1), I8, []byte{1})
}
