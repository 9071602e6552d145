package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

// kept is a checkpoint with a quantised matrix of one row of 32 codes.
type kept struct{ memory }

func (kept) Packed(name string) (checkpoint.Packed, bool) {
	return checkpoint.Packed{Bits: 4, Group: 32, Scale: ir.F16}, name == "w"
}
func (kept) ReadCodes(dst []byte, _ string, _, _ int) error {
	copy(dst, "0123456789abcdef")
	return nil
}
func (kept) ReadScales(dst []byte, _ ir.DType, _ string, _, _ int) error {
	copy(dst, "sc")
	return nil
}
func (kept) ReadSuperScales(dst []byte, _ ir.DType, _ string, _, _ int) error {
	copy(dst, "ss")
	return nil
}
func (kept) ReadSuperBiases(dst []byte, _ ir.DType, _ string, _, _ int) error {
	copy(dst, "sb")
	return nil
}
func (kept) ReadBiases(dst []byte, _ ir.DType, _ string, _, _ int) error {
	copy(dst, "bi")
	return nil
}

func TestPackKept(t *testing.T) {
	for part, want := range map[lower.Part]string{lower.Codes: "0123456789abcdef", lower.Scales: "sc", lower.Biases: "bi", lower.SuperScales: "ss", lower.SuperBiases: "sb"} {
		w := lower.Weight{Name: "w", Type: ir.T(ir.F16, 1, 1), Recipe: lower.Recipe{
			Sources: []lower.Source{{Tensor: "w", Shape: []int{1, 32}}}, Part: part, Format: lower.Format{Bits: 4, Group: 32, DType: ir.F16, Super: 1}}}
		if part == lower.Codes {
			w.Type = ir.T(ir.UI32, 1, 4)
		}
		var out bytes.Buffer
		if err := pack(t.Context(), kept{}, w, &out, nothing); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v", part, &out, err)
		}
		if err := pack(t.Context(), memory{}, w, &out, nothing); err == nil {
			t.Errorf("%s: a checkpoint that isn't quantised was kept", part)
		}
	}
}

// TestPackQuantised: tiles of words, scales and biases are those of the matrix
// quantised row by row, padded with zeros.
func TestPackQuantised(t *testing.T) {
	const rows, in, lanes = 3, 64, 4
	values := make([]float32, rows*in)
	for i := range values {
		values[i] = float32((i*37)%101-50) / 64
	}
	c := memory{"w": {[]int{rows, in}, values}}
	a := quant.Affine{Bits: 5, Group: 32}
	codes, scales, biases := make([]uint8, rows*in), make([]float32, rows*in/32), make([]float32, rows*in/32)
	a.Quantize(codes, scales, biases, values)

	recipe := func(part lower.Part, steps ...lower.Step) lower.Recipe {
		return lower.Recipe{Sources: []lower.Source{{Tensor: "w", Shape: []int{rows, in}}}, Part: part,
			Format: lower.Format{Bits: 8, Group: 32, DType: ir.F16, Quantise: 5}, Steps: slices.Concat([]lower.Step{{Op: "pad", Args: []int{lanes - rows}}}, steps)}
	}
	factors := []lower.Step{{Op: "reshape", Args: []int{1, lanes, 2}}, {Op: "transpose", Args: []int{0, 2, 1}}}
	run := func(d ir.DType, shape []int, r lower.Recipe) []byte {
		var out bytes.Buffer
		if err := pack(t.Context(), c, lower.Weight{Name: "w", Type: ir.T(d, shape...), Recipe: r}, &out, nothing); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	words := run(ir.UI32, []int{1, 2, 8, lanes}, recipe(lower.Codes,
		lower.Step{Op: "reshape", Args: []int{1, lanes, 2, 8}}, lower.Step{Op: "transpose", Args: []int{0, 2, 3, 1}}))
	s, b := run(ir.F16, []int{1, 2, lanes}, recipe(lower.Scales, factors...)), run(ir.F16, []int{1, 2, lanes}, recipe(lower.Biases, factors...))
	number := func(data []byte, i int) float32 { return ir.F16ToF32(binary.LittleEndian.Uint16(data[2*i:])) }
	round := func(x float32) float32 { return ir.F16ToF32(ir.F32ToF16(x)) }
	for row := range lanes {
		for column := range in {
			code := words[4*(column/4*lanes+row)+column%4]
			group := column/32*lanes + row
			got, want := fmt.Sprint(code, number(s, group), number(b, group)), "0 0 0"
			if row < rows {
				i := row*in + column
				want = fmt.Sprint(codes[i], round(scales[i/32]), round(biases[i/32]))
			}
			if got != want {
				t.Fatalf("row %d, column %d: %s, want %s", row, column, got, want)
			}
		}
	}
}
