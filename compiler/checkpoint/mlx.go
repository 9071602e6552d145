package checkpoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
)

// MLX stores a quantised matrix [..., out, in] as three tensors: NAME.weight, the
// codes packed into uint32 words [..., out, in·bits/32], and NAME.scales and
// NAME.biases [..., out, in/group]. Modes other than affine have no biases.

// mlxParts are the last parts of the three names.
var mlxParts = []string{"weight", "scales", "biases"}

// joinQuantised puts one tensor in the place of each matrix's, and refuses what isn't
// complete or isn't as the config says.
func (h *hf) joinQuantised() error {
	block, err := archs.ReadQuantization(h.config)
	if err != nil {
		return err
	}
	for _, path := range h.modulePaths() {
		m := mlxMatrix{path, h.plain[path+".weight"], h.plain[path+".scales"], h.plain[path+".biases"]}
		switch {
		case block == nil && m.scales != nil && m.words():
			err = m.fail("has scales, but config.json has no quantization block that says how it is quantised; take config.json from where the weights are from")
		case block == nil:
		case m.scales == nil:
			err = m.checkPlain(block.Module(path))
		default:
			err = h.join(m, block.Module(path))
		}
		if err != nil {
			return err
		}
	}
	if block != nil { // converters name modules of towers that they then leave out
		if stray := block.Unmatched(h.modulePaths()); len(stray) > 0 {
			h.note("config.json names modules that the checkpoint doesn't have: %s", some(stray))
		}
	}
	return nil
}

