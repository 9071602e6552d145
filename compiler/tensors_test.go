package compiler

import (
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/quant"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
)

func TestCheckTensors(t *testing.T) {
	spec := archs.Spec{ModelType: "llama", Vocab: 10, Hidden: 4, Layers: []archs.Layer{{Attention: archs.Attention{Heads: 2, KVHeads: 1, HeadDim: 2}}},
		Names: archs.Names{Embed: "embed.weight", Layer: "layers.%d.", Query: "q.weight", Key: "k.weight"}}
	source := func(name string, shape ...int) lower.Source { return lower.Source{Tensor: name, Shape: shape} }
	part := func(s lower.Source, from, to int) lower.Source { s.From, s.To = from, to; return s }
	weight := func(sources ...lower.Source) lower.Weight {
		return lower.Weight{Type: ir.T(ir.F32), Recipe: lower.Recipe{Sources: sources}}
	}
	tensor := func(name string, shape ...int) checkpoint.Tensor {
		return checkpoint.Tensor{Name: name, Shape: shape, File: "model.safetensors"}
	}
	affine := func(t checkpoint.Tensor, bits, group int) checkpoint.Tensor {
		t.Affine = quant.Affine{Bits: bits, Group: group}
		return t
	}
	opaque := func(t checkpoint.Tensor) checkpoint.Tensor { t.DType, t.Opaque = "I32", true; return t }
	embed, q := source("embed.weight", 10, 4), source("layers.0.q.weight", 4, 4)
	full := []checkpoint.Tensor{tensor("embed.weight", 10, 4), tensor("layers.0.q.weight", 4, 4)}
	for _, c := range []struct {
		name    string
		weights []lower.Weight
		tensors []checkpoint.Tensor
		class   string
		want    string
	}{
		{"complete", []lower.Weight{weight(embed), weight(q)}, full, "", ""},
		{"split", []lower.Weight{weight(embed), weight(part(q, 2, 4)), weight(part(q, 0, 2))}, full, "", ""},
		{"ignored", []lower.Weight{weight(embed), weight(q)}, append(full, tensor("model.layers.0.self_attn.rotary_emb.inv_freq", 1)), "", ""},
		{"missing", []lower.Weight{weight(embed), weight(q)}, full[:1], archs.MissingTensor, "layers.0.q.weight: a llama with this config needs it with shape [4 4]"},
		{"unexpected", []lower.Weight{weight(embed)}, full, archs.UnexpectedTensor, "layers.0.q.weight: it is in model.safetensors with shape [4 4]"},
		{"shape", []lower.Weight{weight(embed), weight(q)}, []checkpoint.Tensor{full[0], tensor("layers.0.q.weight", 8, 4)}, archs.ShapeMismatch,
			"layers.0.q.weight: shape [8 4] in model.safetensors, the config asks for [4 4]: rows are num_attention_heads 2 × head_dim 2"},
		{"bias shape", []lower.Weight{weight(embed), weight(source("layers.0.k.bias", 2))}, []checkpoint.Tensor{full[0], tensor("layers.0.k.bias", 3)}, archs.ShapeMismatch,
			"rows are num_key_value_heads 1 × head_dim 2"},
		{"vocabulary", []lower.Weight{weight(embed), weight(q)}, []checkpoint.Tensor{tensor("embed.weight", 11, 4), full[1]}, archs.ShapeMismatch,
			"rows are vocab_size 10, columns hidden_size 4"},
		{"other width of codes", []lower.Weight{weight(source("q.weight", 10, 64))}, []checkpoint.Tensor{affine(tensor("q.weight", 10, 32), 8, 32)}, archs.BadQuantization,
			"tensor q.weight: config.json: quantization says bits 8, group_size 32, which makes 32 columns of what is in model.safetensors; the config asks for 64 columns, which would have bits 4, group_size 64"},
		{"other rows of codes", []lower.Weight{weight(source("q.weight", 10, 64))}, []checkpoint.Tensor{affine(tensor("q.weight", 12, 64), 8, 32)}, archs.ShapeMismatch, "shape [12 64]"},
		{"integers", []lower.Weight{weight(embed), weight(q)}, []checkpoint.Tensor{opaque(full[0]), full[1]}, archs.BadQuantization,
			"tensor embed.weight: I32 in model.safetensors holds no numbers that can be a weight"},
		{"twice", []lower.Weight{weight(embed), weight(embed), weight(q)}, full, "", "tensor embed.weight: rows 0 to 10 are used twice"},
		{"in part", []lower.Weight{weight(embed), weight(part(q, 0, 3))}, full, "", "tensor layers.0.q.weight: rows 3 to 4 are not used"},
	} {
		err := checkTensors(spec, c.weights, c.tensors)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || archs.Class(err) != c.class {
			t.Errorf("%s: %v, want %s %q", c.name, err, c.class, c.want)
		}
	}
}
