package checkpoint

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
)

// The oracle's checkpoints: what is quantised how, codes and numbers of every matrix,
// and nothing left of scales and biases. That the numbers are right is for lower's
// oracle test.
func TestMLXOracle(t *testing.T) {
	const q, v, down, embed, norm = "model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.v_proj.weight",
		"model.layers.1.mlp.down_proj.weight", "model.embed_tokens.weight", "model.norm.weight"
	for name, want := range map[string]map[string]Packed{
		"llama_q4_g32":      {q: {4, 32, 0, 0, ir.F16}, v: {4, 32, 0, 0, ir.F16}, down: {4, 32, 0, 0, ir.F16}, embed: {4, 32, 0, 0, ir.F16}},
		"llama_q4_g64_bf16": {q: {4, 64, 0, 0, ir.BF16}, v: {4, 64, 0, 0, ir.BF16}, down: {4, 64, 0, 0, ir.BF16}, embed: {4, 64, 0, 0, ir.BF16}},
		"llama_q3_g64":      {q: {4, 64, 0, 0, ir.BF16}, v: {4, 64, 0, 0, ir.BF16}, down: {4, 64, 0, 0, ir.BF16}, embed: {4, 64, 0, 0, ir.BF16}},
		"llama_q5_g64":      {q: {8, 64, 0, 0, ir.F32}, v: {8, 64, 0, 0, ir.F32}, down: {8, 64, 0, 0, ir.F32}, embed: {8, 64, 0, 0, ir.F32}},
		"llama_q6_g64":      {q: {8, 64, 0, 0, ir.BF16}, v: {8, 64, 0, 0, ir.BF16}, down: {8, 64, 0, 0, ir.BF16}, embed: {8, 64, 0, 0, ir.BF16}},
		"llama_modes":       {v: {8, 16, 12, 0, ir.F16}, down: {8, 64, 0, 0, ir.BF16}, embed: {8, 32, 12, 0, ir.F16}},
		"llama_mixed":       {q: {4, 64, 0, 0, ir.BF16}, v: {8, 64, 0, 0, ir.BF16}, embed: {8, 64, 0, 0, ir.BF16}},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, oracle.LoadQuantised(t, name).Dir)
			got := map[string]Packed{}
			for _, x := range c.Tensors() {
				rows, _ := x.rows()
				checkPacked(t, c, x, 0, rows)
				_, packed := checkPacked(t, c, x, rows/3, rows/2)
				_, _, whole := quant.Modes[x.DType].Affine()
				if packed != (x.Affine != quant.Affine{} || whole) || packed && !whole && x.DType != x.Affine.String() || strings.HasSuffix(x.Name, "s") {
					t.Errorf("%+v, packed: %v", x, packed)
				}
				if p, ok := c.(Quantised).Packed(x.Name); ok && slices.Contains([]string{q, v, down, embed, norm}, x.Name) {
					got[x.Name] = p
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("packed %v, want %v", got, want)
			}
		})
	}
}

// A config that says other bits than the tensors have.
func TestMLXBadOracle(t *testing.T) {
	bad := oracle.LoadBad(t, "quantisation_bits_mismatch")
	_, err := Open(bad.Dir)
	if archs.Class(err) != bad.Error {
		t.Fatalf("%v, want class %s", err, bad.Error)
	}
	for _, m := range append(bad.Mentions, "lm_head.weight", "config.json: quantization says bits 8, group_size 32, but words [40 4] with scales [40 1] hold bits 2, group_size 64 or bits 4, group_size 32") {
		if !strings.Contains(err.Error(), m) {
			t.Errorf("%v, want %q in it", err, m)
		}
	}
}

