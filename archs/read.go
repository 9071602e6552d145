package archs

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Limits of sizes: above those of any model, and small enough that products of two
// of them fit into an int.
const (
	maxVocab     = 1 << 24
	maxWidth     = 1 << 20 // of hidden states, of MLPs, of all heads together
	maxLayers    = 1 << 12
	maxHeads     = 1 << 14
	maxHeadDim   = 1 << 14
	maxPositions = 1 << 30
)

// Read reads config.json. has says whether the checkpoint has a tensor; it may be
// nil when there is no checkpoint. Keys of ignore are read as if they were absent:
// that is for keys that the errors of Read name and that the caller knows to be
// without influence. Errors are of type *Error.
func Read(data []byte, has func(tensor string) bool, ignore ...string) (Spec, error) {
	values, err := decodeConfig(data)
	if err != nil {
		return Spec{}, err
	}
	for _, key := range ignore {
		delete(values, key)
	}
	modelType, ok := values["model_type"].(string)
	if !ok {
		return Spec{}, Errorf(BadConfig, "config.json: model_type is missing or not a string (supported: %s)",
			strings.Join(ModelTypes(), ", "))
	}
	row, err := find(modelType)
	if err != nil {
		return Spec{}, err
	}
	c := &config{row: row, values: values, read: map[string]bool{}}
	c.checkQuantization()
	c.checkClass()
	c.checkDType()
	spec := c.spec(has)
	c.checkUnread()
	if c.err != nil {
		return Spec{}, c.err
	}
	return spec, nil
}

// spec reads the whole model.
func (c *config) spec(has func(string) bool) Spec {
	s := Spec{
		ModelType: c.row.ModelType,
		Vocab:     c.size("vocab_size", maxVocab),
		Hidden:    c.size("hidden_size", maxWidth),
		MaxLength: c.size("max_position_embeddings", maxPositions),
		FinalNorm: c.norm(),
		TiedHead:  c.tied(has),
		HeadBias:  c.flag(c.row.HeadBias),
		Names:     c.row.Names,
		BOS:       -1,
	}
	s.EOS = c.tokens("eos_token_id", s.Vocab)
	if bos := c.tokens("bos_token_id", s.Vocab); len(bos) > 1 {
		c.fail(BadConfig, "bos_token_id", "is a list of %d (supported: one token id)", len(bos))
	} else if len(bos) == 1 {
		s.BOS = bos[0]
	}
	types := c.layerTypes(c.size("num_hidden_layers", maxLayers))
	layer := Layer{Attention: c.attention(s.Hidden), MLP: c.mlp(), Norm: c.norm()}
	if c.err != nil {
		return s
	}
	for range types {
		s.Layers = append(s.Layers, layer)
	}
	s.RoPE = append(s.RoPE, c.rope(fullAttention, layer.Attention.HeadDim, s.MaxLength))
	return s
}

func (c *config) norm() Norm { return Norm{Kind: c.row.Norm, Eps: c.float(c.row.NormEps)} }

// attention reads the heads. Their size is explicit or hidden/heads.
func (c *config) attention(hidden int) Attention {
	a := Attention{
		Heads:   c.size("num_attention_heads", maxHeads),
		QKVBias: c.flag(c.row.QKVBias),
		OutBias: c.flag(c.row.OutBias),
	}
	a.KVHeads = c.sizeOr("num_key_value_heads", maxHeads, a.Heads)
	if c.err != nil {
		return a
	}
	if a.Heads%a.KVHeads != 0 {
		c.fail(BadConfig, c.spelling("num_key_value_heads"), "is %d, which doesn't divide %s, %d",
			a.KVHeads, c.spelling("num_attention_heads"), a.Heads)
	}
	if c.value("head_dim") == nil && hidden%a.Heads != 0 {
		c.fail(BadConfig, c.spelling("hidden_size"), "is %d, which %s, %d, doesn't divide, and there is no head_dim",
			hidden, c.spelling("num_attention_heads"), a.Heads)
	}
	a.HeadDim = c.sizeOr("head_dim", maxHeadDim, hidden/a.Heads)
	if a.HeadDim*a.Heads > maxWidth {
		c.fail(BadConfig, c.spelling("head_dim"), "is %d, with %d heads more than %d rows", a.HeadDim, a.Heads, maxWidth)
	}
	if a.HeadDim%2 != 0 {
		c.fail(BadConfig, c.spelling("head_dim"), "is %d (supported: even numbers, as RoPE rotates pairs)", a.HeadDim)
	}
	a.Scale = math.Pow(float64(a.HeadDim), -0.5)
	return a
}

