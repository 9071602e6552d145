// Package archs reads config.json and says what a model is: one file per HF
// model_type, each a row of data. It emits nothing; package lower does.
package archs

import "github.com/mlxc/mlxc/ir/rope"

// Spec is the whole of what the graphs depend on: plain data, nothing that emits.
// Where a field comes from one key of config.json its comment names that key as
// llama spells it.
type Spec struct {
	ModelType string        // model_type, of the family row that read it
	Vocab     int           // vocab_size: rows of the embedding matrix and of the head
	Hidden    int           // hidden_size: the width between layers
	MaxLength int           // max_position_embeddings
	Layers    []Layer       // num_hidden_layers of them, in order; equal ones share one private function in the graphs
	FinalNorm Norm          // before the head
	TiedHead  bool          // the logits use the embedding matrix: see config.tied
	HeadBias  bool          // the head has a bias
	RoPE      []rope.Params // the rotations that layers refer to by index
	Names     Names         // of the checkpoint's tensors
	EOS       []int         // eos_token_id: the stop ids that config.json names
	BOS       int           // bos_token_id, -1 if config.json names none
}

// Layer is one decoder layer. It is comparable: equal layers are one kind.
type Layer struct {
	Attention Attention // over the layer's input
	MLP       MLP       // over the attention's result
	Norm      Norm      // before attention and before the MLP (pre-norm block)
}

// NormKind names a normalisation.
type NormKind string

// RMSNorm is x·rsqrt(mean(x²)+eps)·w in f32 (HF LlamaRMSNorm).
const RMSNorm NormKind = "rms_norm"

// Norm is a normalisation over the last dimension.
type Norm struct {
	Kind NormKind // which formula
	Eps  float64  // rms_norm_eps
}

// Attention is softmax attention with grouped key/value heads.
type Attention struct {
	Heads   int     // num_attention_heads, of the queries
	KVHeads int     // num_key_value_heads; divides Heads
	HeadDim int     // head_dim, or hidden_size/num_attention_heads; even
	Scale   float64 // of the scores: HeadDim^-0.5 unless the family says otherwise
	QKVBias bool    // q_proj, k_proj and v_proj have biases
	OutBias bool    // o_proj has one
	RoPE    int     // index into Spec.RoPE
}

// MLP is down(act(gate(x))·up(x)).
type MLP struct {
	Width      int        // intermediate_size: rows of gate and up
	Activation Activation // hidden_act
	Bias       bool       // mlp_bias: of gate, up and down
}

// Activation is an activation function under its canonical HF name.
type Activation string

// The activations of HF's ACT2FN that decoders use.
const (
	SiLU     Activation = "silu"
	GELU     Activation = "gelu"              // exact, erf
	GELUTanh Activation = "gelu_pytorch_tanh" // tanh approximation
	ReLU     Activation = "relu"
)

// Names are checkpoint tensor names; those of a layer are relative to
// fmt.Sprintf(Layer, n). Biases are the weight's name with .bias for .weight, of
// the weight's first dimension. Below, Q = Heads·HeadDim and KV = KVHeads·HeadDim.
type Names struct {
	Embed         string // [Vocab, Hidden]
	FinalNorm     string // [Hidden]
	Head          string // [Vocab, Hidden], unless TiedHead
	Layer         string // the prefix of a layer's tensors, "model.layers.%d."
	AttentionNorm string // [Hidden]
	MLPNorm       string // [Hidden]
	Query         string // [Q, Hidden]
	Key           string // [KV, Hidden]
	Value         string // [KV, Hidden]
	Out           string // [Hidden, Q]
	Gate          string // [Width, Hidden]
	Up            string // [Width, Hidden]
	Down          string // [Hidden, Width]
}