// mlx is a matrix of the shape as MLX's three tensors under the path, with f16 scales
// 1/8 + group/1024 and biases -group, and codes that count.
func mlx(path string, a quant.Affine, shape ...int) rawTensors {
	n := 1
	for _, d := range shape {
		n *= d
	}
	codes, words := make([]uint8, n), make([]byte, n*a.Bits/8)
	for i := range codes {
		codes[i] = uint8(i*7) & (1<<a.Bits - 1)
	}
	quant.Pack(words, codes, a.Bits)
	var scales, biases []byte
	for i := range n / a.Group {
		scales = binary.LittleEndian.AppendUint16(scales, ir.F32ToF16(0.125+float32(i)/1024))
		biases = binary.LittleEndian.AppendUint16(biases, ir.F32ToF16(float32(-i)))
	}
	last := len(shape) - 1
	with := func(d int) []int { return append(slices.Clone(shape[:last]), d) }
	return rawTensors{
		path + ".weight": {"U32", with(shape[last] * a.Bits / 32), words},
		path + ".scales": {"F16", with(shape[last] / a.Group), scales},
		path + ".biases": {"F16", with(shape[last] / a.Group), biases},
	}
}

// open writes a checkpoint and opens it.
func (all rawTensors) open(t *testing.T, config string) (Checkpoint, error) {
	t.Helper()
	dir := directory(t, map[string][]byte{"model.safetensors": all.file(t)})
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(dir)
}

// Field case A7: one [8, 64] projection at 6 bits, named by an override under each of
// the three prefixes; without the override it is refused.
func TestMLXOverrides(t *testing.T) {
	const path = "layers.0.self_attn.v_proj"
	prefixes := []string{"model.language_model.", "language_model.model.", "model."}
	for _, there := range prefixes {
		six := mlx(there+path, quant.Affine{Bits: 6, Group: 32}, 8, 64)
		for _, named := range prefixes {
			c, err := six.open(t, `{"quantization": {"bits": 4, "group_size": 32, "`+named+path+`": {"bits": 6, "group_size": 32}}}`)
			if err != nil {
				t.Errorf("%s named %s: %v", there, named, err)
				continue
			}
			defer c.Close()
			list := c.Tensors()
			if len(list) != 1 || list[0].DType != "affine6g32" || !slices.Equal(list[0].Shape, []int{8, 64}) || list[0].Name != there+path+".weight" {
				t.Fatalf("tensors %v", list)
			}
			numbers, packed := checkPacked(t, c, list[0], 1, 3)
			if p, _ := c.(Quantised).Packed(list[0].Name); !packed || p != (Packed{8, 32, 0, 0, ir.F16}) {
				t.Errorf("%+v", p)
			}
			for i, x := range numbers {
				at := 64 + i
				group := float32(at / 32)
				if want := (0.125+group/1024)*float32(at*7&63) - group; x != want {
					t.Errorf("%s named %s: element %d is %g, want %g", there, named, at, x, want)
				}
			}
		}
		_, err := six.open(t, `{"quantization": {"bits": 4, "group_size": 32}}`)
		if want := "bad_quantization: tensor " + there + path + ".weight: config.json: quantization says bits 4, group_size 32, but words [8 12] with scales [8 2] hold bits 3, group_size 64 or bits 6, group_size 32"; err == nil || err.Error() != want {
			t.Errorf("without the override: %v, want %s", err, want)
		}
	}
}

