package compiler

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// memory is a checkpoint of f32 tensors.
type memory map[string]struct {
	shape  []int
	values []float32
}

func (m memory) ReadRows(dst []byte, d ir.DType, name string, from, to int) error {
	t, ok := m[name]
	if !ok {
		return errors.New("no tensor " + name)
	}
	width := rowElements(t.shape)
	for i, v := range t.values[from*width : to*width] {
		switch d {
		case ir.F32:
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
		case ir.F16:
			binary.LittleEndian.PutUint16(dst[2*i:], ir.F32ToF16(v))
		}
	}
	return nil
}

func floats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func TestPack(t *testing.T) {
	c := memory{
		"a": {[]int{2, 3}, []float32{1, 2, 3, 4, 5, 6}},
		"b": {[]int{1, 3}, []float32{7, 8, 9}},
		"v": {[]int{4}, []float32{1, 2, 3, 4}},
		"s": {[]int{}, []float32{5}},
	}
	a, b := lower.Source{Tensor: "a", Shape: []int{2, 3}}, lower.Source{Tensor: "b", Shape: []int{1, 3}}
	tail := lower.Source{Tensor: "a", Shape: []int{2, 3}, From: 1, To: 2}
	for _, x := range []struct {
		name    string
		sources []lower.Source
		steps   []lower.Step
		shape   []int
		want    []float32
	}{
		{"as it is", []lower.Source{a}, nil, []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}},
		{"vector", []lower.Source{{Tensor: "v", Shape: []int{4}}}, nil, []int{4}, []float32{1, 2, 3, 4}},
		{"scalar", []lower.Source{{Tensor: "s", Shape: []int{}}}, nil, []int{}, []float32{5}},
		{"concatenated", []lower.Source{a, b}, nil, []int{3, 3}, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"rows", []lower.Source{b, tail}, nil, []int{2, 3}, []float32{7, 8, 9, 4, 5, 6}},
		{"reshaped", []lower.Source{a}, []lower.Step{{Op: "reshape", Args: []int{3, 2}}}, []int{3, 2}, []float32{1, 2, 3, 4, 5, 6}},
		{"transposed", []lower.Source{a}, []lower.Step{{Op: "transpose", Args: []int{1, 0}}}, []int{3, 2}, []float32{1, 4, 2, 5, 3, 6}},
		{"concatenated, then tiled", []lower.Source{a, {Tensor: "a", Shape: []int{2, 3}}},
			[]lower.Step{{Op: "reshape", Args: []int{2, 2, 3}}, {Op: "transpose", Args: []int{0, 2, 1}}}, []int{2, 3, 2},
			[]float32{1, 4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6}},
	} {
		var out bytes.Buffer
		w := lower.Weight{Name: x.name, Type: ir.T(ir.F32, x.shape...), Recipe: lower.Recipe{Sources: x.sources, Steps: x.steps}}
		if err := pack(t.Context(), c, w, &out, nothing); err != nil || !slices.Equal(floats(out.Bytes()), x.want) {
			t.Errorf("%s: %v, %v, want %v", x.name, floats(out.Bytes()), err, x.want)
		}
	}
	var out bytes.Buffer
	w := lower.Weight{Type: ir.T(ir.F16, 1, 3), Recipe: lower.Recipe{Sources: []lower.Source{b}}}
	if err := pack(t.Context(), c, w, &out, nothing); err != nil || !bytes.Equal(out.Bytes(), []byte{0x00, 0x47, 0x00, 0x48, 0x80, 0x48}) {
		t.Errorf("f16: %x, %v", out.Bytes(), err)
	}
}

func TestPackErrors(t *testing.T) {
	c := memory{"a": {[]int{2, 3}, make([]float32, 6)}}
	a := lower.Source{Tensor: "a", Shape: []int{2, 3}}
	for _, x := range []struct {
		recipe lower.Recipe
		want   string
	}{
		{lower.Recipe{Sources: []lower.Source{{Tensor: "z", Shape: []int{2}}}}, "no tensor z"},
		{lower.Recipe{Sources: []lower.Source{a}, Steps: []lower.Step{{Op: "knead"}}}, `weight w: recipe step "knead" is unknown`},
		{lower.Recipe{Sources: []lower.Source{a}, Steps: []lower.Step{{Op: "transpose", Args: []int{0, 0}}}}, "transpose[0 0]: not a permutation of the dimensions of shape [2 3]"},
		{lower.Recipe{Sources: []lower.Source{a}, Steps: []lower.Step{{Op: "transpose", Args: []int{1, 0}}, {Op: "reshape", Args: []int{4}}}}, "reshape[4]: shape [3 2] has another number of elements"},
		{lower.Recipe{Sources: []lower.Source{a}, Steps: []lower.Step{{Op: "transpose", Args: []int{1, 0}}}}, "the recipe makes shape [3 2], the graphs take [2 3]"},
	} {
		w := lower.Weight{Name: "w", Type: ir.T(ir.F32, 2, 3), Recipe: x.recipe}
		if err := pack(t.Context(), c, w, &bytes.Buffer{}, nothing); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v, want %q", x.recipe, err, x.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := lower.Weight{Type: ir.T(ir.F32, 2, 3), Recipe: lower.Recipe{Sources: []lower.Source{a}}}
	if err := pack(ctx, c, w, &bytes.Buffer{}, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A weight is read in pieces: no piece is larger than the limit unless a row is.
func TestReadSourcesInPieces(t *testing.T) {
	c := memory{"a": {[]int{5, 2}, []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}
	w := lower.Weight{Type: ir.T(ir.F32, 5, 2), Recipe: lower.Recipe{Sources: []lower.Source{{Tensor: "a", Shape: []int{5, 2}}}}}
	for limit, want := range map[int][]int{1: {8, 8, 8, 8, 8}, 16: {16, 16, 8}, 1000: {40}} {
		var sizes []int
		var all []byte
		err := readSources(t.Context(), c, w, limit, nothing, func(p []byte) error {
			sizes, all = append(sizes, len(p)), append(all, p...)
			return nil
		})
		if err != nil || !slices.Equal(sizes, want) || !slices.Equal(floats(all), c["a"].values) {
			t.Errorf("limit %d: pieces of %v, %v, want %v", limit, sizes, err, want)
		}
	}
}
