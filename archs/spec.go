// Package archs reads config.json and says what a model is: one file per HF
// model_type, each a row of data. It emits nothing; package lower does.
package archs

import "github.com/mlxc/mlxc/ir/rope"

// Spec is the whole of what the graphs depend on: plain data, nothing that emits.
type Spec struct {
	ModelType string // HF model_type of the family row that read it
	Vocab     int
	Hidden    int
	MaxLength int // max_position_embeddings
	// Layers in order; equal values share one private function in the graphs.
	Layers    []Layer
	FinalNorm Norm
	// TiedHead: the logits use the embedding matrix.
	TiedHead bool
	HeadBias bool
	// RoPE kinds that the layers refer to by index.
	RoPE []rope.Params
	// Names of the checkpoint's tensors.
	Names Names
	// EOS are the stop ids that config.json names.
	EOS []int
	BOS int // -1 if config.json names none
}

// Layer is one decoder layer. It is comparable: equal layers are one kind.
type Layer struct {
	Attention Attention
	MLP       MLP
	// Norm before attention and before the MLP (pre-norm block).
	Norm Norm
}

// NormKind names a normalisation.
type NormKind string

// RMSNorm is x·rsqrt(mean(x²)+eps)·w in f32 (HF LlamaRMSNorm).
const RMSNorm NormKind = "rms_norm"

// Norm is a normalisation over the last dimension.
type Norm struct {
	Kind NormKind
	Eps  float64
}

// Attention is softmax attention with grouped key/value heads.
type Attention struct {
	Heads, KVHeads, HeadDim int
	Scale                   float64 // of the scores: HeadDim^-0.5 unless the family says otherwise
	QKVBias, OutBias        bool
	RoPE                    int // index into Spec.RoPE
}

// MLP is down(act(gate(x))·up(x)).
type MLP struct {
	Width      int
	Activation Activation
	Bias       bool
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
// fmt.Sprintf(Layer, n). Biases are the weight's name with .bias for .weight.
type Names struct {
	Embed, FinalNorm, Head string
	Layer                  string // "model.layers.%d."
	AttentionNorm, MLPNorm string
	Query, Key, Value, Out string
	Gate, Up, Down         string
}