// MLX's modes: every code with every scale, handed out as affine codes, or as numbers
// of the narrowest type, without loss. That the numbers are MLX's is for package quant.
func TestMLXModes(t *testing.T) {
	for _, c := range []struct {
		mode     string
		from, to int // scale bytes
		packed   Packed
		number   ir.DType
	}{
		{"mxfp4", 105, 140, Packed{8, 32, 12, 0, ir.F16}, ir.F16},
		{"mxfp4", 0, 251, Packed{8, 32, 12, 0, ir.BF16}, ir.BF16},
		{"mxfp4", 252, 252, Packed{}, ir.BF16}, // 12 times the scale is beyond f32
		{"mxfp4", 255, 255, Packed{}, ir.F16},  // NaN
		{"nvfp4", 0, 126, Packed{8, 16, 12, 0, ir.F16}, ir.F16},
		{"mxfp8", 120, 130, Packed{}, ir.F16},
		{"mxfp8", 3, 246, Packed{}, ir.BF16},
		{"mxfp8", 2, 246, Packed{}, ir.F32}, // below bf16's subnormal numbers
	} {
		m := quant.Modes[c.mode]
		columns := max(m.Group, 1<<m.Bits)
		rows := c.to - c.from + 1
		codes, scales := make([]uint8, rows*columns), make([]uint8, rows*columns/m.Group)
		for i := range codes {
			codes[i] = uint8(i) & (1<<m.Bits - 1)
			scales[i/m.Group] = uint8(c.from + i/columns)
		}
		words := make([]byte, len(codes)*m.Bits/8)
		quant.Pack(words, codes, m.Bits)
		all := rawTensors{"q.weight": {"U32", []int{rows, columns * m.Bits / 32}, words}, "q.scales": {"U8", []int{rows, columns / m.Group}, scales}}
		k, err := all.open(t, fmt.Sprintf(`{"quantization": {"bits": %d, "group_size": %d, "mode": %q}}`, m.Bits, m.Group, c.mode))
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		list := k.Tensors()
		if len(list) != 1 || list[0].DType != c.mode || !slices.Equal(list[0].Shape, []int{rows, columns}) {
			t.Fatalf("tensors %v", list)
		}
		numbers, _ := checkPacked(t, k, list[0], 0, rows)
		want := make([]float32, len(codes))
		m.Dequantize(want, codes, scales)
		if i := firstDifference(numbers, want); i >= 0 {
			t.Errorf("%s: element %d is %g, want %g", c.mode, i, numbers[i], want[i])
		}
		if p, ok := k.Packed("q.weight"); ok && p != c.packed || ok != (c.packed != Packed{}) || k.Number("q.weight") != c.number {
			t.Errorf("%s, scales %d to %d: packed %+v %v, numbers %s; want %+v, %s", c.mode, c.from, c.to, p, ok, k.Number("q.weight"), c.packed, c.number)
		}
	}
}

// Stacked experts: rows are matrices.
func TestMLXStacked(t *testing.T) {
	c, err := mlx("model.layers.0.mlp.switch_mlp.up_proj", quant.Affine{Bits: 5, Group: 32}, 3, 4, 64).
		open(t, `{"quantization_config": {"bits": 5, "group_size": 32}}`)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	x := c.Tensors()[0]
	if !slices.Equal(x.Shape, []int{3, 4, 64}) {
		t.Errorf("shape %v", x.Shape)
	}
	numbers, packed := checkPacked(t, c, x, 1, 3)
	for i, v := range numbers {
		at := 4*64 + i
		group := float32(at / 32)
		if want := float32(0.125+group/1024)*float32(at*7&31) - group; v != want || !packed {
			t.Fatalf("element %d is %g, want %g", at, v, want)
		}
	}
}