func (c *config) mlp() MLP {
	return MLP{Width: c.size("intermediate_size", maxWidth), Activation: c.activation(), Bias: c.flag(c.row.MLPBias)}
}

// activations maps the names of HF's ACT2FN to what they compute.
var activations = map[string]Activation{
	"silu": SiLU, "swish": SiLU,
	"gelu": GELU, "gelu_python": GELU,
	"gelu_pytorch_tanh": GELUTanh, "gelu_new": GELUTanh, "gelu_fast": GELUTanh, "gelu_accurate": GELUTanh, "gelu_python_tanh": GELUTanh,
	"relu": ReLU,
}

func (c *config) activation() Activation {
	v := c.value("hidden_act")
	name, _ := v.(string)
	a, ok := activations[name]
	if !ok {
		c.fail(UnsupportedConfig, c.spelling("hidden_act"), "is %s (supported: %s)", describe(v),
			strings.Join(slices.Sorted(maps.Keys(activations)), ", "))
	}
	return a
}

// tied decides whether the head is the embedding matrix: not if the checkpoint has
// a head, else by tie_word_embeddings, else by the class default.
func (c *config) tied(has func(string) bool) bool {
	tied := c.flag("tie_word_embeddings")
	return tied && (has == nil || !has(c.row.Names.Head))
}

// The layer type of HF's layer_types that is modelled, and its older name.
const (
	fullAttention    = "full_attention"
	oldFullAttention = "attention"
)

// layerTypes returns the type of each of n layers.
func (c *config) layerTypes(n int) []string {
	v := c.value("layer_types")
	list, ok := v.([]any)
	if v != nil && (!ok || len(list) != n) {
		c.fail(BadConfig, "layer_types", "is %s (supported: a list of %d, one for each layer)", describe(v), n)
		return nil
	}
	for i, t := range list {
		if t != fullAttention && t != oldFullAttention {
			c.fail(UnsupportedConfig, "layer_types", "has %s for layer %d, which model_type %s doesn't model (supported: %s)",
				describe(t), i, c.row.ModelType, fullAttention)
		}
	}
	return slices.Repeat([]string{fullAttention}, n)
}

// checkClass refuses classes with other heads and names than the row describes.
func (c *config) checkClass() {
	v := c.value("architectures")
	list, ok := v.([]any)
	if v == nil || ok && len(list) == 0 {
		return
	}
	for _, class := range list {
		if name, ok := class.(string); ok && slices.Contains(c.row.Classes, name) {
			return
		}
	}
	c.fail(UnsupportedModel, "architectures", "is %s (supported for model_type %s: %s)",
		describe(v), c.row.ModelType, strings.Join(c.row.Classes, ", "))
}

// dtypes are the types that HF may load the weights as. Which one it is doesn't
// matter here: tensors say their own.
var dtypes = []string{"float32", "float16", "bfloat16", "float64", "float", "half", "auto"}

func (c *config) checkDType() {
	for _, key := range []string{"dtype", "torch_dtype"} {
		v := c.value(key)
		name, _ := v.(string)
		if v != nil && !slices.Contains(dtypes, strings.TrimPrefix(name, "torch.")) {
			c.fail(UnsupportedConfig, key, "is %s (supported: %s)", describe(v), strings.Join(dtypes, ", "))
		}
	}
}