// modulePaths are the names, without the last part, of what may be quantised matrices.
func (h *hf) modulePaths() []string {
	paths := map[string]bool{}
	for name := range h.plain {
		for _, part := range mlxParts {
			if path, ok := strings.CutSuffix(name, "."+part); ok {
				paths[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// join checks a matrix and makes one tensor of it.
func (h *hf) join(m mlxMatrix, how archs.Quantized) error {
	shape, err := m.check(how)
	if err != nil {
		return err
	}
	t := stored{Tensor: Tensor{Name: m.weight.Name, Shape: shape, Group: how.Group, File: h.tensors[m.weight.Name].File}}
	if how.Mode == archs.Affine {
		a := quant.Affine{Bits: how.Bits, Group: how.Group}
		t.DType, t.Affine = a.String(), a
		t.read, t.packed = m.rows(a, shape), m.packed(a, shape)
		delete(h.tensors, m.biases.Name)
	} else {
		f := floatMatrix{quant.Modes[how.Mode], m.weight, m.scales, shape}
		t.DType = how.Mode
		t.read, t.number, t.packed = f.rows, sync.OnceValue(f.number), f.packed()
	}
	delete(h.tensors, m.scales.Name)
	h.add(t)
	return nil
}

// mlxMatrix is what there is of a matrix.
type mlxMatrix struct {
	path                   string
	weight, scales, biases *safetensors.Tensor
}

// words says whether the weight's type is that of packed codes.
func (m mlxMatrix) words() bool { return m.weight != nil && m.weight.DType == "U32" }

func (m mlxMatrix) fail(format string, args ...any) error { return m.failAt("weight", format, args...) }

func (m mlxMatrix) failAt(part, format string, args ...any) error {
	return archs.Errorf(archs.BadQuantization, "tensor %s.%s: %s", m.path, part, fmt.Sprintf(format, args...))
}

// checkPlain refuses a matrix without scales that is or should be quantised.
func (m mlxMatrix) checkPlain(how archs.Quantized) error {
	switch {
	case m.biases != nil:
		return m.failAt("biases", "there is no %s.scales; the checkpoint is incomplete", m.path)
	case m.words():
		return m.fail("is packed (%s), but there is no %s.scales; the checkpoint is incomplete", m.weight.DType, m.path)
	case how.Named && how.Bits > 0:
		return m.fail("is %s and has no scales, but config.json: %s says that it has bits %d, group_size %d", m.weight.DType, how.Field, how.Bits, how.Group)
	}
	return nil
}

// check holds the tensors against each other and against the config, and returns the
// matrix's own shape.
func (m mlxMatrix) check(how archs.Quantized) (shape []int, err error) {
	switch {
	case m.weight == nil:
		return nil, m.failAt("scales", "there is no %s.weight; the checkpoint is incomplete", m.path)
	case how.Bits == 0:
		return nil, m.fail("has scales, but config.json: %s says that it isn't quantised", how.Field)
	case how.Mode == archs.Affine:
		err = m.checkAffine(how)
	default:
		err = m.checkMode(how)
	}
	if err != nil {
		return nil, err
	}
	words, groups, biases := m.weight.Shape, m.scales.Shape, m.scales.Shape
	if m.biases != nil {
		biases = m.biases.Shape
	}
	last := len(words) - 1
	switch {
	case last < 1 || len(groups) != len(words) || !slices.Equal(words[:last], groups[:last]) || !slices.Equal(groups, biases) || len(m.weight.Data) == 0 || len(m.scales.Data) == 0:
		return nil, m.fail("shape %v of words, %v of scales and %v of biases don't belong together (supported: [..., out, in·bits/32] and twice [..., out, in/group_size])", words, groups, biases)
	case words[last]*32 != groups[last]*how.Group*how.Bits:
		return nil, m.fail("config.json: %s says bits %d, group_size %d, but words %v with scales %v hold %s", how.Field, how.Bits, how.Group, words, groups, derived(words[last], groups[last]))
	}
	shape = slices.Clone(groups)
	shape[last] *= how.Group
	return shape, nil
}

// checkAffine checks what affine matrices have: scales and biases of one float type.
func (m mlxMatrix) checkAffine(how archs.Quantized) error {
	switch {
	case m.biases == nil:
		return m.failAt("scales", "there is no %s.biases; MLX's affine quantisation has both", m.path)
	case !m.words():
		return m.fail("has scales, but is %s (supported: U32 words)", m.weight.DType)
	case !slices.Contains(scaleTypes, m.scales.DType) || m.biases.DType != m.scales.DType:
		return m.failAt("scales", "it is %s and biases are %s (supported: both %s)", m.scales.DType, m.biases.DType, strings.Join(scaleTypes, ", or both "))
	}
	if err := (quant.Affine{Bits: how.Bits, Group: how.Group}).Check(); err != nil {
		return m.fail("config.json: %s says %v", how.Field, err)
	}
	return nil
}

// checkMode checks what matrices of the other modes have: scales of a byte, no biases.
func (m mlxMatrix) checkMode(how archs.Quantized) error {
	mode := quant.Modes[how.Mode]
	switch {
	case m.biases != nil:
		return m.failAt("biases", "config.json: %s says mode %s, which has no biases", how.Field, how.Mode)
	case !m.words():
		return m.fail("has scales, but is %s (supported: U32 words)", m.weight.DType)
	case m.scales.DType != "U8":
		return m.failAt("scales", "it is %s (supported with mode %s: U8)", m.scales.DType, how.Mode)
	case how.Bits != mode.Bits || how.Group != mode.Group:
		return m.fail("config.json: %s says bits %d, group_size %d (supported with mode %s: bits %d, group_size %d)", how.Field, how.Bits, how.Group, how.Mode, mode.Bits, mode.Group)
	}
	return nil
}

var scaleTypes = []string{"F16", "BF16", "F32"}

// derived lists the widths and group sizes that so many words and scales a row fit.
func derived(words, scales int) string {
	var fits []string
	for _, bits := range quant.Widths {
		for _, group := range quant.Groups {
			if words*32 == scales*group*bits {
				fits = append(fits, fmt.Sprintf("bits %d, group_size %d", bits, group))
			}
		}
	}
	if fits == nil {
		return fmt.Sprintf("%g bits a group, which no supported bits (%v) and group_size (%v) give", float64(words)*32/float64(scales), quant.Widths, quant.Groups)
	}
	return strings.Join(fits, " or ")
}

// packed reads the three tensors.
func (m mlxMatrix) packed(a quant.Affine, shape []int) *packed {
	_, width := Tensor{Shape: shape}.rows()
	size := a.RowBytes(width)
	scale := dtypeOf(m.scales.DType)
	return &packed{
		bits: quant.Widened(a.Bits), group: a.Group,
		scale:  func() ir.DType { return scale },
		codes:  func(dst []byte, from, to int) { quant.Widen(dst, m.weight.Data[from*size:to*size], a.Bits) },
		scales: plainRows(m.scales),
		biases: plainRows(m.biases),
	}
}

// dtypeOf is the type that is stored under the name.
func dtypeOf(name string) ir.DType {
	for d, stored := range sameType {
		if stored == name {
			return d
		}
	}
	panic("checkpoint: no type is stored as " + name)
}

// rows reads numbers, one row of inputs at a time.
func (m mlxMatrix) rows(a quant.Affine, shape []int) reader {
	_, width := Tensor{Shape: shape}.rows()
	c := codecs[m.scales.DType]
	in := shape[len(shape)-1]
	groups := in / a.Group
	return func(dst []byte, d ir.DType, from, to int) {
		codes, values := make([]uint8, in), make([]float32, in)
		scales, biases := make([]float32, groups), make([]float32, groups)
		for row := from * width / in; row < to*width/in; row++ {
			quant.Unpack(codes, m.weight.Data[row*a.RowBytes(in):], a.Bits)
			c.widen(scales, m.scales.Data[row*groups*c.size:])
			c.widen(biases, m.biases.Data[row*groups*c.size:])
			a.Dequantize(values, codes, scales, biases)
			ir.Narrow(dst, d, values)
			dst = dst[in*d.Size():]
		}
	}
}