// TestStrayModules: what the config says of modules that aren't there is remarked.
func TestStrayModules(t *testing.T) {
	const how = `{"bits": 6, "group_size": 32}`
	for modules, want := range map[string]string{
		`"model.a": ` + how: "[]",
		`"language_model.model.a": ` + how + `, "model.b": false, "model.layers.9.c": ` + how: `[config.json names modules that the checkpoint doesn't have: quantization["model.b"], quantization["model.layers.9.c"]]`,
	} {
		c, err := mlx("model.a", quant.Affine{Bits: 6, Group: 32}, 8, 64).open(t, `{"quantization": {"bits": 4, "group_size": 64, `+modules+`}}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.Notes()); got != want {
			t.Errorf("notes %s, want %s", got, want)
		}
		c.Close()
	}
}

// What isn't a quantised matrix, or isn't as the config says.
func TestMLXRefused(t *testing.T) {
	const w, s, b = "model.q.weight", "model.q.scales", "model.q.biases"
	good, mxfp4 := `"bits": 4, "group_size": 32`, `"bits": 4, "group_size": 32, "mode": "mxfp4"`
	set := func(name, dtype string, bytes int, shape ...int) func(rawTensors) {
		return func(all rawTensors) { all[name] = rawTensor{dtype, shape, make([]byte, bytes)} }
	}
	remove := func(names ...string) func(rawTensors) {
		return func(all rawTensors) {
			for _, n := range names {
				delete(all, n)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(rawTensors)
		block  string
		want   string
	}{
		{"no biases", remove(b), good, s + ": there is no model.q.biases"},
		{"no scales", remove(s), good, b + ": there is no model.q.scales"},
		{"neither", remove(s, b), good, w + ": is packed (U32), but there is no model.q.scales"},
		{"no weight", remove(w), good, s + ": there is no model.q.weight"},
		{"scales alone", remove(w, b), good, s + ": there is no model.q.weight"},
		{"a float weight with scales", set(w, "F16", 4*64*2, 4, 64), good, w + ": has scales, but is F16 (supported: U32 words)"},
		{"a float weight, named", func(all rawTensors) { remove(s, b)(all); set(w, "F16", 4*64*2, 4, 64)(all) }, good + `, "model.q": {"bits": 8, "group_size": 64}`,
			w + `: is F16 and has no scales, but config.json: quantization["model.q"] says that it has bits 8, group_size 64`},
		{"false, but quantised", nil, good + `, "language_model.model.q": false`, w + `: has scales, but config.json: quantization["language_model.model.q"] says that it isn't quantised`},
		{"scales of integers", set(s, "U8", 8, 4, 2), good, s + ": it is U8 and biases are F16 (supported: both F16, or both BF16, or both F32)"},
		{"two types", set(b, "BF16", 16, 4, 2), good, s + ": it is F16 and biases are BF16"},
		{"rows of scales", set(s, "F16", 20, 5, 2), good, w + ": shape [4 8] of words, [5 2] of scales and [4 2] of biases don't belong together"},
		{"columns of biases", set(b, "F16", 8, 4, 1), good, w + ": shape [4 8] of words, [4 2] of scales and [4 1] of biases"},
		{"rank", func(all rawTensors) {
			set(w, "U32", 32, 8)(all)
			set(s, "F16", 4, 2)(all)
			set(b, "F16", 4, 2)(all)
		}, good, w + ": shape [8] of words, [2] of scales"},
		{"no scales a row", func(all rawTensors) { set(s, "F16", 0, 4, 0)(all); set(b, "F16", 0, 4, 0)(all) }, good, "[4 0] of scales"},
		{"bits", nil, `"bits": 8, "group_size": 64`, w + ": config.json: quantization says bits 8, group_size 64, but words [4 8] with scales [4 2] hold bits 2, group_size 64 or bits 4, group_size 32"},
		{"group size", nil, `"bits": 4, "group_size": 128`, w + ": config.json: quantization says bits 4, group_size 128"},
		{"nothing fits", set(w, "U32", 4*7*4, 4, 7), good, "but words [4 7] with scales [4 2] hold 112 bits a group, which no supported bits"},
		{"7 bits", nil, `"bits": 7, "group_size": 32`, w + ": config.json: quantization says bits 7 (supported: [2 3 4 5 6 8])"},
		{"groups of 16", nil, `"bits": 8, "group_size": 16`, w + ": config.json: quantization says group_size 16 (supported: [32 64 128])"},
		{"mode", nil, `"bits": 4, "group_size": 32, "mode": "fp4"`, `config.json: quantization has mode "fp4" (supported: affine, mxfp4, mxfp8, nvfp4)`},
		{"a mode with biases", nil, mxfp4, b + ": config.json: quantization says mode mxfp4, which has no biases"},
		{"a mode with float scales", remove(b), mxfp4, s + ": it is F16 (supported with mode mxfp4: U8)"},
		{"a mode of other bits", func(all rawTensors) { remove(b)(all); set(s, "U8", 8, 4, 2)(all) }, `"bits": 8, "group_size": 32, "mode": "mxfp4"`,
			w + ": config.json: quantization says bits 8, group_size 32 (supported with mode mxfp4: bits 4, group_size 32)"},
		{"a mode of another shape", func(all rawTensors) { remove(b)(all); set(s, "U8", 4, 4, 1)(all) }, mxfp4,
			w + ": config.json: quantization says bits 4, group_size 32, but words [4 8] with scales [4 1] hold"},
		{"a mode, a float weight", func(all rawTensors) { remove(b)(all); set(w, "F16", 4*64*2, 4, 64)(all) }, mxfp4, w + ": has scales, but is F16"},
		{"no block", nil, "", w + ": has scales, but config.json has no quantization block"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := mlx("model.q", quant.Affine{Bits: 4, Group: 32}, 4, 64)
			if c.change != nil {
				c.change(all)
			}
			config := `{"quantization": {` + c.block + `}}`
			if c.block == "" {
				config = `{}`
			}
			m, err := all.open(t, config)
			if err == nil {
				m.Close()
			}
			if archs.Class(err) != archs.BadQuantization || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Tensors that only look like parts of quantised matrices are left alone.
func TestMLXOthers(t *testing.T) {
	float := rawTensor{"F32", []int{2}, make([]byte, 8)}
	for config, names := range map[string][]string{
		`{}`: {"scales", "a.scales", "b.biases", "c.weight"},
		`{"quantization": {"bits": 4, "group_size": 32, "d": false, "e": {"bits": 8, "group_size": 32}}}`: {"biases", "c.weight", "d.weight", "q.bias"},
	} {
		all := rawTensors{}
		for _, n := range names {
			all[n] = float
		}
		c, err := all.open(t, config)
		if err != nil {
			t.Error(err)
			continue
		}
		defer c.Close()
		for _, x := range c.Tensors() {
			if x.DType != "F32" || !slices.Contains(names, x.Name) {
				t.Errorf("%+v", x)
			}
		}
	}
}

// Whatever is accepted is readable from end to end.
func FuzzMLX(f *testing.F) {
	good := mlx("model.q", quant.Affine{Bits: 6, Group: 32}, 4, 64)
	f.Add([]byte(`{"quantization": {"bits": 4, "group_size": 32, "model.q": {"bits": 6, "group_size": 32}}}`), good.file(f))
	f.Add([]byte(`{"quantization": {"bits": 3, "group_size": 64}}`), good.file(f))
	for name, m := range quant.Modes {
		all := rawTensors{"q.weight": {"U32", []int{2, m.Bits}, make([]byte, 8*m.Bits)}, "q.scales": {"U8", []int{2, 32 / m.Group}, []byte("abcd")[:64/m.Group]}}
		f.Add(fmt.Appendf(nil, `{"quantization": {"bits": %d, "group_size": %d, "mode": %q}}`, m.Bits, m.Group, name), all.file(f))
	}
	f.Fuzz(func(t *testing.T, config, data []byte) {
		file, err := safetensors.Parse("f", data)
		if err != nil {
			return
		}
		h := &hf{config: config, plain: map[string]*safetensors.Tensor{}}
		for i := range file.Tensors {
			x := &file.Tensors[i]
			h.plain[x.Name] = x
			h.add(stored{Tensor: Tensor{Name: x.Name, DType: x.DType, Shape: x.Shape}, read: plainRows(x)})
		}
		if h.joinQuantised() != nil {
			return
		}
		for _, x := range h.Tensors() {
			rows, width := x.rows()
			if x.Affine == (quant.Affine{}) && quant.Modes[x.DType].Bits == 0 {
				continue
			}
			numbers, packed := checkPacked(t, h, x, 0, rows)
			if len(numbers) != rows*width || !packed && x.Affine != (quant.Affine{}) {
				t.Errorf("%+v: %d numbers", x, len(numbers))
			}
		}
	})
}
